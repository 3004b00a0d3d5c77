// SPDX-License-Identifier: MIT
#include "policies.h"

#include "config/tp_define.h"

TP_POOL_DEFINE(rubble, 24, 4, 8, TP_NO_BANK, TP_TAGS_IF_CHECKED,
               .policy = &tp_drop, .refuses = 1);
TP_CHUNK_OWNERS(rubble);
TP_CHUNK_DEFINE(rubble, .patience = 0, .owner = rubble_owner);
TP_SPILL_DEFINE(sparks, rubble, tp_drop);
TP_POOL_DEFINE(sparks, sizeof(struct thing), 3, 8, TP_NO_BANK,
               TP_TAGS_IF_CHECKED, TP_SPILLS(sparks, rubble));
TP_SPILL_DEFINE(smoke, rubble, tp_assert);
TP_POOL_DEFINE(smoke, sizeof(struct thing), 2, 4, TP_NO_BANK,
               TP_TAGS_IF_CHECKED, TP_SPILLS(smoke, rubble));

TP_POOL_DEFINE(attic, sizeof(struct thing), ATTIC, 4, TP_NO_BANK,
               TP_TAGS_IF_CHECKED, .policy = &tp_drop, .refuses = 1);
TP_CHUNK_DEFINE(attic, .patience = 10);
TP_SPILL_DEFINE(boxes, attic, tp_drop);
TP_POOL_DEFINE(boxes, sizeof(struct thing), BOXES, 4, TP_NO_BANK,
               TP_TAGS_ALWAYS, TP_SPILLS(boxes, attic));

static bool ask_for_barn(const struct tp_chunk *chunk)
{
  return chunk == &barn_chunk && lend_barn;
}

bool lend_barn;

TP_POOL_DEFINE(barn, sizeof(struct thing), BARN, 4, TP_NO_BANK,
               TP_TAGS_IF_CHECKED, .policy = &tp_drop, .refuses = 1);
TP_CHUNK_DEFINE(barn, .patience = 0, .reclaim = ask_for_barn);
TP_SPILL_DEFINE(hay, barn, tp_drop);
TP_POOL_DEFINE(hay, sizeof(struct thing), HAY, 4, TP_NO_BANK,
               TP_TAGS_IF_CHECKED, TP_SPILLS(hay, barn));
TP_POOL_OWN(hay, struct thing);

TP_POOL_DEFINE(sea, 32, 2, 16, TP_NO_BANK, TP_TAGS_IF_CHECKED,
               .policy = &tp_drop, .refuses = 1);
TP_CHUNK_DEFINE(sea, .patience = 0);
TP_SPILL_DEFINE(lake, sea, tp_drop);
TP_POOL_DEFINE(lake, 24, 2, 8, TP_NO_BANK, TP_TAGS_IF_CHECKED,
               TP_SPILLS(lake, sea));
TP_CHUNK_DEFINE(lake, .patience = 0);
TP_SPILL_DEFINE(pond, lake, tp_drop);
TP_POOL_DEFINE(pond, 24, 2, 8, TP_NO_BANK, TP_TAGS_IF_CHECKED,
               TP_SPILLS(pond, lake));
TP_CHUNK_DEFINE(pond, .patience = 0);
TP_SPILL_DEFINE(drops, pond, tp_drop);
TP_POOL_DEFINE(drops, sizeof(struct thing), 2, 4, TP_NO_BANK,
               TP_TAGS_IF_CHECKED, TP_SPILLS(drops, pond));

TP_CHUNKS_DEFINE(herd, tp_drop);
TP_POOL_DEFINE(herd, sizeof(struct thing), 3, 4, TP_NO_BANK, TP_TAGS_ALWAYS,
               TP_CHUNKED(herd));
TP_CHUNKS_DEFINE(flock, tp_drop);
TP_POOL_DEFINE(flock, sizeof(struct thing), 1, 4, TP_NO_BANK, TP_TAGS_ALWAYS,
               TP_CHUNKED(flock));

TP_POOL_DEFINE(field_a, sizeof(struct thing), 3, 4, TP_NO_BANK,
               TP_TAGS_IF_CHECKED, .policy = &tp_drop, .refuses = 1);
TP_POOL_DEFINE(field_b, sizeof(struct thing), 3, 4, TP_NO_BANK,
               TP_TAGS_IF_CHECKED, .policy = &tp_drop, .refuses = 1);
TP_POOL_DEFINE(field_c, sizeof(struct thing), 3, 4, TP_NO_BANK,
               TP_TAGS_IF_CHECKED, .policy = &tp_drop, .refuses = 1);
TP_CHUNK_DEFINE(field_a, .patience = 0);
TP_CHUNK_DEFINE(field_b, .patience = 0);
TP_CHUNK_DEFINE(field_c, .patience = 0);
TP_POOL_DEFINE(wide, 32, 1, 4, TP_NO_BANK, TP_TAGS_IF_CHECKED,
               .policy = &tp_drop, .refuses = 1);
TP_CHUNK_DEFINE(wide, .patience = 0);

static void bell_evicted(void *bell)
{
  rung = bell;
}

const struct thing *rung;

TP_RESERVE_DEFINE(voices, sizeof(struct thing), 6, 2, 4, TP_NO_BANK,
                  TP_TAGS_IF_CHECKED, tp_drop, .lock = TP_LOCK_PRIMASK);
TP_POOL_AGE(bells, 4);
TP_RESERVE_DEFINE(bells, sizeof(struct thing), 6, 2, 4, TP_NO_BANK,
                  TP_TAGS_IF_CHECKED, tp_steal_oldest, .age = bells_age,
                  .evict = bell_evicted);
TP_RESERVE_DEFINE(guards, sizeof(struct thing), 2, 1, 4, TP_NO_BANK,
                  TP_TAGS_IF_CHECKED, tp_assert, .lock = TP_LOCK_PRIMASK);

uint32_t lows, refills, free_told;
void (*when_told)(void);

static void told(uint32_t *count, uint32_t free)
{
  void (*then)(void) = when_told;
  (*count)++;
  free_told = free;
  when_told = NULL;
  if (then) then();
}

static void told_low(const struct tp_pool *pool, uint32_t free)
{
  (void)pool;
  told(&lows, free);
}

static void told_refill(const struct tp_pool *pool, uint32_t free)
{
  (void)pool;
  told(&refills, free);
}

TP_POOL_DEFINE(packets, sizeof(struct thing), 8, 4, TP_NO_BANK,
               TP_TAGS_IF_CHECKED, .policy = &tp_drop, .refuses = 1);
TP_WATERMARK_DEFINE(packets, 2, told_low, 5, told_refill);
TP_POOL_DEFINE(dry, sizeof(struct thing), 1, 4, TP_NO_BANK, TP_TAGS_IF_CHECKED,
               .policy = &tp_drop, .refuses = 1);
TP_WATERMARK_DEFINE(dry, 0, NULL, 1, told_refill);

bool is_of(const struct tp_pool *pool, const void *object)
{
  uintptr_t offset = (uintptr_t)object - (uintptr_t)pool->storage;
  return offset < (uintptr_t)pool->capacity * pool->stride;
}

void forget_watermark(const struct tp_watermark *watermark)
{
  tp_test_forget(watermark->pool);
  *watermark->state = (struct tp_watermark_state){0};
  lows = refills = free_told = 0;
  when_told = NULL;
}

void forget_chunk(const struct tp_chunk *chunk)
{
  tp_test_forget(chunk->pool);
  *chunk->state = (struct tp_chunk_state){0};
}

void forget_spill(const struct tp_pool *pool)
{
  const struct tp_spill *spill = tp_spill_of(pool);
  tp_test_forget(pool);
  *spill->state = (struct tp_spill_state){0};
  if (spill->into) forget_chunk(spill->into);
}
