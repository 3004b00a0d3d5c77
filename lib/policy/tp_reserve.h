// SPDX-License-Identifier: MIT
// tp_reserve.h - slots kept for urgent requests, of interrupts or of the boss.
//
// A pool of [count] slots with a reserve of [reserve] is a pool of the others
// and a hidden second one, which only urgent requests spill into (tp_spill.h).
// So normal requests can never take a reserved slot, at any level and whoever
// interrupts whom, and nothing is counted for it. Urgent ones take a free slot
// at home first. Freeing is the same call for both.
//
//   TP_RESERVE_DEFINE(voices, 32, 16, 2, 8, TP_NO_BANK, TP_TAGS_IF_CHECKED,
//                     tp_drop, .lock = TP_LOCK_PRIMASK);
//
//   voices_alloc()         NULL from the 15th on
//   voices_alloc_urgent()  NULL from the 17th on
//
// The reserve is refilled by freeing what was issued from it: a slot freed at
// home serves who asks first. (Counting free slots instead would refill it from
// any, and cost each call a comparison under the lock, at off a count too.)
//
// An urgent request is one to a second descriptor of the same slots, with a
// policy of its own: tp_pool_alloc(&voices_urgent_pool). Faults it meets have
// that descriptor, and the name of the pool, in their record. Statistics and
// tp_pool_verify() take either.
//
// Handles: as in tp_spill.h, the reserve serves no request for a handle.
#ifndef TP_RESERVE_H
#define TP_RESERVE_H

#include "policy/tp_spill.h"

#ifdef __cplusplus
extern "C" {
#endif

// The policy of normal requests: as that named at definition. What it refuses
// while the reserve has a free slot counts in pool->state->refusals.
void *tp_reserve_overflow(const struct tp_pool *pool, uint32_t *tag,
                          tp_site_t site);

// Defines pool [pool] of [count] slots, [reserve] of them kept. [otherwise] is
// the policy of a request that finds none. The rest are initialisers of struct
// tp_pool, at least one, without .policy.
#define TP_RESERVE_DEFINE(pool, size_bytes, count, reserve, align, bank, tags, \
                          otherwise, ...)                                      \
  TP_POOL_DEFINE(pool##_reserve, size_bytes, reserve, align, bank,             \
                 TP_TAGS_IF_CHECKED, .policy = &tp_drop, .refuses = 1);        \
  TP_CHUNK_DEFINE(pool##_reserve, .patience = 0);                              \
  TP_SPILL_DEFINE(pool, pool##_reserve, otherwise);                            \
  static const struct tp_spill pool##_calm = {                                 \
      .policy = {.overflow = tp_reserve_overflow, .take_back = tp_spill_take_back},    \
      .into = &pool##_reserve_chunk,                                           \
      .then = &otherwise,                                                      \
      .state = &pool##_spill_state};                                           \
  TP_POOL_DEFINE(pool, size_bytes, (count) - (reserve), align, bank, tags,     \
                 .policy = &pool##_calm.policy, .takes_foreign = 1, __VA_ARGS__);     \
  const struct tp_pool pool##_urgent_pool = {TP_POOL_FIELDS(pool),             \
                                             .policy = &pool##_spill.policy,   \
                                             .takes_foreign = 1, __VA_ARGS__}

#ifdef __cplusplus
}
#endif

#endif
