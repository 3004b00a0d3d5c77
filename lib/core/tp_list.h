// SPDX-License-Identifier: MIT
// tp_list.h - internal: the free list, last in, first out.
//
// The list word, tag[0], names the dead slot that is issued next. The first
// word of a dead slot holds the list word of the moment before it died, so
// taking it out again is one copy. From fast up the word is
//
//     live * TP_ONE_LIVE + slot        live: how many slots are live
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
#include "core/tp_slot.h"

#define TP_ONE_LIVE 0x10000u

#if TP_CHECKS >= TP_CHECKS_FAST

// How many slots are live.
/*@ requires \valid_read(pool) && \valid(pool->tag);
    assigns \nothing;
    ensures \result == list_live(pool); */
TP_INLINE uint32_t tp_list_live(const struct tp_pool *pool)
{
  return pool->tag[0] / TP_ONE_LIVE;
}

// The slot that list [word] issues next; 0 iff it is empty.
/*@ assigns \nothing;
    ensures \result == word % 0x10000; */
TP_INLINE uint32_t tp_list_top_of(uint32_t word)
{
  return word % TP_ONE_LIVE;
}

//@ assigns \nothing; ensures \result == top;
TP_INLINE uint32_t tp_list_slot(const struct tp_pool *pool, uint32_t top)
{
  (void)pool;
  return top;
}

/*@ requires slot_memory(pool) && 1 <= top <= pool->capacity;
    assigns \nothing;
    ensures \result == slot_words(pool, top); */
TP_INLINE tp_word_t *tp_list_words(const struct tp_pool *pool, uint32_t top)
{
  return tp_slot_words(pool, top);
}

// What the link of the top slot of list [word] must hold, less the slot it
// names.
/*@ requires word < 0x80000000;
    assigns \nothing;
    ensures \result == (word / 0x10000 + 1) * 0x10000; */
TP_INLINE uint32_t tp_list_expected(uint32_t word)
{
  return (word / TP_ONE_LIVE + 1) * TP_ONE_LIVE;
}

// Can [link] be that of the top slot of list [word]?
/*@ requires \valid_read(pool) && pool->capacity <= 32767 && word < 0x80000000;
    assigns \nothing;
    ensures \result <==>
      0 <= link - (word / 0x10000 + 1) * 0x10000 <= pool->capacity; */
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

// Is every slot live? Then none is on the list, and none is left that was never
// issued.
/*@ requires \valid_read(pool) && \valid(pool->tag);
    assigns \nothing;
    ensures \result <==> list_live(pool) == pool->capacity; */
TP_INLINE bool tp_list_is_full(const struct tp_pool *pool)
{
  return tp_list_live(pool) == pool->capacity;
}

// Takes the top slot, whose bytes are [words], off the list. Changes nothing
// and returns false iff its link was written over.
/*@ requires \valid_read(pool) && \valid(pool->tag) && \valid_read(words);
    requires pool->capacity <= 32767 && pool->tag[0] < 0x80000000;
    assigns pool->tag[0];
    ensures accepts: \result <==> 0 <=
      \old(words[0]) - (\old(list_live(pool)) + 1) * 0x10000 <= pool->capacity;
    ensures \result ==> pool->tag[0] == \old(words[0]);
    ensures !\result ==> pool->tag[0] == \old(pool->tag[0]); */
TP_INLINE bool tp_list_take(const struct tp_pool *pool, const tp_word_t *words)
{
  uint32_t link = words[0];
  if (!tp_list_follows(pool, pool->tag[0], link)) return false;
  pool->tag[0] = link;
  return true;
}

// Puts [slot], whose bytes are [words], on top.
/*@ requires pool_memory(pool) && list_sound(pool);
    requires 1 <= slot <= pool->state->fresh;
    requires words == slot_words(pool, slot);
    requires tp_place[slot] <= list_live(pool);
    assigns pool->tag[0], words[0], tp_at[0 .. 0x7fff], tp_place[0 .. 0x7fff];
    TP_ENSURES_LIST(pool);
    ensures live: list_live(pool) == \old(list_live(pool)) - 1;
    ensures top: list_top(pool) == slot;
    ensures next: words[0] == \old(pool->tag[0]);
    ensures members: \forall integer s; 1 <= s <= pool->state->fresh ==>
      (tp_place[s] > list_live(pool) <==>
       s == slot || \old(tp_place[s]) > \old(list_live(pool))); */
TP_INLINE void tp_list_put(const struct tp_pool *pool, tp_word_t *words,
                           uintptr_t slot)
{
  uint32_t *list = pool->tag;
  uint32_t word = list[0];
  /*@ ghost int live = (int)(word / TP_ONE_LIVE);
            int place = tp_place[slot];
            int other = tp_at[live];
            tp_at[place] = other;
            tp_place[other] = place;
            tp_at[live] = (int)slot;
            tp_place[slot] = live; */
  words[0] = word;
  list[0] = word - TP_ONE_LIVE;
  tp_port_put_low(list, (uint16_t)slot);
}

// Counts a slot that becomes live without having been on the list.
/*@ requires \valid_read(pool) && \valid(pool->tag);
    requires pool->tag[0] < 0x80000000;
    assigns pool->tag[0];
    ensures pool->tag[0] == \old(pool->tag[0]) + 0x10000; */
TP_INLINE void tp_list_grow(const struct tp_pool *pool)
{
  pool->tag[0] += TP_ONE_LIVE;
}

// May an empty list be answered with NULL on the spot? Not where refusals are
// counted.
//@ assigns \nothing; ensures !\result;
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

// Not counted: added up from the live bits of the tags, if there are any.
TP_INLINE uint32_t tp_list_live(const struct tp_pool *pool)
{
  uint32_t live = 0;
  for (uint32_t slot = 1; pool->tagged && slot <= pool->state->fresh; slot++) {
    live += pool->tag[slot] >> 31;
  }
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

// The slot that is issued next; 0 iff the list is empty.
/*@ requires \valid_read(pool) && \valid(pool->tag);
    assigns \nothing;
    ensures \result == list_top(pool); */
TP_INLINE uint32_t tp_list_top(const struct tp_pool *pool)
{
  return tp_list_top_of(pool->tag[0]);
}

#endif
