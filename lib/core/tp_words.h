// SPDX-License-Identifier: MIT
// tp_words.h - internal: what is done to a run of words, without a C library:
// copied, cleared, summed up, and filled with a pattern and looked through for
// it, which every allocator that is not a pool does from poison up. And how two
// names are compared.
#ifndef TP_WORDS_H
#define TP_WORDS_H

#include "check/tp_check.h"
#include "tidepool.h"
#include "tp_port.h"

// Are both texts the same?
TP_INLINE bool tp_text_same(const char *a, const char *b)
{
  while (*a && *a == *b) a++, b++;
  return *a == *b;
}

// Copies [words] words, the first one first: so [to] may overlap [from] from
// below. A loop that no compiler takes for memcpy().
TP_INLINE void tp_copy_words(tp_word_t *to, const tp_word_t *from,
                             uint32_t words)
{
  for (uint32_t i = 0; i < words; i++) {
    uint32_t word = from[i];
    TP_KEEP(word);
    to[i] = word;
  }
}

// Clears [bytes], a multiple of 4, at [memory]. A loop that no compiler takes
// for memset(), as it does the initialiser of a struct.
TP_INLINE void tp_clear_words(void *memory, size_t bytes)
{
  tp_word_t *words = (tp_word_t *)memory;
  for (size_t i = 0; i < bytes / 4; i++) {
    uint32_t word = 0;
    TP_KEEP(word);
    words[i] = word;
  }
}

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

// From poison up, [words] whole words at [memory] become [pattern]: TP_POISON
// when they belong to nobody again, TP_POISON_NEW when they are given out.
// Below, nothing.
TP_INLINE void tp_fill_words(void *memory, uint32_t words, uint32_t pattern)
{
  if (TP_CHECKS < TP_CHECKS_POISON) return;
  tp_pattern_put((tp_word_t *)memory, words * 4u, pattern);
  if (pattern == TP_POISON) TP_PORT_POISON(memory, words * 4u);
  if (pattern != TP_POISON) TP_PORT_UNPOISON(memory, words * 4u);
}

// From poison up: how many of the [words] at [memory] hold [pattern] before
// the first that does not. Below, all.
TP_INLINE uint32_t tp_intact_words(const void *memory, uint32_t words,
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
TP_INLINE uint32_t tp_other_words(const void *memory, uint32_t words,
                                  uint32_t pattern)
{
  const tp_word_t *word = (const tp_word_t *)memory;
  uint32_t others = 0;
  if (TP_CHECKS < TP_CHECKS_POISON) return words;
  while (others < words && word[others] != pattern) others++;
  return others;
}

#endif
