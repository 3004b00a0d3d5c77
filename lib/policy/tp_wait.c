// SPDX-License-Identifier: MIT
#include "policy/tp_wait.h"

#include "check/tp_check.h"
#include "core/tp_core.h"

#if TP_WAIT_PORTED

// One who waits. Others write to it until it is out of the list and woken.
struct tp_waiter {
  struct tp_waiter *volatile next;
  void *object;        // What it was handed; NULL when it was sent away.
  uint32_t urgency;    // More is more urgent.
  const void *caller;  // Whose request it is: what that returns to.
  struct tp_wait_sleeper sleeper;
};

// Stands behind all that are as urgent.
static void join(const struct tp_wait *wait, struct tp_waiter *waiter)
{
  struct tp_waiter *volatile *at = &wait->state->first;
  uint32_t lock = wait->pool->lock;
  uint32_t key = tp_lock_take(lock);
  while (*at && (*at)->urgency >= waiter->urgency) at = &(*at)->next;
  waiter->next = *at;
  *at = waiter;
  tp_lock_give(lock, key);
}

// False iff it is out of the list already: then it is being woken.
static bool leave(const struct tp_wait *wait, const struct tp_waiter *waiter)
{
  struct tp_waiter *volatile *at = &wait->state->first;
  uint32_t lock = wait->pool->lock;
  uint32_t key = tp_lock_take(lock);
  while (*at && *at != waiter) at = &(*at)->next;
  bool waits = *at != NULL;
  if (waits) *at = waiter->next;
  tp_lock_give(lock, key);
  return waits;
}

// Takes the first out of the list, with [object], and wakes it. False iff
// nobody waits.
static bool wake_first(const struct tp_wait *wait, void *object)
{
  uint32_t lock = wait->pool->lock;
  uint32_t key = tp_lock_take(lock);
  struct tp_waiter *first = wait->state->first;
  if (first) {
    wait->state->first = first->next;
    first->object = object;
  }
  tp_lock_give(lock, key);
  if (first) tp_wait_port_wake(&first->sleeper);
  return first != NULL;
}

// Does somebody wait who could have a slot? Then [caller] is that one's.
static bool is_due(const struct tp_wait *wait, const void **caller)
{
  uint32_t lock = wait->pool->lock;
  uint32_t key = tp_lock_take(lock);
  const struct tp_waiter *first = wait->state->first;
  bool due = first && !tp_list_is_full(wait->pool);
  if (due) *caller = first->caller;
  tp_lock_give(lock, key);
  return due;
}

// Returns how many were refused then. Without tags
// nobody counts.
static uint32_t count_refused(const struct tp_wait *wait, uint32_t more)
{
  if (!tp_tag_kept(wait->pool)) return 0;
  uint32_t lock = wait->pool->lock;
  uint32_t key = tp_lock_take(lock);
  uint32_t count = wait->pool->state->overflows += more;
  tp_lock_give(lock, key);
  return count;
}

// tp_pool_alloc(), but who gets nothing will wait, and is not refused yet. What
// a soak refuses on purpose the pool did not count.
static void *ask(const struct tp_wait *wait, tp_site_t site)
{
  uint32_t before = TIDEPOOL_SOAK ? count_refused(wait, 0) : UINT32_MAX;
  void *object = tp_pool_alloc_for(wait->pool, NULL, site);
  if (object) return object;
  if (count_refused(wait, 0) != before) count_refused(wait, UINT32_MAX);
  return NULL;
}

// If another context takes the slot first, that one frees it, and serves then.
// Who is served may have gone meanwhile: nothing of its stack is read.
void tp_wait_serve(const struct tp_wait *wait)
{
  const void *caller;
  while (is_due(wait, &caller)) {
    tp_site_t site = tp_port_site_of(&caller);
    void *object = ask(wait, site);
    if (!object || wake_first(wait, object)) continue;
    tp_pool_free_for(wait->pool, object, site);
  }
}

uint32_t tp_wait_cancel(const struct tp_wait *wait)
{
  uint32_t count = 0;
  while (wake_first(wait, NULL)) count++;
  return count;
}

// Who wakes it is done with it when it returns: woken too late is woken, too.
TP_NOINLINE static void *served(const struct tp_wait *wait, uint32_t ticks,
                                tp_site_t site)
{
  struct tp_waiter waiter = {.urgency = tp_wait_port_urgency(),
                             .caller = tp_port_caller(site)};
  tp_wait_port_prepare(&waiter.sleeper);
  join(wait, &waiter);
  tp_wait_serve(wait);  // What was freed before it stood there.
  if (!tp_wait_port_sleep(&waiter.sleeper, ticks) && !leave(wait, &waiter)) {
    tp_wait_port_sleep(&waiter.sleeper, TP_WAIT_FOREVER);
  }
  tp_wait_port_end(&waiter.sleeper);
  if (!waiter.object) count_refused(wait, 1);
  return waiter.object;
}

TP_NOINLINE void *tp_wait_alloc(const struct tp_wait *wait, uint32_t ticks)
{
  if (TP_MISUSE(!tp_wait_port_can_sleep())) {
    tp_raise_misuse(TP_FAULT_CONTEXT, wait->pool->name, wait, 0, 0,
                    tp_site(NULL));
  }
  if (ticks == 0) return tp_pool_alloc_for(wait->pool, NULL, tp_site(NULL));
  tp_hook_waits(wait->pool->name, NULL);
  void *object = NULL;
  if (!tp_wait_is_awaited(wait)) object = ask(wait, tp_site(NULL));
  return object ? object : served(wait, ticks, tp_site(NULL));
}

#endif
