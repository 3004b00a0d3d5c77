// SPDX-License-Identifier: MIT
// tp_sum.h - internal: a checksum of words that must not change.
#ifndef TP_SUM_H
#define TP_SUM_H

#include "check/tp_level.h"
#include "core/tp_pool.h"
#include "tp_port.h"

// The sum of [count] words; of zeroes it is 0, and so it is below fast. Each
// step is a bijection of the word and of the sum so far: one changed word,
// whatever the change, always changes the sum.
TP_INLINE uint32_t tp_sum_words(const tp_word_t *words, uint32_t count)
{
  uint32_t sum = 0;
  if (TP_CHECKS < TP_CHECKS_FAST) return 0;
  for (uint32_t i = 0; i < count; i++) {
    sum = (sum << 5 | sum >> 27) + words[i];
    sum *= 0x9e3779b1u;
  }
  return sum;
}

#endif
