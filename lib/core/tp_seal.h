// SPDX-License-Identifier: MIT
// tp_seal.h - what scenes cut has its descriptor in RAM, where a bit may flip;
// and where a descriptor says that memory is, calls write. So it has a seal: a
// word that all others of it make, with which each generated call compares them
// first. A changed bit is a fault then, and not a write who knows where.
//
//   void *object = sparks_alloc();       // Compares. The same by hand is:
//   tp_seal_check(&sparks_scene_seal);
//   object = tp_pool_alloc(&sparks_pool);
//
// A bit that changes while scenes write a descriptor, or between startup code
// and the first call of its allocator, is not noticed. Nor is one at off, where
// nothing is compared. Two changes at one place of two words may pass: this is
// for one bit, or for one store that went astray.
#ifndef TP_SEAL_H
#define TP_SEAL_H

#include "tidepool.h"

#ifdef __cplusplus
extern "C" {
#endif

// Of one descriptor. Lives in flash. A part of a scene, and an entry of the
// registry, may have none: NULL.
struct tp_seal {
  const void *descriptor;
  uint32_t *word;    // In RAM, 0 at boot. 1: somebody writes the descriptor.
  const char *name;  // Of the allocator.
  uint32_t count;    // Of the descriptor's words of 32 bits. At least 2.
};

// Compares the descriptor with its seal; the first time since boot, makes it.
//
// Faults   INVARIANT (fast), with the descriptor's address, what its words make
//          as found, and the seal as expected: a word of them was changed.
// Time     O(count), three or four instructions each; nothing locked. At off
//          none.
// Context  Any.
void tp_seal_check(const struct tp_seal *seal);

// Returns  false iff tp_seal_check() would fault. At off always true.
// Time     O(count), three or four instructions each; nothing locked. At off
//          none.
// Context  Any.
bool tp_seal_verify(const struct tp_seal *seal);

// Internal: tp_seal_check() for who was called from [site].
void tp_seal_check_for(const struct tp_seal *seal, tp_site_t site);

// Internal: from the first to the second of these nobody compares, and the
// descriptor may be written; the second makes a seal of what it is now. Who
// calls them is interrupted by all who compare.
void tp_seal_off(const struct tp_seal *seal);
void tp_seal_on(const struct tp_seal *seal);

#ifdef __cplusplus
}
#endif

#endif
