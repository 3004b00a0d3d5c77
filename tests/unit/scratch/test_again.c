// SPDX-License-Identifier: MIT
// Below the peak, where memory was somebody's before: there a request goes
// another, shorter way, and must not fare otherwise.
#include "scratch.h"

enum { REQUESTS = 12, SCRIPTS = 5000 };

typedef void *alloc_t(size_t size, size_t align);

struct request {
  size_t size, align;
  void *object;
};

static void ask(alloc_t *alloc, struct request *requests)
{
  for (uint32_t i = 0; i < REQUESTS; i++) {
    requests[i].object = alloc(requests[i].size, requests[i].align);
  }
}

static void make_up(struct request *requests)
{
  for (uint32_t i = 0; i < REQUESTS; i++) {
    requests[i].size = tp_test_random() % 60 + 1;
    requests[i].align = 1u << tp_test_random() % 8;
  }
}

static bool same(const struct request *a, const struct request *b)
{
  bool all = true;
  for (uint32_t i = 0; i < REQUESTS; i++) all &= a[i].object == b[i].object;
  return all;
}

static void clear_level(void)
{
  tp_stack_reset(&level_stack);
}

static void each_gets_what_it_got(alloc_t *alloc, void (*clear)(void))
{
  struct request first[REQUESTS], second[REQUESTS];
  make_up(first);
  for (uint32_t i = 0; i < REQUESTS; i++) second[i] = first[i];
  ask(alloc, first);
  clear();
  ask(alloc, second);
  clear();
  CHECK(same(first, second));
}

static void a_request_gets_what_it_got_when_all_was_new(void)
{
  for (uint32_t i = 0; i < SCRIPTS; i++) {
    forget_stack(&level_stack);
    each_gets_what_it_got(level_alloc, clear_level);
    forget_frame(&single_frame);
    each_gets_what_it_got(single_alloc, single_end);
  }
}

// [used] bytes are in use, and all were once.
static struct tp_bump *all_was_in_use(uint32_t used)
{
  forget_stack(&level_stack);
  level_alloc(256, 4);
  tp_stack_reset(&level_stack);
  if (used) level_alloc(used, 4);
  return &level_stack.state->bump;
}

static void the_whole_of_it_can_be_had_again_and_no_byte_more(void)
{
  struct tp_bump *bump = all_was_in_use(64);
  CHECK(level_alloc(191, 4));
  CHECK_EQ(bump->used, 256);
  CHECK(!level_alloc(1, 1));
  CHECK_EQ(bump->refused, 1);
  CHECK_EQ(stack_stats(&level_stack).peak, 256);
}

static void what_no_request_may_be_faults_below_the_peak_too(void)
{
  static const size_t no_power[] = {0, 3, 6, 12, SIZE_MAX, SIZE_MAX - 1};
  static const size_t large[] = {257, 0x80000000u, SIZE_MAX - 3, SIZE_MAX};
  struct tp_bump *bump = all_was_in_use(64);
  for (uint32_t i = 0; i < sizeof no_power / sizeof *no_power; i++) {
    CHECK_FAULTS(TP_FAULT_SIZE, level_alloc(4, no_power[i]));
  }
  for (uint32_t i = 0; i < sizeof large / sizeof *large; i++) {
    CHECK_FAULTS(TP_FAULT_LARGE, level_alloc(large[i], 4));
  }
  CHECK_FAULTS(TP_FAULT_SIZE, level_alloc(0, 4));
  CHECK_EQ(bump->used, 64);
}

static void no_size_and_no_alignment_wraps_below_the_peak(void)
{
  static const size_t large[] = {257, 0x80000000u, SIZE_MAX - 3, SIZE_MAX};
  struct tp_bump *bump = all_was_in_use(64);
  for (uint32_t i = 0; i < sizeof large / sizeof *large; i++) {
    if (TP_CHECKS < TP_CHECKS_FAST) CHECK(!level_alloc(large[i], 4));
  }
  for (size_t align = 512; align; align *= 2) {
    void *object = level_alloc(4, align);
    CHECK((uintptr_t)object % align == 0);
    CHECK(bump->used <= 256);
    if (object) all_was_in_use(64);
  }
}

static void a_top_that_was_written_over_faults_below_the_peak(void)
{
  static const uint32_t wrong[] = {UINT32_MAX,      UINT32_MAX - 3,
                                   UINT32_MAX - 15, UINT32_MAX - 255,
                                   0xa5a5a5a5u,     0xdeadbeefu};
  struct tp_bump *bump = all_was_in_use(64);
  for (uint32_t bit = 0; bit < 32; bit++) {
    bump->used = 64 ^ 1u << bit;
    if (bump->used % 4 == 0 && bump->used <= 256) continue;
    CHECK_FAULTS(TP_FAULT_INVARIANT, level_alloc(4, 4));
  }
  for (uint32_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    bump->used = wrong[i];
    CHECK_FAULTS(TP_FAULT_INVARIANT, level_alloc(16, 4));
    CHECK_FAULTS(TP_FAULT_INVARIANT, level_alloc(200, 64));
    CHECK_EQ(bump->used, wrong[i]);
  }
}

static void a_top_above_the_peak_faults_though_there_is_room(void)
{
  forget_stack(&level_stack);
  level_alloc(8, 4);
  level_stack.state->bump.used = 16;
  CHECK_FAULTS(TP_FAULT_INVARIANT, level_alloc(4, 4));
  CHECK_EQ(stack_stats(&level_stack).peak, 8);
}

static void a_peak_that_was_written_over_faults_though_there_is_room(void)
{
  struct tp_bump *bump = all_was_in_use(64);
  uint32_t peak = bump->peak;
  for (uint32_t bit = 0; bit < 32; bit++) {
    bump->peak = peak ^ 1u << bit;
    if (bump->peak >= 64 && bump->peak <= 256) continue;
    CHECK_FAULTS(TP_FAULT_INVARIANT, level_alloc(4, 4));
  }
}

void suite_again(void)
{
  RUN(a_request_gets_what_it_got_when_all_was_new);
  RUN(the_whole_of_it_can_be_had_again_and_no_byte_more);
  RUN(no_size_and_no_alignment_wraps_below_the_peak);
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  RUN(what_no_request_may_be_faults_below_the_peak_too);
  RUN(a_top_that_was_written_over_faults_below_the_peak);
  RUN(a_top_above_the_peak_faults_though_there_is_room);
  RUN(a_peak_that_was_written_over_faults_though_there_is_room);
}
