// SPDX-License-Identifier: MIT
// A pool whose memory is kept over a reset, which is played here: what comes
// back after one, after one of another firmware, after no power, and after a
// flipped bit.
#include <string.h>

#include "fuzz.h"
#include "model.h"
#include "object/tp_build.h"

enum { GIVEN = 8, CONFIG = 0x1111 };

struct given {
  tp_handle_t bits;
  uint32_t slot, life;
};

static struct {
  struct model model;
  struct tp_pool pool;
  struct tp_noinit noinit;
  enum model_policy policy;
  tp_word_t *memory;  // Of all that the pool is made of, but its seal.
  uint32_t words;
  uint32_t life[SLOTS_MOST + 1];  // The number of the object in a slot.
  uint32_t lives;
  struct given given[GIVEN];
  uint32_t given_count;
} now;

static tp_word_t *words_of(uint32_t slot)
{
  return now.pool.storage + (slot - 1) * (now.pool.stride / 4u);
}

static bool is_live(uint32_t slot)
{
  return model_is_live(&now.model, slot);
}

static void check_handle(const struct given *given)
{
  bool held = given->slot != 0 && is_live(given->slot) &&
              now.life[given->slot] == given->life;
  EXPECT(tp_handle_get(&now.pool, given->bits) ==
         (held ? words_of(given->slot) : NULL));
}

static void check_all(void)
{
  for (uint32_t slot = 1; slot <= now.pool.capacity; slot++) {
    if (!is_live(slot)) continue;
    EXPECT(tp_is_filled(words_of(slot), now.pool.size, now.life[slot]));
  }
  EXPECT(tp_pool_verify(&now.pool, NULL));
  EXPECT(tp_pool_live(&now.pool) == now.model.home.lives);
  for (uint32_t i = 0; i < GIVEN; i++) check_handle(&now.given[i]);
}

// Calls -----------------------------------------------------------------------

static void alloc(void)
{
  tp_handle_t bits = 0;
  void *object = NULL;
  uint32_t slot = (uint32_t)model_alloc(&now.model, now.policy);
  GOOD(object = tp_handle_alloc(&now.pool, &bits));
  EXPECT(object == (slot ? words_of(slot) : NULL));
  if (slot == 0) return;
  now.life[slot] = ++now.lives;
  tp_fill(object, now.pool.size, now.lives);
  now.given[now.given_count++ % GIVEN] = (struct given){bits, slot, now.lives};
}

static void free_one(void)
{
  const struct given *given = &now.given[fuzz_below(GIVEN)];
  bool freed = false;
  bool held = tp_handle_get(&now.pool, given->bits) != NULL;
  if (held) model_free(&now.model, given->slot);
  GOOD(freed = tp_handle_free(&now.pool, given->bits));
  EXPECT(freed == held);
}

// All is as at boot, generations too: handles of before mean nothing any more.
static void begin_anew(void)
{
  model_begin(&now.model, now.policy, now.pool.capacity);
  memset(now.given, 0, sizeof now.given);
}

static void reset(void)
{
  bool valid = false;
  fuzz_remember();
  GOOD(valid = tp_noinit_validate(&now.noinit));
  EXPECT(valid && fuzz_is_unchanged());
}

// What another table made of the same memory is not this one's.
static void run_another_firmware(void)
{
  struct tp_noinit other = now.noinit;
  bool valid = false;
  if (fuzz_below(4)) return;
  other.config ^= 1u << fuzz_below(32);
  GOOD(valid = tp_noinit_validate(&other));
  EXPECT(!valid);
  GOOD(valid = tp_noinit_validate(&now.noinit));
  EXPECT(!valid);
  begin_anew();
}

static void switch_power_off(void)
{
  bool valid = true;
  if (fuzz_below(4)) return;
  memset(now.memory, (int)fuzz_below(256), now.words * sizeof *now.memory);
  *now.noinit.seal = 0x01010101u * fuzz_below(256);
  GOOD(valid = tp_noinit_validate(&now.noinit));
  EXPECT(!valid);
  begin_anew();
}

// Whatever is left of it: no request leads out of the pool, or has no end.
static void use_up(void)
{
  for (uint32_t i = 0; i <= now.pool.capacity; i++) {
    tp_word_t *object = NULL;
    GOOD(object = tp_pool_alloc(&now.pool));
    uint32_t slot = 1;
    while (slot <= now.pool.capacity && words_of(slot) != object) slot++;
    EXPECT(!object || slot <= now.pool.capacity);
    if (object) tp_fill(object, now.pool.size, i);
  }
}

static bool end_by_a_flip(void)
{
  uint32_t which = fuzz_below(now.words + 1);
  tp_word_t *word = which ? &now.memory[which - 1] : now.noinit.seal;
  bool valid = false;
  *word ^= 1u << fuzz_below(32);
  GOOD(valid = tp_noinit_validate(&now.noinit));
  EXPECT(which || !valid);
  EXPECT(tp_pool_verify(&now.pool, NULL));
  if (!valid) EXPECT(tp_pool_live(&now.pool) == 0);
  use_up();
  return true;
}

// The world -------------------------------------------------------------------

static void begin(void)
{
  bool valid = true;
  memset(&now, 0, sizeof now);
  now.policy = fuzz_below(2) ? STEALS_OLDEST : DROPS;
  bool steals = now.policy == STEALS_OLDEST;
  struct tp_build row = {.size = (uint16_t)(4 + 4 * fuzz_below(6)),
                         .count = (tp_slot_t)(1 + fuzz_below(SLOTS_MOST)),
                         .align = (uint8_t)(4u << fuzz_below(4)),
                         .aged = steals,
                         .timed = steals && fuzz_below(2),
                         .tagged = 1,
                         .refuses = !steals,
                         .policy = steals ? &tp_steal_oldest : &tp_drop};
  uint32_t bytes = tp_build_bytes(&row);
  now.memory = fuzz_memory(bytes, 0);
  now.words = bytes / 4;
  tp_pool_build(&now.pool, "kept", &row, now.memory);
  memset(now.memory, (int)fuzz_below(256), bytes);
  now.noinit = (struct tp_noinit){
      .pool = &now.pool,
      .seal = fuzz_memory(sizeof *now.noinit.seal, (uint8_t)fuzz_below(256)),
      .config = CONFIG,
      .tags = row.count + 1u};
  GOOD(valid = tp_noinit_validate(&now.noinit));
  EXPECT(!valid);
  begin_anew();
}

static void (*const calls[])(void) = {alloc,    alloc, alloc,
                                      free_one, reset, run_another_firmware,
                                      free_one, alloc, switch_power_off};
enum { CALLS = sizeof calls / sizeof calls[0] };

const struct world fuzz_kept = {
    .name = "kept",
    .begin = begin,
    .calls = calls,
    .count = CALLS,
    .end_in = 16,
    .end = end_by_a_flip,
    .check = check_all,
};
