// SPDX-License-Identifier: MIT
// tp_reloc.h - blocks of any size and any lifetime, in one arena that is
// compacted a little at a time.
//
// Blocks are held by handle and lie in order of address, so that a hole can
// only move up: tp_reloc_step() slides the block behind it down over it, until
// the free bytes are one piece at the top. A block that somebody works on is
// locked and stays where it is.
//
// A block costs its size, rounded up to 8 bytes, and 8 bytes of header that
// stand before it and guard the end of the block below: at every level, but
// looked at from fast up. For small objects and a thousand of them, not for
// images: a step copies a block whole.
//
// From fast up places, indices and the ends of what is in use are looked at
// before anything is written by them: one that leads out of the arena, or to
// another's block, was written over: the fault INVARIANT at the word's address.
// At full, unless TP_AUDIT is 0, each call but those for figures looks at all
// of it first, as tp_reloc_verify() does, and at the sum of the generations:
// its time is O(handles) and O(its bytes) more.
#ifndef TP_RELOC_H
#define TP_RELOC_H

#include "core/tp_shape.h"
#include "tidepool.h"

#ifdef __cplusplus
extern "C" {
#endif

// What blocks are aligned to, and what their sizes are rounded up to. Places
// in the arena are counted in units of it: at most 524 272 bytes.
#define TP_RELOC_UNIT      8
#define TP_RELOC_UNITS_MAX 65534

// A block as its handle knows it. Zero at boot.
struct tp_reloc_entry {
  uint32_t generation;  // Odd while live: grows by one when the index is given
                        // out, and when it is taken back.
  uint16_t at;     // Unit where its header stands; while dead, the next index
                   // that is free.
  uint16_t locks;  // Locks taken and not given back.
};

// What changes while the program runs. Zero at boot: an empty arena.
//
// Invariants, checked by tp_reloc_verify():
//   blocks and holes fill the units 0 to top - 1, no hole next to another or
//   at the top
//   hole_units == the sum of the holes' units, headers included
//   below cursor there is no hole but those that a locked or a large block
//   ended when it was looked at
struct tp_reloc_state {
  uint16_t top;      // Units that blocks and holes fill.
  uint16_t touched;  // Units that were ever written to.
  uint16_t cursor;   // Where the next step goes on. A header, or the top.
  uint16_t holes;
  uint16_t hole_units;
  uint16_t fresh;       // Indices 1..fresh were issued at least once.
  uint16_t free_index;  // Most recently freed index; 0 iff none.
  uint16_t live;        // Blocks now.
  uint32_t refused;     // Requests that did not fit. Wraps.
  uint32_t moves;       // Blocks moved. Wraps.
};

// What is decided when the firmware is linked. Lives in flash.
struct tp_reloc {
  tp_word_t *arena;              // [units] and one more, for the end.
  struct tp_reloc_entry *entry;  // By index: [handles] and one more.
  struct tp_reloc_state *state;
  // Told that [handle]'s block is [to] now, and was [from]: for blocks that
  // point into themselves, and for those who keep a copy of the address. NULL:
  // nobody.
  void (*on_move)(void *to, const void *from, tp_handle_t handle);
  const char *name;
  const char *link_check;  // As that of struct tp_pool.
  uint32_t move_bytes;     // What NAME_step() gives to tp_reloc_step().
  uint16_t moves;
  uint16_t units;
  uint16_t handles;     // Most blocks at a time.
  uint8_t handle_bits;  // Low bits of a handle that hold the index.
  uint8_t full;         // 1: a request that does not fit is a fault.
};

// Takes a block of [size] bytes and returns its handle.
//
// The block is taken from the top; when too little is left there, from the
// lowest hole that is large enough. Nothing is moved: when it does not fit,
// step until nothing is left to do, and ask again. The bytes are what was
// there before (TP_POISON_NEW from poison up).
//
// Returns  a handle. TP_NO_HANDLE iff [size] does not fit in one piece as the
//          blocks lie now, or as many blocks live as there are handles, and
//          .full is 0.
// Faults   SIZE, [size] is 0; LARGE, more than the empty arena serves; FULL,
//          if .full is 1; RED_ZONE, a header on the way was written over
//          (fast). POISON, what was free was written to (poison). At off 0 is
//          served, with no bytes, and what is too large is refused.
// Time     O(1) from the top, else O(blocks below the hole); O(size) from
//          poison up. No lock.
// Context  One, as all calls of a relocating pool. An interrupt works on what
//          the thread locked for it.
tp_handle_t tp_reloc_alloc(const struct tp_reloc *reloc, size_t size);

// Takes the block of [handle] back. Neighbouring holes become one.
//
// Returns  true; false iff the handle is stale or TP_NO_HANDLE: nothing
//          changed.
// Faults   HANDLE_POOL, this pool never gave out such a handle; LOCK, it is
//          locked; RED_ZONE, a header next to it was written over (fast).
// Time     O(1), O(its bytes) from poison up.
// Context  As tp_reloc_alloc().
bool tp_reloc_free(const struct tp_reloc *reloc, tp_handle_t handle);

// Keeps the block of [handle] where it is until as many unlocks follow as
// locks were taken.
//
// Returns  its address, aligned to 8; NULL iff the handle is stale or none.
// Faults   LOCK, locked 65535 times; RED_ZONE, it or what is before it was
//          written past its end (fast).
// Time     O(1).
// Context  As tp_reloc_alloc().
void *tp_reloc_lock(const struct tp_reloc *reloc, tp_handle_t handle);

// Undoes one tp_reloc_lock(). Addresses of the block are worth nothing once
// the last is undone.
//
// Returns  true; false iff the handle is stale or TP_NO_HANDLE: nothing
//          changed.
// Faults   LOCK, it is not locked; HANDLE_POOL as tp_reloc_free(); RED_ZONE as
//          tp_reloc_lock(): whoever wrote past the end is found here (fast).
// Time     O(1).
// Context  As tp_reloc_alloc().
bool tp_reloc_unlock(const struct tp_reloc *reloc, tp_handle_t handle);

// What a step did, and what it left.
struct tp_reloc_moved {
  uint32_t moves;       // Blocks moved.
  uint32_t bytes;       // Of them, without headers.
  uint32_t holes;       // Left. 0 iff the arena is compact.
  uint32_t hole_bytes;  // In them, headers included: the fragmentation. Never
                        // more than before the step, nor are the holes.
};

// Compacts a little: looks at no more than [moves] blocks, and moves those
// that have a hole before them, up to [bytes] bytes in all.
//
// A locked block and one larger than [bytes] are passed over, with the hole
// before them; those behind them move. From wherever it stands one pass over
// the blocks suffices: without other calls in between, n blocks are compact
// after at most ceil(n / moves) steps, provided the same [moves] and [bytes]
// are given, no step before was given fewer [bytes], any [moves] blocks have no
// more than [bytes] bytes together, and none is locked; with locked ones, as
// compact as these allow.
//
// Where it goes on is a place, not a block. Freeing a block below that place
// or at it, or undoing the last lock of one behind a hole, takes it down to
// the hole. At the top, while holes are left, it begins again at the bottom.
//
// Faults   RED_ZONE (fast); POISON (poison): as above, where it comes by.
// Time     O(moves + bytes), whatever the arena holds: no other loop. The
//          on_move of each block it moves.
// Context  As tp_reloc_alloc(). on_move may lock and unlock, and must neither
//          take nor free blocks of this pool, nor step.
struct tp_reloc_moved tp_reloc_step(const struct tp_reloc *reloc,
                                    uint32_t moves, uint32_t bytes);

// Writes the figures of [reloc] to [stats], of blocks.
//
// Time     O(handles).
// Context  As tp_reloc_alloc().
void tp_reloc_stats(const struct tp_reloc *reloc, struct tp_stats *stats);

// How the bytes of the arena are used now.
struct tp_reloc_figures {
  uint32_t locked;      // Blocks that are.
  uint32_t live_bytes;  // In blocks, sizes rounded up, without headers.
  uint32_t top_bytes;   // In one piece at the top, less the next header.
  uint32_t holes;
  uint32_t hole_bytes;  // In holes, headers included: the fragmentation.
  uint32_t largest;     // The largest request that is served now.
  uint32_t peak_bytes;  // Most that blocks and holes ever filled.
  uint32_t moves;       // Blocks moved since boot. Wraps.
};

// Writes how [reloc] is laid out to [layout].
//
// Time     O(blocks).
// Context  As tp_reloc_alloc().
void tp_reloc_layout(const struct tp_reloc *reloc,
                     struct tp_reloc_figures *layout);

// Returns  true iff every invariant holds, every header is whole and belongs
//          to the live entry that names its place, and what is free holds
//          TP_POISON (poison and up).
// Time     O(blocks + handles), O(bytes) from poison up.
// Context  As tp_reloc_alloc().
bool tp_reloc_verify(const struct tp_reloc *reloc);

#ifdef __cplusplus
}
#endif

#endif
