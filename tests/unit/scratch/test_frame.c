// SPDX-License-Identifier: MIT
#include "object/tp_scene.h"
#include "scratch.h"

enum { SWAPS = 1000000 };

static void what_a_frame_allocates_is_gone_in_the_next(void)
{
  forget_frame(&single_frame);
  void *first = single_alloc(16, 4);
  CHECK(single_alloc(16, 4) != first);

  single_end();

  CHECK_EQ(frame_stats(&single_frame).live, 0);
  CHECK(single_alloc(16, 4) == first);
}

static void a_pointer_from_frame_n_read_in_frame_n_plus_1_gives_poison(void)
{
  forget_frame(&single_frame);
  tp_word_t *kept = single_alloc(8, 4);
  kept[0] = 1;
  kept[1] = 2;

  single_end();

  CHECK_EQ(word_at(kept), TP_POISON);
  CHECK_EQ(word_at(kept + 1), TP_POISON);
}

static void the_peak_of_a_frame_is_recorded(void)
{
  forget_frame(&single_frame);
  static const uint8_t used[] = {8, 48, 0, 16};
  for (uint32_t i = 0; i < sizeof used; i++) {
    if (used[i]) single_alloc(used[i], 4);
    CHECK_EQ(frame_stats(&single_frame).live, used[i]);
    CHECK_EQ(frame_stats(&single_frame).peak, i == 0 ? 8 : 48);
    single_end();
  }
  CHECK_EQ(single_frame.state->ended, 4);
}

static void the_peak_is_that_of_all_buffers(void)
{
  forget_frame(&twin_frame);
  twin_alloc(8, 4);
  twin_end();
  twin_alloc(40, 4);
  twin_end();
  twin_alloc(12, 4);
  CHECK_EQ(frame_stats(&twin_frame).peak, 40);
}

static void forgetting_to_end_a_frame_is_refused_not_corrupted(void)
{
  forget_frame(&twin_frame);
  tp_word_t *first = twin_alloc(4, 4);
  *first = 77;
  twin_end();
  for (uint32_t i = 0; i < 16; i++) *(tp_word_t *)twin_alloc(4, 4) = i;

  for (uint32_t i = 0; i < 100; i++) CHECK(!twin_alloc(4, 4));

  CHECK_EQ(frame_stats(&twin_frame).refused, 100);
  CHECK_EQ(frame_stats(&twin_frame).peak, 64);
  CHECK_EQ(*first, 77);
  for (uint32_t i = 0; i < 16; i++) {
    CHECK_EQ(twin_frame.region.storage[16 + i], i);
  }
}

static void forgetting_to_end_a_frame_that_must_never_be_full_faults(void)
{
  forget_frame(&solemn_frame);
  CHECK(solemn_alloc(16, 4));

  CHECK_FAULTS(TP_FAULT_FULL, solemn_alloc(4, 4));

  CHECK(tp_fault_record.name == solemn_frame.region.name);
}

static void a_frame_that_is_ended_twice_is_two_frames(void)
{
  forget_frame(&single_frame);
  single_end();
  single_end();
  CHECK(single_alloc(64, 4));

  forget_frame(&twin_frame);
  tp_word_t *kept = twin_alloc(4, 4);
  *kept = 5;
  twin_end();
  CHECK_EQ(*kept, 5);
  twin_end();
  CHECK(twin_alloc(4, 4) == kept);
}

static void the_buffer_that_is_wiped_is_the_one_switched_to(void)
{
  forget_frame(&twin_frame);
  tp_word_t *kept = twin_alloc(4, 4);
  *kept = 5;
  twin_end();
  tp_word_t *later = twin_alloc(64, 4);
  for (uint32_t i = 0; i < 16; i++) later[i] = i;
  CHECK_EQ(*kept, 5);

  twin_end();

  for (uint32_t i = 0; i < 16; i++) CHECK_EQ(later[i], i);
  CHECK_EQ(frame_stats(&twin_frame).live, 0);
}

static void a_long_frame_and_a_short_one_do_not_disturb_each_other(void)
{
  forget_frame(&twin_frame);
  for (uint32_t frame = 0; frame < 50; frame++) {
    uint32_t bytes = frame % 2 ? 64 : 4 + frame % 3 * 4;
    tp_word_t *words = twin_alloc(bytes, 4);
    CHECK(words);
    for (uint32_t i = 0; i < bytes / 4; i++) words[i] = frame;
    twin_end();
    for (uint32_t i = 0; i < bytes / 4; i++) CHECK_EQ(words[i], frame);
  }
}

// What a frame tagged: its words, and how many.
struct tagged {
  const tp_word_t *words;
  uint32_t count;
};

static struct tagged tag_frame(const struct tp_frame *frame, uint32_t number)
{
  struct tagged tagged = {NULL, number % 3 + 1};
  tp_word_t *words = tp_frame_alloc(frame, tagged.count * 4, 4);
  for (uint32_t i = 0; i < tagged.count; i++) words[i] = number + i;
  tagged.words = words;
  return tagged;
}

static bool tags_are(const struct tagged *tagged, uint32_t number)
{
  for (uint32_t i = 0; i < tagged->count; i++) {
    if (word_at(tagged->words + i) != number + i) return false;
  }
  return true;
}

// In frame n the words of n - [frame->buffers] lie in the buffer that was
// wiped, and those since are intact.
static void tags_live_as_long_as_there_are_buffers(const struct tp_frame *frame,
                                                   uint32_t swaps)
{
  struct tagged past[4] = {{NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}};
  uint32_t buffers = frame->buffers;
  bool poison = TP_CHECKS >= TP_CHECKS_POISON;
  forget_frame(frame);
  for (uint32_t n = 0; n < swaps; n++) {
    struct tagged *gone = &past[(n - buffers) & 3];
    if (poison) CHECK(all_are(gone->words, gone->count * 4, TP_POISON));
    past[n & 3] = tag_frame(frame, n);
    for (uint32_t age = 0; age < buffers; age++) {
      CHECK(tags_are(&past[(n - age) & 3], n - age));
    }
    tp_frame_end(frame);
  }
}

static void
tags_are_readable_at_n_plus_1_and_gone_at_n_plus_2_over_a_million_swaps(void)
{
  tags_live_as_long_as_there_are_buffers(&twin_frame, SWAPS);
}

static void with_three_buffers_tags_are_readable_at_n_plus_2_and_then_gone(void)
{
  tags_live_as_long_as_there_are_buffers(&triple_frame, SWAPS / 10);
}

static void a_reader_that_is_two_frames_late_finds_poison(void)
{
  forget_frame(&twin_frame);
  tp_word_t *kept = twin_alloc(12, 4);
  kept[2] = 9;
  twin_end();
  CHECK_EQ(word_at(kept + 2), 9);
  twin_end();
  CHECK_EQ(word_at(kept + 2), TP_POISON);
}

static void a_write_to_a_frame_that_is_over_is_found_by_the_next(void)
{
  forget_frame(&single_frame);
  tp_word_t *kept = single_alloc(16, 4);
  single_end();
  kept[3] = 0;
  if (!AUDITED) CHECK(single_alloc(12, 4) == kept);

  CHECK_FAULTS(TP_FAULT_POISON, single_alloc(4, 4));

  CHECK(tp_fault_record.address == kept + 3);
  CHECK(tp_fault_record.name == single_frame.region.name);
}

static void wrong_requests_of_a_frame_fault(void)
{
  forget_frame(&twin_frame);
  CHECK_FAULTS(TP_FAULT_SIZE, twin_alloc(0, 4));
  CHECK_FAULTS(TP_FAULT_SIZE, twin_alloc(4, 0));
  CHECK_FAULTS(TP_FAULT_LARGE, twin_alloc(65, 4));
}

static void a_closed_frame_faults(void)
{
  struct tp_frame_state state = {0, 0};
  struct tp_bump bump = {0};
  struct tp_frame closed = {
      .region = {.name = "closed"},
      .state = &state,
      .bump = &bump,
      .buffers = 1,
  };
  CHECK_FAULTS(TP_FAULT_CLOSED, tp_frame_alloc(&closed, 4, 4));
  CHECK_FAULTS(TP_FAULT_CLOSED, tp_frame_end(&closed));
}

static void a_buffer_that_there_is_not_faults(void)
{
  forget_frame(&twin_frame);
  twin_frame.state->current = 2;
  CHECK_EQ(frame_stats(&twin_frame).live, 0);
  CHECK_FAULTS(TP_FAULT_INVARIANT, twin_alloc(4, 4));
  CHECK(tp_fault_record.address == &twin_frame.state->current);
  CHECK_EQ(tp_fault_record.found, 2);
  forget_frame(&twin_frame);
}

static void what_lies_behind_the_buffers_is_not_counted(void)
{
  struct tp_bump bump[2] = {{0}, {.used = 8}};
  struct tp_frame_state state = {.current = 1};
  struct tp_frame single = twin_frame;
  single.state = &state;
  single.bump = bump;
  single.buffers = 1;
  CHECK_EQ(frame_stats(&single).live, 0);
}

static void a_buffer_whose_turn_it_is_not_faults(void)
{
  forget_frame(&twin_frame);
  twin_end();
  twin_frame.state->current = 0;
  CHECK_FAULTS(TP_FAULT_INVARIANT, twin_alloc(4, 4));
  CHECK(tp_fault_record.address == &twin_frame.state->current);
  CHECK_EQ(tp_fault_record.found, 0);
  forget_frame(&twin_frame);
  twin_frame.state->ended ^= 1;
  CHECK_FAULTS(TP_FAULT_INVARIANT, twin_end());
  forget_frame(&twin_frame);
}

static void turns_go_on_when_the_count_of_frames_wraps(void)
{
  forget_frame(&triple_frame);
  triple_frame.state->ended = UINT32_MAX - 3;
  triple_frame.state->current = (UINT32_MAX - 3) % 3;
  for (uint32_t frame = 1; frame < 8; frame++) {
    triple_end();
    CHECK_EQ(triple_frame.state->current, (UINT32_MAX % 3 + frame) % 3);
    CHECK(triple_alloc(4, 4));
  }
  forget_frame(&triple_frame);
}

static void a_frame_whose_top_was_written_over_faults(void)
{
  forget_frame(&twin_frame);
  twin_frame.bump[1].used = 1u << 20;
  CHECK_FAULTS(TP_FAULT_INVARIANT, twin_end());
  forget_frame(&twin_frame);
}

static void a_scene_ends_each_buffer_once(void)
{
  forget_frame(&twin_frame);
  twin_alloc(8, 4);
  twin_end();
  twin_alloc(8, 4);
  uint32_t ended = twin_frame.state->ended;
  struct tp_scene_part part = {.allocator = (void *)(uintptr_t)&twin_frame};
  tp_frame_end_scene(&part, NULL);
  CHECK_EQ(twin_frame.state->ended, ended + 2);
  CHECK_EQ(tp_scene_frame.live(&twin_frame), 0);
  forget_frame(&twin_frame);
}

void suite_frame(void)
{
  RUN(what_a_frame_allocates_is_gone_in_the_next);
  RUN(the_peak_of_a_frame_is_recorded);
  RUN(the_peak_is_that_of_all_buffers);
  RUN(forgetting_to_end_a_frame_is_refused_not_corrupted);
  RUN(forgetting_to_end_a_frame_that_must_never_be_full_faults);
  RUN(a_frame_that_is_ended_twice_is_two_frames);
  RUN(the_buffer_that_is_wiped_is_the_one_switched_to);
  RUN(a_long_frame_and_a_short_one_do_not_disturb_each_other);
  RUN(tags_are_readable_at_n_plus_1_and_gone_at_n_plus_2_over_a_million_swaps);
  RUN(with_three_buffers_tags_are_readable_at_n_plus_2_and_then_gone);
  RUN(turns_go_on_when_the_count_of_frames_wraps);
  RUN(what_lies_behind_the_buffers_is_not_counted);
  RUN(a_scene_ends_each_buffer_once);
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  RUN(a_buffer_that_there_is_not_faults);
  if (TP_CHECKS == TP_CHECKS_FULL && TP_AUDIT)
    RUN(a_buffer_whose_turn_it_is_not_faults);
  RUN(a_frame_whose_top_was_written_over_faults);
  RUN(wrong_requests_of_a_frame_fault);
  RUN(a_closed_frame_faults);
  if (TP_CHECKS < TP_CHECKS_POISON) return;
  RUN(a_pointer_from_frame_n_read_in_frame_n_plus_1_gives_poison);
  RUN(a_reader_that_is_two_frames_late_finds_poison);
  RUN(a_write_to_a_frame_that_is_over_is_found_by_the_next);
}
