// SPDX-License-Identifier: MIT
// The invariants of a pool, as code: looked at when one asks, and at full
// before and after every call, with who makes it.
#include "core/tp_core.h"
#include "core/tp_magazine.h"
#include "core/tp_registry.h"

#ifndef TP_PORT_UNSERVED
#define TP_PORT_UNSERVED() 0u
#endif

// A call that no lock serves would go well until it meets another. What the
// record says was found of it: what a port tells, or this.
enum { OTHER_CORE = 4 };

// Is [pool] the other core's? It is that one's whose call was the first since
// boot, which is noted here.
#if TP_CORES_NUMBERED
enum { CORE_BIT = TP_CHECKS >= TP_CHECKS_FAST ? (int)TP_CORE_BIT : 0 };

static bool is_other_core(const struct tp_pool *pool)
{
  struct tp_pool_state *state = pool->state;
  uint32_t core = TP_CORES_PORT_NUMBER() % 2u * (uint32_t)CORE_BIT;
  if (TP_LIKELY((state->scrubbed & CORE_BIT) == core)) return false;
  if (state->fresh != 0 || state->reached != 0) return true;
  state->scrubbed ^= (tp_slot_t)CORE_BIT;
  return false;
}
#else
enum { CORE_BIT = 0 };

static bool is_other_core(const struct tp_pool *pool)
{
  (void)pool;
  return false;
}
#endif

// Who calls, if the lock of [pool] cannot hold back whom it must; else 0. One
// without a lock is for one context, whichever it is.
static uint32_t unserved(const struct tp_pool *pool)
{
  if (pool->lock != TP_LOCK_CORES && is_other_core(pool)) {
    return OTHER_CORE;
  }
  return pool->lock == TP_LOCK_NONE ? 0 : TP_PORT_UNSERVED();
}

TP_NOINLINE void tp_pool_check_caller(const struct tp_pool *pool,
                                      tp_site_t site)
{
  uint32_t who = unserved(pool);
  if (who != 0) {
    tp_raise_slot(TP_FAULT_CONTEXT, pool, 0, 0, who, 0, site);
  }
}

// How a pool is looked at, and what was seen last, where it is broken.
struct view {
  const struct tp_pool *pool;
  bool under_way;          // Calls of other contexts may be.
  bool tagged;             // The pool keeps tags,
  bool summed;             // and what their generations add up to:
  uint32_t sum;            // that.
  const uint32_t *kept;    // By each core; NULL: by none.
  uint32_t live;           // As many slots are, say all list words.
  uint32_t length;         // Of all lists, as far as they were followed.
  uint32_t slot;           // 0: no one slot.
  const tp_word_t *words;  // Its bytes,
  const tp_word_t *link;   // and its link.
  uint32_t expected;       // What that must hold, less the slot it names.
};

// Follows the list that begins with [word], never further than all can be long.
// What a core [keeps] is on one of slots, at off too, whose links are one less.
static enum tp_broken verify_list(struct view *view, uint32_t word, bool keeps)
{
  const struct tp_pool *pool = view->pool;
  uint32_t fresh = pool->state->fresh, step = keeps ? TP_MAGAZINE_ONE : 0;
  bool outside = pool->hardened & TP_OUTSIDE;
  view->slot = 0;
  view->tagged = tp_tag_kept(pool);
  view->summed = tp_tag_summed(pool);
  view->sum = view->summed ? tp_tag_sum(pool, pool->capacity) : 0;
  view->kept = tp_slot_magazines(pool);
  const tp_word_t *links = (tp_word_t *)tp_slot_behind(pool);
  if (fresh > pool->capacity) return TP_BROKEN_FRESH;
  view->live = tp_list_live(pool);
  if (view->kept) view->live = tp_list_less(view->live, view->kept);
  for (; tp_list_top_of(word) != 0; word = view->link[0] + step) {
    uint32_t top = tp_list_top_of(word);
    view->slot = keeps ? word % TP_MAGAZINE_ONE : tp_list_slot(pool, top);
    view->words = tp_slot_words(pool, view->slot);
    view->link = outside ? links + view->slot - 1 : view->words;
    view->expected = tp_list_expected(word) - step;
    if (view->slot == 0 || view->slot > fresh) return TP_BROKEN_LIST;
    if (view->tagged && pool->tag[view->slot] >= TP_LIVE) return TP_BROKEN_LIST;
    if (++view->length > fresh) return TP_BROKEN_LIST;
    uint32_t link = view->link[0] + step;
    if (!tp_list_follows(pool, word, link)) return TP_BROKEN_LINK;
    if (TP_CHECKS < TP_CHECKS_POISON) continue;
    if (tp_poison_damage(view->words, pool->size, !outside)) {
      return TP_BROKEN_POISON;
    }
  }
  return TP_SOUND;
}

// What each core keeps for itself: its word counts down from 0. Lists that
// share a slot go on alike from there, so they have the last one in common.
static enum tp_broken verify_magazines(struct view *view)
{
  uint32_t other = 0;
  if (!TP_CORES_NUMBERED) return TP_SOUND;
  if (!view->kept) return TP_SOUND;
  for (uint32_t i = 0; i < TP_MAGAZINE_CORES; i++) {
    uint32_t word = view->kept[i], before = view->length;
    enum tp_broken broken = verify_list(view, word, true);
    if (broken != TP_SOUND) return broken;
    if (view->slot != 0 && view->slot == other) return TP_BROKEN_LIST;
    other = view->slot;
    uint32_t count = word / TP_MAGAZINE_ONE + view->length - before;
    view->slot = 0;
    if (count % TP_MAGAZINE_ONE != 0) return TP_BROKEN_LENGTH;
  }
  return TP_SOUND;
}

// Compares the live count, the tags and the lists' length. A slot
// on its way from one state to another counts as live, with a dead tag.
static enum tp_broken verify_counts(struct view *view)
{
  const uint32_t *tag = view->pool->tag;
  uint32_t fresh = view->pool->state->fresh;
  uint32_t off_list = fresh - view->length;
  uint32_t live = 0;
  view->slot = 0;
  if (!view->tagged) return TP_SOUND;
  for (uint32_t slot = 1; slot <= fresh; slot++) live += tag[slot] >= TP_LIVE;
  if (view->under_way) live = off_list;
  if (live != view->live) return TP_BROKEN_LIVE;
  if (live != off_list) return TP_BROKEN_LENGTH;
  for (uint32_t slot = fresh + 1; slot <= view->pool->capacity; slot++) {
    view->slot = slot;
    if (tag[slot] >= TP_LIVE) return TP_BROKEN_LIVE;
  }
  return TP_SOUND;
}

// 2^16 - 1 is 0 again.
static uint32_t residue(uint32_t sum)
{
  return sum == UINT16_MAX ? 0 : sum;
}

// Has nobody but the pool changed a generation?
static enum tp_broken verify_generations(struct view *view)
{
  uint32_t kept = view->pool->state->generations;
  view->slot = 0;
  if (!view->summed) return TP_SOUND;
  return residue(view->sum) == residue(kept) ? TP_SOUND : TP_BROKEN_TAG;
}

// Live slots that are rings of their own.
static uint32_t count_pinned(const struct tp_pool *pool)
{
  uint32_t pinned = 0;
  for (uint32_t slot = 1; slot <= pool->state->fresh; slot++) {
    if (pool->tag[slot] < TP_LIVE) continue;
    pinned += pool->age[slot].newer == slot && pool->age[slot].older == slot;
  }
  return pinned;
}

// Is a ring of [seen] slots the right one, when [live] slots are? One that is
// just being issued is not on it yet. Without tags nobody knows who is live:
// then those that a shorter ring leaves over are pinned.
static enum tp_broken verify_length(const struct view *view, uint32_t seen,
                                    uint32_t live)
{
  bool exact = view->tagged && !view->under_way;
  bool whole = exact ? seen + count_pinned(view->pool) == live : seen <= live;
  return whole ? TP_SOUND : TP_BROKEN_AGE;
}

// Walks the ring once around, both ways at every link.
static enum tp_broken verify_ring(struct view *view)
{
  const struct tp_age_link *age = view->pool->age;
  uint32_t live = view->pool->state->fresh - view->length;
  view->slot = 0;
  if (!age) return TP_SOUND;
  for (uint32_t seen = 0; seen <= live; seen++) {
    uint32_t newer = age[view->slot].newer;
    if (newer > view->pool->capacity) return TP_BROKEN_AGE;
    if (age[newer].older != view->slot) return TP_BROKEN_AGE;
    if (newer == 0) return verify_length(view, seen, live);
    view->slot = newer;
    if (view->tagged && view->pool->tag[newer] < TP_LIVE) return TP_BROKEN_AGE;
  }
  return TP_BROKEN_AGE;
}

// The red zones around every slot ever issued.
static enum tp_broken verify_zones(struct view *view)
{
  if (TP_CHECKS < TP_CHECKS_FULL) return TP_SOUND;
  const struct tp_pool *pool = view->pool;
  const tp_word_t *words = pool->storage;
  for (uint32_t slot = 1; slot <= pool->state->fresh; slot++) {
    view->slot = slot;
    view->words = words;
    if (tp_zone_damage(pool, words)) return TP_BROKEN_ZONE;
    words += pool->stride / 4u;
  }
  return TP_SOUND;
}

// What is broken first; where, [view] says.
static enum tp_broken verify(struct view *view)
{
  view->length = 0;
  enum tp_broken broken = verify_list(view, view->pool->tag[0], false);
  if (broken == TP_SOUND) broken = verify_magazines(view);
  if (broken == TP_SOUND) broken = verify_counts(view);
  if (broken == TP_SOUND) broken = verify_generations(view);
  if (broken == TP_SOUND) broken = verify_ring(view);
  if (broken == TP_SOUND) broken = verify_zones(view);
  return broken;
}

bool tp_pool_verify(const struct tp_pool *pool, struct tp_finding *finding)
{
  struct view view;
  view.pool = pool;
  view.under_way = false;
  enum tp_broken broken = verify(&view);
  if (!finding) return broken == TP_SOUND;
  finding->broken = broken;
  finding->slot = broken == TP_SOUND ? 0 : view.slot;
  return broken == TP_SOUND;
}

// With interrupts masked. No other core is in a call either.
#if TP_CORES_PORTED
static enum tp_broken verify_alone(struct view *view)
{
  bool by_cores = view->pool->lock == TP_LOCK_CORES;
  while (by_cores && !tp_cores_port_take()) {
  }
  enum tp_broken broken = verify(view);
  if (by_cores) tp_cores_port_give();
  return broken;
}
#else
static enum tp_broken verify_alone(struct view *view)
{
  return verify(view);
}
#endif

// What is found is raised as what the call itself would have found, had it
// looked there.
TP_NOINLINE void tp_pool_audit(const struct tp_pool *pool, tp_site_t site)
{
  struct view view;
  enum tp_broken broken;
  uint32_t who = unserved(pool);
  view.pool = pool;
  view.under_way = true;
  if (who == 0) {
    if (!TP_AUDITED) return;
    uint32_t key = tp_port_lock();
    broken = verify_alone(&view);
    tp_port_unlock(key);
    if (broken == TP_SOUND) return;
  } else {
    tp_raise_slot(TP_FAULT_CONTEXT, pool, 0, 0, who, 0, site);
  }
  if (broken == TP_BROKEN_ZONE) tp_raise_zone(pool, view.words, site);
  if (broken == TP_BROKEN_POISON) tp_raise_bytes(pool, view.words, site);
  if (broken == TP_BROKEN_LINK) {
    tp_raise_slot(TP_FAULT_LINK, pool, view.slot, 0, view.link[0],
                  view.expected, site);
  }
  bool known = view.slot - 1 < pool->capacity;
  uint32_t tag = known ? pool->tag[view.slot] : 0;
  if (broken == TP_BROKEN_LIST && tag >= TP_LIVE) {
    tp_raise_slot(TP_FAULT_TAG, pool, view.slot, 0, tag, tag - TP_LIVE, site);
  }
  tp_raise_slot(TP_FAULT_INVARIANT, pool, view.slot, 0, broken, TP_SOUND, site);
}

// A slot that damage is found in while an interrupt issues it and frees it
// again is not damaged; its tag then has a later generation.
static void scrub_slot(const struct tp_pool *pool, uint32_t slot,
                       tp_site_t site)
{
  const volatile uint32_t *tag = pool->tag;
  const tp_word_t *words = tp_slot_words(pool, slot);
  uint32_t before = tag[slot];
  if (before >= TP_LIVE || slot > pool->state->fresh) return;
  uint32_t damage = tp_zone_damage(pool, words);
  damage |= tp_poison_damage(words, pool->size, !tp_any_links_outside(pool));
  TP_BARRIER();
  if (tag[slot] == before && damage) tp_raise_bytes(pool, words, site);
}

// Goes on to the next slot. Where there are two cores an interrupt may note
// meanwhile whose the pool is.
static uint32_t next_scrubbed(const struct tp_pool *pool)
{
  struct tp_pool_state *state = pool->state;
  uint32_t key = TP_CORES_NUMBERED ? tp_port_lock() : 0;
  uint32_t core = state->scrubbed & CORE_BIT;
  uint32_t slot = state->scrubbed - core;
  slot = slot >= pool->capacity ? 1 : slot + 1;
  state->scrubbed = (tp_slot_t)(slot | core);
  if (TP_CORES_NUMBERED) tp_port_unlock(key);
  return slot;
}

void tp_pool_scrub_for(const struct tp_pool *pool, uint32_t budget,
                       tp_site_t site)
{
  if (TP_CHECKS < TP_CHECKS_POISON) return;
  for (uint32_t i = 0; i < budget; i++) {
    scrub_slot(pool, next_scrubbed(pool), site);
  }
}

TP_NOINLINE void tp_pool_scrub(const struct tp_pool *pool, uint32_t budget)
{
  tp_pool_scrub_for(pool, budget, tp_site(NULL));
}
