// SPDX-License-Identifier: MIT
// tp_spill.h - a full pool borrows from a second one, and comes home again.
//
// A request that finds every slot live is served by the chunk the pool spills
// into. Free slots at home always come first, so the overflow drains by itself
// as objects are freed. Freeing is the same call, wherever the object lies.
// When the chunk is full too, or its region is given back and wanted by
// others, the policy [then] answers: drop, assert, or the application's.
//
//   TP_SPILL_DEFINE(sparks, rubble, tp_drop);         // rubble: tp_chunk.h
//   TP_POOL_DEFINE(sparks, 16, 64, 8, TP_NO_BANK, TP_TAGS_IF_CHECKED,
//                  TP_SPILLS(sparks, rubble));
//
// Chains.  A chunk's pool may spill in turn. An object passed on counts as lent
//   by every chunk on its way. Rings cannot be defined: a pool is defined
//   after the one it spills into.
// Sharing. Several pools may spill into one chunk; give it TP_CHUNK_OWNERS. Its
//   lock must mask every context that uses any of them.
// Size.    What is borrowed has the chunk's slot size. Of a larger slot only
//   writes behind all of it hit a red zone.
// Handles. A handle numbers the slots of its own pool, so a request for one is
//   never spilled: [then] answers it at once.
// Counting. Each request that found the pool full is counted once: served here
//   in pool->state->spills, else by [then]. The rest of the books is below,
//   kept with interrupts masked by PRIMASK for a few instructions.
#ifndef TP_SPILL_H
#define TP_SPILL_H

#include "policy/tp_chunk.h"
#include "tidepool.h"

#ifdef __cplusplus
extern "C" {
#endif

// Zero at boot. Kept at every level.
//
// Invariant: live <= peak.
struct tp_spill_state {
  const struct tp_chunk *attached;  // By address, see tp_chunks.h.
  uint32_t live;                    // Objects away from home.
  uint32_t peak;                    // Most of them at a time.
  uint32_t refused;   // Requests that no chunk could serve. Wraps.
};

// The policy of a pool, which only pools defined with it have.
struct tp_spill {
  struct tp_policy policy;       // First: the pool's policy is this struct.
  const struct tp_chunk *into;   // NULL: only what is attached.
  const struct tp_policy *then;  // Asked when no chunk has a slot. None that
                                 // has parameters of its own.
  struct tp_spill_state *state;
};

// The two halves of the policy.
//
// Faults   FOREIGN, at every level: an object given back that is neither the
//          pool's nor borrowed by it. DOUBLE_FREE (fast) names the chunk.
// Time     O(1) for each chunk on the way. When the chunk's region was given
//          back, O(region) once.
// Context  Any that the locks of both pools allow.
void *tp_spill_overflow(const struct tp_pool *pool, uint32_t *tag,
                        tp_site_t site);
bool tp_spill_take_back(const struct tp_pool *pool, void *object,
                        tp_site_t site);

// The spill of [pool], whose policy must be one.
static inline const struct tp_spill *tp_spill_of(const struct tp_pool *pool)
{
  return (const struct tp_spill *)(const void *)pool->policy;
}

// Defines what [name] does when it is full: borrow from pool [second], which is
// a chunk, then ask policy [otherwise]. Between the chunk and the pool [name].
#define TP_SPILL_DEFINE(name, second, otherwise) \
  TP_SPILL_DEFINE_BY(name, &second##_chunk, otherwise, tp_spill_overflow)

#define TP_SPILL_DEFINE_BY(name, chunk, otherwise, answer)     \
  static struct tp_spill_state name##_spill_state;             \
  const struct tp_spill name##_spill = {                       \
      .policy = {.overflow = answer, .take_back = tp_spill_take_back}, \
      .into = chunk,                                           \
      .then = &otherwise,                                      \
      .state = &name##_spill_state}

// The initialisers of pool [name] that make it spill into [second].
#define TP_SPILLS(name, second) \
  .policy = &name##_spill.policy, .takes_foreign = TP_SPILL_FITS(name, second)

// 1, if an object of [name] fits a slot of [second]. Otherwise no number.
#define TP_SPILL_FITS(name, second)                              \
  sizeof(struct {                                                \
    char one;                                                    \
    _Static_assert((int)name##_size <= (int)second##_size,       \
                   #name ": larger than the slots of " #second); \
    _Static_assert((int)name##_align <= (int)second##_align,     \
                   #name ": aligned more than " #second);        \
  })

#ifdef __cplusplus
}
#endif

#endif
