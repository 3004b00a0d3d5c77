// SPDX-License-Identifier: MIT
#include "damage.h"

#include "core/tp_slot.h"
#include "plant.h"
#include "core/tp_core.h"
#include "random.h"
#include "tp_pools.h"
#include "watch.h"

enum { STREAM = 41 };  // Of chance.

typedef void (*deed)(enum plant what);

static struct random chance;

void damage_start(uint64_t seed)
{
  chance = random_stream(seed, STREAM);
}

// The words of the sparks' dead slot that is [depth] from the top of the list;
// NULL, and their number in [count], iff there are no more than that.
static __attribute__((no_sanitize("address"))) tp_word_t *dead_at(
    uint32_t depth, uint32_t *count)
{
  uint32_t top = tp_list_top(&particles_pool);
  for (*count = 0; top != 0; ++*count) {
    tp_word_t *words = tp_list_words(&particles_pool, top);
    if (*count == depth) return words;
    top = tp_list_top_of(words[0]);
  }
  return 0;
}

// Any dead spark, the bottom of the list as likely as its top.
static tp_word_t *any_dead(void)
{
  uint32_t count;
  dead_at(UINT32_MAX, &count);
  return dead_at(random_below(&chance, count), &count);
}

static uint32_t any_bit(uint32_t bits)
{
  return 1u << random_below(&chance, bits);
}

static void free_wrongly(enum plant what)
{
  uint8_t *spark = (uint8_t *)watch_any_spark();
  if (what == PLANT_DOUBLE_FREE) spark = (uint8_t *)any_dead();
  if (what == PLANT_INTERIOR && spark) spark += 8;
  if (what == PLANT_FOREIGN && spark) spark = (uint8_t *)&chance;
  if (!spark || !plant_strikes(what, &particles_pool, spark)) return;
  particles_free((struct particle *)spark);
}

// A byte too many of a live spark, behind it or before it.
static void write_outside(enum plant what)
{
  uint8_t *spark = (uint8_t *)watch_any_spark();
  if (!spark || !plant_strikes(what, &particles_pool, spark)) return;
  spark[what == PLANT_OVERRUN ? particles_pool.size : -1] ^= 1;
}

// What the game does to a spark each frame, to one that is gone.
static void write_after_free(enum plant what)
{
  struct particle *spark = (struct particle *)any_dead();
  if (!spark || !plant_strikes(what, &particles_pool, spark)) return;
  spark->dy = 3;
}

static void flip_dead(enum plant what)
{
  tp_word_t *words = any_dead();
  if (!words || !plant_strikes(what, &particles_pool, words)) return;
  uint32_t word = 0;
  if (what == PLANT_FLIP_FREE) {
    word = random_between(&chance, 1, particles_pool.size / 4u - 1);
  }
  words[word] ^= any_bit(32);
}

static void flip_generation(enum plant what)
{
  const struct tp_pool *pool = &particles_pool;
  if (!tp_tag_kept(pool) || !pool->state->fresh) return;
  uint32_t slot = random_between(&chance, 1, pool->state->fresh);
  if (!plant_strikes(what, pool, tp_slot_words(pool, slot))) return;
  pool->tag[slot] ^= any_bit(31);
}

// Of a link that is on the ring: its head, or that of a voice.
static void flip_age(enum plant what)
{
  struct tp_age_link *age = sounds_pool.age;
  tp_slot_t slot = 0;
  for (uint32_t i = random_below(&chance, 8); i > 0; i--)
    slot = age[slot].newer;
  if (!plant_strikes(what, &sounds_pool, tp_slot_words(&sounds_pool, slot))) {
    return;
  }
  tp_slot_t *link = any_bit(2) == 1 ? &age[slot].newer : &age[slot].older;
  *link ^= (tp_slot_t)any_bit(16);
}

static void lose_unlock(enum plant what)
{
  if (plant_strikes(what, 0, 0)) (void)tp_port_lock();
}

// The oldest voice is taken for the newest, so that another is stolen.
static void spare_oldest(enum plant what)
{
  tp_slot_t oldest = tp_age_oldest(sounds_pool.age);
  if (oldest == TP_NO_SLOT || oldest != watch_oldest_voice()) return;
  const void *voice = tp_slot_words(&sounds_pool, oldest);
  if (!plant_strikes(what, &sounds_pool, voice)) return;
  uint32_t key = tp_port_lock();
  tp_age_remove(sounds_pool.age, oldest);
  tp_age_push(sounds_pool.age, oldest);
  tp_port_unlock(key);
}

static const deed deeds[PLANT_N] = {
    [PLANT_DOUBLE_FREE] = free_wrongly,
    [PLANT_INTERIOR] = free_wrongly,
    [PLANT_FOREIGN] = free_wrongly,
    [PLANT_WRITE_AFTER_FREE] = write_after_free,
    [PLANT_OVERRUN] = write_outside,
    [PLANT_UNDERRUN] = write_outside,
    [PLANT_FLIP_FREE] = flip_dead,
    [PLANT_FLIP_LINK] = flip_dead,
    [PLANT_FLIP_GENERATION] = flip_generation,
    [PLANT_FLIP_AGE] = flip_age,
    [PLANT_LOST_UNLOCK] = lose_unlock,
    [PLANT_WRONG_VICTIM] = spare_oldest,
};

void damage_frame(void)
{
  enum plant what = plant_due();
  if (deeds[what]) deeds[what](what);
}
