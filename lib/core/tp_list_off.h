// SPDX-License-Identifier: MIT
// tp_list_off.h - internal: the free list at off, for tp_slot.h alone.
//
// The list word is the address of the dead slot that is issued next, and its
// first word that of the one after it: nothing is counted, and nothing checked.
#ifndef TP_LIST_OFF_H
#define TP_LIST_OFF_H

// An address is kept as its low half where it has 64 bits: arenas are below
// 4 GiB in size, so the storage's own address supplies the rest.
TP_INLINE tp_word_t *tp_list_words(const struct tp_pool *pool, uint32_t top)
{
  uintptr_t storage = (uintptr_t)pool->storage;
  return (tp_word_t *)(storage + (uint32_t)(top - (uint32_t)storage));
}

TP_INLINE uint32_t tp_list_top_of(uint32_t word)
{
  return word;
}

TP_INLINE uint32_t tp_list_top(const struct tp_pool *pool)
{
  return pool->tag[0];
}

TP_INLINE bool tp_list_names(uint32_t top, uint32_t capacity)
{
  return TP_LIKELY(top != 0 && capacity != 0);
}

TP_INLINE uint32_t tp_list_slot(const struct tp_pool *pool, uint32_t top)
{
  return (uint32_t)tp_slot_of(pool, tp_list_words(pool, top));
}

// Not counted: added up from the live bits of the tags, if there are any.
TP_INLINE uint32_t tp_list_live(const struct tp_pool *pool)
{
  uint32_t live = 0;
  for (uint32_t slot = 1; pool->tagged && slot <= pool->state->fresh; slot++) {
    live += pool->tag[slot] >> 31;
  }
  return live;
}

// Whose tags are dead.
TP_INLINE uint32_t tp_list_less(uint32_t live, const volatile uint32_t *kept)
{
  (void)kept;
  return live;
}

// Links are not checked: any will do.
TP_INLINE uint32_t tp_list_expected(uint32_t word)
{
  (void)word;
  return 0;
}

TP_INLINE bool tp_list_follows(const struct tp_pool *pool, uint32_t word,
                               uint32_t link)
{
  (void)pool;
  (void)word;
  (void)link;
  return true;
}

TP_INLINE bool tp_list_leads(const struct tp_pool *pool, uint32_t link,
                             uint32_t capacity)
{
  (void)pool;
  (void)link;
  (void)capacity;
  return true;
}

TP_INLINE bool tp_list_is_sound(const struct tp_pool *pool, uint32_t word)
{
  (void)pool;
  (void)word;
  return true;
}

TP_INLINE uint32_t tp_list_with(uint32_t word, const tp_word_t *words,
                                uintptr_t slot)
{
  (void)word;
  (void)slot;
  return (uint32_t)(uintptr_t)words;
}

TP_INLINE bool tp_list_is_full(const struct tp_pool *pool)
{
  return pool->tag[0] == 0 && pool->state->fresh == pool->capacity;
}

TP_INLINE void tp_list_put(const struct tp_pool *pool, tp_word_t *words,
                           uintptr_t slot)
{
  tp_list_link(pool, words, slot)[0] = pool->tag[0];
  pool->tag[0] = (uint32_t)(uintptr_t)words;
}

// A pool without tags has a spare one, tag[1]: 1 once every slot was issued.
TP_INLINE void tp_list_grow(const struct tp_pool *pool)
{
  if (pool->tagged) return;
  pool->tag[1] = pool->state->fresh == pool->capacity;
}

TP_INLINE bool tp_list_refuses(const struct tp_pool *pool)
{
  return TP_LIKELY(pool->refuses && !pool->tagged && pool->tag[1]);
}

#endif
