// SPDX-License-Identifier: MIT
// tp_owner.h - who asked for what lies in each slot, who gave it back last,
// when and in which context: of rows that say owner = true, at any level.
//
//   const struct tp_owner *owner = sounds_owner_of(sound);
//   if (owner) print(owner->asked, owner->since);
//
// The calls of tp_pools.h that issue a slot of such a row, or take one back,
// make a note of it. What is issued or taken back by others is not noted: by
// tp_pool_alloc(), tidepool::owner, a constructor that throws, NAME_update(),
// NAME_clear(), NAME_reset() or the end of a scene. A note has the generation
// it is of, so that none is taken for another's, unless 65536 lives of a slot
// in a row are not noted.
//
// Notes lie in zeroed memory, 16 bytes a slot on 32-bit cores, and survive no
// reset. `tidepool.py dump` and the `tp` commands of GDB print them, by line.
#ifndef TP_OWNER_H
#define TP_OWNER_H

#include "tidepool.h"
#include "tp_port.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tp_owner {
  const void *asked;  // Where the call that was issued the slot returns to.
                      // NULL: nobody knows; it was given back, though.
  const void *freed;  // The same of the call that gave it back last; of a live
                      // slot, by who had it before. NULL: there was none.
  uint32_t since;     // tp_clock_now when the later of the two was called,
  uint16_t context;   // TP_PORT_CONTEXT() then: 0, or the exception's number;
                      // and TP_OWNER_FREED if it was the one that gives back.
  uint16_t generation;  // Of the slot then: the low 16 bits.
};

#define TP_OWNER_FREED 0x8000u
#define TP_OWNER_BYTES (8 + 2 * sizeof(void *))

TP_STATIC_ASSERT(sizeof(struct tp_owner) == TP_OWNER_BYTES,
                 "what lib/COSTS.md says of a slot");

// A pool whose slots are noted. Lives in flash.
struct tp_owned {
  const struct tp_pool *pool;
  struct tp_owner *owners;  // By slot, the first that of slot 1.
  const struct tp_owned
      *next;  // Where its objects may lie too: in its reserve,
              // or in the pool that lends to it. May be NULL.
};

// All of them, of every table, and NULL behind the last: for what shows them.
// tp_pools.c defines it iff a row says owner = true, and where nobody reads it
// nothing is linked.
extern const struct tp_owned *const tp_owned_rows[];

// Notes who called: [object] was just issued. One that lies in none of these is
// noted nowhere, nor is a slot whose generation has a note already: that of a
// context which interrupted this one and stole it.
//
// Returns  [object], NULL too.
// Time     O(1), one locked window.
// Context  That of the call that issued it, here and below. A task that stole
//          the object since, and was preempted before its own note, loses the
//          note to this one: where tasks steal, take handles.
void *tp_owner_take(const struct tp_owned *owned, void *object);

// The same of what [handle] refers to: notes nothing iff that is stale, as when
// it was stolen since.
//
// Returns  [object], NULL too.
// Time     O(1), one locked window.
void *tp_owner_take_handle(const struct tp_owned *owned, void *object,
                           const tp_handle_t *handle);
void *tp_owner_take_handle64(const struct tp_owned *owned, void *object,
                             const tp_handle64_t *handle);

// Returns [object], which one of these returned: a caller that has this to do
// yet does not jump there, or the note would be of who called it.
static inline TP_CALL void *tp_owner_stay(void *object)
{
  TP_BARRIER();
  return object;
}

// Notes who called: [object] is about to be given back. If it is not live, so
// that this is a second free, the note of the first stays.
//
// Returns  [object].
// Time     O(1), one locked window.
void *tp_owner_give(const struct tp_owned *owned, void *object);

// The same of what [handle] refers to; nothing if that is stale.
//
// Returns  [handle].
// Time     O(1), one locked window.
tp_handle_t tp_owner_give_handle(const struct tp_owned *owned,
                                 tp_handle_t handle);
tp_handle64_t tp_owner_give_handle64(const struct tp_owned *owned,
                                     tp_handle64_t handle);

// Returns  the note of the slot that begins at [object], live or dead; NULL iff
//          none does, or it was never issued, or was issued since without a
//          note. Of a dead slot without TP_OWNER_FREED nobody knows who gave it
//          back.
// Time     O(1), nothing locked: who asks while the slot changes hands, in an
//          interrupt of that, or is interrupted by it, may be told NULL.
// Context  That of the row's calls.
const struct tp_owner *tp_owner_of(const struct tp_owned *owned,
                                   const void *object);

// The same of the slot that [record] is of, for the tp_fault() of a firmware
// with such rows. The next boot zeroes all notes: tp_crash_note() keeps one.
// Two descriptors that have the same tags are of one row: it has a reserve.
//
// Returns  the note; NULL iff no row with notes has the slot, or its pool's
//          owner_of() would return that.
// Time     O(rows with notes), nothing locked.
// Context  tp_fault().
static inline const struct tp_owner *tp_fault_owner_of(
    const struct tp_fault_record *record)
{
  for (const struct tp_owned *const *row = tp_owned_rows; *row; row++) {
    const struct tp_pool *pool = (*row)->pool;
    uintptr_t slot = pool->origin + record->slot * (uintptr_t)pool->stride;
    if (!record->pool || pool->tag != record->pool->tag) continue;
    return record->slot ? tp_owner_of(*row, (const void *)slot) : NULL;
  }
  return NULL;
}

#ifdef __cplusplus
}
#endif

#endif
