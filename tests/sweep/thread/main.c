// SPDX-License-Identifier: MIT
#include "nvic.h"
#include "semihost.h"
#include "sweep.h"
#include "tp_test.h"

// SysTick where BASEPRI can mask it, the board's interrupts where SysTick
// preempts them.
static void lower_priorities(void)
{
  REGISTER(0xe000ed20) = 0x80000000u;
  for (uint32_t irq = 0; irq < 32; irq += 4) {
    REGISTER(0xe000e400 + irq) = 0xc0c0c0c0u;
  }
}

int main(void)
{
  char arguments[64];
  lower_priorities();
  if (semihost_arguments(arguments, sizeof arguments)) {
    sweep_traces = arguments[0] == 't';
    sweep_each = arguments[0] == 'e';
  }
  if (!sweep_traces) {
    armed_calibrate();
    suite_armed();
  }
  suite_pools();
  suite_handles();
  suite_owners();
  suite_loans();
  suite_victims();
  suite_least();
  suite_nested();
  suite_locks();
  suite_blocks();
  suite_second();
  suite_watermark();
  suite_wait();
  suite_frame();
  suite_scenes();
  suite_controls();
  return tp_test_end();
}
