// SPDX-License-Identifier: MIT
#include "core/tp_magazine.h"

#include "core/tp_core.h"

#if TP_CORES_NUMBERED

// What holds back the interrupts of this core; at full the other core too,
// which may be looking at all of the pool.
#define MASKS (TP_AUDITED ? TP_LOCK_CORES : (uint32_t)TP_LOCK_PRIMASK)

// How many slots are kept on the list of [word].
static uint32_t kept_by(uint32_t word)
{
  return -(word / TP_MAGAZINE_ONE) % TP_MAGAZINE_ONE;
}

// Of the core that asks, which may be another one once interrupts come: of
// those at [place].
static uint32_t *mine(uint32_t *place)
{
  return place + TP_CORES_PORT_NUMBER() % TP_MAGAZINE_CORES;
}

// Does the list lead on by [link], as it was left, to one of [fresh] slots?
static bool leads(const uint32_t *magazine, uint32_t link, uint32_t fresh)
{
  uint32_t expected = tp_port_high(magazine) * TP_MAGAZINE_ONE;
  return !TP_MISUSE(link - expected > fresh);
}

// The slot given back last, live again. NULL iff there is none or it is not as
// it was left, or its generation can count no further: nothing changed.
TP_INLINE tp_word_t *take(const struct tp_pool *pool, uint32_t *magazine)
{
  uint32_t slot = tp_port_low(magazine), fresh = pool->state->fresh;
  if (!TP_LIKELY(slot - 1 < fresh)) return NULL;
  tp_word_t *words = tp_slot_words(pool, slot);
  uint32_t link = words[0];
  if (!leads(magazine, link, fresh) || !tp_tag_issue(pool, slot)) return NULL;
  *magazine = link + TP_MAGAZINE_ONE;
  return words;
}

// False iff the magazine is full.
TP_INLINE bool keep(const struct tp_pool *pool, uint32_t *magazine,
                    tp_word_t *words, uintptr_t slot)
{
  uint32_t word = *magazine;
  if (kept_by(word) >= pool->magazine) return false;
  words[0] = word - TP_MAGAZINE_ONE;
  tp_port_put_less(magazine, word, (uint32_t)slot);
  return true;
}

TP_INLINE void *issued(const struct tp_pool *pool, tp_word_t *words,
                       tp_site_t site)
{
  tp_check_reissued(pool, words, site);
  tp_hook_event(TP_EVENT_ALLOC, words, site);
  tp_hook_issued(pool, (uint32_t)tp_slot_of(pool, words), site);
  tp_core_audit(pool, site);
  return words;
}

// take() of this core's.
TP_INLINE tp_word_t *take_mine(const struct tp_pool *pool)
{
  uint32_t *place = tp_slot_behind(pool);
  TP_KEEP(place);  // Before anything is masked.
  uint32_t key = tp_lock_take(MASKS);
  tp_word_t *words = take(pool, mine(place));
  tp_lock_give(MASKS, key);
  return words;
}

// Is [slot] one that was issued once, and was left as it is?
static bool is_sound(const struct tp_pool *pool, const uint32_t *magazine,
                     uint32_t slot)
{
  uint32_t fresh = pool->state->fresh;
  return slot <= fresh && leads(magazine, tp_slot_words(pool, slot)[0], fresh);
}

// A [word] led nowhere, or to a slot that was written over.
static void raise_link(const struct tp_pool *pool, uint32_t word,
                       tp_site_t site)
{
  uint32_t slot = word % TP_MAGAZINE_ONE;
  uint32_t fresh = pool->state->fresh;
  if (slot > fresh) tp_raise_slot(TP_FAULT_LINK, pool, 0, 0, word, fresh, site);
  if (pool->tag[slot] >= TP_LIVE) tp_pool_raise_tag(pool, slot, site);
  tp_raise_slot(TP_FAULT_LINK, pool, slot, 0, tp_slot_words(pool, slot)[0],
                word - slot, site);
}

// The slot given back last was not issued. False iff there is none; a fault if
// it was written over, or lives. Else its generation starts again, if that is
// why; or an interrupt gave it back since.
static bool is_there(const struct tp_pool *pool, tp_site_t site)
{
  uint32_t key = tp_lock_take(MASKS);
  uint32_t *magazine = mine(tp_slot_behind(pool));
  uint32_t word = *magazine, slot = tp_port_low(magazine);
  bool sound = slot == 0 || is_sound(pool, magazine, slot);
  bool live = sound && slot != 0 && tp_tag_rewind(pool, slot);
  tp_lock_give(MASKS, key);
  if (!sound) raise_link(pool, word, site);
  if (live) tp_pool_raise_tag(pool, slot, site);
  return slot != 0;
}

static TP_NOINLINE void *look_again(const struct tp_pool *pool, tp_site_t site)
{
  while (is_there(pool, site)) {
    tp_word_t *words = take_mine(pool);
    if (words) return issued(pool, words, site);
  }
  return tp_pool_alloc_for(pool, NULL, site);
}

TP_NOINLINE void *tp_magazine_alloc(const struct tp_pool *pool)
{
  TP_SAVE_RETURN();
  if (tp_hook_refuses(pool->name, NULL)) return NULL;
  tp_core_audit(pool, NULL);
  tp_word_t *words = take_mine(pool);
  if (!TP_LIKELY(words != NULL)) return look_again(pool, tp_site(NULL));
  return issued(pool, words, NULL);
}

// On the list of all.
static TP_NOINLINE void put_back(const struct tp_pool *pool, tp_word_t *words,
                                 uintptr_t slot)
{
  uint32_t key = tp_lock_take(TP_LOCK_CORES);
  tp_list_put(pool, words, slot);
  tp_lock_give(TP_LOCK_CORES, key);
}

TP_NOINLINE void tp_magazine_free(const struct tp_pool *pool, void *object)
{
  tp_word_t *words = (tp_word_t *)object;
  tp_core_audit(pool, NULL);
  uintptr_t slot = tp_slot_of(pool, object);
  if (TP_LIKELY(slot <= pool->capacity)) {
    uint32_t *place = tp_slot_behind(pool);
    TP_KEEP(place);  // Before anything is masked.
    uint32_t key = tp_lock_take(MASKS);
    if (tp_tag_retire(pool, (uint32_t)slot)) {
      tp_hook_freed(pool, words, NULL);
      key = tp_core_clean(pool, MASKS, words, key, NULL);
      bool kept = keep(pool, mine(place), words, slot);
      tp_lock_give(MASKS, key);
      if (!kept) put_back(pool, words, slot);
      tp_core_audit(pool, NULL);
      return;
    }
    tp_lock_give(MASKS, key);
  }
  tp_pool_foreign(pool, object, tp_site(NULL));
}

#endif
