// SPDX-License-Identifier: MIT
// tp_dense.h - live objects side by side: whoever leaves is replaced by the
// last, so that a walk over them meets nothing else.
//
//   index  0       1       2       3       4
//        [ live  | live  | live  | poison| fresh ]   count = 3
//                                                    fresh = 4
//
// An object's index, and so its address, changes when another one leaves; its
// handle stays. Every address in this file is good until the next free.
//
// At full, unless TP_AUDIT is 0, each call but those for figures looks at all
// of it first, as tp_dense_verify() does: what is wrong is the fault INVARIANT
// or POISON, and its time O(capacity) and O(its bytes) more.
#ifndef TP_DENSE_H
#define TP_DENSE_H

#include "check/tp_level.h"
#include "core/tp_shape.h"
#include "tidepool.h"

#ifdef __cplusplus
extern "C" {
#endif

// What a dense pool remembers apart from its tables. Zero at boot.
//
// Invariants, checked by tp_dense_verify():
//   seen <= old <= count while a walk goes on, else 0 == seen == old
//   count <= fresh <= capacity
struct tp_dense_state {
  uint16_t count;    // Live objects: those at [0, count).
  uint16_t fresh;    // Most there ever were, since boot or since a scene cut
                     // it; behind it nothing was written yet.
  uint16_t seen;     // A walk has met the objects at [0, seen),
  uint16_t old;      // and will meet those at [seen, old): behind them stand
                     // those that came since it began.
  uint32_t frees;    // Objects given back. Wraps, to 2^(32 - bits).
  uint32_t refused;  // Requests that found it full. Wraps.
};

// An object keeps the number of its entry as long as it lives, and its handle
// holds that number. [entry] says which number the object at an index has;
// behind those of live objects stand the numbers that are free, and the first
// of them is taken next. So there is no list of free numbers, and zeroed memory
// is an empty pool. Numbers count from 1.
//
// [place] says, by number, where the object is: generation << bits | index. The
// generation counts the objects that had the number before. It is never reset,
// and wraps after 2^(32 - bits) of them.
//
//   for all index < fresh:  place[entry[index]] has that index
struct tp_dense {
  uint32_t *place;   // By entry. Entry 0: most that scenes left had; at full,
                     // unless TP_AUDIT is 0, its upper half is the count too.
  tp_slot_t *entry;  // By index.
  struct tp_dense_state *state;
  tp_word_t *storage;  // Where index 0 lies.
  // Told that the object of [handle] is [to] now, and was [from]. NULL: nobody.
  void (*on_move)(void *to, const void *from, tp_handle_t handle);
  const char *name;
  const char *link_check;  // As in struct tp_pool.
  uint32_t salt;           // Added to the generation in handles: so those of
                           // one pool are no handles of another.
  uint16_t stride;         // Bytes from one object to the next.
  uint16_t size;           // Bytes an object may use.
  uint16_t capacity;
  uint8_t bits;  // Low bits of a handle that hold the entry.
  uint8_t full;  // 0: a full pool refuses. 1: it faults.
};

// From fast up counts, entries and places are looked at before anything is
// written by them: one that leads out of the pool, or not back, was written
// over, which is the fault INVARIANT at the word's address.
//
// Every call below is for one context: neither an interrupt nor another thread
// may use [dense] while one is under way. To free copies an object, and no lock
// could be held for so long. Nor may DMA, or an interrupt, use an object
// by its address: it may move.

// Appends an object to [dense] and writes its handle to [handle], unless NULL.
// The bytes are what the last object there left (TP_POISON_NEW from poison up),
// so initialise every field.
//
// Returns  an object aligned as its row says, at index count - 1. NULL, and
//          TP_NO_HANDLE in [handle], iff capacity objects live and the pool
//          refuses.
// Faults   POISON (poison): the bytes past the last object were written to.
//          FULL (at every level) if .full says so.
// Time     O(1), from poison up O(size).
// Context  One.
void *tp_dense_alloc(const struct tp_dense *dense, tp_handle_t *handle);

// Takes back the object that [handle] refers to, and copies the last object
// into the hole, word by word. Its place becomes TP_POISON from poison up. Then
// on_move([to], [from], handle) is told: [to] holds the object, [from] is an
// address and nothing else. It must not change this pool.
//
// Returns  true; false iff the handle is stale or TP_NO_HANDLE: nothing
//          changed.
// Faults   HANDLE_POOL (fast): this pool never gave out such a handle.
// Time     O(size): one copy; none for the last object. During a walk up to
//          three copies, each with its on_move().
// Context  One.
bool tp_dense_free(const struct tp_dense *dense, tp_handle_t handle);

// Takes all objects back, the last first, so that nothing moves. All handles
// are stale, no generation starts again, and a walk that goes on has ended.
//
// Time     O(count), from poison up O(their bytes).
// Context  One.
void tp_dense_reset(const struct tp_dense *dense);

// Returns  the object [handle] refers to; NULL iff it is stale or no handle.
// Time     O(1).
// Context  One.
void *tp_dense_get(const struct tp_dense *dense, tp_handle_t handle);

// Returns  the object at [index].
// Faults   FOREIGN (fast): [index] is not below tp_dense_count().
// Time     O(1).
// Context  One.
void *tp_dense_at(const struct tp_dense *dense, uint32_t index);

// Returns  the handle of the object at [index].
// Faults   FOREIGN (fast): [index] is not below tp_dense_count().
// Time     O(1).
// Context  One.
tp_handle_t tp_dense_handle(const struct tp_dense *dense, uint32_t index);

// Returns  how many objects live. They have the indices below it.
// Time     O(1).
// Context  One.
uint32_t tp_dense_count(const struct tp_dense *dense);

// Begins a walk, which forgets one that was left half done. A walk meets every
// object that lived when it began and still does when its turn comes, each
// once. During it any object may be freed, met before or not; those issued
// meanwhile are first met by the next walk.
//
//   tp_handle_t handle;
//   struct bullet *bullet = bullets_first(&handle);
//   for (; bullet; bullet = bullets_next(&handle)) {
//     if (hit(bullet)) bullets_free(handle);
//   }
//
// Where nothing is freed, indices do as well and cost less. Where only the
// object at hand is, look at the same index again:
//
//   for (uint32_t i = 0; i < bullets_count();) {
//     if (hit(bullets_at(i))) bullets_free(bullets_handle(i));
//     else i++;
//   }
//
// Returns  the first object, and its handle in [handle]. NULL, and
//          TP_NO_HANDLE, iff there is none.
// Time     O(1).
// Context  One; one walk at a time.
void *tp_dense_first(const struct tp_dense *dense, tp_handle_t *handle);

// Goes on with the walk that tp_dense_first() began.
//
// Returns  the next object, and its handle in [handle]. NULL, and
//          TP_NO_HANDLE, iff every object was met: then the walk has ended.
// Time     O(1).
// Context  One.
void *tp_dense_next(const struct tp_dense *dense, tp_handle_t *handle);

// Calls visit([object], [context]) for each object, as part of the caller: the
// fastest walk, side by side, [stride] bytes apart. It frees none; those it
// issues are not met.
//
// Faults   FOREIGN (fast): fewer live when it ends than when it began.
// Time     O(count) and the visits'.
// Context  One.
static inline TP_CALL void tp_dense_walk(
    const struct tp_dense *dense, uint32_t stride,
    void (*visit)(void *object, void *context), void *context)
{
  uint32_t count = dense->state->count;
  char *object = count ? (char *)tp_dense_at(dense, 0) : NULL;
  for (uint32_t left = count; left > 0; left--, object += stride) {
    visit(object, context);
  }
  if (dense->state->count < count) (void)tp_dense_at(dense, count - 1);
}

// Returns  true iff every invariant above holds, and what lies past the last
//          object is as it was left (poison and up).
// Time     O(fresh), from poison up O(their bytes).
// Context  One.
bool tp_dense_verify(const struct tp_dense *dense);

// Writes the figures of [dense] to [stats], of objects. They count at every
// level.
//
// Time     O(1).
// Context  One.
void tp_dense_stats(const struct tp_dense *dense, struct tp_stats *stats);

#ifdef __cplusplus
}
#endif

#endif
