// SPDX-License-Identifier: MIT
// tp_policy.h - what a pool does when it is full. One file a policy; the
// linker drops those that no pool names. An application may write its own: a
// struct tp_policy in flash whose overflow() returns an object or NULL.
#ifndef TP_POLICY_H
#define TP_POLICY_H

#include "pool/tp_pool.h"

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
