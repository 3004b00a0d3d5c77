// SPDX-License-Identifier: MIT
// tp_plant.c - the mistakes that --plant makes in any firmware: each once, as
// application code would, in the first pool that it can be made in, and there
// in a slot and a bit by chance. What a soak is worth is which it finds.
#define TP_HARDENED 1  // It knows such pools.

#include "core/tp_core.h"
#include "core/tp_seal.h"
#include "core/tp_words.h"
#include "tp_soak.h"

// Where a mistake is made. Slot 0: in none, or in the head of the age ring.
struct target {
  const struct tp_pool *pool;
  const struct tp_seal *seal;  // Of the descriptor, if scenes write it.
  tp_word_t *words;            // Of the slot.
  uint32_t slot;
  uint32_t index;  // Of the pool, in the registry.
};

typedef bool chooser(struct target *target);
typedef void deed(const struct target *target);

static uint32_t elsewhere[4];
static uint32_t chance;

// At most 65536.
static uint32_t any_below(uint32_t bound)
{
  return (tp_soak_chance(&chance) >> 16) * bound >> 16;
}

static uint32_t any_bit(uint32_t bits)
{
  return 1u << any_below(bits);
}

static bool take(struct target *target, uint32_t slot)
{
  target->slot = slot;
  target->words = tp_slot_words(target->pool, slot);
  return true;
}

// What only looks for a place to do it in is no mistake.
#define UNSEEN __attribute__((no_sanitize("address")))

// The words of the dead slot that is [depth] from the top of the list; NULL,
// and their number in [count], iff there are no more than that.
static UNSEEN tp_word_t *dead_at(const struct tp_pool *pool, uint32_t depth,
                                 uint32_t *count)
{
  uint32_t top = tp_list_top(pool);
  for (*count = 0; top != 0; ++*count) {
    tp_word_t *words = tp_list_words(pool, top);
    if (*count == depth) return words;
    top = tp_list_top_of(tp_list_link(pool, words, tp_list_slot(pool, top))[0]);
  }
  return NULL;
}

// The bottom of the list is as likely as its top.
static bool choose_dead(struct target *target)
{
  uint32_t count;
  dead_at(target->pool, UINT32_MAX, &count);
  const void *words = dead_at(target->pool, any_below(count), &count);
  return words && take(target, (uint32_t)tp_slot_of(target->pool, words));
}

// At off not every pool has tags: live is what is not on the list.
static UNSEEN bool is_live(const struct tp_pool *pool, uint32_t slot)
{
  uint32_t count = 0;
  if (tp_tag_kept(pool)) return pool->tag[slot] >= TP_LIVE;
  tp_word_t *words = dead_at(pool, count, &count);
  while (words && words != tp_slot_words(pool, slot)) {
    count++;
    words = dead_at(pool, count, &count);
  }
  return !words;
}

static bool choose_live(struct target *target)
{
  uint32_t issued = target->pool->state->fresh;
  uint32_t from = any_below(issued);
  for (uint32_t i = 0; i < issued; i++) {
    uint32_t slot = (from + i) % issued + 1;
    if (is_live(target->pool, slot)) return take(target, slot);
  }
  return false;
}

// In the middle of which there is a word.
static bool choose_large(struct target *target)
{
  return target->pool->size > 4 && choose_live(target);
}

static bool choose_tagged(struct target *target)
{
  uint32_t issued = target->pool->state->fresh;
  if (!tp_tag_kept(target->pool) || !issued) return false;
  return take(target, any_below(issued) + 1);
}

// A link that is on the ring: its head, or that of an object.
static UNSEEN bool choose_aged(struct target *target)
{
  const struct tp_age_link *age = target->pool->age;
  uint32_t slot = 0;
  if (!age || !tp_age_oldest(age)) return false;
  for (uint32_t i = any_below(8); i > 0; i--) slot = age[slot].newer;
  return take(target, slot);
}

static UNSEEN bool choose_pinnable(struct target *target)
{
  return target->pool->age && tp_age_oldest(target->pool->age) &&
         choose_live(target);
}

static bool choose_cut(struct target *target)
{
  return target->seal;
}

static bool choose_any(struct target *target)
{
  (void)target;
  return true;
}

// What a call that faults is followed by, or it would be jumped to, and its
// line be in no backtrace.
#define STAY() TP_BARRIER()

static void free_it(const struct target *target)
{
  tp_pool_free(target->pool, target->words);
  STAY();
}

static void free_inside(const struct target *target)
{
  tp_pool_free(target->pool, target->words + 1);
  STAY();
}

// By what a typed call makes of it.
static void free_another(const struct target *target)
{
  tp_pool_free(target->pool,
               (uint8_t *)elsewhere + tp_record_lead(target->pool));
  STAY();
}

// So that the sanitizer sees a store of what is written over, and not the load
// before it.
static UNSEEN uint32_t word_at(const void *memory)
{
  return *(const volatile tp_word_t *)memory;
}

static UNSEEN uint32_t half_at(const void *memory)
{
  return *(const volatile uint16_t *)memory;
}

static UNSEEN uint32_t byte_at(const void *memory)
{
  return *(const volatile uint8_t *)memory;
}

static void write_dead(const struct target *target)
{
  target->words[target->pool->size / 4u - 1] = 3;
}

static void write_behind(const struct target *target)
{
  uint8_t *byte = (uint8_t *)target->words + target->pool->size;
  *byte = (uint8_t)(byte_at(byte) ^ 1u);
}

static void write_before(const struct target *target)
{
  uint8_t *byte = (uint8_t *)target->words - tp_record_lead(target->pool) - 1;
  *byte = (uint8_t)(byte_at(byte) ^ 1u);
}

// The first word of a dead slot that is no link.
static uint32_t first_dead(const struct tp_pool *pool)
{
  return tp_any_links_outside(pool) ? 0 : 1;
}

static void flip_dead(const struct target *target)
{
  uint32_t words = target->pool->size / 4u, first = first_dead(target->pool);
  tp_word_t *word = &target->words[first + any_below(words - first)];
  *word = word_at(word) ^ any_bit(32);
}

static void flip_link(const struct target *target)
{
  tp_word_t *link = tp_list_link(target->pool, target->words, target->slot);
  *link = word_at(link) ^ any_bit(32);
}

static void flip_generation(const struct target *target)
{
  uint32_t *tag = &target->pool->tag[target->slot];
  *tag = word_at(tag) ^ any_bit(31);
}

static void flip_live(const struct target *target)
{
  uint32_t *tag = &target->pool->tag[target->slot];
  *tag = word_at(tag) ^ TP_LIVE;
}

static void flip_age(const struct target *target)
{
  struct tp_age_link *link = &target->pool->age[target->slot];
  tp_slot_t *way = any_below(2) ? &link->newer : &link->older;
  *way = (tp_slot_t)(half_at(way) ^ any_bit(16));
}

// No pointer to an object leads to it, but a number that went wrong may.
static void flip_descriptor(const struct target *target)
{
  uintptr_t words = (uintptr_t)target->seal->descriptor;
  tp_word_t *word = (tp_word_t *)words + any_below(target->seal->count);
  *word = word_at(word) ^ any_bit(32);
}

static void unpin_twice(const struct target *target)
{
  tp_pool_pin(target->pool, target->words);
  tp_pool_unpin(target->pool, target->words);
  tp_pool_unpin(target->pool, target->words);
  STAY();
}

static void lose_unlock(const struct target *target)
{
  (void)target;
  (void)tp_port_lock();
}

// In which there is a word that is no link.
static bool choose_large_dead(struct target *target)
{
  const struct tp_pool *pool = target->pool;
  return pool->size / 4u > first_dead(pool) && choose_dead(target);
}

static const struct {
  const char *name;
  chooser *choose;
  deed *make;
} mistakes[] = {
    {"double-free", choose_dead, free_it},
    {"interior", choose_large, free_inside},
    {"foreign", choose_live, free_another},
    {"write-after-free", choose_large_dead, write_dead},
    {"overrun", choose_live, write_behind},
    {"underrun", choose_live, write_before},
    {"flip-free", choose_large_dead, flip_dead},
    {"flip-link", choose_dead, flip_link},
    {"flip-generation", choose_tagged, flip_generation},
    {"flip-live", choose_tagged, flip_live},
    {"flip-age", choose_aged, flip_age},
    {"flip-descriptor", choose_cut, flip_descriptor},
    {"unbalanced-pin", choose_pinnable, unpin_twice},
    {"lost-unlock", choose_any, lose_unlock},
};

static uint32_t wanted = UINT32_MAX, from;

void tp_plant_begin(const struct tp_soak *soak)
{
  const char *name = tp_soak_argument("plant");
  from = (uint32_t)tp_soak_number("plant_frame", 600);
  chance = (uint32_t)soak->seed * 2246822519u | 1;
  for (uint32_t i = 0; name && i < sizeof mistakes / sizeof *mistakes; i++) {
    if (tp_soak_is_word(name, mistakes[i].name)) wanted = i;
  }
}

static bool is_target(struct target *target, const struct tp_entry *entry)
{
  target->pool = tp_soak_pool(entry);
  target->seal = entry->seal;
  return target->pool && tp_entry_capacity(entry) != 0 &&
         tp_soak_is_ours(target->pool) && mistakes[wanted].choose(target);
}

static void strike(const struct target *target)
{
  deed *make = mistakes[wanted].make;
  tp_record_planted(tp_clock_now, target->index, target->slot,
                    mistakes[wanted].name);
  wanted = UINT32_MAX;
  make(target);
}

void tp_plant_frame(const struct tp_registry *registry)
{
  uint32_t frame = tp_clock_now - tp_soak_start();
  if (wanted == UINT32_MAX || frame < from) return;
  for (uint32_t i = 0; i < registry->count; i++) {
    struct target target;
    tp_clear_words(&target, sizeof target);
    target.index = i;
    if (!is_target(&target, registry->entries[i])) continue;
    strike(&target);
    return;
  }
}
