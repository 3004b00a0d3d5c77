// SPDX-License-Identifier: MIT
// tp_spill.h - a full pool borrows slots of a second one, its chunk, and comes
// home again.
//
// Free slots at home always come first, so what is borrowed comes back by
// itself as objects are freed. Freeing is the same call, wherever the object
// lies. When the chunk is full too, another policy answers: tp_drop, tp_assert,
// or one that steals. That takes an object at home, never one that was lent:
// the oldest, or the least, of those.
//
//   rubble = { size = 24, count = 32, full = "drop", patience = 60 }
//   sparks = { size = 16, count = 64, full = "spill", spill = "rubble",
//              then = "drop" }
//
// Chains.  A chunk's pool may spill in turn; its objects count as lent by every
//   chunk on their way. Rings cannot be defined: a pool is defined after the
//   one it spills into.
// Sharing. Several pools may spill into one chunk: it then has .owner. Its
//   lock must mask every context that uses any of them.
// Size.    What is borrowed has the chunk's slot size. Of a larger slot only
//   writes behind all of it hit a red zone.
// Handles. Those of tidepool.h number the slots of their own pool: a request
//   for one never spills, the other policy answers at once. Those of
//   object/tp_lent.h number the chunk's too.
// Hooks.   Objects with hooks (tp_object.h) may be lent if the chunk has
//   .owner: it tells them from what others have there. So do such handles.
// Growing. A pool may have no chunk of its own, but a list that
//   tp_chunk_attach() and tp_chunk_detach() change: its .into is NULL. An
//   attached chunk is that pool's alone. Those at low addresses serve first,
//   so those at high ones drain.
// Reserve. Slots that only urgent requests get: below.
#ifndef TP_SPILL_H
#define TP_SPILL_H

#include "tidepool.h"

#ifdef __cplusplus
extern "C" {
#endif

// No two are one flipped bit apart.
enum tp_chunk_phase {
  TP_CHUNK_OPEN = 0,      // Lends. Zero, so that it does so from boot on.
  TP_CHUNK_BUSY = 3,      // A context is releasing it, or opening it again.
  TP_CHUNK_RELEASED = 5,  // Its memory is not the pool's at the moment.
};

// Where a list of chunks goes on.
struct tp_chunk_link {
  const struct tp_chunk *chunk;  // NULL at its end.
  const struct tp_chunk *copy;   // The same: if not, one was written over.
};

// Zero at boot.
//
// Invariant: live > 0 only while open.
struct tp_chunk_state {
  struct tp_chunk_link next;  // In the list of the pool it is attached to.
  uint32_t live;      // Objects lent, or passed on to where its pool spills.
  uint32_t emptied;   // tp_clock_now when the last of them was freed, or a
                      // request found that there is none to lend.
  uint32_t releases;  // How often its memory was released. Wraps.
  uint32_t reopens;   // How often it was needed again: near to releases, and
                      // many, patience is too short. Wraps.
  uint8_t phase;      // enum tp_chunk_phase.
  uint8_t attached;   // 1: by tp_chunk_attach().
  uint16_t folded;    // At full: both halves of live, by exclusive or. If not,
                      // one of them was written over.
};

// A pool that other pools borrow slots from. While nothing is lent its memory
// can be released; the next need opens it again. In between
//
//   without .reclaim  the memory is nobody's. From poison up it holds TP_POISON
//                     throughout, and a write into it is a fault when the
//                     chunk is opened again.
//   with .reclaim     it is the application's, to use for what it likes, from
//                     the moment tp_chunk_release() returns true until
//                     reclaim() does.
struct tp_chunk {
  const struct tp_pool *pool;  // The slots. Neither used directly, verified nor
                               // scrubbed while the chunk is released. A free
                               // by it does not tell what is lent. Nor does a
                               // reset: what is issued there next passes for
                               // still lent, and walks of who borrowed meet it.
  struct tp_chunk_state *state;
  const void **owner;  // Who borrowed each slot, capacity + 1 entries: so that
                       // a pool cannot free what another borrowed; or
                       // tp_chunk_former() of who did. NULL where only one
                       // pool borrows, and no object there has hooks or handle.
  // Asked, with nothing locked and in the context of the request, before a
  // chunk that was released is opened again; false answers that request as if
  // the chunk were full. NULL: yes.
  bool (*reclaim)(const struct tp_chunk *chunk);
  uint32_t patience;  // Units of tp_clock_now that it lends nothing, and nobody
                      // asks in vain, before it is released, so that it does
                      // not go to and fro.
};

// Zero at boot. Kept at every level.
//
// Invariant: live <= peak.
struct tp_spill_state {
  struct tp_chunk_link attached;  // In the order of their addresses.
  uint32_t live;                  // Objects away from home.
  uint32_t peak;                  // Most of them at a time.
  uint32_t refused;               // Requests that no chunk could serve. Wraps.
};

// The policy of a pool, which only pools defined with it have. A request that
// found every slot live is counted once: in pool->state->spills if a chunk
// served it, else as [then] does.
struct tp_spill {
  struct tp_policy policy;       // First: the pool's policy is this struct.
  const struct tp_chunk *into;   // NULL: only what is attached.
  const struct tp_policy *then;  // Asked when no chunk has a slot.
  struct tp_spill_state *state;
  uint8_t tagged;  // 1: a request with a tag may spill: of handles the pool has
                   // none, or those of object/tp_lent.h.
};

// The two halves of the policy.
//
// Faults   FOREIGN, at every level: an object given back that is neither the
//          pool's nor borrowed by it. While the chunk lends anything and has no
//          .owner, what it issued itself passes for borrowed; so does what lies
//          further on in a chain, while this pool has an object away.
//          DOUBLE_FREE (fast) names the chunk; it is FOREIGN while the other
//          free is under way, or if nothing is away and the slot further on.
//          POISON (poison) at the address of a word that was written to while
//          the memory was nobody's. INVARIANT (fast): the list of chunks was
//          written over, at the address of its link, or the phase of a chunk,
//          at that of its state, as at full how many objects it lent; or how
//          many slots a chunk that is opened again ever issued.
// Time     O(1) for each chunk on the way, with interrupts masked by PRIMASK
//          for a few instructions. O(the chunk's bytes) once when it was
//          released.
// Context  Any that the locks of both pools allow.
void *tp_spill_overflow(const struct tp_pool *pool, uint32_t *tag,
                        tp_site_t site);
bool tp_spill_take_back(const struct tp_pool *pool, void *object,
                        tp_site_t site);

// The first half for a pool with a reserve: [then] answers every request that
// is not urgent. What it refuses while the reserve has a free slot counts in
// pool->state->refused_by_rule.
void *tp_reserve_overflow(const struct tp_pool *pool, uint32_t *tag,
                          tp_site_t site);

// The spill of [pool], whose policy must be one.
static inline const struct tp_spill *tp_spill_of(const struct tp_pool *pool)
{
  return (const struct tp_spill *)(const void *)pool->policy;
}

// What stands as the owner of a slot that [owner] borrowed, and gave back.
static inline const void *tp_chunk_former(const void *owner)
{
  return (const char *)owner + 3;  // No one flipped bit makes one the other.
}

// Releases the memory of [chunk]: all of it or nothing. Call it once a frame,
// or when the memory is wanted.
//
// Returns  true iff it is released now or was before. False while any object is
//          lent, or the chunk's own pool has one, wherever it lies (at off, of
//          those at home nobody knows), or it has lent and refused nothing for
//          less than [patience], or a context that this one interrupts is just
//          opening or releasing it.
// Faults   INVARIANT (fast): the phase was written over; at full also how many
//          objects are lent.
// Time     O(1) below poison, then O(its bytes). One locked window. Requests
//          that interrupt it find the chunk full.
// Context  Any; but who uses the chunk's pool directly must not interrupt it.
bool tp_chunk_release(const struct tp_chunk *chunk);

// Adds [chunk] to those of [pool], whose policy is a spill. Its memory must be
// released, or never have been used; what stands there does not matter. Its
// slots must be as large as the pool's, and aligned as they are. Who attaches
// it grants its memory: reclaim is not asked. If it was released it counts as
// opened again.
//
// Faults   CHUNK (fast): it is attached already, here or to another pool, or is
//          the pool's .into; or its stride is not the pool's. INVARIANT
//          (fast): the list of chunks was written over, or the chunk's phase.
// Time     O(chunks attached), O(its slots ever issued) if it was released.
// Context  The one that every other user of the pool may interrupt.
void tp_chunk_attach(const struct tp_pool *pool, const struct tp_chunk *chunk);

// Takes [chunk] away again, if nothing in it is live. Its memory is then the
// caller's; from poison up it holds TP_POISON throughout, unless it was
// released before and has .reclaim: then what the application left there.
//
// Returns  true; false iff an object in it is live: nothing changed.
// Faults   CHUNK (fast): it is not attached to [pool]. INVARIANT (fast): the
//          list of chunks was written over, or as tp_chunk_release().
// Time     O(chunks attached), from poison up O(its bytes).
// Context  As tp_chunk_attach().
bool tp_chunk_detach(const struct tp_pool *pool, const struct tp_chunk *chunk);

// tp_chunk_detach() of every chunk attached to [pool] in which nothing is live.
//
// Returns  how many stay.
// Faults   INVARIANT (fast), as tp_chunk_detach().
// Time     O(chunks attached squared), from poison up O(their bytes).
// Context  As tp_chunk_attach().
uint32_t tp_spill_release(const struct tp_pool *pool);

// tp_pool_reset() of [pool] and of all chunks attached to it, which stay; so do
// objects in .into, and those that a chunk passed on. What is issued next lies
// in order of address: what is at home, then what is in each chunk.
//
// Faults   RED_ZONE (full). INVARIANT (fast): the list of chunks was written
//          over, the phase of one, or how many slots were ever issued.
// Time     O(slots ever issued), from poison up O(their bytes).
// Context  One that no user of the pool interrupts.
void tp_spill_reset(const struct tp_pool *pool);

// A reserve: slots that only urgent requests get. A row of pools.toml with
//
//   voices = { size = 32, count = 16, full = "drop", reserve = 2 }
//
// is a pool of 14, whose policy is a spill by tp_reserve_overflow(), a hidden
// pool of 2, and a second descriptor of the 14 that spills into those:
//
//   tp_pool_alloc(&voices_pool)         NULL from the 15th on
//   tp_pool_alloc(&voices_urgent_pool)  NULL from the 17th on
//
// Urgent requests take a free slot at home first. Others never get one of the
// reserve, whoever interrupts whom, and nothing is counted for it. It fills up
// again as what was issued from it is freed. Freeing is the same call, and
// statistics and tp_pool_verify() take either descriptor.

#ifdef __cplusplus
}
#endif

#endif
