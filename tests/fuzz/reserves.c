// SPDX-License-Identifier: MIT
// A pool with a reserve: the slots that only urgent requests get, by a second
// descriptor of the same pool. Who is not urgent never gets one of those.
#include <string.h>

#include "fuzz.h"
#include "model.h"
#include "object/tp_build.h"
#include "policy/tp_spill.h"

enum { RESERVE = CHUNK_SLOTS, MOST = SLOTS_MOST + RESERVE };

static struct {
  struct model model;
  struct tp_pool pool, urgent, reserve;
  struct tp_chunk chunk;
  struct tp_spill spill, urgently;
  bool asserts;
  uint32_t number[MOST + 1];  // Of the object in a slot.
  uint32_t numbers, spilled, peak, refused, by_rule;
} now;

static uint32_t slots(void)
{
  return now.pool.capacity + RESERVE;
}

static bool at_home(uint32_t slot)
{
  return slot <= now.pool.capacity;
}

static tp_word_t *words_of(uint32_t slot)
{
  const struct tp_pool *pool = at_home(slot) ? &now.pool : &now.reserve;
  if (!at_home(slot)) slot -= now.pool.capacity;
  return pool->storage + (slot - 1) * (pool->stride / 4u);
}

static bool is_live(uint32_t slot)
{
  return model_is_live(&now.model, slot);
}

// After each call, of either descriptor ---------------------------------------

static void check_pool(const struct tp_pool *pool)
{
  struct tp_stats stats;
  tp_pool_stats(pool, &stats);
  EXPECT(tp_pool_verify(pool, NULL));
  EXPECT(stats.live == now.model.home.lives && stats.spills == now.spilled);
  EXPECT(stats.refused == now.refused);
  EXPECT(pool->state->refused_by_rule == now.by_rule);
}

static void check_all(void)
{
  uint32_t away = now.model.chunk.lives;
  if (now.peak < away) now.peak = away;
  for (uint32_t slot = 1; slot <= slots(); slot++) {
    if (!is_live(slot)) continue;
    EXPECT(tp_is_filled(words_of(slot), now.pool.size, now.number[slot]));
  }
  check_pool(&now.pool);
  check_pool(&now.urgent);
  EXPECT(tp_pool_verify(&now.reserve, NULL));
  EXPECT(now.spill.state->live == away && now.spill.state->peak == now.peak);
}

// Calls -----------------------------------------------------------------------

static void alloc(void)
{
  bool urgent = fuzz_below(2);
  const struct tp_pool *pool = urgent ? &now.urgent : &now.pool;
  void *object = NULL;
  int wanted = model_alloc(&now.model, urgent ? SPILLS : DROPS);
  CALL(object = tp_pool_alloc(pool));
  if (wanted == MODEL_NULL) {
    EXPECT(fuzz_fault == (now.asserts ? TP_FAULT_FULL : 0u) && !object);
    now.refused++;
    bool kept = now.model.chunk.lives < RESERVE;
    now.by_rule += !urgent && !now.asserts && kept;
    return;
  }
  uint32_t slot = (uint32_t)wanted;
  EXPECT(fuzz_fault == 0 && object == words_of(slot));
  EXPECT(fuzz_is_new(object, now.pool.size));
  now.spilled += !at_home(slot);
  now.number[slot] = ++now.numbers;
  tp_fill(words_of(slot), now.pool.size, now.number[slot]);
}

static void free_one(void)
{
  uint32_t first = fuzz_below(MOST);
  const struct tp_pool *pool = fuzz_below(2) ? &now.urgent : &now.pool;
  for (uint32_t i = 0; i < slots(); i++) {
    uint32_t slot = (first + i) % slots() + 1;
    if (!is_live(slot)) continue;
    model_free(&now.model, slot);
    GOOD(tp_pool_free(pool, words_of(slot)));
    return;
  }
}

static void call_wrongly(void)
{
  uint32_t slot = 1 + fuzz_below(slots());
  const struct tp_pool *pool = fuzz_below(2) ? &now.urgent : &now.pool;
  if (TP_CHECKS == 0) return;
  WRONG(TP_FAULT_FOREIGN, tp_pool_free(pool, NULL));
  if (is_live(slot)) return;
  WRONG(TP_FAULT_DOUBLE_FREE, tp_pool_free(pool, words_of(slot)));
}

// The beginning ---------------------------------------------------------------

static struct tp_spill spill_by(void *(*overflow)(const struct tp_pool *,
                                                  uint32_t *, tp_site_t))
{
  return (struct tp_spill){.policy = {overflow, tp_spill_take_back},
                           .into = &now.chunk,
                           .then = now.asserts ? &tp_assert : &tp_drop,
                           .state = now.spill.state};
}

static void put(struct tp_pool *pool, const char *name,
                const struct tp_build *row)
{
  tp_pool_build(pool, name, row, fuzz_memory(tp_build_bytes(row), 0));
}

static void begin(void)
{
  memset(&now, 0, sizeof now);
  struct tp_build row = {.size = (uint16_t)(4 * (1 + fuzz_below(8))),
                         .count = RESERVE,
                         .align = 8,
                         .tagged = 1,
                         .policy = &tp_drop};
  put(&now.reserve, "reserve", &row);
  now.asserts = fuzz_below(2);
  now.chunk = (struct tp_chunk){
      .pool = &now.reserve, .state = fuzz_memory(sizeof *now.chunk.state, 0)};
  now.spill.state = fuzz_memory(sizeof *now.spill.state, 0);
  now.spill = spill_by(tp_reserve_overflow);
  now.urgently = spill_by(tp_spill_overflow);
  row.count = (tp_slot_t)(1 + fuzz_below(SLOTS_MOST));
  row.takes_foreign = 1;
  row.policy = &now.spill.policy;
  put(&now.pool, "home", &row);
  now.urgent = now.pool;
  now.urgent.policy = &now.urgently.policy;
  model_begin(&now.model, SPILLS, row.count);
}

static void (*const calls[])(void) = {alloc,    alloc,    alloc,
                                      free_one, free_one, call_wrongly};
enum { CALLS = sizeof calls / sizeof calls[0] };

const struct world fuzz_reserves = {
    .name = "reserves",
    .begin = begin,
    .calls = calls,
    .count = CALLS,
    .end_in = CALLS,
    .check = check_all,
};
