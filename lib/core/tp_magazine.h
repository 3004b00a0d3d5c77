// SPDX-License-Identifier: MIT
// tp_magazine.h - free slots that each of two cores keeps for itself.
//
//   packets = { size = 64, count = 32, full = "drop",
//               lock = "cores", magazine = 4 }
//
// What a core gives back goes into its magazine until that holds so many, and
// comes out again, the last first, when it asks: with its own interrupts masked
// and nothing that the other core would wait for. Only a core whose magazine is
// empty, or full, takes the lock of both, for the list of all. After Bonwick
// and Adams, "Magazines and Vmem", USENIX 2001; these are never exchanged.
//
// A slot in a magazine is free: its object is dead, its bytes are TP_POISON
// from poison up, and giving it back again is a fault. But it is for its core
// alone, so a request is answered as of a full pool while the other core keeps
// up to [magazine] slots, or its own does of what an interrupt gave back while
// it looked: count is so many more than must live. Slots are issued for the
// first time though the other core has some: peak counts them.
// At full, where all calls look at all of the pool, each takes the lock.
//
// An object may be given back by either core, as ever, but by one: two that
// free it in the same moment both succeed, and LINK or TAG tells of it later.
#ifndef TP_MAGAZINE_H
#define TP_MAGAZINE_H

#include "core/tp_cores.h"

// Of each core a word, behind the tags: at every level that of a list like the
// pool's from fast up. It counts down from 0, by each slot that is kept, where
// that one counts live slots; and the link of a slot says the count that is in
// the word while it leads there, which is no link of the pool's list. 0: none,
// as at boot.
#define TP_MAGAZINE_CORES 2u
#define TP_MAGAZINE_ONE   0x10000u

#ifdef __cplusplus
extern "C" {
#endif

// tp_pool_alloc() of a pool whose row has a magazine.
//
// Returns  an object. NULL iff no slot is free but those that the other core
//          keeps and what an interrupt gave back while it looked, and the
//          policy refuses.
// Faults   those of tp_pool_alloc().
// Time     O(1). One locked window of this core alone; where its magazine is
//          empty another, and those of tp_cores_alloc().
// Context  Privileged code and any interrupt, of both cores.
void *tp_magazine_alloc(const struct tp_pool *pool);

// tp_pool_free() of such a pool.
//
// Faults   those of tp_pool_free().
// Time     O(1). One locked window of this core alone, two from poison up; one
//          of both cores, too, where its magazine is full.
// Context  Privileged code and any interrupt, of both cores.
void tp_magazine_free(const struct tp_pool *pool, void *object);

#ifdef __cplusplus
}
#endif

#endif
