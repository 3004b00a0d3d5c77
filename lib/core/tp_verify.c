// SPDX-License-Identifier: MIT
#include "core/tp_core.h"

#include "check/tp_check.h"

static bool is_live(const struct tp_pool *pool, uint32_t slot)
{
  return pool->tag[slot] >= TP_LIVE;
}

static struct tp_finding found(enum tp_broken broken, uint32_t slot)
{
  return (struct tp_finding){.broken = broken, .slot = slot};
}

static struct tp_finding verify_fresh(const struct tp_pool *pool)
{
  bool sound = pool->state->fresh <= pool->capacity;
  return found(sound ? TP_SOUND : TP_BROKEN_FRESH, 0);
}

// Is [slot] one that the free list may lead to?
static bool may_be_listed(const struct tp_pool *pool, uint32_t slot)
{
  if (slot == 0 || slot > pool->state->fresh) return false;
  return !tp_tag_kept(pool) || !is_live(pool, slot);
}

// Follows the list, never further than it can be long. Sets [length].
static struct tp_finding verify_list(const struct tp_pool *pool,
                                     uint32_t *length)
{
  uint32_t word = pool->tag[0];
  *length = 0;
  while (tp_list_top_of(word) != 0) {
    uint32_t top = tp_list_top_of(word);
    uint32_t slot = tp_list_slot(pool, top);
    if (!may_be_listed(pool, slot)) return found(TP_BROKEN_LIST, slot);
    if (++*length > pool->state->fresh) return found(TP_BROKEN_LIST, slot);
    uint32_t link = tp_list_words(pool, top)[0];
    if (!tp_list_follows(pool, word, link)) return found(TP_BROKEN_LINK, slot);
    word = link;
  }
  return found(TP_SOUND, 0);
}

// Compares the list word's live count, the tags and the list's [length]. A
// slot on its way from one state to another counts as live, with a dead tag.
static struct tp_finding verify_counts(const struct tp_pool *pool,
                                       uint32_t length, bool under_way)
{
  uint32_t fresh = pool->state->fresh;
  uint32_t live = 0;
  if (!tp_tag_kept(pool)) return found(TP_SOUND, 0);
  for (uint32_t slot = 1; slot <= fresh; slot++) live += is_live(pool, slot);
  if (under_way && live <= fresh - length) live = fresh - length;
  if (!tp_list_counts(pool, live)) return found(TP_BROKEN_LIVE, 0);
  if (length + live != fresh) return found(TP_BROKEN_LENGTH, 0);
  for (uint32_t slot = fresh + 1; slot <= pool->capacity; slot++) {
    if (is_live(pool, slot)) return found(TP_BROKEN_LIVE, slot);
  }
  return found(TP_SOUND, 0);
}

// Live slots that are rings of their own. Without tags who is live is not
// known: then those that a shorter ring leaves over.
static uint32_t count_pinned(const struct tp_pool *pool)
{
  uint32_t pinned = 0;
  for (uint32_t slot = 1; slot <= pool->state->fresh; slot++) {
    if (!is_live(pool, slot)) continue;
    pinned += pool->age[slot].newer == slot && pool->age[slot].older == slot;
  }
  return pinned;
}

// Is a ring of [seen] slots the right one, when [live] slots are? One that is
// just being issued is not on it yet.
static bool is_whole(const struct tp_pool *pool, uint32_t seen, uint32_t live,
                     bool under_way)
{
  if (under_way || !tp_tag_kept(pool)) return seen <= live;
  return seen + count_pinned(pool) == live;
}

// Walks the ring once around, both ways at every link.
static struct tp_finding verify_age(const struct tp_pool *pool, uint32_t length,
                                    bool under_way)
{
  const struct tp_age_link *age = pool->age;
  uint32_t live = pool->state->fresh - length;
  uint32_t slot = 0;
  if (!age) return found(TP_SOUND, 0);
  for (uint32_t seen = 0; seen <= live; seen++) {
    uint32_t newer = age[slot].newer;
    if (newer > pool->capacity) return found(TP_BROKEN_AGE, slot);
    if (age[newer].older != slot) return found(TP_BROKEN_AGE, slot);
    if (newer == 0) {
      bool whole = is_whole(pool, seen, live, under_way);
      return found(whole ? TP_SOUND : TP_BROKEN_AGE, slot);
    }
    if (tp_tag_kept(pool) && !is_live(pool, newer)) {
      return found(TP_BROKEN_AGE, newer);
    }
    slot = newer;
  }
  return found(TP_BROKEN_AGE, slot);
}

// What tp_poison.h promises of what lies around every slot ever issued,
static struct tp_finding verify_zones(const struct tp_pool *pool)
{
  if (TP_CHECKS < TP_CHECKS_FULL) return found(TP_SOUND, 0);
  for (uint32_t slot = 1; slot <= pool->state->fresh; slot++) {
    const tp_word_t *words = tp_slot_words(pool, slot);
    if (tp_zone_damage(pool, words)) return found(TP_BROKEN_ZONE, slot);
  }
  return found(TP_SOUND, 0);
}

// and of those on the list, which is sound.
static struct tp_finding verify_poison(const struct tp_pool *pool)
{
  if (TP_CHECKS < TP_CHECKS_POISON) return found(TP_SOUND, 0);
  uint32_t word = pool->tag[0];
  while (tp_list_top_of(word) != 0) {
    uint32_t top = tp_list_top_of(word);
    const tp_word_t *words = tp_list_words(pool, top);
    if (tp_poison_damage(pool, words)) {
      return found(TP_BROKEN_POISON, tp_list_slot(pool, top));
    }
    word = words[0];
  }
  return found(TP_SOUND, 0);
}

static struct tp_finding verify(const struct tp_pool *pool, bool under_way)
{
  uint32_t length = 0;
  struct tp_finding first = verify_fresh(pool);
  if (first.broken == TP_SOUND) first = verify_list(pool, &length);
  if (first.broken == TP_SOUND) first = verify_counts(pool, length, under_way);
  if (first.broken == TP_SOUND) first = verify_age(pool, length, under_way);
  if (first.broken == TP_SOUND) first = verify_zones(pool);
  if (first.broken == TP_SOUND) first = verify_poison(pool);
  return first;
}

bool tp_pool_verify(const struct tp_pool *pool, struct tp_finding *finding)
{
  struct tp_finding first = verify(pool, false);
  if (finding) *finding = first;
  return first.broken == TP_SOUND;
}

// What the link of [slot], to which the list leads, must hold.
static uint32_t expected_link(const struct tp_pool *pool, uint32_t slot)
{
  uint32_t word = pool->tag[0];
  while (tp_list_slot(pool, tp_list_top_of(word)) != slot) {
    word = tp_list_words(pool, tp_list_top_of(word))[0];
  }
  return tp_list_expected(word);
}

// As what the call itself would have found, had it looked there.
static void raise(const struct tp_pool *pool, struct tp_finding finding,
                  tp_site_t site)
{
  const tp_word_t *words = tp_slot_words(pool, finding.slot);
  if (finding.broken == TP_BROKEN_LINK) {
    tp_raise_slot(TP_FAULT_LINK, pool, finding.slot, 0, words[0],
                  expected_link(pool, finding.slot), site);
  }
  if (finding.broken == TP_BROKEN_LIST && tp_tag_kept(pool) &&
      finding.slot - 1 < pool->capacity && is_live(pool, finding.slot)) {
    tp_pool_raise_tag(words, pool, site);
  }
  if (finding.broken == TP_BROKEN_ZONE) tp_raise_zone(pool, words, site);
  if (finding.broken == TP_BROKEN_POISON) tp_raise_bytes(pool, words, site);
  tp_raise_slot(TP_FAULT_INVARIANT, pool, finding.slot, 0, finding.broken,
                TP_SOUND, site);
}

TP_NOINLINE void tp_pool_audit(const struct tp_pool *pool, tp_site_t site)
{
  uint32_t key = tp_port_lock();
  struct tp_finding first = verify(pool, true);
  tp_port_unlock(key);
  if (first.broken != TP_SOUND) raise(pool, first, site);
}

// A slot that damage is found in while an interrupt issues it and frees it
// again is not damaged; its tag then tells a later life.
static void scrub_slot(const struct tp_pool *pool, uint32_t slot,
                       tp_site_t site)
{
  const volatile uint32_t *tag = pool->tag;
  const tp_word_t *words = tp_slot_words(pool, slot);
  uint32_t before = tag[slot];
  if (before >= TP_LIVE || slot > pool->state->fresh) return;
  uint32_t damage = tp_zone_damage(pool, words);
  damage |= tp_poison_damage(pool, words);
  TP_BARRIER();
  if (tag[slot] == before && damage) tp_raise_bytes(pool, words, site);
}

TP_NOINLINE void tp_pool_scrub(const struct tp_pool *pool, uint32_t budget)
{
  struct tp_pool_state *state = pool->state;
  if (TP_CHECKS < TP_CHECKS_POISON) return;
  for (uint32_t i = 0; i < budget; i++) {
    bool last = state->scrubbed >= pool->capacity;
    state->scrubbed = (tp_slot_t)(last ? 1 : state->scrubbed + 1);
    scrub_slot(pool, state->scrubbed, tp_site(NULL));
  }
}
