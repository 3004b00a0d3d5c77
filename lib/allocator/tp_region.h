// SPDX-License-Identifier: MIT
// tp_region.h - what stacks, double-ended stacks and frames share: memory that
// fills from an end and is given back all at once, down to a mark.
//
// Sizes are rounded up to a multiple of 4, and an alignment below 4 counts as
// 4. Bytes skipped to align an object count as part of it.
//
// From fast up every call that gives out, takes back or fills memory looks
// first whether the words that say how full an end is lie within the region: if
// not, they were written over: the fault INVARIANT at the word's address. At
// full, unless TP_AUDIT is 0, also at all that is free and was in use: the
// fault POISON, and its time O(bytes) more.
//
// Each is for one context: no call masks an interrupt. An interrupt that needs
// such memory gets an allocator of its own.
#ifndef TP_REGION_H
#define TP_REGION_H

#include <stddef.h>
#include <stdint.h>

#include "tidepool.h"

#ifdef __cplusplus
extern "C" {
#endif

// The end an object is taken from. A stack and a frame have the low one only.
enum tp_end {
  TP_LOW = 0,   // Grows toward higher addresses.
  TP_HIGH = 1,  // Grows toward lower ones.
};

// What to do with a request that does not fit.
enum tp_full {
  TP_FULL_DROP = 0,    // It gets NULL, and is counted.
  TP_FULL_ASSERT = 1,  // It is a fault, FULL.
};

// What is decided when the firmware is linked, or a child of a nest opened.
struct tp_region {
  tp_word_t *storage;  // NULL: a child of a nest that was closed, so every
                       // call but those for figures is a fault.
  const char *name;
  const char *link_check;  // As in struct tp_pool. May be NULL.
  uint32_t bytes;          // A multiple of 8. 0: in a scene that gives it none,
                           // so it is full.
  uint8_t full;            // enum tp_full.
};

// How far an end has grown. Zero at boot.
//
// Invariants:  used <= peak <= bytes,  used of both ends together <= bytes.
// From poison up the bytes below peak that are not in use hold TP_POISON.
struct tp_bump {
  uint32_t used;     // Bytes, with what alignments skipped.
  uint32_t peak;     // Most bytes at a time, since boot or since a scene cut
                     // it. At full, unless TP_AUDIT is 0, bit 0 is 1 iff
                     // [used] has an odd number of ones: one flipped bit is
                     // seen.
  uint32_t refused;  // Requests that did not fit. Wraps.
};

// The marks of an end. Zero at boot; those of a nest's child count from
// elsewhere.
struct tp_marks {
  uint32_t serial;  // The number of the mark made last: they count from 1. A
                    // reset or a scene's end counts as one that nobody has.
  uint32_t newest;  // The number of the newest that is not yet released. If
                    // there is none, what that left; 0 before it.
  uintptr_t child;  // Where the name of the newest child stands that a nest
                    // opened at this end. Bit 0 makes its ones an even
                    // number: one flipped bit is seen. 0: there is none.
};

// How full an end was, to go back to. Made by a call and given to one release;
// its fields are not for the application.
struct tp_mark {
  const struct tp_marks *owner;  // Of the end it was made at.
  uint32_t used;                 // As in struct tp_bump, at that time.
  uint32_t serial;
  uint32_t older;   // The newest mark before it,
  uintptr_t child;  // and the newest child, as there.
};

// Most bytes a region may have: four times as many and an alignment fit a word.
#define TP_REGION_MAX 0x10000000u

#ifdef __cplusplus
}
#endif

#endif
