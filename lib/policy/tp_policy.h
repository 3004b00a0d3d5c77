// SPDX-License-Identifier: MIT
// tp_policy.h - what a pool does when it is full. One file a policy; the
// linker drops those that no pool names.
//
// An application may write its own: a struct tp_policy in flash, named by its
// pools. It is called with nothing locked, in the context of the request, and
// may use any pool, the full one too:
//
//   static void *drop_a_page(const struct tp_pool *pool, uint32_t *tag)
//   {
//     if (tag) return NULL;         // No handle for what is found below.
//     cache_forget_least_used();    // Frees an object of [pool].
//     return tp_pool_alloc(pool);
//   }
//   const struct tp_policy page_policy = {.overflow = drop_a_page};
//
// One that has parameters embeds the struct as its first member and casts
// pool->policy back. One that returns objects of other places gives the pool
// `.takes_foreign = 1` and a take_back() that takes them back, and counts each in
// pool->state->spills, locked against whoever else may: a request it does not
// count there shows as a drop. tests/unit/policy/test_own_policy.c has both.
#ifndef TP_POLICY_H
#define TP_POLICY_H

#include "core/tp_pool.h"

#ifdef __cplusplus
extern "C" {
#endif

// For what must exist: the pool is sized so that it never fills, and when it
// does that is a bug. Fault FULL; at off, a trap.
extern const struct tp_policy tp_assert;

// For what nobody will miss: the request is refused, the caller gets NULL.
extern const struct tp_policy tp_drop;

// For what masks its own loss: the object issued longest ago is detached, its
// owner told through evict() with nothing locked, its slot issued anew. An
// aged pool only. Refuses iff every slot is just being evicted or issued.
// Time: O(1), two locked windows. The victim's handle is stale before evict()
// runs. evict() may use any pool, this one too.
extern const struct tp_policy tp_steal_oldest;

#ifdef __cplusplus
}
#endif

#endif
