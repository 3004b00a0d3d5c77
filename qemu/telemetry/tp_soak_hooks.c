// SPDX-License-Identifier: MIT
// tp_soak_hooks.c - what a build with TIDEPOOL_SOAK asks of each request: is it
// refused on purpose, and which place of the application holds which slot. The
// library calls it: lib/check/tp_check.h.
#define TP_HARDENED 1  // It knows such pools.

#include "check/tp_called.h"
#include "check/tp_check.h"
#include "core/tp_slot.h"
#include "core/tp_sum.h"
#include "core/tp_words.h"
#include "tp_port.h"
#include "tp_soak.h"
#include "tp_soak_size.h"

enum { REFUSALS = 12, NOBODY = 255 };

// A place in the application that asks an allocator.
struct place {
  const void *caller;  // Where its calls return to.
  const char *name;    // Of the allocator; NULL: the place is yet unused.
  uint32_t requests;
  uint32_t refused;     // By the allocator,
  uint32_t on_purpose;  // and by us.
  uint8_t index;        // Of the allocator; NOBODY's are in no table.
  uint8_t may_refuse;
  uint8_t of_pool;
};

// Read by lib/config/decoder/holders.py, by these names: not to be merged.
#define READ_BY_NAME __attribute__((used))

static const struct tp_soak *running;
static READ_BY_NAME struct place places[TP_SOAK_PLACES];
// All that found no room, of whatever allocator: none is refused on purpose.
static struct place others;
static struct place *last = &others;                // That was looked up.
static uint32_t born[TP_SOAK_LIVES];                // In which frame, by slot.
static uint16_t first_life[TP_SOAK_ALLOCATORS];     // Of each pool, in born.
static READ_BY_NAME uint8_t holder[TP_SOAK_SLOTS];  // A place + 1, by slot,
static READ_BY_NAME uint8_t seal[TP_SOAK_SEALS];    // and of its generation.
// Of each pool, in both.
static READ_BY_NAME uint16_t first_slot[TP_SOAK_ALLOCATORS];

// What is refused: each so many requests of a place and any with a probability,
// if [refusing], and only of one allocator or at one site if there is any.
static uint32_t nth, per_million, chance, only;
static const char *only_site;
static bool refusing;

// A slot whose generation is not what it was issued with, in which allocator.
static READ_BY_NAME uint32_t changed_slot, changed_index;
static READ_BY_NAME bool sealing;  // Every slot that is issued.

// Who asked a pool last and has neither a slot of it yet nor heard that it has
// none: in no interrupt, and in one.
static const struct place *unanswered[2];

struct tp_soak_site *tp_soak_site_now;
static struct tp_soak_site decided;  // In place of a site whose request was.

// Each pool has as many of both as it has slots, as long as there are any.
static void lay_out_slots(const struct tp_registry *registry)
{
  uint32_t slots = 0, lives = 0;
  for (uint32_t i = 0; i < registry->count; i++) {
    const struct tp_entry *entry = registry->entries[i];
    uint32_t most = tp_soak_pool(entry) ? entry->most : 0;
    first_slot[i] = (uint16_t)slots;
    first_life[i] = (uint16_t)(entry->lifetime ? lives : TP_SOAK_LIVES);
    slots += most;
    lives += entry->lifetime ? most : 0;
    if (slots > TP_SOAK_SLOTS) slots = TP_SOAK_SLOTS;
    if (lives > TP_SOAK_LIVES) lives = TP_SOAK_LIVES;
  }
}

// --fail-site, the name of a site or else of an allocator.
static void choose(const struct tp_soak *soak)
{
  const struct tp_registry *registry = soak->registry;
  const char *name = tp_soak_argument("fail_site");
  only = NOBODY;
  for (uint32_t i = 0; name && i < registry->count; i++) {
    if (tp_soak_is_word(name, registry->entries[i]->name)) only = i;
  }
  for (uint32_t i = 0; name && i < soak->site_count; i++) {
    if (!tp_soak_is_word(name, soak->sites[i].name)) continue;
    only_site = name;
    only = NOBODY;
  }
}

// Of an allocator in the registry's table; NOBODY if it is not there.
static uint32_t index_named(const char *name)
{
  uint32_t most = running ? running->registry->count : 0;
  uint32_t index = most ? tp_registry_find(running->registry, name) : 0;
  return index < most ? index : NOBODY;
}

static void describe(struct place *place, const char *name, const void *caller)
{
  uint32_t index = index_named(name);
  bool one = index != NOBODY && place != &others;  // All there is alike.
  const struct tp_entry *entry = one ? running->registry->entries[index] : NULL;
  place->caller = caller;
  place->index = (uint8_t)index;
  place->may_refuse = entry && !tp_text_same(entry->policy, "assert");
  place->of_pool = entry && tp_soak_pool(entry);
  place->name = name;
}

// Those that asked before there was a soak.
static void describe_all(void)
{
  for (uint32_t i = 0; i < TP_SOAK_PLACES; i++) {
    struct place *place = &places[i];
    if (place->name) describe(place, place->name, place->caller);
  }
}

void tp_soak_hooks_begin(const struct tp_soak *soak)
{
  running = soak;
  describe_all();
  sealing = !tp_soak_argument("ask");  // It issues slots of its own.
  lay_out_slots(soak->registry);
  choose(soak);
  chance = (uint32_t)soak->seed * 2654435761u | 1;
  nth = (uint32_t)tp_soak_number("fail_nth", 0);
  per_million = (uint32_t)tp_soak_number("fail_per_million", 0);
  refusing = nth || per_million;
}

// An interrupt may have described the place since.
static void claim(struct place *place, const char *name, const void *caller)
{
  uint32_t key = tp_soak_lock();
  if (!place->name) describe(place, name, caller);
  tp_soak_unlock(key);
}

static uint32_t first_guess(const char *name, const void *caller)
{
  uint32_t mixed = (uint32_t)(uintptr_t)caller ^ (uint32_t)(uintptr_t)name << 1;
  return mixed >> 1 ^ mixed >> 7;
}

static TP_NOINLINE struct place *look_up(const char *name, const void *caller)
{
  uint32_t guess = first_guess(name, caller);
  for (uint32_t i = 0; i < TP_SOAK_PLACES; i++) {
    struct place *place = &places[(guess + i) % TP_SOAK_PLACES];
    if (!place->name) claim(place, name, caller);
    if (place->caller == caller && place->name == name) return last = place;
  }
  if (!others.name) claim(&others, name, NULL);
  return &others;
}

// The place of [caller] that asks for what is called [name]: often the one that
// asked last.
static inline struct place *place_of(const char *name, const void *caller)
{
  struct place *place = last;
  if (place->caller == caller && place->name == name) return place;
  return look_up(name, caller);
}

// Adds one, though an interrupt may do that at the same time.
static void count(uint32_t *number)
{
#if TP_PORT_HAS_EXCLUSIVE
  uint32_t before;
  do {
    before = tp_port_load_exclusive(number);
  } while (!tp_port_store_exclusive(number, before + 1));
#else
  uint32_t key = tp_port_lock();
  ++*number;
  tp_port_unlock(key);
#endif
}

// Draws at every request, so that what comes later is the same whatever is
// refused.
static bool is_unlucky(uint32_t number)
{
  bool refused = tp_soak_chance(&chance) % 1000000 < per_million;
  return refused || (nth && number % nth == 0);
}

// Only the first that is asked for at a site is its request; what spills or
// helps out is not.
static bool site_refuses(struct tp_soak_site *site)
{
  tp_soak_site_now = &decided;
  bool refused = is_unlucky(++site->requests);
  if (only_site && !tp_soak_is_word(only_site, site->name)) refused = false;
  site->refused += refused;
  return refused;
}

static bool place_refuses(const struct place *place)
{
  bool refused = is_unlucky(place->requests);
  if (only != NOBODY && only != place->index) refused = false;
  return refused && place->may_refuse;
}

static bool decide(const struct place *place)
{
  struct tp_soak_site *site = tp_soak_is_home() ? tp_soak_site_now : NULL;
  if (only != NOBODY) return place_refuses(place);
  if (site == &decided) return false;
  if (site) return site_refuses(site);
  return !only_site && place_refuses(place);
}

static TP_NOINLINE bool refuses(struct place *place)
{
  uint32_t key = tp_soak_lock();
  bool refused = decide(place);
  place->on_purpose += refused;
  tp_soak_unlock(key);
  return refused;
}

static const struct place **unanswered_here(void)
{
  return &unanswered[TP_PORT_CONTEXT() != 0];
}

// What one call of a pool begins, a more general one may go on with, which asks
// again.
static bool goes_on(const struct place *place)
{
  const struct place **before = unanswered_here();
  bool same = *before == place;
  *before = place->of_pool ? place : NULL;
  return same;
}

bool tp_soak_refuses(const char *name, tp_site_t site)
{
  if (tp_ask_asking) return false;
  const void *caller = tp_soak_caller(site);
  struct place *place = place_of(name, caller);
  if (goes_on(place)) return false;
  count(&place->requests);
  tp_soak_calls(name, TP_CALLS_ALLOC, caller);
  if (!refusing || !refuses(place)) return false;
  *unanswered_here() = NULL;
  return true;
}

void tp_soak_spare(const char *name, const void *caller)
{
  place_of(name, caller)->may_refuse = false;
}

void tp_soak_full(const char *name, tp_site_t site)
{
  if (tp_ask_asking) return;
  *unanswered_here() = NULL;
  count(&place_of(name, tp_soak_caller(site))->refused);
}

// Of any two generations of which one bit differs, they differ.
static uint8_t sealed(uint32_t generation)
{
  uint32_t folded = generation ^ generation >> 16;
  return (uint8_t)(folded ^ folded >> 8);
}

static void note_changed(uint32_t index, uint32_t slot)
{
  uint32_t key = tp_soak_lock();
  if (!changed_slot) changed_index = index;
  if (!changed_slot) changed_slot = slot;
  tp_soak_unlock(key);
}

// The slot was issued: one generation later than it was last, or all over
// again, which a hardened pool begins with the second.
static void seal_anew(const struct tp_pool *pool, uint32_t index, uint32_t slot,
                      uint32_t at)
{
  uint32_t generation = tp_sum_issues(pool, pool->tag[slot]);
  bool again = generation <= 1u + tp_tag_coded(pool);
  bool is_next = again || sealed(generation - 1) == seal[at];
  if (sealing && holder[at] && !is_next) note_changed(index, slot);
  seal[at] = sealed(generation);
}

// Who holds a slot that was issued where no place had room is not known.
void tp_soak_issued(const struct tp_pool *pool, uint32_t slot, tp_site_t site)
{
  if (tp_ask_asking) return;
  *unanswered_here() = NULL;
  const struct place *place = place_of(pool->name, tp_soak_caller(site));
  uint32_t index = place == &others ? index_named(pool->name) : place->index;
  if (index == NOBODY) return;
  uint32_t at = first_slot[index] + slot - 1;
  if (at < TP_SOAK_SLOTS) {
    if (at < TP_SOAK_SEALS && tp_tag_kept(pool)) {
      seal_anew(pool, index, slot, at);
    }
    holder[at] = (uint8_t)(place == &others ? 0 : place - places + 1);
  }
  at = first_life[index] + slot - 1;
  if (at < TP_SOAK_LIVES) born[at] = tp_clock_now;
}

uint32_t tp_soak_refused(uint32_t index)
{
  uint32_t refused = 0;
  for (uint32_t i = 0; refusing && i < TP_SOAK_PLACES; i++) {
    if (places[i].name && places[i].index == index) {
      refused += places[i].on_purpose;
    }
  }
  return refused;
}

// How many live slots of its pool were asked for at [place].
static uint32_t held_at(const struct place *place)
{
  const struct tp_pool *pool =
      tp_soak_pool(running->registry->entries[place->index]);
  uint32_t held = 0;
  if (!pool || !tp_tag_kept(pool)) return 0;
  for (uint32_t slot = 1; slot <= pool->state->fresh; slot++) {
    uint32_t at = first_slot[place->index] + slot - 1;
    if (at >= TP_SOAK_SLOTS || pool->tag[slot] < TP_LIVE) continue;
    held += holder[at] == place - places + 1;
  }
  return held;
}

// How long the one in [slot] of allocator [index] lives; 0: none does.
static uint32_t age_of(const struct tp_pool *pool, uint32_t index,
                       uint32_t slot)
{
  uint32_t at = first_life[index] + slot - 1;
  if (at >= TP_SOAK_LIVES || pool->tag[slot] < TP_LIVE) return 0;
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
  if (at >= TP_SOAK_SLOTS || !holder[at]) return NULL;
  return places[holder[at] - 1].caller;
}

// Of a pool whose row says how long its objects live.
static void report_oldest(uint32_t index)
{
  const struct tp_entry *entry = running->registry->entries[index];
  const struct tp_pool *pool = tp_soak_pool(entry);
  if (!entry->lifetime || !pool) return;
  uint32_t slot = tp_tag_kept(pool) ? oldest_slot(pool, index) : 0;
  const struct tp_record_oldest record = {
      .index = index,
      .life = entry->lifetime,
      .slot = slot,
      .age = slot ? age_of(pool, index, slot) : 0,
      .site = slot ? site_of(index, slot) : NULL,
  };
  tp_record_tell_oldest(&record);
}

void tp_soak_hooks_oldest(void)
{
  for (uint32_t i = 0; i < running->registry->count; i++) report_oldest(i);
}

// Masked: an interrupt may issue the slot anew.
static bool is_changed(const struct tp_pool *pool, uint32_t slot, uint32_t at)
{
  uint32_t key = tp_port_lock();
  uint32_t tag = pool->tag[slot];
  bool whole = !tp_tag_coded(pool) || tp_code_has(tag);
  bool same = seal[at] == sealed(tp_sum_issues(pool, tag));
  bool changed = holder[at] && !(whole && same);
  tp_port_unlock(key);
  return changed;
}

static void look_for_changed(uint32_t index)
{
  const struct tp_pool *pool = tp_soak_pool(running->registry->entries[index]);
  if (!pool || !tp_tag_kept(pool)) return;
  for (uint32_t slot = 1; slot <= pool->state->fresh; slot++) {
    uint32_t at = first_slot[index] + slot - 1;
    if (at < TP_SOAK_SEALS && is_changed(pool, slot, at)) {
      note_changed(index, slot);
    }
  }
}

void tp_soak_hooks_verify(void)
{
  if (!sealing) return;
  for (uint32_t i = 0; i < running->registry->count; i++) look_for_changed(i);
  if (!changed_slot) return;
  tp_record_audit(tp_clock_now, changed_index, changed_slot,
                  "the generation of a slot was written over");
  sealing = false;  // Once is enough.
}

static void put_place(const struct place *place)
{
  const struct tp_record_place record = {
      .index = place->index,
      .site = place->caller,
      .requests = place->requests,
      .on_purpose = place->on_purpose,
      .refused = place->refused,
      .held = held_at(place),
  };
  tp_record_tell_place(&record);
}

static void put_site(const struct tp_soak_site *site)
{
  tp_record_begin(REFUSALS, 8 + tp_record_length(site->name));
  tp_record_put32(site->requests);
  tp_record_put32(site->refused);
  tp_record_put_text(site->name);
  tp_record_end();
}

void tp_soak_hooks_report(void)
{
  for (uint32_t i = 0; i < TP_SOAK_PLACES; i++) {
    if (places[i].name && places[i].index != NOBODY) put_place(&places[i]);
  }
  for (uint32_t i = 0; refusing && i < running->site_count; i++) {
    put_site(&running->sites[i]);
  }
}
