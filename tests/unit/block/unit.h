// SPDX-License-Identifier: MIT
// unit.h - the suites of this image, and the blocks they use.
#ifndef UNIT_H
#define UNIT_H

#include "tp_declare.h"
#include "tp_test.h"
#include "allocator/tp_blocks.h"

void suite_classes(void);
void suite_waste(void);
void suite_misuse(void);
void suite_history(void);

// Classes of 8 to 256 bytes that refuse, with tables; of 16 and 48 that pass a
// request on to the next; of 8 and 32 of which the last asserts; of 16 that
// steals.
TP_BLOCKS_DECLARE(small);
TP_BLOCKS_DECLARE(misled);  // The same, with a table that errs.
TP_BLOCKS_DECLARE(rising);
TP_BLOCKS_DECLARE(strict);
TP_BLOCKS_DECLARE(thief);
extern const struct tp_pool thief_16_pool;

enum { SMALL_CLASSES = 6, SMALL_LARGEST = 256, SMALL_BLOCKS = 31 };

// What the owner of a stolen block was told last.
extern void *evicted;

// Puts [blocks] back to their state at boot.
void forget(const struct tp_blocks *blocks);

// The figures of class [index].
struct tp_stats figures(const struct tp_blocks *blocks, uint32_t index);

// The class whose storage [block] lies in.
uint32_t class_at(const struct tp_blocks *blocks, const void *block);

#endif
