// SPDX-License-Identifier: MIT
// tp_filled.h - each word of an object is its number's: whoever else writes to
// it, or has it too, is noticed.
#ifndef TP_FILLED_H
#define TP_FILLED_H

#include "tidepool.h"

static inline void tp_fill(void *object, uint32_t bytes, uint32_t number)
{
  tp_word_t *words = (tp_word_t *)object;
  for (uint32_t i = 0; i < bytes / 4; i++) words[i] = number * 0x01010101u + i;
}

static inline bool tp_is_filled(const void *object, uint32_t bytes,
                                uint32_t number)
{
  const tp_word_t *words = (const tp_word_t *)object;
  for (uint32_t i = 0; i < bytes / 4; i++) {
    if (words[i] != number * 0x01010101u + i) return false;
  }
  return true;
}

#endif
