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

int main(void)
{
  RUN(no_frame_takes_longer_because_the_clock_passes_zero_in_it);
  RUN(a_frame_longer_than_the_clock_counts_is_the_longest_there_is);
  return tp_test_end();
}
