// SPDX-License-Identifier: MIT
// tp_registry.h - every allocator of a firmware, whatever its kind, in one
// list: what shows, watches, adds up or verifies them reads it and nothing
// else. tp_pools.c defines it, and where nobody reads it nothing is linked.
//
//   for (uint32_t i = 0; i < tp_registry.count; i++) {
//     const struct tp_entry *entry = tp_registry.entries[i];
//     print(entry->name, tp_entry_live(entry), tp_entry_capacity(entry));
//   }
#ifndef TP_REGISTRY_H
#define TP_REGISTRY_H

#include "core/tp_seal.h"
#include "tidepool.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tp_shadow;

// What the allocators of one kind have in common. Each kind has one such
// struct, in the header of the allocator.
struct tp_kind {
  const char *name;  // "pool", "stack": as its section of pools.toml is called.
  const char *unit;  // What it counts: "slots", "blocks" or "bytes".
  uint32_t (*capacity)(const void *allocator);  // Now. NULL: all of it.
  uint32_t (*live)(const void *allocator);      // NULL: stats() knows as soon.
  void (*stats)(const void *allocator, struct tp_stats *stats);
  bool (*verify)(const void *allocator, struct tp_finding *finding);
  // NULL: not needed. Called at [site].
  void (*scrub)(const void *allocator, uint32_t budget, tp_site_t site);
#if TIDEPOOL_SANITIZE
  const struct tp_shadow *shadow;  // NULL: none of its memory is watched.
#endif
};

// An allocator. Lives in flash.
struct tp_entry {
  const char *name;  // As in its row, and in a fault record.
  const struct tp_kind *kind;
  const void *allocator;  // By kind: const struct tp_pool *, and so on.
  const char *policy;     // What a full one does, as in its row; or the name of
                          // the application's own struct tp_policy.
  const char *bank;       // NULL: none.
  uint32_t most;          // Its capacity, the most that it ever has.
  uint32_t bytes;         // Of its storage; 0: it lies in another's.
  uint16_t stride;        // From one slot to the next; 1: it counts bytes.
  uint8_t spare;          // 1: that it is never used is right.
  uint32_t lifetime;      // What an object of it lives at most, in units of
                          // tp_clock_now; 0: unsaid; UINT32_MAX: for ever.
  const struct tp_seal *seal;  // Of what scenes cut. NULL: its descriptor lies
                               // in flash, or it is of several.
};

// All allocators: those of [pools] first, by enum tp_pool_id.
struct tp_registry {
  const struct tp_entry *const *entries;
  uint32_t count;
  uint32_t config;  // TP_CONFIG_HASH.
};

// Of the rows of pools.toml, and of the tables it includes.
extern const struct tp_registry tp_registry;

// The kinds: what each takes for an allocator, and what it counts. All but that
// of pools are in allocator/tp_kinds.c.

extern const struct tp_kind tp_pool_kind;  // const struct tp_pool *.

// A pool that others spill into: const struct tp_chunk *. While its memory is
// released it has no slots, and nothing of it is looked at.
extern const struct tp_kind tp_chunk_kind;

// Of bytes, with what alignments skipped. Of a double-ended stack peak is the
// sum of those of its ends, or all of it; of a frame, that of one buffer.
extern const struct tp_kind tp_stack_kind;   // const struct tp_stack *.
extern const struct tp_kind tp_dstack_kind;  // const struct tp_dstack *.
extern const struct tp_kind tp_frame_kind;   // const struct tp_frame *.

// The bytes that are left of a nest beside its rows, which have entries of
// their own: const struct tp_nest *, the root.
extern const struct tp_kind tp_nest_kind;

// The bytes of all classes together, each of which is a pool with an entry of
// its own: const struct tp_blocks *. Peak is the sum of theirs. A request that
// a larger class served counts as refused by the smaller one, and not here.
extern const struct tp_kind tp_blocks_kind;

extern const struct tp_kind tp_dense_kind;  // const struct tp_dense *.

// Twice const struct tp_reloc *: the blocks; and the bytes of the arena, those
// that blocks and the holes between them fill.
extern const struct tp_kind tp_reloc_kind;
extern const struct tp_kind tp_arena_kind;

// The bytes that the pools of the current scene take: const struct tp_scenes *.
// Refused are switches.
extern const struct tp_kind tp_scenes_kind;

// Returns  its capacity in its kind's unit: at the moment, for scenes cut pools
//          and a chunk may be released.
// Time     O(1).
// Context  That of the kind's own calls.
static inline uint32_t tp_entry_capacity(const struct tp_entry *entry)
{
  if (!entry->kind->capacity) return entry->most;
  return entry->kind->capacity(entry->allocator);
}

// Returns  how much of it is in use, in its kind's unit.
// Time     O(1), of blocks O(classes); at off, that of tp_pool_live().
// Context  That of the kind's own calls.
uint32_t tp_entry_live(const struct tp_entry *entry);

// Writes its figures to [stats], in its kind's unit but for refused, which are
// requests. What it does not count is 0.
//
// Time     that of the kind's own call, such as tp_pool_stats().
// Context  That of the kind's own call.
static inline void tp_entry_stats(const struct tp_entry *entry,
                                  struct tp_stats *stats)
{
  entry->kind->stats(entry->allocator, stats);
}

// Returns  true iff every invariant of it holds. Otherwise [finding] says which
//          does not, TP_BROKEN_OTHER of what is no pool, and if scenes cut it
//          and its seal does not hold.
// Time     that of the kind's own call, such as tp_pool_verify(); of stacks,
//          frames and nests O(1), from poison up O(bytes that were in use).
// Context  One that no user of it interrupts.
bool tp_entry_verify(const struct tp_entry *entry, struct tp_finding *finding);

// tp_pool_scrub() of one slot more than its slots divided by 2^[shift], [shift]
// below 32, so that as many calls look at all; of what is no pool, nothing.
//
// Faults   those of tp_pool_scrub(), and of tp_seal_check() if scenes cut it.
// Time, Context  those of tp_pool_scrub().
void tp_entry_scrub(const struct tp_entry *entry, uint32_t shift);

// Internal: tp_pool_scrub() in the name of who called at [site].
void tp_pool_scrub_for(const struct tp_pool *pool, uint32_t budget,
                       tp_site_t site);

// Returns  the index of the allocator called [name]; the number of them iff
//          there is none.
// Time     O(allocators).
// Context  Any.
uint32_t tp_registry_find(const struct tp_registry *registry, const char *name);

#ifdef __cplusplus
}
#endif

#endif
