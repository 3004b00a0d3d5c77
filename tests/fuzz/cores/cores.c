// SPDX-License-Identifier: MIT
// Pools of two cores, some with magazines: which slot a core is issued is what
// the model of tests/states says, but that its own magazine is asked first. And
// a pool of one core, which refuses the other.
#include <string.h>

#include "core/tp_magazine.h"
#include "core/tp_shape.h"
#include "core/tp_slot.h"
#include "fuzz.h"
#include "model.h"
#include "object/tp_build.h"
#include "policy/tp_steal.h"
#include "tp_cores_port.h"

enum { CORES = 2, GIVEN = 16, POLICIES = STEALS_OLDEST + 1 };

// A handle that was given out, of which life.
struct given {
  tp_handle_t bits;
  uint32_t slot, life;
};

// What a core keeps, the one that it is issued next last.
struct kept {
  uint8_t slot[SLOTS_MOST];
  uint32_t count;
};

static struct {
  struct model model;
  struct tp_pool pool, alone;
  enum model_policy policy;
  struct kept kept[CORES];
  bool has_tags;   // Kept at this level, with or without handles.
  uint32_t owner;  // Of the pool of one core: that one's number + 1; 0: none.
  uint32_t life[SLOTS_MOST + 1];  // The number of the object in a slot.
  uint32_t lives;
  struct given given[GIVEN];
  uint32_t given_count;
  struct tp_stats stats;
} now;

uint32_t cores_number, cores_taken, cores_waits, cores_windows;
bool cores_held;

bool tp_cores_port_take(void)
{
  EXPECT(!cores_held);
  if (cores_taken == 0) return cores_held = true;
  cores_taken--;
  return false;
}

void tp_cores_port_give(void)
{
  EXPECT(cores_held);
  cores_held = false;
}

static tp_word_t *words_of(uint32_t slot)
{
  return now.pool.storage + (slot - 1) * (now.pool.stride / 4u);
}

static bool is_live(uint32_t slot)
{
  return model_is_live(&now.model, slot);
}

// The first slot from [slot] on that is live, or is not; 0: there is none.
static uint32_t any(uint32_t slot, bool live)
{
  uint32_t capacity = now.pool.capacity;
  for (uint32_t i = 0; i < capacity; i++) {
    uint32_t one = (slot + i) % capacity + 1;
    if (is_live(one) == live) return one;
  }
  return 0;
}

static struct kept *mine(void)
{
  return &now.kept[cores_number];
}

// After each call -------------------------------------------------------------

static void check_stats(void)
{
  struct tp_stats stats;
  tp_pool_stats(&now.pool, &stats);
  uint32_t fresh = now.model.home.fresh;
  if (now.stats.peak < fresh) now.stats.peak = fresh;
  EXPECT(stats.peak == now.stats.peak);
  EXPECT(stats.steals == now.stats.steals);
  if (TP_CHECKS > 0 || !now.pool.refuses) {
    EXPECT(stats.refused == now.stats.refused);
  }
  if (!now.has_tags) return;
  EXPECT(stats.live == now.model.home.lives);
  EXPECT(stats.allocs == now.stats.allocs);
  EXPECT(stats.frees == now.stats.frees);
}

static void check_handle(const struct given *given)
{
  bool held = given->slot != 0 && is_live(given->slot) &&
              now.life[given->slot] == given->life;
  void *object = tp_handle_get(&now.pool, given->bits);
  EXPECT(object == (held ? words_of(given->slot) : NULL));
  if (object) EXPECT(tp_handle_of(&now.pool, object) == given->bits);
}

static void check_all(void)
{
  uint32_t size = now.pool.size;
  EXPECT(!cores_held);
  for (uint32_t slot = 1; slot <= now.pool.capacity; slot++) {
    if (!is_live(slot)) continue;
    EXPECT(tp_is_filled(words_of(slot), size, now.life[slot]));
  }
  EXPECT(tp_pool_verify(&now.pool, NULL));
  EXPECT(tp_pool_verify(&now.alone, NULL));
  check_stats();
  for (uint32_t i = 0; i < GIVEN && now.pool.tagged; i++) {
    check_handle(&now.given[i]);
  }
}

// Calls -----------------------------------------------------------------------

// The other core goes on, or has the lock for a while.
static void turn_to(void)
{
  cores_number = fuzz_below(CORES);
  cores_taken = fuzz_below(4);
}

// Of the magazine of this core, if that is [asked]; else of all.
static int expected(bool asked)
{
  struct model before = now.model;
  struct model_pool *home = &now.model.home;
  struct kept *kept = mine();
  if (asked && kept->count > 0) {
    memmove(home->dead + 1, home->dead, home->deads++);
    home->dead[0] = kept->slot[--kept->count];
  }
  int slot = model_alloc(&now.model, now.policy);
  now.stats.steals += slot > 0 && model_is_live(&before, (uint32_t)slot);
  now.stats.allocs += slot > 0;
  now.stats.refused += slot <= 0;
  return slot;
}

static void *alloc_by(uint32_t how, tp_handle_t *bits)
{
  const struct tp_pool *pool = &now.pool;
  if (how == 0) return tp_pool_alloc(pool);
  if (pool->magazine) return tp_magazine_alloc(pool);
  if (pool->tagged && how < 4) return tp_handle_alloc_aged(pool, bits);
  return tp_cores_alloc(pool);
}

static void begin_life(uint32_t slot, tp_handle_t bits)
{
  struct given given = {bits, slot, ++now.lives};
  EXPECT(fuzz_is_new(words_of(slot), now.pool.size));
  now.life[slot] = now.lives;
  tp_fill(words_of(slot), now.pool.size, now.lives);
  if (bits) now.given[now.given_count++ % GIVEN] = given;
}

static void alloc(void)
{
  uint32_t how = fuzz_below(8);
  tp_handle_t bits = 0;
  void *object = NULL;
  int wanted = expected(how > 0);
  CALL(object = alloc_by(how, &bits));
  EXPECT(fuzz_fault == (wanted == MODEL_FULL ? TP_FAULT_FULL : 0u));
  if (fuzz_fault) return;
  EXPECT(object == (wanted > 0 ? words_of((uint32_t)wanted) : NULL));
  if (object) begin_life((uint32_t)wanted, bits);
}

// Into the magazine of this core, if that is [asked] and has room.
static void end_life(uint32_t slot, bool asked)
{
  struct model_pool *home = &now.model.home;
  struct kept *kept = mine();
  model_free(&now.model, slot);
  now.stats.frees++;
  if (!asked || kept->count >= now.pool.magazine) return;
  memmove(home->dead, home->dead + 1, --home->deads);
  home->dead[home->deads] = 0;
  kept->slot[kept->count++] = (uint8_t)slot;
}

static void free_by(uint32_t how, void *object)
{
  const struct tp_pool *pool = &now.pool;
  if (how == 0) {
    tp_pool_free(pool, object);
  } else if (pool->magazine) {
    tp_magazine_free(pool, object);
  } else {
    tp_cores_free(pool, object);
  }
}

static void free_one(void)
{
  uint32_t slot = any(fuzz_below(SLOTS_MOST), true);
  uint32_t how = fuzz_below(8);
  if (slot == 0) return;
  end_life(slot, how > 0);
  GOOD(free_by(how, words_of(slot)));
}

static void free_by_handle(void)
{
  const struct given *given = &now.given[fuzz_below(GIVEN)];
  bool held = tp_handle_get(&now.pool, given->bits) != NULL;
  bool freed = false;
  if (!now.pool.tagged) return;
  if (held) end_life(given->slot, false);
  GOOD(freed = tp_handle_free_aged(&now.pool, given->bits));
  EXPECT(freed == held);
}

static void reset(void)
{
  if (fuzz_below(8)) return;
  now.stats.frees += now.model.home.lives;
  GOOD(tp_pool_reset(&now.pool));
  model_reset(&now.model, now.has_tags);
  memset(now.kept, 0, sizeof now.kept);
}

static void scrub(void)
{
  GOOD(tp_pool_scrub(&now.pool, fuzz_below(2 * SLOTS_MOST)));
}

// From fast up it is of the core that called it first.
static void call_alone(void)
{
  void *object = NULL;
  bool refused = TP_CHECKS > 0 && now.owner == 2 - cores_number;
  if (refused) {
    WRONG(TP_FAULT_CONTEXT, tp_pool_alloc(&now.alone));
    return;
  }
  GOOD(object = tp_pool_alloc(&now.alone));
  GOOD(tp_pool_free(&now.alone, object));
  now.owner = cores_number + 1;
}

// Wrong calls -----------------------------------------------------------------

static void free_wrongly(void *object, uint32_t kind)
{
  WRONG(kind, free_by(1, object));
}

// What a core keeps is as dead as any.
static void call_wrongly(void)
{
  static tp_word_t elsewhere[4];
  uint32_t which = fuzz_below(3);
  uint32_t slot = any(fuzz_below(SLOTS_MOST), false);
  if (TP_CHECKS == 0) return;
  if (which == 0) free_wrongly(elsewhere, TP_FAULT_FOREIGN);
  if (which == 1) free_wrongly(words_of(1) + 1, TP_FAULT_INTERIOR);
  if (which == 2 && slot) free_wrongly(words_of(slot), TP_FAULT_DOUBLE_FREE);
}

// One bit of what a core keeps is written over.
static void damage(void)
{
  uint32_t *word = tp_slot_magazines(&now.pool);
  uint32_t bit = 1u << fuzz_below(32);
  if (TP_CHECKS == 0 || !word) return;
  word += fuzz_below(CORES);
  *word ^= bit;
  EXPECT(!tp_pool_verify(&now.pool, NULL));
  *word ^= bit;
}

// The world -------------------------------------------------------------------

static struct tp_build row(void)
{
  static const struct tp_policy *const policies[] = {&tp_drop, &tp_assert,
                                                     &tp_steal_detached};
  bool steals = now.policy == STEALS_OLDEST;
  return (struct tp_build){
      .size = (uint16_t)(8 + 4 * fuzz_below(8)),
      .count = (tp_slot_t)(2 + fuzz_below(SLOTS_MOST - 1)),
      .align = (uint8_t)(4u << fuzz_below(4)),
      .lock = TP_LOCK_CORES,
      .aged = steals,
      .tagged = steals || fuzz_below(2),
      .refuses = now.policy == DROPS,
      .policy = policies[now.policy],
  };
}

static void build(struct tp_pool *pool, const char *name,
                  const struct tp_build *row)
{
  void *memory = fuzz_memory(tp_build_bytes(row), (uint8_t)fuzz_below(256));
  tp_pool_build(pool, name, row, memory);
}

// As the generator makes it of a row with magazine: no handles, and behind the
// tags a word of each core.
static void add_magazine(const struct tp_build *home)
{
  uint32_t tags = 1 + (now.has_tags ? home->count : 1u) + CORES;
  now.pool.magazine = (uint8_t)(1 + fuzz_below(home->count - 1u));
  now.pool.tag = fuzz_memory(tags * sizeof *now.pool.tag, 0);
}

static void begin(void)
{
  memset(&now, 0, sizeof now);
  cores_number = cores_taken = 0;
  now.policy = (enum model_policy)fuzz_below(POLICIES);
  struct tp_build home = row();
  build(&now.pool, "home", &home);
  now.pool.general = &tp_cores_general;
  now.pool.gate = TP_GATE(now.pool.stride, 0);
  now.has_tags = TP_CHECKS > 0 || home.tagged;
  if (!home.tagged && fuzz_below(4)) add_magazine(&home);
  home.lock = TP_LOCK_PRIMASK;
  build(&now.alone, "alone", &home);
  model_begin(&now.model, now.policy, home.count);
}

static void (*const calls[])(void) = {
    turn_to, turn_to,    turn_to,      alloc,    alloc,          alloc,
    alloc,   free_one,   free_one,     free_one, free_by_handle, reset,
    scrub,   call_alone, call_wrongly, damage};
enum { CALLS = sizeof calls / sizeof calls[0] };

const struct world fuzz_cores = {
    .name = "cores",
    .begin = begin,
    .calls = calls,
    .count = CALLS,
    .end_in = 256,
    .check = check_all,
};
