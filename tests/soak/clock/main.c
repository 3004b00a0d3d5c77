// SPDX-License-Identifier: MIT
// What the soak's clock says a frame took, wherever in it SysTick passes zero.
#include "tp_soak_clock.c"  // To see its figures.
#include "tp_test.h"

enum { NEAR = 400, ANY_FRAME = 1000, LONG_FRAME = 100000 };

// The clock is as if it had run long: so many ticks from zero.
static void come_near_zero(uint32_t ticks)
{
  systick()->reload = ticks;
  systick()->now = 0;
  while (systick()->now == 0) {
  }
  systick()->reload = TICKS_MAX;
}

static void frame(void)
{
  costs.frames = 0;
  tp_soak_clock_go();
  for (volatile uint32_t i = 0; i < 20; i++) {
  }
  tp_soak_clock_stop();
}

static void no_frame_takes_longer_because_the_clock_passes_zero_in_it(void)
{
  tp_soak_clock_begin();
  for (uint32_t ticks = 1; ticks < NEAR; ticks++) {
    come_near_zero(ticks);
    frame();
    CHECK_EQ(costs.frames, 1);
    CHECK(costs.most < ANY_FRAME);
  }
}

static void a_frame_longer_than_the_clock_counts_is_the_longest_there_is(void)
{
  tp_soak_clock_begin();
  costs.frames = 0;
  tp_soak_clock_go();
  turn(TICKS_MAX);
  tp_soak_clock_stop();
  CHECK_EQ(costs.most, TICKS_MAX);
  costs.frames = 0;
  tp_soak_clock_go();
  turn(LONG_FRAME);
  tp_soak_clock_stop();
  CHECK(costs.most > LONG_FRAME && costs.most < 2 * LONG_FRAME);
}

// As of a firmware that has set it up itself.
static void set_up(uint32_t control, uint32_t reload)
{
  systick()->control = 0;
  systick()->reload = reload;
  systick()->now = 0;
  systick()->control = control;
}

static void a_firmware_that_has_set_systick_up_otherwise_is_not_measured(void)
{
  static const struct {
    uint32_t control, reload;
  } others[] = {{ON | CORE_CLOCK, 25000},
                {ON | CORE_CLOCK | INTERRUPTS, TICKS_MAX}};
  for (uint32_t i = 0; i < 2; i++) {
    set_up(others[i].control, others[i].reload);
    tp_soak_clock_begin();
    frame();
    CHECK_EQ(costs.frames, 0);
    CHECK_EQ(systick()->reload, others[i].reload);
    CHECK_EQ(systick()->control & 7, others[i].control);
  }
  set_up(ON | CORE_CLOCK, TICKS_MAX);
  tp_soak_clock_begin();
  frame();
  CHECK_EQ(costs.frames, 1);
}

static void a_frame_in_which_systick_is_set_up_otherwise_is_the_first_of_none(
    void)
{
  set_up(0, 0);
  tp_soak_clock_begin();
  frame();
  CHECK_EQ(costs.frames, 1);
  tp_soak_clock_go();
  set_up(ON | CORE_CLOCK, 25000);
  tp_soak_clock_stop();
  CHECK_EQ(costs.frames, 1);
  frame();
  CHECK_EQ(costs.frames, 0);
}

static void what_frames_took_is_the_least_the_most_and_what_they_are_together(
    void)
{
  costs.frames = costs.total = 0;
  for (uint32_t i = 0; i < 3; i++) {
    tp_clock_now = 70 + i;
    add((const uint32_t[]){500, 900, 300}[i]);
  }
  CHECK_EQ(costs.least, 300);
  CHECK_EQ(costs.most, 900);
  CHECK_EQ(costs.most_frame, 71);
  CHECK_EQ(costs.total, 1700);
  for (uint32_t i = 0; i < 300; i++) add(TICKS_MAX);
  CHECK_EQ(costs.total, UINT32_MAX);
}

static void the_clock_is_held_against_8192_instructions(void)
{
  set_up(0, 0);
  tp_soak_clock_begin();
  costs.frames = 0;
  tp_soak_clock_go();
  turn(4096);
  tp_soak_clock_stop();
  CHECK(calibrated >= costs.most - 100 && calibrated <= costs.most);
}

int main(void)
{
  RUN(no_frame_takes_longer_because_the_clock_passes_zero_in_it);
  RUN(a_frame_longer_than_the_clock_counts_is_the_longest_there_is);
  RUN(a_firmware_that_has_set_systick_up_otherwise_is_not_measured);
  RUN(a_frame_in_which_systick_is_set_up_otherwise_is_the_first_of_none);
  RUN(what_frames_took_is_the_least_the_most_and_what_they_are_together);
  RUN(the_clock_is_held_against_8192_instructions);
  return tp_test_end();
}
