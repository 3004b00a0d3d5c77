// SPDX-License-Identifier: MIT
// What verify of the registry's kinds says of memory that fills from an end.
#include "core/tp_registry.h"
#include "scratch.h"

static bool holds(const struct tp_kind *kind, const void *allocator)
{
  struct tp_finding finding;
  bool sound = kind->verify(allocator, &finding);
  return sound && finding.broken == TP_SOUND;
}

// Is each bit of [word] seen, or none of them?
static void check_bits(const struct tp_kind *kind, const void *allocator,
                       tp_word_t *word, bool seen)
{
  for (uint32_t bit = 0; bit < 32; bit++) {
    *word ^= 1u << bit;
    CHECK_EQ(holds(kind, allocator), !seen);
    *word ^= 1u << bit;
  }
  CHECK(holds(kind, allocator));
}

static void what_a_stack_got_back_is_looked_at_from_poison_up(void)
{
  bool seen = TP_CHECKS >= TP_CHECKS_POISON;
  forget_stack(&level_stack);
  level_alloc(8, 4);
  struct tp_mark mark = tp_stack_mark(&level_stack);
  level_alloc(24, 4);
  tp_stack_release(&level_stack, mark);

  tp_word_t *words = level_stack.region.storage;
  check_bits(&tp_stack_kind, &level_stack, &words[1], false);
  check_bits(&tp_stack_kind, &level_stack, &words[2], seen);
  check_bits(&tp_stack_kind, &level_stack, &words[7], seen);
  check_bits(&tp_stack_kind, &level_stack, &words[8], false);
}

static void what_either_end_got_back_is_looked_at_from_poison_up(void)
{
  bool seen = TP_CHECKS >= TP_CHECKS_POISON;
  forget_dstack(&both_dstack);
  both_alloc(TP_LOW, 16, 4);
  both_alloc(TP_HIGH, 16, 4);
  tp_dstack_reset(&both_dstack, TP_LOW);
  tp_dstack_reset(&both_dstack, TP_HIGH);
  both_alloc(TP_LOW, 4, 4);
  both_alloc(TP_HIGH, 4, 4);

  tp_word_t *words = both_dstack.region.storage;
  check_bits(&tp_dstack_kind, &both_dstack, &words[0], false);
  check_bits(&tp_dstack_kind, &both_dstack, &words[1], seen);
  check_bits(&tp_dstack_kind, &both_dstack, &words[3], seen);
  check_bits(&tp_dstack_kind, &both_dstack, &words[4], false);
  check_bits(&tp_dstack_kind, &both_dstack, &words[11], false);
  check_bits(&tp_dstack_kind, &both_dstack, &words[12], seen);
  check_bits(&tp_dstack_kind, &both_dstack, &words[14], seen);
  check_bits(&tp_dstack_kind, &both_dstack, &words[15], false);
}

static void an_end_in_what_the_other_got_back_is_the_other_s_no_more(void)
{
  forget_dstack(&both_dstack);
  both_alloc(TP_HIGH, 48, 4);
  tp_dstack_reset(&both_dstack, TP_HIGH);
  both_alloc(TP_LOW, 32, 4);

  tp_word_t *words = both_dstack.region.storage;
  check_bits(&tp_dstack_kind, &both_dstack, &words[7], false);
  check_bits(&tp_dstack_kind, &both_dstack, &words[8],
             TP_CHECKS >= TP_CHECKS_POISON);
}

static void what_a_frame_left_is_looked_at_in_each_buffer_from_poison_up(void)
{
  bool seen = TP_CHECKS >= TP_CHECKS_POISON;
  forget_frame(&twin_frame);
  twin_alloc(16, 4);
  twin_end();
  twin_alloc(16, 4);
  twin_end();
  twin_alloc(4, 4);

  tp_word_t *first = twin_frame.region.storage, *second = first + 16;
  check_bits(&tp_frame_kind, &twin_frame, &first[0], false);
  check_bits(&tp_frame_kind, &twin_frame, &first[1], seen);
  check_bits(&tp_frame_kind, &twin_frame, &first[4], false);
  check_bits(&tp_frame_kind, &twin_frame, &second[3], false);
  twin_end();
  check_bits(&tp_frame_kind, &twin_frame, &second[3], seen);
}

void suite_verify(void)
{
  RUN(what_a_stack_got_back_is_looked_at_from_poison_up);
  RUN(what_either_end_got_back_is_looked_at_from_poison_up);
  RUN(an_end_in_what_the_other_got_back_is_the_other_s_no_more);
  RUN(what_a_frame_left_is_looked_at_in_each_buffer_from_poison_up);
}
