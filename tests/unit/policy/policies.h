// SPDX-License-Identifier: MIT
// policies.h - the suites of this image, and the pools they share.
#ifndef POLICIES_H
#define POLICIES_H

#include "tp_test.h"

struct thing {
  uint32_t word[4];
};

// Spill into rubble: 3 and 2 at home, 4 there.
TP_POOL_DECLARE(sparks, struct thing);
TP_POOL_DECLARE(smoke, struct thing);
TP_POOL_DECLARE(rubble, struct thing);
TP_CHUNK_DECLARE(rubble);
TP_SPILL_DECLARE(sparks);
TP_SPILL_DECLARE(smoke);

// Spills into attic, whose region is nobody's once given back; patience 10.
TP_POOL_DECLARE(boxes, struct thing);
TP_POOL_DECLARE(attic, struct thing);
TP_CHUNK_DECLARE(attic);
TP_SPILL_DECLARE(boxes);

// Spills into barn, whose region others may have: lend_barn says when.
TP_POOL_DECLARE(hay, struct thing);
TP_POOL_DECLARE(barn, struct thing);
TP_CHUNK_DECLARE(barn);
TP_SPILL_DECLARE(hay);

extern bool lend_barn;

enum { BOXES = 2, ATTIC = 3, HAY = 1, BARN = 2 };

// Back to the state at boot.
void forget_spill(const struct tp_pool *pool);
void forget_chunk(const struct tp_chunk *chunk);

void suite_spill(void);
void suite_give_back(void);

#endif
