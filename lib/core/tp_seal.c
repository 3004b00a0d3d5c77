// SPDX-License-Identifier: MIT
#include "core/tp_seal.h"

#include "check/tp_check.h"

// Two values of the word that are no seal. Words that make one of them are not
// watched: one descriptor in two thousand millions.
#define AT_BOOT 0u
#define OFF     1u

// Zeroes make no seal of themselves.
#define FIRST 0x5ea1ed00u

// What all words make: by one that changes, it does, whatever it becomes. In
// each call, so it is no tp_sum_words(), which does more for each word.
TP_INLINE uint32_t sum_of(const struct tp_seal *seal)
{
  const tp_word_t *word = (const tp_word_t *)seal->descriptor;
  const tp_word_t *end = word + seal->count;
  uint32_t sum = FIRST;
  if (seal->count % 2 != 0) sum ^= *word++;
  do {
    sum ^= word[0] ^ word[1];
    word += 2;
  } while (word != end);
  return sum;
}

// What the word should be, as [sum] shows. Whoever interrupts and is the first
// to compare, too, makes the same of it.
TP_INLINE uint32_t expected(const struct tp_seal *seal, uint32_t sum)
{
  uint32_t made = *seal->word;
  if (made == OFF) return sum;
  if (made != AT_BOOT) return made;
  *seal->word = sum;
  return sum;
}

TP_INLINE bool is_broken(const struct tp_seal *seal, uint32_t sum)
{
  return TP_MISUSE(sum != expected(seal, sum));
}

static TP_NOINLINE void complain(const struct tp_seal *seal, uint32_t sum,
                                 tp_site_t site)
{
  tp_raise_misuse(TP_FAULT_INVARIANT, seal->name, seal->descriptor, sum,
                  *seal->word, site);
}

bool tp_seal_verify(const struct tp_seal *seal)
{
  return !is_broken(seal, sum_of(seal));
}

void tp_seal_check_for(const struct tp_seal *seal, tp_site_t site)
{
  uint32_t sum = sum_of(seal);
  if (is_broken(seal, sum)) complain(seal, sum, site);
}

TP_NOINLINE void tp_seal_check(const struct tp_seal *seal)
{
  uint32_t sum = sum_of(seal);
  if (is_broken(seal, sum)) complain(seal, sum, tp_site(NULL));
}

void tp_seal_off(const struct tp_seal *seal)
{
  *seal->word = OFF;
  TP_BARRIER();
}

void tp_seal_on(const struct tp_seal *seal)
{
  TP_BARRIER();
  *seal->word = sum_of(seal);
}
