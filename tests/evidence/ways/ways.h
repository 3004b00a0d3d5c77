// SPDX-License-Identifier: MIT
#ifndef WAYS_H
#define WAYS_H

#include "object/tp_build.h"
#include "tp_test.h"

enum { SLOTS = 3 };

extern const uint8_t locks[3];

// Makes [pool] one of SLOTS slots that masks [lock], and as [row] has it else.
// All such pools have the same memory.
void build_of(struct tp_pool *pool, uint8_t lock, struct tp_build row);

void suite_regions(void);
void suite_more(void);
void suite_rows(void);
void suite_outside(void);
void suite_owners(void);
void suite_rings(void);
void suite_blocks(void);
void suite_nests(void);
void suite_chunks(void);
void suite_denses(void);
void suite_objects(void);

#endif
