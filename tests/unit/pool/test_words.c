// SPDX-License-Identifier: MIT
// What is done to a run of words.
#include "unit.h"

#include "core/tp_shape.h"
#include "core/tp_words.h"

enum { WORDS = 4 };

// The inverse of what a sum is multiplied by at each step: a word that changes
// by a multiple of it changes the sum so far by that multiple.
static const uint32_t inverse = (uint32_t)TP_INVERSE(0x9e3779b1u);

static bool is_changed(tp_word_t *words, uint32_t place, uint32_t change)
{
  uint32_t sum = tp_sum_words(words, WORDS);
  words[place] += change;
  bool differs = tp_sum_words(words, WORDS) != sum;
  words[place] -= change;
  return differs && tp_sum_words(words, WORDS) == sum;
}

static void a_change_of_one_word_changes_the_sum_whatever_the_change(void)
{
  tp_word_t words[WORDS];
  tp_test_seed(29);
  for (uint32_t round = 0; round < 32; round++) {
    for (uint32_t i = 0; i < WORDS; i++) words[i] = tp_test_random();
    for (uint32_t bit = 0; bit < 32; bit++) {
      for (uint32_t i = 0; i < WORDS; i++) {
        CHECK(is_changed(words, i, 1u << bit));
        CHECK(is_changed(words, i, inverse << bit));
      }
    }
  }
}

static void words_that_change_places_change_the_sum(void)
{
  tp_word_t words[WORDS] = {1, 2, 3, 4};
  tp_word_t others[WORDS] = {2, 1, 3, 4};
  CHECK(tp_sum_words(words, WORDS) != tp_sum_words(others, WORDS));
}

static void the_sum_of_zeroes_is_zero(void)
{
  tp_word_t words[WORDS] = {0, 0, 0, 0};
  CHECK_EQ(tp_sum_words(words, WORDS), 0);
}

void suite_words(void)
{
  RUN(the_sum_of_zeroes_is_zero);
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  RUN(a_change_of_one_word_changes_the_sum_whatever_the_change);
  RUN(words_that_change_places_change_the_sum);
}
