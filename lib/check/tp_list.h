// SPDX-License-Identifier: MIT
// tp_list.h - internal: the free list, last in, first out.
//
// The list word, tag[0], names the dead slot that is issued next. The first
// word of a dead slot holds the list word of the moment before it died, so
// taking it out again is one copy. From fast up the word is
//
//     live << 16 | slot        live: how many slots are live
//
// Between a slot's death and its next issue, as many others come as go. So the
// live count in its link is exactly one above the pool's, or the link was
// written over: one comparison checks both halves before the link is followed,
// and it is what keeps the live count, free of charge. At off the word is
// the slot's address: nothing is counted and nothing is translated.
//
// Every function wants the pool locked.
#ifndef TP_LIST_H
#define TP_LIST_H

#include "check/tp_level.h"
#include "pool/tp_slot.h"

#define TP_ONE_LIVE 0x10000u

typedef uint16_t __attribute__((may_alias)) tp_half_t;

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "the slot half of the list word comes first in memory");

#if TP_CHECKS >= TP_CHECKS_FAST

// How many slots are live.
TP_INLINE uint32_t tp_list_live(const struct tp_pool *pool)
{
  return pool->tag[0] >> 16;
}

// The slot that list [word] issues next; 0 iff it is empty.
TP_INLINE uint32_t tp_list_top_of(uint32_t word)
{
  return (uint16_t)word;
}

TP_INLINE uint32_t tp_list_slot(const struct tp_pool *pool, uint32_t top)
{
  (void)pool;
  return top;
}

TP_INLINE tp_word_t *tp_list_words(const struct tp_pool *pool, uint32_t top)
{
  return tp_slot_words(pool, top);
}

// What the link of the top slot of list [word] must hold, less the slot it
// names.
TP_INLINE uint32_t tp_list_expected(uint32_t word)
{
  return ((word >> 16) + 1) << 16;
}

// Can [link] be that of the top slot of list [word]?
TP_INLINE bool tp_list_follows(const struct tp_pool *pool, uint32_t word,
                               uint32_t link)
{
  return TP_LIKELY(link - tp_list_expected(word) <= pool->capacity);
}

// The list word once [slot], whose bytes are [words], is put on list [word].
TP_INLINE uint32_t tp_list_with(uint32_t word, const tp_word_t *words,
                                uintptr_t slot)
{
  (void)words;
  return ((word - TP_ONE_LIVE) & 0xffff0000u) | (uint32_t)slot;
}

// Does the list word agree that [live] slots are?
TP_INLINE bool tp_list_counts(const struct tp_pool *pool, uint32_t live)
{
  return live == tp_list_live(pool);
}

// Takes the top slot, whose bytes are [words], off the list. Changes nothing
// and returns false iff its link was written over.
TP_INLINE bool tp_list_take(const struct tp_pool *pool, const tp_word_t *words)
{
  uint32_t link = words[0];
  if (!tp_list_follows(pool, pool->tag[0], link)) return false;
  pool->tag[0] = link;
  return true;
}

// Puts [slot], whose bytes are [words], on top.
TP_INLINE void tp_list_put(const struct tp_pool *pool, tp_word_t *words,
                           uintptr_t slot)
{
  uint32_t word = pool->tag[0];
  words[0] = word;
  pool->tag[0] = word - TP_ONE_LIVE;
  *(tp_half_t *)pool->tag = (tp_half_t)slot;
}

// Counts a slot that becomes live without having been on the list.
TP_INLINE void tp_list_grow(const struct tp_pool *pool)
{
  pool->tag[0] += TP_ONE_LIVE;
}

// May an empty list be answered with NULL on the spot? Not where refusals are
// counted.
TP_INLINE bool tp_list_refuses(const struct tp_pool *pool)
{
  (void)pool;
  return false;
}

#else

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

TP_INLINE uint32_t tp_list_slot(const struct tp_pool *pool, uint32_t top)
{
  return (uint32_t)tp_slot_of(pool, tp_list_words(pool, top));
}

TP_INLINE bool tp_list_counts(const struct tp_pool *pool, uint32_t live)
{
  (void)pool;
  (void)live;
  return true;
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

TP_INLINE uint32_t tp_list_with(uint32_t word, const tp_word_t *words,
                                uintptr_t slot)
{
  (void)word;
  (void)slot;
  return (uint32_t)(uintptr_t)words;
}

TP_INLINE bool tp_list_take(const struct tp_pool *pool, const tp_word_t *words)
{
  pool->tag[0] = words[0];
  return true;
}

TP_INLINE void tp_list_put(const struct tp_pool *pool, tp_word_t *words,
                           uintptr_t slot)
{
  (void)slot;
  words[0] = pool->tag[0];
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

TP_INLINE uint32_t tp_list_top(const struct tp_pool *pool)
{
  return tp_list_top_of(pool->tag[0]);
}

#endif
