// SPDX-License-Identifier: MIT
#include "check/tp_verify.h"

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

// Follows the list, never further than it can be long. Sets [length].
static struct tp_finding verify_list(const struct tp_pool *pool,
                                     uint32_t *length)
{
  uint32_t fresh = pool->state->fresh;
  uint32_t word = pool->tag[0];
  *length = 0;
  for (uint32_t top; (top = tp_list_top_of(word)) != 0;) {
    uint32_t slot = tp_list_slot(pool, top);
    if (slot == 0 || slot > fresh) return found(TP_BROKEN_LIST, slot);
    if (tp_tag_kept(pool) && is_live(pool, slot)) {
      return found(TP_BROKEN_LIST, slot);
    }
    if (++*length > fresh) return found(TP_BROKEN_LIST, slot);
    uint32_t link = tp_list_words(pool, top)[0];
    if (!tp_list_follows(pool, word, link)) return found(TP_BROKEN_LIST, slot);
    word = link;
  }
  return found(TP_SOUND, 0);
}

// Compares the list word's live count, the tags and the list's [length].
static struct tp_finding verify_counts(const struct tp_pool *pool,
                                       uint32_t length)
{
  uint32_t fresh = pool->state->fresh;
  uint32_t live = 0;
  if (!tp_tag_kept(pool)) return found(TP_SOUND, 0);
  for (uint32_t slot = 1; slot <= fresh; slot++) live += is_live(pool, slot);
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

// Is a ring of [seen] slots the right one, when [live] slots are?
static bool is_whole(const struct tp_pool *pool, uint32_t seen, uint32_t live)
{
  if (!tp_tag_kept(pool)) return seen <= live;
  return seen + count_pinned(pool) == live;
}

// Walks the ring once around, both ways at every link.
static struct tp_finding verify_age(const struct tp_pool *pool, uint32_t length)
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
      return found(is_whole(pool, seen, live) ? TP_SOUND : TP_BROKEN_AGE, slot);
    }
    if (tp_tag_kept(pool) && !is_live(pool, newer)) {
      return found(TP_BROKEN_AGE, newer);
    }
    slot = newer;
  }
  return found(TP_BROKEN_AGE, slot);
}

// What tp_poison.h promises of every slot ever issued.
static struct tp_finding verify_patterns(const struct tp_pool *pool)
{
  if (TP_CHECKS < TP_CHECKS_POISON) return found(TP_SOUND, 0);
  for (uint32_t slot = 1; slot <= pool->state->fresh; slot++) {
    const tp_word_t *words = tp_slot_words(pool, slot);
    if (tp_zone_damage(pool, words)) return found(TP_BROKEN_ZONE, slot);
    if (is_live(pool, slot)) continue;
    if (tp_poison_damage(pool, words)) return found(TP_BROKEN_POISON, slot);
  }
  return found(TP_SOUND, 0);
}

bool tp_pool_verify(const struct tp_pool *pool, struct tp_finding *finding)
{
  uint32_t length = 0;
  struct tp_finding first = verify_fresh(pool);
  if (first.broken == TP_SOUND) first = verify_list(pool, &length);
  if (first.broken == TP_SOUND) first = verify_counts(pool, length);
  if (first.broken == TP_SOUND) first = verify_age(pool, length);
  if (first.broken == TP_SOUND) first = verify_patterns(pool);
  if (finding) *finding = first;
  return first.broken == TP_SOUND;
}

// A slot that damage is found in while an interrupt issues it and frees it
// again is not damaged; its tag then tells a later life.
static void scrub_slot(const struct tp_pool *pool, uint32_t slot)
{
  const volatile uint32_t *tag = pool->tag;
  const tp_word_t *words = tp_slot_words(pool, slot);
  uint32_t before = tag[slot];
  if (before >= TP_LIVE || slot > pool->state->fresh) return;
  uint32_t damage = tp_zone_damage(pool, words);
  damage |= tp_poison_damage(pool, words);
  TP_BARRIER();
  if (tag[slot] == before && damage) tp_blame_bytes(pool, words, TP_CALLER);
}

void tp_pool_scrub(const struct tp_pool *pool, uint32_t budget)
{
  struct tp_pool_state *state = pool->state;
  if (TP_CHECKS < TP_CHECKS_POISON) return;
  for (uint32_t i = 0; i < budget; i++) {
    bool last = state->scrubbed >= pool->capacity;
    state->scrubbed = (tp_slot_t)(last ? 1 : state->scrubbed + 1);
    scrub_slot(pool, state->scrubbed);
  }
}
