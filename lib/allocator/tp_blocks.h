// SPDX-License-Identifier: MIT
// tp_blocks.h - requests of any size, served by pools of a few sizes.
//
// Each class is an ordinary pool, so nothing fragments and every check of the
// pools holds: a class that has a free block serves the next request for it.
// The price is the waste: the bytes of a block beyond those asked for.
// It is counted. At full, unless TP_AUDIT is 0, each call looks first whether
// it adds up, all masked: if not, INVARIANT, and its time O(slots) more.
#ifndef TP_BLOCKS_H
#define TP_BLOCKS_H

#include "tidepool.h"

#ifdef __cplusplus
extern "C" {
#endif

// What every block is aligned to; the sizes of classes are multiples of it. No
// type of C needs more on these cores but by _Alignas: such a type needs a pool
// of its own.
#define TP_BLOCK_ALIGN 8

// Bytes of live blocks that nobody asked for. Counted from fast up.
struct tp_blocks_waste {
  uint32_t now;
  uint32_t peak;  // Most at a time, since boot.
};

// A class: a pool, and what was asked for of each of its slots.
struct tp_blocks_class {
  const struct tp_pool *pool;
  uint16_t *asked;  // Bytes asked for, by slot; 0 in those that are not live.
  struct tp_blocks_waste *waste;
};

// A table of classes. Lives in flash.
//
// Invariants, checked by tp_blocks_verify():
//   the sizes of the classes ascend
//   a class's waste.now == the sum over its live slots of size - asked
//   waste->now == the sum over the classes
struct tp_blocks {
  const struct tp_blocks_class *classes;
  struct tp_blocks_waste *waste;  // Of all classes together.
  const char *name;
  uint8_t count;   // Classes.
  uint8_t bigger;  // 1: a full class hands the request to the next.
  uint8_t sizes;   // How many of by_size there are; 0: each call searches.
  uint8_t shift;   // A page is 1 << shift bytes.
  const uint8_t *by_size;  // The class of up to 8 bytes, of up to 16, ...
  // Where a block may be looked for first: classes of the pages from begin on.
  const uint8_t *by_page;
  const tp_word_t *begin;
  uint16_t pages;
};

// Issues a block of at least [size] bytes, of the smallest class that fits.
//
// When every block of that class is live, its pool's policy answers; with
// .bigger a refusal sends the request on to the next class, and the answer is
// that of the last. The bytes are as tp_pool_alloc() leaves them.
//
// Returns  a block aligned to TP_BLOCK_ALIGN. NULL iff the class, with .bigger
//          every class that fits, refuses.
// Faults   SIZE, [size] is 0; LARGE, no class is so large (fast). Those of
//          tp_pool_alloc(), which name the class. At off 0 is served by the
//          smallest class and what is too large is refused.
// Time     O(1) if by_size knows the size and its class has a block that was
//          freed, else O(classes). The locked windows of tp_pool_alloc() for
//          each class that was asked, and one more to count what it wastes.
// Context  Any that the locks of the classes allow.
void *tp_blocks_alloc(const struct tp_blocks *blocks, size_t size);

// Takes [block] back. Its class follows from its address, so no size is given
// and none can be wrong.
//
// Faults   FOREIGN, in no class: NULL too (fast). Those of tp_pool_free(),
//          which name the class: INTERIOR, DOUBLE_FREE (fast), RED_ZONE (full).
//          At off a foreign pointer is left alone.
// Time     O(1) if by_page leads to its class, else O(classes); no division.
//          The locked windows of tp_pool_free(), and where it is searched for
//          one more to count.
// Context  As tp_blocks_alloc().
void tp_blocks_free(const struct tp_blocks *blocks, void *block);

// Writes the figures of class [index], from 0 and ascending, to [stats]: of
// blocks. Refused are requests that found it full, whether or not a bigger
// class then served them. What it wastes is in classes[index].waste.
//
// Returns  true; false iff there is no such class.
// Time     that of tp_pool_stats().
// Context  Any.
bool tp_blocks_stats(const struct tp_blocks *blocks, uint32_t index,
                     struct tp_stats *stats);

// Returns  true iff every invariant of [blocks] and of its pools holds.
// Time     O(slots), O(their bytes) from poison up. Nothing is locked.
// Context  One that no user of the blocks interrupts.
bool tp_blocks_verify(const struct tp_blocks *blocks);

#ifdef __cplusplus
}
#endif

#endif
