// SPDX-License-Identifier: MIT
// tp_plant.c - the mistakes that --plant makes in a firmware of one's own: each
// once, as application code would, in the first pool that it can be made in.
// What a soak is worth is which of them it finds.
#include "core/tp_core.h"
#include "policy/tp_spill.h"
#include "tp_soak.h"

// Where a mistake is made; NULL words: it is in no slot.
struct target {
  const struct tp_pool *pool;
  tp_word_t *words;
  uint32_t index;  // Of the pool, in the registry.
};

typedef bool chooser(struct target *target);
typedef void deed(const struct target *target);

static uint32_t elsewhere[4];

static bool choose_live(struct target *target)
{
  const struct tp_pool *pool = target->pool;
  if (!tp_tag_kept(pool)) return false;
  for (uint32_t slot = 1; slot <= pool->state->fresh; slot++) {
    if (pool->tag[slot] < TP_LIVE) continue;
    target->words = tp_slot_words(pool, slot);
    return true;
  }
  return false;
}

static bool choose_dead(struct target *target)
{
  uint32_t top = tp_list_top(target->pool);
  if (top) target->words = tp_list_words(target->pool, top);
  return top != 0;
}

static bool choose_aged(struct target *target)
{
  return target->pool->age && tp_age_oldest(target->pool->age) &&
         choose_live(target);
}

static bool choose_any(struct target *target)
{
  (void)target;
  return true;
}

static void free_twice(const struct target *target)
{
  tp_pool_free(target->pool, target->words);
  tp_pool_free(target->pool, target->words);
}

static void free_inside(const struct target *target)
{
  tp_pool_free(target->pool, target->words + 1);
}

static void free_another(const struct target *target)
{
  tp_pool_free(target->pool, elsewhere);
}

static void write_dead(const struct target *target)
{
  target->words[target->pool->size / 4u - 1] = 3;
}

static void write_behind(const struct target *target)
{
  ((uint8_t *)target->words)[target->pool->size] ^= 1;
}

static void write_before(const struct target *target)
{
  ((uint8_t *)target->words)[-1] ^= 1;
}

static void flip_link(const struct target *target)
{
  target->words[0] ^= 1u << 5;
}

static void flip_age(const struct target *target)
{
  tp_slot_t oldest = tp_age_oldest(target->pool->age);
  target->pool->age[oldest].newer ^= 1u << 3;
}

static void unpin_twice(const struct target *target)
{
  tp_pool_pin(target->pool, target->words);
  tp_pool_unpin(target->pool, target->words);
  tp_pool_unpin(target->pool, target->words);
}

static void lose_unlock(const struct target *target)
{
  (void)target;
  (void)tp_port_lock();
}

static const struct {
  const char *name;
  chooser *choose;
  deed *make;
} mistakes[] = {
    {"double-free", choose_live, free_twice},
    {"interior", choose_live, free_inside},
    {"foreign", choose_live, free_another},
    {"write-after-free", choose_dead, write_dead},
    {"overrun", choose_live, write_behind},
    {"underrun", choose_live, write_before},
    {"flip-free", choose_dead, write_dead},
    {"flip-link", choose_dead, flip_link},
    {"flip-age", choose_aged, flip_age},
    {"unbalanced-pin", choose_aged, unpin_twice},
    {"lost-unlock", choose_any, lose_unlock},
};

static uint32_t wanted = UINT32_MAX, from;

void tp_plant_begin(void)
{
  const char *name = tp_soak_argument("plant");
  from = (uint32_t)tp_soak_number("plant_frame", 600);
  for (uint32_t i = 0; name && i < sizeof mistakes / sizeof *mistakes; i++) {
    if (tp_soak_is_word(name, mistakes[i].name)) wanted = i;
  }
}

static bool is_target(struct target *target, const struct tp_entry *entry)
{
  target->words = NULL;
  target->pool = (const struct tp_pool *)entry->allocator;
  return entry->kind == &tp_pool_kind && target->pool->capacity != 0 &&
         mistakes[wanted].choose(target);
}

static void strike(const struct target *target)
{
  const struct tp_pool *pool = target->pool;
  uint32_t slot = target->words ? (uint32_t)tp_slot_of(pool, target->words) : 0;
  tp_record_planted(tp_clock_now, target->index, slot, mistakes[wanted].name);
  deed *make = mistakes[wanted].make;
  wanted = UINT32_MAX;
  make(target);
}

void tp_plant_frame(const struct tp_registry *registry)
{
  if (wanted == UINT32_MAX || tp_clock_now < from) return;
  for (uint32_t i = 0; i < registry->count; i++) {
    struct target target = {.index = i};
    if (!is_target(&target, registry->entries[i])) continue;
    strike(&target);
    return;
  }
}
