// SPDX-License-Identifier: MIT
// tp_ask_lock.c - whether a call of the library's is interrupted where it must
// not be: by exceptions of the core's own, whose handlers are ours for as long
// as it takes. The host has none, and ARMv6-M does not let handlers be changed.
#include "core/tp_slot.h"
#include "tp_ask.h"
#include "tp_port.h"

#if defined __arm__ && TP_PORT_HAS_BASEPRI

enum { VECTORS = 16, PENDSV = 14, SYSTICK = 15, GROUPS = 16 };
enum { PEND_PENDSV = 1 << 28, FORGET_BOTH = 1 << 27 | 1 << 25 };
enum { TICKS = 96, LEAST_URGENT = 0xff, MIDDLE = 0x80 };

struct systick {
  volatile uint32_t control, reload, now;
};

static volatile uint32_t *at(uint32_t address)
{
  return (volatile uint32_t *)(uintptr_t)address;
}

#define CONTROL    (*at(0xe000ed04))
#define TABLE      (*at(0xe000ed08))
#define PRIORITIES (*at(0xe000ed20))  // Of PendSV and SysTick.
#define IRQ_GROUPS (*at(0xe000e004) & (GROUPS - 1))
#define ENABLED    at(0xe000e100)
#define DISABLED   at(0xe000e180)

static struct systick *const timer = (struct systick *)0xe000e010u;
static _Alignas(128) uint32_t vectors[VECTORS];
static volatile uint32_t came;
static bool is_ours;

// What stood there before.
static struct {
  uint32_t table, priorities, control, reload, enabled[GROUPS];
} kept;

static void pended(void)
{
  came++;
}

// One call for another, where the first was.
static void interrupted(void)
{
  timer->control = 0;
  tp_ask_in_handler = true;
  void *object = tp_pool_alloc(&tp_ask_plain_pool);
  if (object) tp_pool_free(&tp_ask_plain_pool, object);
  tp_ask_in_handler = false;
  came++;
}

static void settle(void)
{
  __asm volatile("dsb\n isb" ::: "memory");
}

// Nothing of the application's comes in between: its interrupts wait.
static void keep_interrupts(void)
{
  for (uint32_t i = 0; i <= IRQ_GROUPS; i++) {
    kept.enabled[i] = ENABLED[i];
    DISABLED[i] = UINT32_MAX;
  }
}

static void fill_vectors(uintptr_t table)
{
  __asm("" : "+r"(table));  // Which may be 0.
  for (uint32_t i = 0; i < VECTORS; i++) {
    vectors[i] = ((volatile uint32_t *)table)[i];
  }
  vectors[PENDSV] = (uint32_t)(uintptr_t)pended;
  vectors[SYSTICK] = (uint32_t)(uintptr_t)interrupted;
}

static void take_over(void)
{
  keep_interrupts();
  kept.table = TABLE;
  kept.priorities = PRIORITIES;
  kept.control = timer->control;
  kept.reload = timer->reload;
  timer->control = 0;
  fill_vectors(kept.table);
  PRIORITIES = kept.priorities | (uint32_t)LEAST_URGENT << 16;
  TABLE = (uint32_t)(uintptr_t)vectors;
  came = 0;
  is_ours = true;
  settle();
}

static void give_back(void)
{
  timer->control = 0;
  CONTROL = FORGET_BOTH;
  timer->reload = kept.reload;
  timer->now = 0;
  timer->control = kept.control;
  TABLE = kept.table;
  PRIORITIES = kept.priorities;
  settle();
  for (uint32_t i = 0; i <= IRQ_GROUPS; i++) ENABLED[i] = kept.enabled[i];
  is_ours = false;
}

void tp_ask_lock_end(void)
{
  if (is_ours) give_back();
}

// Somebody who has a use for SysTick would miss what it says.
static bool is_alone(void)
{
  bool interrupts = (timer->control & 3) == 3;
  if (interrupts) tp_ask_skip();
  return !interrupts;
}

static void pend(void)
{
  CONTROL = PEND_PENDSV;
  settle();
}

// Held by the lock, and there as soon as it is given back.
static bool is_held(uint32_t lock)
{
  if (!is_alone()) return true;
  take_over();
  uint32_t key = tp_lock_take(lock);
  pend();
  uint32_t during = came;
  tp_lock_give(lock, key);
  settle();
  uint32_t after = came;
  give_back();
  return during == 0 && after == 1;
}

static bool holds(void)
{
  return is_held(TP_LOCK_PRIMASK);
}

static bool holds_below(void)
{
  return is_held(MIDDLE);
}

static void interrupt_soon(void)
{
  timer->reload = 1 + tp_ask_below(TICKS);
  timer->now = 0;
  timer->control = 7;
}

static void await(void)
{
  while (!came) settle();
  came = 0;
}

static bool whole(void)
{
  const struct tp_pool *pool = &tp_ask_plain_pool;
  if (!is_alone()) return true;
  take_over();
  void *one = tp_pool_alloc(pool);
  interrupt_soon();
  void *other = tp_pool_alloc(pool);
  await();
  interrupt_soon();
  tp_pool_free(pool, one);
  await();
  tp_pool_free(pool, other);
  give_back();
  return one != other && !tp_pool_live(pool) && tp_pool_verify(pool, NULL);
}

const struct tp_question tp_ask_lock[] = {
    {"interrupts wait for the lock", holds, TP_CHECKS_OFF},
    {"interrupts wait for the lock of a level", holds_below, TP_CHECKS_OFF},
    {"a call within a call leaves a pool whole", whole, TP_CHECKS_FAST},
    {0},
};

#else

const struct tp_question tp_ask_lock[] = {{0}};

void tp_ask_lock_end(void)
{
}

#endif
