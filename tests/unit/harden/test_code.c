// SPDX-License-Identifier: MIT
// The code that tags are words of.
#include "core/tp_code.h"
#include "core/tp_tag.h"
#include "harden.h"

static uint32_t dead(uint32_t deaths)
{
  return deaths * TP_CODE_LIFE;
}

static uint32_t live(uint32_t deaths)
{
  return dead(deaths) + TP_CODE_BIRTH;
}

static void every_count_of_deaths_has_a_dead_word_and_a_live_one(void)
{
  for (uint32_t deaths = 0; deaths <= TP_CODE_LIVES; deaths++) {
    CHECK(tp_code_is_dead(dead(deaths)) && dead(deaths) < TP_LIVE);
    CHECK_EQ(tp_code_deaths(dead(deaths)), deaths);
    CHECK_EQ(tp_code_issues(dead(deaths)), deaths);
    CHECK(!tp_code_is_live(dead(deaths)));
    if (deaths == TP_CODE_LIVES) continue;
    CHECK(tp_code_is_live(live(deaths)) && live(deaths) >= TP_LIVE);
    CHECK_EQ(tp_code_issues(live(deaths)), deaths + 1);
    CHECK(!tp_code_is_dead(live(deaths)));
  }
}

static void a_word_that_is_no_tag_says_that_nothing_was_issued(void)
{
  CHECK_EQ(tp_code_issues(dead(1) ^ 1), 0);
  CHECK_EQ(tp_code_issues(live(1) ^ 1), 0);
  CHECK_EQ(tp_code_issues(UINT32_MAX), 0);
  CHECK_EQ(tp_code_issues(live(TP_CODE_LIVES)), 0);
  CHECK_EQ(tp_code_issues(dead(TP_CODE_LIVES + 1)), 0);
}

static void a_slot_waits_from_its_first_death_to_the_last_that_is_counted(void)
{
  CHECK(!tp_tag_waits(dead(0)));
  CHECK(tp_tag_waits(dead(1)));
  CHECK(tp_tag_waits(dead(TP_CODE_LIVES - 1)));
  CHECK(!tp_tag_waits(dead(TP_CODE_LIVES)));
}

// Is one of the words that differ from [word] in 1 to [bits] bits, the lowest
// of them below [end], one of the code?
static bool is_near(uint32_t word, uint32_t bits, uint32_t end)
{
  for (uint32_t bit = 0; bit < end; bit++) {
    uint32_t other = word ^ 1u << bit;
    if (tp_code_has(other)) return true;
    if (bits > 1 && is_near(other, bits - 1, bit)) return true;
  }
  return false;
}

static void up_to_four_flipped_bits_are_noticed_in_any_tag(void)
{
  for (uint32_t deaths = 0; deaths < TP_CODE_LIVES; deaths += 1021) {
    CHECK(!is_near(dead(deaths), 4, 32));
    CHECK(!is_near(live(deaths), 4, 32));
  }
}

static void one_or_two_flipped_bits_are_noticed_in_each_of_the_million_tags(
    void)
{
  for (uint32_t deaths = 0; deaths < TP_CODE_LIVES; deaths++) {
    CHECK(!is_near(dead(deaths), 2, 32));
    CHECK(!is_near(live(deaths), 2, 32));
  }
}

static void of_a_million_words_about_8_are_tags_of_either_sort(void)
{
  uint32_t deads = 0, lives = 0;
  tp_test_seed(9);
  for (uint32_t i = 0; i < 1u << 20; i++) {
    uint32_t word = tp_test_random();
    deads += tp_code_is_dead(word);
    lives += tp_code_is_live(word);
  }
  CHECK(deads <= 16);
  CHECK(lives <= 16);
}

static void the_low_15_bits_of_live_tags_are_all_different(void)
{
  static uint32_t seen[TP_CODE_LIVES / 32];
  for (uint32_t i = 0; i < TP_CODE_LIVES / 32; i++) seen[i] = 0;
  for (uint32_t deaths = 0; deaths < TP_CODE_LIVES; deaths++) {
    uint32_t low = live(deaths) % TP_CODE_LIVES;
    CHECK(!(seen[low / 32] & 1u << low % 32));
    seen[low / 32] |= 1u << low % 32;
  }
}

static void what_is_added_to_the_sum_is_what_a_tag_grows_by(void)
{
  uint32_t birth = TP_CODE_BIRTH & TP_GENERATION_MAX;
  CHECK_EQ(birth % UINT16_MAX, TP_CODE_BIRTH_SUM);
  CHECK_EQ((TP_CODE_BIRTH_SUM + TP_CODE_DEATH_SUM) % UINT16_MAX,
           TP_CODE_LIFE % UINT16_MAX);
  CHECK_EQ((dead(TP_CODE_LIVES) + TP_CODE_RESTART_SUM) % UINT16_MAX,
           dead(1) % UINT16_MAX);
  CHECK_EQ(TP_CODE_LIFE * TP_CODE_INVERSE, 1);
}

void suite_code(void)
{
  RUN(every_count_of_deaths_has_a_dead_word_and_a_live_one);
  RUN(a_word_that_is_no_tag_says_that_nothing_was_issued);
  RUN(a_slot_waits_from_its_first_death_to_the_last_that_is_counted);
  RUN(up_to_four_flipped_bits_are_noticed_in_any_tag);
  RUN(one_or_two_flipped_bits_are_noticed_in_each_of_the_million_tags);
  RUN(of_a_million_words_about_8_are_tags_of_either_sort);
  RUN(the_low_15_bits_of_live_tags_are_all_different);
  RUN(what_is_added_to_the_sum_is_what_a_tag_grows_by);
}
