// SPDX-License-Identifier: MIT
// tp_wait.h - waiting for a slot of a full pool, first come first served among
// tasks as urgent.
//
//   packets = { size = 64, count = 32, full = "drop", wait = true }
//
// Two calls stand around those of the pool, so other pools pay nothing, and
// this one a look at one word in free while nobody waits. Every object of such
// a pool is freed by them, or by NAME_free_handle(). Who frees hands the slot
// to the first who waits, and wakes that one alone. A request that does not
// wait takes whatever is free, before those who do.
//
// How a task sleeps says tp_wait_port.h, of a folder of port/wait that is on
// the include path. For pools that drop.
#ifndef TP_WAIT_H
#define TP_WAIT_H

#include "tidepool.h"

// Without a port nobody can wait, and tp_wait.c is empty.
#if __has_include("tp_wait_port.h")
#include "tp_wait_port.h"
#define TP_WAIT_PORTED 1
#else
#define TP_WAIT_PORTED 0
#endif

#ifdef __cplusplus
extern "C" {
#endif

struct tp_waiter;

// Leads to one who waits, on its task's stack; NULL: to nobody. Of all who
// follow one that was written over nobody is looked at, from fast up.
struct tp_wait_link {
  struct tp_waiter *volatile waiter;
  struct tp_waiter *volatile copy;  // The same.
};

// Zero at boot: nobody waits.
struct tp_wait_state {
  struct tp_wait_link first;  // To whom is served next.
};

struct tp_wait {
  const struct tp_pool *pool;
  struct tp_wait_state *state;
};

// Ticks, as the port counts them: without end.
#define TP_WAIT_FOREVER UINT32_MAX

// tp_pool_alloc() that waits while every slot is live, [ticks] at most; 0: it
// does not wait.
//
// Returns  as tp_pool_alloc(). NULL iff no slot was free within [ticks], or
//          tp_wait_cancel() was called meanwhile.
// Faults   CONTEXT: in an interrupt, or with interrupts masked (fast).
//          INVARIANT: the list of those who wait was written over (fast). Those
//          of tp_pool_alloc().
// Time     O(1), the locked windows of tp_pool_alloc(), if a slot is free; else
//          until it is served, with five windows more (three at off), two of
//          them O(those who wait).
// Context  A task, or the thread of a super-loop. It is as urgent as it was at
//          entry, and is not deleted while it waits: what others write to then
//          lies on its stack. Send it away by tp_wait_cancel() before.
void *tp_wait_alloc(const struct tp_wait *wait, uint32_t ticks);

// Hands what is free to those who wait. tp_wait_free() calls it; to be called
// after tp_pool_reset() if somebody may wait. That takes back, too, what was
// handed to a task that has yet to run: its wait then returns a dead object. So
// reset when who was woken has run.
//
// Faults   INVARIANT (fast).
// Time     O(slots handed over), for each the locked windows of tp_pool_alloc()
//          and two more; and one.
// Context  Any the pool's lock allows, if the port's RTOS does, too.
void tp_wait_serve(const struct tp_wait *wait);

// Sends all away who wait now: they get NULL. Who comes to wait once the first
// of them is awake is none of them.
//
// Returns  how many.
// Faults   INVARIANT (fast).
// Time     O(those who wait), and one locked window.
// Context  Any the pool's lock allows, if the port's RTOS does, too.
uint32_t tp_wait_cancel(const struct tp_wait *wait);

// Does somebody wait? One word, read without a lock: who comes to wait later
// looks for itself whether a slot is free.
static inline bool tp_wait_is_awaited(const struct tp_wait *wait)
    __attribute__((no_sanitize_thread));
static inline bool tp_wait_is_awaited(const struct tp_wait *wait)
{
  return wait->state->first.waiter != NULL;
}

// tp_pool_free(), and the slot is handed to the first who waits.
//
// Faults   as tp_pool_free(); if somebody waits, as tp_wait_serve().
// Time     that of tp_pool_free(); if somebody waits, of tp_wait_serve(), too.
// Context  as tp_wait_serve().
static inline TP_CALL void tp_wait_free(const struct tp_wait *wait,
                                        void *object)
{
  tp_pool_free(wait->pool, object);
  if (tp_wait_is_awaited(wait)) tp_wait_serve(wait);
}

#ifdef __cplusplus
}
#endif

#endif
