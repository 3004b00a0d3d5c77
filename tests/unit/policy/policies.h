// SPDX-License-Identifier: MIT
// policies.h - the suites of this image, and the pools they share.
#ifndef POLICIES_H
#define POLICIES_H

#include "thing.h"
#include "tp_pools.h"
#include "tp_test.h"
#include "tp_declare.h"
#include "policy/tp_spill.h"
#include "policy/tp_watermark.h"

// Spill into rubble: 3 and 2 at home, 4 there.
TP_POOL_DECLARE(sparks, struct thing);
TP_POOL_DECLARE(smoke, struct thing);
TP_POOL_DECLARE(rubble, struct thing);
TP_CHUNK_DECLARE(rubble);
TP_SPILL_DECLARE(sparks);
TP_SPILL_DECLARE(smoke);

// Spills into yard, which knows who borrowed, and spills into rubble itself.
TP_POOL_DECLARE(porch, struct thing);
TP_POOL_DECLARE(yard, struct thing);
TP_CHUNK_DECLARE(yard);
TP_SPILL_DECLARE(porch);
TP_SPILL_DECLARE(yard);

// Spills into attic, whose region is nobody's once given back; patience 10.
TP_POOL_DECLARE(boxes, struct thing);
TP_POOL_DECLARE(attic, struct thing);
TP_CHUNK_DECLARE(attic);
TP_SPILL_DECLARE(boxes);

// Spills into barn, whose region others may have: lend_barn says when.
// Its code is its own.
TP_POOL_DECLARE_OWN(hay, struct thing);
TP_POOL_DECLARE(barn, struct thing);
TP_CHUNK_DECLARE(barn);
TP_SPILL_DECLARE(hay);

extern bool lend_barn;
extern void (*when_barn_is_asked_for)(void);  // Called then, once, if set.

// Spills into pond, which spills into lake, which spills into sea.
TP_POOL_DECLARE(drops, struct thing);
TP_POOL_DECLARE(pond, struct thing);
TP_POOL_DECLARE(lake, struct thing);
TP_POOL_DECLARE(sea, struct thing);
TP_CHUNK_DECLARE(pond);
TP_CHUNK_DECLARE(lake);
TP_CHUNK_DECLARE(sea);
TP_SPILL_DECLARE(drops);
TP_SPILL_DECLARE(pond);
TP_SPILL_DECLARE(lake);

// Chunked: 3 at home and 3 in each field, of which the linker decides which
// lies lowest. Slots of wide do not fit in.
TP_POOL_DECLARE(herd, struct thing);
TP_POOL_DECLARE(flock, struct thing);
TP_SPILL_DECLARE(herd);
TP_SPILL_DECLARE(flock);
TP_CHUNK_DECLARE(field_a);
TP_CHUNK_DECLARE(field_b);
TP_CHUNK_DECLARE(field_c);
TP_CHUNK_DECLARE(wide);

// 6, of which 2 are kept; and the same for a pool that steals, and asserts.
TP_POOL_DECLARE(voices, struct thing);
TP_RESERVE_DECLARE(voices, struct thing);
TP_POOL_DECLARE(bells, struct thing);
TP_RESERVE_DECLARE(bells, struct thing);
TP_POOL_DECLARE(guards, struct thing);
TP_RESERVE_DECLARE(guards, struct thing);
TP_SPILL_DECLARE(voices);
TP_SPILL_DECLARE(bells);
TP_CHUNK_DECLARE(voices_reserve);
TP_CHUNK_DECLARE(bells_reserve);
extern const struct thing *rung;  // The bell stolen last.

// 8, low at 2, recovered at 5. dry: of 1, low at 0, recovered at 1.
TP_WATERMARK_DECLARE(packets, struct thing);
TP_WATERMARK_DECLARE(dry, struct thing);
TP_WATERMARK_DECLARE(mute, struct thing);  // The same, the other way about.
extern uint32_t lows, refills, free_told;
extern void (*when_told)(void);

enum { BOXES = 2, ATTIC = 3, HAY = 1, BARN = 2 };

bool is_of(const struct tp_pool *pool, const void *object);

// Back to the state at boot.
void forget_spill(const struct tp_pool *pool);
void forget_chunk(const struct tp_chunk *chunk);
void forget_watermark(const struct tp_watermark *watermark);

void suite_spill(void);
void suite_give_back(void);
void suite_chains(void);
void suite_chunks(void);
void suite_reserve(void);
void suite_watermark(void);
void suite_own_policy(void);
void suite_generated(void);

#endif
