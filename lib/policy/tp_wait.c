// SPDX-License-Identifier: MIT
#include "policy/tp_wait.h"

#include "check/tp_check.h"
#include "core/tp_core.h"

#if TP_WAIT_PORTED

// One who waits. Others write to it until it is out of the list and woken.
struct tp_waiter {
  struct tp_wait_link next;
  void *object;        // What it was handed; NULL when it was sent away.
  uint32_t urgency;    // More is more urgent.
  const void *caller;  // Whose request it is: what that returns to.
  struct tp_wait_sleeper sleeper;
};

// To whom does [link] lead? False iff it was written over, which is told once
// the list is locked no longer.
TP_INLINE bool leads(const struct tp_wait_link *link, struct tp_waiter **to)
{
  *to = link->waiter;
  return !TP_MISUSE(*to != link->copy);
}

TP_NOINLINE static void raise_broken(const struct tp_wait *wait,
                                     const struct tp_wait_link *link,
                                     tp_site_t site)
{
  tp_raise_misuse(TP_FAULT_INVARIANT, wait->pool->name, link,
                  (uint32_t)(uintptr_t)link->waiter,
                  (uint32_t)(uintptr_t)link->copy, site);
}

// A broken one stays broken.
static void lead_on(struct tp_wait_link *link, const struct tp_wait_link *next)
{
  struct tp_waiter *copy = next->copy;
  link->waiter = next->waiter;
  link->copy = copy;
}

// Stands behind all that are as urgent.
static void join(const struct tp_wait *wait, struct tp_waiter *waiter,
                 tp_site_t site)
{
  const struct tp_wait_link to_it = {waiter, waiter};
  struct tp_wait_link *at = &wait->state->first;
  uint32_t lock = wait->pool->lock;
  uint32_t key = tp_lock_take(lock);
  struct tp_waiter *next;
  bool sound = leads(at, &next);
  while (sound && next && next->urgency >= waiter->urgency) {
    at = &next->next;
    sound = leads(at, &next);
  }
  lead_on(&waiter->next, at);
  if (sound) lead_on(at, &to_it);
  tp_lock_give(lock, key);
  if (!sound) raise_broken(wait, at, site);
}

// False iff it is out of the list already: then it is being woken.
static bool leave(const struct tp_wait *wait, const struct tp_waiter *waiter,
                  tp_site_t site)
{
  struct tp_wait_link *at = &wait->state->first;
  uint32_t lock = wait->pool->lock;
  uint32_t key = tp_lock_take(lock);
  struct tp_waiter *next;
  bool sound = leads(at, &next);
  while (sound && next && next != waiter) {
    at = &next->next;
    sound = leads(at, &next);
  }
  if (sound && next) lead_on(at, &waiter->next);
  tp_lock_give(lock, key);
  if (!sound) raise_broken(wait, at, site);
  return next != NULL;
}

// Takes the first out of the list, with [object], and wakes it. False iff
// nobody waits.
static bool wake_first(const struct tp_wait *wait, void *object, tp_site_t site)
{
  struct tp_wait_link *at = &wait->state->first;
  uint32_t lock = wait->pool->lock;
  uint32_t key = tp_lock_take(lock);
  struct tp_waiter *first;
  bool sound = leads(at, &first);
  if (sound && first) {
    lead_on(at, &first->next);
    first->object = object;
  }
  tp_lock_give(lock, key);
  if (!sound) raise_broken(wait, at, site);
  if (first) tp_wait_port_wake(&first->sleeper);
  return first != NULL;
}

// Does somebody wait who could have a slot? Then [caller] is that one's.
static bool is_due(const struct tp_wait *wait, const void **caller,
                   tp_site_t site)
{
  const struct tp_wait_link *at = &wait->state->first;
  uint32_t lock = wait->pool->lock;
  uint32_t key = tp_lock_take(lock);
  struct tp_waiter *first;
  bool sound = leads(at, &first);
  bool due = sound && first && !tp_list_is_full(wait->pool);
  if (due) *caller = first->caller;
  tp_lock_give(lock, key);
  if (!sound) raise_broken(wait, at, site);
  return due;
}

// Returns how many were refused then. Without tags nobody counts.
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
  uint32_t before = TIDEPOOL_SOAK ? count_refused(wait, 0) : 0;
  void *object = tp_pool_alloc_for(wait->pool, NULL, site);
  if (object) return object;
  bool counted = TIDEPOOL_SOAK ? count_refused(wait, 0) != before : true;
  if (counted) count_refused(wait, UINT32_MAX);
  return NULL;
}

// If another context takes the slot first, that one frees it, and serves then.
// Who is served may have gone meanwhile: nothing of its stack is read.
static void serve(const struct tp_wait *wait, tp_site_t site)
{
  const void *caller;
  while (is_due(wait, &caller, site)) {
    tp_site_t its_site = tp_port_site_of(&caller);
    void *object = ask(wait, its_site);
    if (!object || wake_first(wait, object, site)) continue;
    tp_pool_free_for(wait->pool, object, its_site);
  }
}

TP_NOINLINE void tp_wait_serve(const struct tp_wait *wait)
{
  serve(wait, tp_site(NULL));
}

// Takes all out of the list at once: who comes to wait from now on is none of
// them. Returns the first; NULL iff nobody waits.
static struct tp_waiter *take_all(const struct tp_wait *wait, tp_site_t site)
{
  const struct tp_wait_link to_nobody = {NULL, NULL};
  struct tp_wait_link *at = &wait->state->first;
  uint32_t lock = wait->pool->lock;
  uint32_t key = tp_lock_take(lock);
  struct tp_waiter *first;
  bool sound = leads(at, &first);
  if (sound) lead_on(at, &to_nobody);
  tp_lock_give(lock, key);
  if (!sound) raise_broken(wait, at, site);
  return first;
}

// Who is out of the list stays where it is until it is woken, and its link.
TP_NOINLINE uint32_t tp_wait_cancel(const struct tp_wait *wait)
{
  tp_site_t site = tp_site(NULL);
  uint32_t count = 0;
  struct tp_waiter *next;
  for (struct tp_waiter *at = take_all(wait, site); at; at = next) {
    if (!leads(&at->next, &next)) raise_broken(wait, &at->next, site);
    tp_wait_port_wake(&at->sleeper);
    count++;
  }
  return count;
}

// Who wakes it is done with it when it returns: woken too late is woken, too.
TP_NOINLINE static void *served(const struct tp_wait *wait, uint32_t ticks,
                                tp_site_t site)
{
  struct tp_waiter waiter;  // All of it zeroed at once would ask for memset.
  waiter.object = NULL;
  waiter.urgency = tp_wait_port_urgency();
  waiter.caller = tp_port_caller(site);
  tp_wait_port_prepare(&waiter.sleeper);
  join(wait, &waiter, site);
  serve(wait, site);  // What was freed before it stood there.
  if (!tp_wait_port_sleep(&waiter.sleeper, ticks) &&
      !leave(wait, &waiter, site)) {
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
