// SPDX-License-Identifier: MIT
// tp_retain.h - what a slot keeps from one object to the next: a connection, a
// DMA channel, the state of a decoder, which is pooled because opening it is
// dear.
//
// While an object is dead, its part [offset, offset + size) lies in a table of
// its own with a checksum. So the slot is poisoned like any other, a write to
// the dead object cannot reach the part, and a pool that retains nothing pays
// nothing. All-zero means "not opened yet": that is what the first object of a
// slot finds.
#ifndef TP_RETAIN_H
#define TP_RETAIN_H

#include "tidepool.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tp_objects;

// Lives in flash. The tables are zero at boot.
//
// Invariant, while a slot is dead:
//   sum[slot - 1] == the checksum of the slot's words in kept
struct tp_retain {
  uint32_t *kept;  // By slot less 1, size / 4 words each.
  uint32_t *sum;   // By slot less 1. That of all-zero is 0.

  // Is what was opened still good? Asked of each [part] that is not all-zero,
  // before the next object gets it. Unless it returns true, the part is closed
  // and all-zero again, for what the slot holds next, too. NULL: yes.
  bool (*validate)(void *part);

  // Gives up what [part] refers to, when the pool dies or validate said no.
  // NULL: nothing to do. When the pool dies it creates nothing there.
  void (*close)(void *part);

  // tp_retain_save() and tp_retain_restore(): reached from here only, so that
  // an image that retains nothing does not hold them.
  void (*save)(const struct tp_objects *objects, void *object);
  void (*restore)(const struct tp_objects *objects, void *object,
                  tp_site_t site);

  uint16_t offset;  // Bytes from the object to its part: a multiple of 4.
  uint16_t size;    // Bytes of it: a multiple of 4.
};

// What tp_object_retire() does last: puts aside the part of [object].
//
// Time     O(size).
// Context  As for tp_object_free().
void tp_retain_save(const struct tp_objects *objects, void *object);

// What tp_object_alloc() does first: gives [object] the part of its slot, and
// has it validated. [site] is for the record of a fault.
//
// Faults   RETAIN (fast): the part changed while the slot was dead. [found] and
//          [expected] are checksums.
// Time     O(size), and validate's and close's.
// Context  As for tp_object_alloc().
void tp_retain_restore(const struct tp_objects *objects, void *object,
                       tp_site_t site);

// Ends the use of a pool: tp_object_clear(), then each part that is not
// all-zero is closed, and zero; but what that leaves alive keeps its own. The
// pool may be used again.
//
// Faults   RETAIN (fast), also if close() creates an object that would get the
//          part; INVARIANT (fast): more slots were issued than there are, say
//          the pool's words; those of tp_object_free().
// Time     O(slots ever issued) and the hooks'.
// Context  One that no user of the pool interrupts; not in its deinit.
void tp_retain_close(const struct tp_objects *objects);

#ifdef __cplusplus
}
#endif

#endif
