// SPDX-License-Identifier: MIT
// Two pools that grow by chunks: what is attached serves in the order of its
// addresses, is released and opened again, and is taken away only when nothing
// in it is live.
#include <string.h>

#include "fuzz.h"
#include "model.h"
#include "object/tp_build.h"
#include "policy/tp_spill.h"

enum { HOMES = 2, CHUNKS = 3, AREAS = HOMES + CHUNKS, SLOTS = 3 };
enum { OBJECTS = AREAS * SLOTS, NOBODY = HOMES };

// A pool's own slots, or a chunk's.
struct area {
  struct tp_pool pool;
  struct model model;
  uint32_t number[SLOTS + 1];  // Of the object in a slot.
};

static struct {
  struct area areas[AREAS];  // The homes, then the chunks.
  struct tp_spill spills[HOMES];
  struct tp_chunk chunks[CHUNKS];
  uint32_t home_of[CHUNKS];  // NOBODY: it is not attached.
  uint32_t emptied[CHUNKS];  // When the last object of it was freed.
  uint32_t peak[HOMES], spilled[HOMES], refused[HOMES];
  uint32_t numbers;
  bool has_tags[HOMES];
} now;

static const char *const names[AREAS] = {"one", "two", "low", "middle", "high"};

static struct area *chunk_area(uint32_t chunk)
{
  return &now.areas[HOMES + chunk];
}

static tp_word_t *words_of(const struct area *area, uint32_t slot)
{
  const struct tp_pool *pool = &area->pool;
  return pool->storage + (slot - 1) * (pool->stride / 4u);
}

static uint32_t away_from(uint32_t home)
{
  uint32_t live = 0;
  for (uint32_t i = 0; i < CHUNKS; i++) {
    if (now.home_of[i] == home) live += chunk_area(i)->model.home.lives;
  }
  return live;
}

// After each call ------------------------------------------------------------

static void check_area(const struct area *area)
{
  for (uint32_t slot = 1; slot <= area->pool.capacity; slot++) {
    if (!model_is_live(&area->model, slot)) continue;
    EXPECT(tp_is_filled(words_of(area, slot), area->pool.size,
                        area->number[slot]));
  }
}

// From poison up nothing else stands in memory that was given back.
static void check_released(const struct area *area)
{
  const struct tp_pool *pool = &area->pool;
  const tp_word_t *word = pool->storage - (pool->stride - pool->size) / 4u;
  uint32_t words = (pool->zone + (uint32_t)pool->capacity * pool->stride) / 4u;
  if (TP_CHECKS < TP_CHECKS_POISON) return;
  for (uint32_t i = 0; i < words; i++) EXPECT(word[i] == TP_POISON);
}

static void check_chunk(uint32_t index)
{
  const struct area *area = chunk_area(index);
  const struct tp_chunk_state *state = now.chunks[index].state;
  bool attached = now.home_of[index] != NOBODY;
  EXPECT(state->live == area->model.home.lives);
  EXPECT(state->emptied == now.emptied[index]);
  EXPECT(state->attached == attached);
  check_area(area);
  if (attached && state->phase == TP_CHUNK_OPEN) {
    EXPECT(tp_pool_verify(&area->pool, NULL));
  } else if (attached) {
    check_released(area);
  }
}

static void check_home(uint32_t home)
{
  const struct area *area = &now.areas[home];
  const struct tp_spill_state *state = now.spills[home].state;
  struct tp_stats stats;
  uint32_t away = away_from(home);
  if (now.peak[home] < away) now.peak[home] = away;
  EXPECT(state->live == away && state->peak == now.peak[home]);
  EXPECT(state->refused == now.refused[home]);
  tp_pool_stats(&area->pool, &stats);
  EXPECT(stats.spills == now.spilled[home]);
  if (now.has_tags[home]) EXPECT(stats.live == area->model.home.lives);
  check_area(area);
  EXPECT(tp_pool_verify(&area->pool, NULL));
}

static void check_all(void)
{
  for (uint32_t i = 0; i < HOMES; i++) check_home(i);
  for (uint32_t i = 0; i < CHUNKS; i++) check_chunk(i);
}

// Calls -----------------------------------------------------------------------

// Where the next object of [home] lies; NULL: it is refused.
static struct area *next_area(uint32_t home, uint32_t *slot)
{
  struct area *area = &now.areas[home];
  int found = model_alloc(&area->model, DROPS);
  for (uint32_t i = 0; found == MODEL_NULL && i < CHUNKS; i++) {
    area = chunk_area(i);
    if (now.home_of[i] != home) continue;
    if (now.chunks[i].state->phase == TP_CHUNK_RELEASED) {
      model_put_in_order(&area->model.home);
    }
    found = model_alloc(&area->model, DROPS);
  }
  *slot = (uint32_t)found;
  return found == MODEL_NULL ? NULL : area;
}

static void alloc(void)
{
  uint32_t home = fuzz_below(HOMES), slot = 0;
  struct area *area = next_area(home, &slot);
  void *object = NULL;
  GOOD(object = tp_pool_alloc(&now.areas[home].pool));
  EXPECT(object == (area ? words_of(area, slot) : NULL));
  if (!area) {
    now.refused[home]++;
    return;
  }
  EXPECT(fuzz_is_new(object, area->pool.size));
  now.spilled[home] += area != &now.areas[home];
  area->number[slot] = ++now.numbers;
  tp_fill(object, area->pool.size, area->number[slot]);
}

static void free_one(void)
{
  uint32_t index = fuzz_below(AREAS);
  struct area *area = &now.areas[index];
  uint32_t home = index < HOMES ? index : now.home_of[index - HOMES];
  if (home == NOBODY || area->model.home.lives == 0) return;
  uint32_t slot = area->model.home.live[fuzz_below(area->model.home.lives)];
  model_free(&area->model, slot);
  if (index >= HOMES && area->model.home.lives == 0) {
    now.emptied[index - HOMES] = tp_clock_now;
  }
  GOOD(tp_pool_free(&now.areas[home].pool, words_of(area, slot)));
}

static void wait(void)
{
  tp_clock_now += 1 + fuzz_below(3);
}

static void release(void)
{
  uint32_t index = fuzz_below(CHUNKS);
  const struct tp_chunk *chunk = &now.chunks[index];
  bool released = false;
  if (now.home_of[index] == NOBODY) return;
  bool was = chunk->state->phase == TP_CHUNK_RELEASED;
  bool idle = chunk_area(index)->model.home.lives == 0 &&
              tp_clock_now - now.emptied[index] >= chunk->patience;
  GOOD(released = tp_chunk_release(chunk));
  EXPECT(released == (was || idle));
}

// What stands in the memory of a chunk before does not matter.
static void attach(void)
{
  uint32_t index = fuzz_below(CHUNKS), home = fuzz_below(HOMES);
  const struct tp_chunk *chunk = &now.chunks[index];
  struct area *area = chunk_area(index);
  if (now.home_of[index] != NOBODY) {
    if (TP_CHECKS == 0) return;
    WRONG(TP_FAULT_CHUNK, tp_chunk_attach(&now.areas[home].pool, chunk));
    return;
  }
  for (uint32_t slot = 1; slot <= area->pool.capacity; slot++) {
    tp_fill(words_of(area, slot), area->pool.size, fuzz_below(256));
  }
  GOOD(tp_chunk_attach(&now.areas[home].pool, chunk));
  now.home_of[index] = home;
  model_put_in_order(&area->model.home);
}

static void detach(void)
{
  uint32_t index = fuzz_below(CHUNKS), home = fuzz_below(HOMES);
  const struct tp_chunk *chunk = &now.chunks[index];
  bool gone = false;
  if (now.home_of[index] != home) {
    if (TP_CHECKS == 0) return;
    WRONG(TP_FAULT_CHUNK, tp_chunk_detach(&now.areas[home].pool, chunk));
    return;
  }
  GOOD(gone = tp_chunk_detach(&now.areas[home].pool, chunk));
  EXPECT(gone == (chunk_area(index)->model.home.lives == 0));
  if (!gone) return;
  now.home_of[index] = NOBODY;
  check_released(chunk_area(index));
}

static void detach_all(void)
{
  uint32_t home = fuzz_below(HOMES), stay = 0, said = 0;
  if (fuzz_below(4)) return;
  for (uint32_t i = 0; i < CHUNKS; i++) {
    if (now.home_of[i] != home) continue;
    bool lives = chunk_area(i)->model.home.lives > 0;
    if (!lives) now.home_of[i] = NOBODY;
    stay += lives;
  }
  GOOD(said = tp_spill_release(&now.areas[home].pool));
  EXPECT(said == stay);
}

static void reset(void)
{
  uint32_t home = fuzz_below(HOMES);
  if (fuzz_below(4)) return;
  GOOD(tp_spill_reset(&now.areas[home].pool));
  model_reset(&now.areas[home].model, now.has_tags[home]);
  for (uint32_t i = 0; i < CHUNKS; i++) {
    if (now.home_of[i] != home) continue;
    if (now.chunks[i].state->phase != TP_CHUNK_OPEN) continue;
    model_reset(&chunk_area(i)->model, true);
    now.emptied[i] = tp_clock_now;
  }
}

// Wrong calls -----------------------------------------------------------------

// Of nobody's chunk, of another pool's, or a second time.
static void free_wrongly(void)
{
  uint32_t index = fuzz_below(AREAS), home = fuzz_below(HOMES);
  const struct area *area = &now.areas[index];
  uint32_t slot = 1 + fuzz_below(area->pool.capacity);
  uint32_t owner = index < HOMES ? index : now.home_of[index - HOMES];
  const struct tp_pool *pool = &now.areas[home].pool;
  if (TP_CHECKS == 0) return;
  if (owner != home) {
    WRONG(TP_FAULT_FOREIGN, tp_pool_free(pool, words_of(area, slot)));
    return;
  }
  if (model_is_live(&area->model, slot)) return;
  if (index >= HOMES && now.chunks[index - HOMES].state->phase != TP_CHUNK_OPEN)
    return;
  WRONG(TP_FAULT_DOUBLE_FREE, tp_pool_free(pool, words_of(area, slot)));
}

// A write into memory that was given back shows when it is opened again.
static bool write_released(void)
{
  uint32_t index = fuzz_below(CHUNKS), home = now.home_of[index];
  struct area *area = chunk_area(index);
  if (home == NOBODY || TP_CHECKS < TP_CHECKS_POISON) return false;
  if (now.chunks[index].state->phase != TP_CHUNK_RELEASED) return false;
  tp_word_t *word = words_of(area, 1 + fuzz_below(area->pool.capacity));
  *word ^= 1u << fuzz_below(32);
  for (uint32_t i = 0; i <= OBJECTS; i++) {
    CALL(tp_pool_alloc(&now.areas[home].pool));
    if (fuzz_fault != 0) break;
  }
  EXPECT(fuzz_fault == TP_FAULT_POISON && tp_fault_record.address == word);
  return true;
}

// The beginning ---------------------------------------------------------------

static const struct tp_policy *put_spill(uint32_t home)
{
  now.spills[home] =
      (struct tp_spill){.policy = {tp_spill_overflow, tp_spill_take_back},
                        .then = &tp_drop,
                        .state = fuzz_memory(sizeof *now.spills[0].state, 0)};
  return &now.spills[home].policy;
}

static void put_area(uint32_t index, uint32_t size, void *memory, bool tagged)
{
  struct area *area = &now.areas[index];
  bool is_home = index < HOMES;
  struct tp_build row = {.size = (uint16_t)size,
                         .count = (tp_slot_t)(1 + fuzz_below(SLOTS)),
                         .align = 8,
                         .tagged = tagged,
                         .takes_foreign = is_home,
                         .policy = is_home ? put_spill(index) : &tp_drop};
  EXPECT(tp_build_bytes(&row) <= 1024);
  tp_pool_build(&area->pool, names[index], &row, memory);
  model_begin(&area->model, DROPS, row.count);
}

static void begin(void)
{
  memset(&now, 0, sizeof now);
  uint32_t size = 8 * (1 + fuzz_below(4));
  uint8_t *memory = fuzz_memory(AREAS * 1024, 0);
  for (uint32_t i = 0; i < HOMES; i++) {
    bool tagged = fuzz_below(2);
    put_area(i, size, memory + i * 1024, tagged);
    now.has_tags[i] = TP_CHECKS > 0 || tagged;
  }
  for (uint32_t i = 0; i < CHUNKS; i++) {
    put_area(HOMES + i, size, memory + (HOMES + i) * 1024, true);
    now.home_of[i] = NOBODY;
    now.chunks[i] =
        (struct tp_chunk){.pool = &chunk_area(i)->pool,
                          .state = fuzz_memory(sizeof *now.chunks[i].state, 0),
                          .patience = fuzz_below(4)};
  }
}

static void (*const calls[])(void) = {
    alloc,  alloc,  alloc,      alloc, free_one, free_one,     attach,
    attach, detach, detach_all, reset, release,  free_wrongly, wait};
enum { CALLS = sizeof calls / sizeof calls[0] };

const struct world fuzz_chunks = {
    .name = "chunks",
    .begin = begin,
    .calls = calls,
    .count = CALLS,
    .end_in = CALLS + 1,
    .end = write_released,
    .check = check_all,
};
