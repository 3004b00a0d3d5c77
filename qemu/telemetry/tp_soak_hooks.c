// SPDX-License-Identifier: MIT
// tp_soak_hooks.c - what a build with TIDEPOOL_SOAK asks of each request: is it
// refused on purpose, and which place of the application holds which slot. The
// library calls it: lib/check/tp_check.h.
#include "check/tp_check.h"
#include "core/tp_slot.h"
#include "policy/tp_spill.h"
#include "tp_port.h"
#include "tp_soak.h"

// Places that are told apart, the last standing for all the others; slots of
// all pools together whose place is known.
enum { PLACES = 96, SLOTS = 4096, NOBODY = 255 };

// A place in the application that asks an allocator.
struct place {
  const void *caller;  // Where its calls return to.
  const char *name;
  uint8_t index;  // Of the allocator; NOBODY's are in no table.
  uint8_t may_refuse;
  uint32_t requests, refused;
};

static const struct tp_registry *registry;
static struct place places[PLACES];
static uint32_t used;
static uint8_t holder[SLOTS];                    // A place + 1, by slot.
static uint32_t born[SLOTS];                     // In which frame, by slot.
static uint16_t first_slot[TP_RECORD_NO_POOL];   // Of each pool, in holder.
static uint32_t nth, per_million, chance, only;  // What is refused.

static bool is_pool(const struct tp_entry *entry)
{
  return entry->kind == &tp_pool_kind || entry->kind == &tp_chunk_kind;
}

void tp_soak_hooks_begin(const struct tp_soak *soak)
{
  const char *name = tp_soak_argument("fail_site");
  uint32_t slots = 0;
  registry = soak->registry;
  for (uint32_t i = 0; i < registry->count; i++) {
    first_slot[i] = (uint16_t)slots;
    if (is_pool(registry->entries[i])) slots += registry->entries[i]->most;
    if (slots > SLOTS) slots = SLOTS;
  }
  chance = (uint32_t)soak->seed * 2654435761u + 1;
  nth = (uint32_t)tp_soak_number("fail_nth", 0);
  per_million = (uint32_t)tp_soak_number("fail_per_million", 0);
  only = NOBODY;
  for (uint32_t i = 0; name && i < registry->count; i++) {
    if (tp_soak_is_word(name, registry->entries[i]->name)) only = i;
  }
}

static bool same(const char *a, const char *b)
{
  while (*a && *a == *b) a++, b++;
  return *a == *b;
}

static void describe(struct place *place, const char *name, const void *caller)
{
  uint32_t index = registry ? tp_registry_find(registry, name) : 0;
  bool known = registry && index < registry->count;
  place->caller = caller;
  place->name = name;
  place->index = (uint8_t)(known ? index : NOBODY);
  place->may_refuse =
      known && !same(registry->entries[index]->policy, "assert");
}

// The place of [caller] that asks for what is called [name]. Masked, since
// interrupts ask, too.
static struct place *place_of(const char *name, const void *caller)
{
  uint32_t i = 0;
  while (i < used && (places[i].caller != caller || places[i].name != name))
    i++;
  if (i == PLACES) return &places[PLACES - 1];
  if (i == used) describe(&places[used++], name, caller);
  return &places[i];
}

static uint32_t next_chance(void)
{
  chance ^= chance << 13;
  chance ^= chance >> 17;
  chance ^= chance << 5;
  return chance;
}

// Draws at every request, so that what comes later is the same whatever is
// refused.
static bool decide(struct place *place)
{
  bool refused = next_chance() % 1000000 < per_million;
  place->requests++;
  if (nth && place->requests % nth == 0) refused = true;
  if (only != NOBODY && only != place->index) refused = false;
  refused = refused && place->may_refuse;
  place->refused += refused;
  return refused;
}

bool tp_soak_refuses(const char *name, tp_site_t site)
{
  const void *caller = tp_port_caller(site);
  uint32_t key = tp_port_lock();
  bool refused = decide(place_of(name, caller));
  tp_port_unlock(key);
  return refused;
}

void tp_soak_issued(const struct tp_pool *pool, uint32_t slot, tp_site_t site)
{
  const void *caller = tp_port_caller(site);
  uint32_t key = tp_port_lock();
  const struct place *place = place_of(pool->name, caller);
  uint32_t at = first_slot[place->index] + slot - 1;
  if (place->index != NOBODY && at < SLOTS) {
    holder[at] = (uint8_t)(place - places + 1);
    born[at] = tp_clock_now;
  }
  tp_port_unlock(key);
}

static const struct tp_pool *pool_of(const struct tp_entry *entry)
{
  if (entry->kind == &tp_pool_kind) {
    return (const struct tp_pool *)entry->allocator;
  }
  return ((const struct tp_chunk *)entry->allocator)->pool;
}

// How many live slots of its pool were asked for at [place].
static uint32_t held_at(const struct place *place)
{
  const struct tp_entry *entry = registry->entries[place->index];
  uint32_t held = 0;
  if (!is_pool(entry)) return 0;
  const struct tp_pool *pool = pool_of(entry);
  if (!tp_tag_kept(pool)) return 0;
  for (uint32_t slot = 1; slot <= pool->state->fresh; slot++) {
    uint32_t at = first_slot[place->index] + slot - 1;
    if (at >= SLOTS || pool->tag[slot] < TP_LIVE) continue;
    held += holder[at] == place - places + 1;
  }
  return held;
}

static uint32_t age_of(const struct tp_pool *pool, uint32_t index,
                       uint32_t slot)
{
  uint32_t at = first_slot[index] + slot - 1;
  if (at >= SLOTS || pool->tag[slot] < TP_LIVE) return 0;
  return tp_clock_now - born[at];
}

static uint32_t oldest_slot(const struct tp_pool *pool, uint32_t index)
{
  uint32_t oldest = 0, most = 0;
  for (uint32_t slot = 1; slot <= pool->state->fresh; slot++) {
    uint32_t age = age_of(pool, index, slot);
    if (age > most) oldest = slot, most = age;
  }
  return oldest;
}

static const void *site_of(uint32_t index, uint32_t slot)
{
  uint32_t at = first_slot[index] + slot - 1;
  return holder[at] ? places[holder[at] - 1].caller : NULL;
}

// Of a pool whose row says how long its objects live.
static void report_oldest(uint32_t index)
{
  const struct tp_entry *entry = registry->entries[index];
  if (!entry->lifetime || !is_pool(entry)) return;
  const struct tp_pool *pool = pool_of(entry);
  uint32_t slot = tp_tag_kept(pool) ? oldest_slot(pool, index) : 0;
  const struct tp_record_oldest record = {
      .index = index,
      .life = entry->lifetime,
      .slot = slot,
      .age = slot ? age_of(pool, index, slot) : 0,
      .site = slot ? site_of(index, slot) : NULL,
  };
  tp_record_oldest(&record);
}

void tp_soak_hooks_oldest(void)
{
  for (uint32_t i = 0; i < registry->count; i++) report_oldest(i);
}

void tp_soak_hooks_report(void)
{
  for (uint32_t i = 0; i < used; i++) {
    const struct place *place = &places[i];
    if (place->index == NOBODY) continue;
    const struct tp_record_place record = {
        .index = place->index,
        .site = place->caller,
        .requests = place->requests,
        .refused = place->refused,
        .held = held_at(place),
    };
    tp_record_place(&record);
  }
}
