// SPDX-License-Identifier: MIT
// tp_misuse.h - internal: the checks of every allocator that is not a pool.
// Call sites read the same at every level and cost nothing at off.
//
//   if (TP_MISUSE(size == 0)) {
//     tp_raise_misuse(TP_FAULT_SIZE, stack->name, NULL, 0, 1, tp_site(NULL));
//     return NULL;
//   }
#ifndef TP_MISUSE_H
#define TP_MISUSE_H

#include "check/tp_check.h"
#include "check/tp_level.h"

// Is [wrong] so, and does this level care?
#define TP_MISUSE(wrong) (TP_CHECKS >= TP_CHECKS_FAST && !TP_LIKELY(!(wrong)))

// From poison up, [words] whole words at [memory] become [pattern]: TP_POISON
// when they belong to nobody again, TP_POISON_NEW when they are given out.
// Below, nothing.
TP_INLINE void tp_misuse_fill(void *memory, uint32_t words, uint32_t pattern)
{
  tp_word_t *word = (tp_word_t *)memory;
  if (TP_CHECKS < TP_CHECKS_POISON) return;
  for (uint32_t i = 0; i < words; i++) word[i] = pattern;
}

// From poison up: how many of the [words] at [memory] hold [pattern] before
// the first that does not. Below, all.
TP_INLINE uint32_t tp_misuse_intact(const void *memory, uint32_t words,
                                    uint32_t pattern)
{
  const tp_word_t *word = (const tp_word_t *)memory;
  uint32_t intact = 0;
  if (TP_CHECKS < TP_CHECKS_POISON) return words;
  while (intact < words && word[intact] == pattern) intact++;
  return intact;
}

// From poison up: how many of the [words] at [memory] come before the first
// that holds [pattern]. Below, all.
TP_INLINE uint32_t tp_misuse_others(const void *memory, uint32_t words,
                                    uint32_t pattern)
{
  const tp_word_t *word = (const tp_word_t *)memory;
  uint32_t others = 0;
  if (TP_CHECKS < TP_CHECKS_POISON) return words;
  while (others < words && word[others] != pattern) others++;
  return others;
}

#endif
