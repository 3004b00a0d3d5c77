// SPDX-License-Identifier: MIT
// tp_exclusive.h - internal: issuing and taking back without masking, by LDREX
// and STREX, for pools that keep nothing but a list: no ages, no handles.
//
// On a single core every exception clears the claim of LDREX. So if STREX still
// finds the claim, no interrupt came between, and the word has neither changed
// nor changed and come back. The first issue of a slot and the answer to a full
// pool, which change more than one word, mask as ever.
#ifndef TP_EXCLUSIVE_H
#define TP_EXCLUSIVE_H

#include "core/tp_core.h"

#if TP_PORT_HAS_EXCLUSIVE

// What the list word named, taken off the list; 0 iff it is empty. A link that
// looks written over counts as [broken] only if no interrupt came between.
TP_INLINE uint32_t tp_exclusive_pop(const struct tp_pool *pool, bool *broken)
{
  *broken = false;
  for (;;) {
    uint32_t word = tp_port_load_exclusive(&pool->tag[0]);
    uint32_t top = tp_list_top_of(word);
    if (!TP_LIKELY(top != 0)) return 0;
    bool names = !tp_tag_closed(pool) || tp_list_names(top, pool->capacity);
    tp_word_t *words = names ? tp_list_words(pool, top) : NULL;
    uint32_t slot = names ? tp_list_slot(pool, top) : 0;
    uint32_t link = names ? tp_list_link(pool, words, slot)[0] : 0;
    if (names && tp_list_follows(pool, word, link)) {
      if (TP_LIKELY(tp_port_store_exclusive(&pool->tag[0], link))) return top;
    } else {
      *broken = tp_port_store_exclusive(&pool->tag[0], word);
      if (*broken) return top;
    }
  }
}

// The link is written before the list word is claimed: no store of ours may
// stand between LDREX and STREX.
TP_INLINE void tp_exclusive_push(const struct tp_pool *pool, tp_word_t *words,
                                 uintptr_t slot)
{
  for (;;) {
    uint32_t word = *(const volatile uint32_t *)&pool->tag[0];
    tp_list_link(pool, words, slot)[0] = word;
    if (tp_port_load_exclusive(&pool->tag[0]) != word) continue;
    uint32_t after = tp_list_with(word, words, slot);
    if (tp_port_store_exclusive(&pool->tag[0], after)) return;
  }
}

// tp_tag_retire() against interrupts that free the same object: one wins.
TP_INLINE bool tp_exclusive_retire(const struct tp_pool *pool, uintptr_t slot)
{
  if (!tp_tag_kept(pool)) return true;
  if (tp_tag_summed(pool) && tp_tag_coded(pool)) {
    uint32_t key = tp_port_lock();  // The sum changes with it.
    bool live = tp_tag_retire(pool, (uint32_t)slot);
    tp_port_unlock(key);
    return live;
  }
  for (;;) {
    uint32_t tag = tp_port_load_exclusive(&pool->tag[slot]);
    uint32_t retired = tag + tp_tag_death(pool);
    if (!tp_tag_dies(pool, tag, retired)) return false;
    if (TP_LIKELY(tp_port_store_exclusive(&pool->tag[slot], retired))) {
      return true;
    }
  }
}

// Marks [slot], which is on no list, live. One that is so already is a fault;
// one whose generation is worn out begins again: where tags are kept, else the
// addition never carries.
TP_INLINE void tp_exclusive_issue(const struct tp_pool *pool, uint32_t slot)
{
  if (!tp_tag_summed(pool)) {
    if (TP_LIKELY(tp_tag_issue(pool, slot))) return;
  }
  bool never = tp_tag_coded(pool) && pool->tag[slot] == 0;
  if (never || pool->tag[slot] >= TP_LIVE) {
    tp_tag_raise(pool, slot, tp_site(NULL));
  }
  tp_slot_renew(pool, TP_LOCK_PRIMASK, slot);
}

TP_INLINE void *tp_exclusive_alloc(const struct tp_pool *pool)
{
  bool broken;
  if (tp_hook_refuses(pool->name, NULL)) return NULL;
  tp_core_enter(pool, TP_LOCK_PRIMASK, NULL);
  uint32_t top = tp_exclusive_pop(pool, &broken);
  if (top == 0) {
    if (tp_tag_closed(pool)) {
      return tp_hardened_extend(pool, NULL, tp_site(NULL));
    }
    return tp_pool_extend(pool, NULL, tp_site(NULL));
  }
  if (broken) tp_list_broken(pool, pool->tag[0], tp_site(NULL));
  tp_word_t *words = tp_list_words(pool, top);
  uint32_t slot = tp_list_slot(pool, top);
  tp_exclusive_issue(pool, slot);
  tp_check_reissued(pool, words, NULL);
  tp_hook_event(TP_EVENT_ALLOC, words, NULL);
  tp_hook_issued(pool, slot, NULL);
  tp_core_audit(pool, NULL);
  return words;
}

TP_INLINE void tp_exclusive_free(const struct tp_pool *pool, void *object)
{
  tp_word_t *words = (tp_word_t *)object;
  uintptr_t slot = 1;
  tp_core_enter(pool, TP_LOCK_PRIMASK, NULL);
  if (tp_core_wants_slot(pool, false)) slot = tp_slot_of(pool, object);
  if (slot - 1 < pool->capacity && tp_exclusive_retire(pool, slot)) {
    tp_hook_freed(pool, words, NULL);
    tp_check_retired(pool, words, NULL);
    tp_exclusive_push(pool, words, slot);
    tp_core_audit(pool, NULL);
    return;
  }
  if (tp_tag_closed(pool)) {
    tp_hardened_foreign(pool, object, tp_site(NULL));
    return;
  }
  tp_pool_foreign(pool, object, tp_site(NULL));
}

#endif

#endif
