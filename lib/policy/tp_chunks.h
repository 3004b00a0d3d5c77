// SPDX-License-Identifier: MIT
// tp_chunks.h - a pool that grows by static regions while it runs.
//
// A chunked pool is a spilling pool (tp_spill.h) with no chunk of its own and a
// list of them that changes. An attached chunk is that pool's alone.
// Its home slots come first, then the chunks in the order of their addresses,
// so those at high addresses drain and can be detached.
//
//   TP_CHUNKS_DEFINE(sparks, tp_drop);
//   TP_POOL_DEFINE(sparks, 16, 64, 8, TP_NO_BANK, TP_TAGS_IF_CHECKED,
//                  TP_CHUNKED(sparks));
//   ...
//   tp_chunks_attach(&sparks_pool, &boss_fight_chunk);
//
// Each call wants [pool] to be chunked, and the one context that every other
// user of the pool may interrupt.
#ifndef TP_CHUNKS_H
#define TP_CHUNKS_H

#include "policy/tp_spill.h"

#ifdef __cplusplus
extern "C" {
#endif

// Adds [chunk] to [pool]. Its region must be given back, or never have been
// used; what stands there does not matter. Its slots must be as large as the
// pool's and aligned as they are.
//
// Faults   CHUNK (fast): attached already, here or to another pool; or its
//          stride is not the pool's.
// Time     O(chunks attached), O(its slots ever issued) if it was detached.
void tp_chunks_attach(const struct tp_pool *pool, const struct tp_chunk *chunk);

// Takes [chunk] away again, if nothing in it is live. Its region is then the
// caller's; from poison up it holds TP_POISON throughout.
//
// Returns  true; false iff an object in it is live: nothing changed.
// Faults   CHUNK (fast): not attached to [pool].
// Time     O(chunks attached), from poison up O(region).
bool tp_chunks_detach(const struct tp_pool *pool, const struct tp_chunk *chunk);

// Takes every object back, those in chunks too, as when a level ends: all
// handles are stale, all chunks stay. The objects issued next lie in order of
// address: those of home, then those of each chunk.
//
// Faults   RED_ZONE (full).
// Time     O(slots ever issued), from poison up O(their bytes).
// Context  One that no user of the pool interrupts.
void tp_chunks_reset(const struct tp_pool *pool);

#define TP_CHUNKS_DEFINE(name, otherwise) \
  TP_SPILL_DEFINE_BY(name, NULL, otherwise, tp_spill_overflow)

// The initialisers of pool [name] that make it chunked.
#define TP_CHUNKED(name) .policy = &name##_spill.policy, .takes_foreign = 1

#ifdef __cplusplus
}
#endif

#endif
