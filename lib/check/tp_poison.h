// SPDX-License-Identifier: MIT
// tp_poison.h - internal: patterns in bytes that belong to nobody.
//
// A dead slot is its link word, then TP_POISON up to the red zone. A fresh one
// was never anybody's and is not looked at.
#ifndef TP_POISON_H
#define TP_POISON_H

#include "check/tp_level.h"
#include "tidepool.h"
#include "tp_port.h"

// Words of a slot before its red zone.
TP_INLINE uint32_t tp_poison_words(const struct tp_pool *pool)
{
  return (uint32_t)(pool->stride - pool->zone) / 4;
}

TP_INLINE void tp_poison_fill(const struct tp_pool *pool, tp_word_t *words)
{
  uint32_t count = tp_poison_words(pool);
  TP_UNROLL
  for (uint32_t i = 1; i < count; i++) words[i] = TP_POISON;
}

TP_INLINE void tp_poison_renew(const struct tp_pool *pool, tp_word_t *words)
{
  uint32_t count = tp_poison_words(pool);
  TP_UNROLL
  for (uint32_t i = 0; i < count; i++) words[i] = TP_POISON_NEW;
}

// What differs in a dead slot from what tp_poison_fill() left; 0 iff nothing.
TP_INLINE uint32_t tp_poison_damage(const struct tp_pool *pool,
                                    const tp_word_t *words)
{
  uint32_t count = tp_poison_words(pool);
  uint32_t wrong = 0;
  TP_UNROLL
  for (uint32_t i = 1; i < count; i++) wrong |= words[i] ^ TP_POISON;
  return wrong;
}

// Fills the red zone behind [words]; behind slot 1 also the one before it.
// Slots are first issued in order, so the zone before any other slot is
// filled, and guarded, since the slot before that was issued.
TP_INLINE void tp_zone_fill(const struct tp_pool *pool, tp_word_t *words)
{
  uint32_t zone = pool->zone / 4u;
  tp_word_t *after = words + tp_poison_words(pool);
  TP_UNROLL
  for (uint32_t i = 0; i < zone; i++) after[i] = TP_RED_WORD;
  if (words != pool->storage) return;
  TP_UNROLL
  for (uint32_t i = 1; i <= zone; i++) *(words - i) = TP_RED_WORD;
}

// What differs in the red zone behind [words]; 0 iff nothing.
TP_INLINE uint32_t tp_zone_damage_behind(const struct tp_pool *pool,
                                         const tp_word_t *words)
{
  uint32_t zone = pool->zone / 4u;
  const tp_word_t *behind = words + tp_poison_words(pool);
  uint32_t wrong = 0;
  TP_UNROLL
  for (uint32_t i = 0; i < zone; i++) wrong |= behind[i] ^ TP_RED_WORD;
  return wrong;
}

// What differs in the red zones on both sides of [words]; 0 iff nothing.
TP_INLINE uint32_t tp_zone_damage(const struct tp_pool *pool,
                                  const tp_word_t *words)
{
  uint32_t zone = pool->zone / 4u;
  uint32_t wrong = tp_zone_damage_behind(pool, words);
  TP_UNROLL
  for (uint32_t i = 1; i <= zone; i++) wrong |= *(words - i) ^ TP_RED_WORD;
  return wrong;
}

#endif
