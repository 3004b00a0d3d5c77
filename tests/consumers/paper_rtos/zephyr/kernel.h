// SPDX-License-Identifier: MIT
// kernel.h - on paper: what Zephyr's reference documents of the calls that
// port/wait/zephyr and the page of waits make, for a compiler to look at.
#ifndef ZEPHYR_KERNEL_H
#define ZEPHYR_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ARG_UNUSED(argument) (void)(argument)

struct k_sem {
  void *hidden[4];
};

typedef struct {
  int64_t ticks;
} k_timeout_t;

typedef struct k_thread *k_tid_t;

static const k_timeout_t K_FOREVER = {-1}, K_NO_WAIT = {0};

static inline k_timeout_t K_TICKS(uint32_t ticks)
{
  k_timeout_t timeout = {ticks};
  return timeout;
}

static inline k_timeout_t K_MSEC(uint32_t milliseconds)
{
  return K_TICKS(milliseconds);
}

static inline uint32_t k_ms_to_ticks_ceil32(uint32_t milliseconds)
{
  return milliseconds;
}

int k_sem_init(struct k_sem *sem, unsigned int initial, unsigned int limit);
int k_sem_take(struct k_sem *sem, k_timeout_t timeout);
void k_sem_give(struct k_sem *sem);
bool k_is_in_isr(void);
k_tid_t k_current_get(void);
int k_thread_priority_get(k_tid_t thread);

typedef void (*k_thread_entry_t)(void *, void *, void *);

struct paper_thread {
  size_t stack_bytes;
  k_thread_entry_t entry;
  void *arguments[3];
  int priority;
  uint32_t options;
  int32_t delay;
};

#define K_THREAD_DEFINE(name, stack_bytes, entry, p1, p2, p3, priority, \
                        options, delay)                                 \
  const struct paper_thread name = {stack_bytes, entry,   {p1, p2, p3}, \
                                    priority,    options, delay}

struct k_msgq {
  char *messages;
  size_t message_bytes;
  uint32_t most;
};

#define K_MSGQ_DEFINE(name, bytes, count, align) \
  static char name##_messages[(bytes) * (count)] \
      __attribute__((aligned(align)));           \
  struct k_msgq name = {name##_messages, bytes, count}

int k_msgq_put(struct k_msgq *queue, const void *message, k_timeout_t timeout);
int k_msgq_get(struct k_msgq *queue, void *message, k_timeout_t timeout);

struct k_timer {
  void (*expired)(struct k_timer *timer), (*stopped)(struct k_timer *timer);
};

#define K_TIMER_DEFINE(name, expired, stopped) \
  struct k_timer name = {expired, stopped}

void k_timer_start(struct k_timer *timer, k_timeout_t first, k_timeout_t then);
void k_timer_stop(struct k_timer *timer);

#endif
