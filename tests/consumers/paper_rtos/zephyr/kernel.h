// SPDX-License-Identifier: MIT
// kernel.h - on paper: what Zephyr's reference documents of the calls that
// port/wait/zephyr makes, for a compiler to look at.
#ifndef ZEPHYR_KERNEL_H
#define ZEPHYR_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

struct k_sem {
  void *hidden[4];
};

typedef struct {
  int64_t ticks;
} k_timeout_t;

typedef struct k_thread *k_tid_t;

static const k_timeout_t K_FOREVER = {-1};

static inline k_timeout_t K_TICKS(uint32_t ticks)
{
  k_timeout_t timeout = {ticks};
  return timeout;
}

int k_sem_init(struct k_sem *sem, unsigned int initial, unsigned int limit);
int k_sem_take(struct k_sem *sem, k_timeout_t timeout);
void k_sem_give(struct k_sem *sem);
bool k_is_in_isr(void);
k_tid_t k_current_get(void);
int k_thread_priority_get(k_tid_t thread);

#endif
