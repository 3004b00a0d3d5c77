// SPDX-License-Identifier: MIT
// tp_soak_clock.c - how many instructions each frame of the application took,
// by SysTick. A firmware that uses that itself is not measured, nor the host.
#include "tp_soak.h"

enum { FRAME_COSTS = 17, FRAME_COSTS_BYTES = 28 };
// What is timed to know how long an instruction takes: two each turn.
enum { TURNS = 4096, TICKS_MAX = 0xffffff };

static struct {
  uint32_t frames, least, most, most_frame;
  uint32_t total;  // Ticks; stays at its highest.
} costs;
static uint32_t began, calibrated, budget;
static bool running, counting;

void tp_soak_budget(uint32_t instructions)
{
  budget = instructions;
}

#ifdef __arm__

enum { ON = 1, INTERRUPTS = 2, CORE_CLOCK = 4, PASSED_ZERO = 1u << 16 };

struct systick {
  volatile uint32_t control, reload, now;
};

static struct systick *systick(void)
{
  return (struct systick *)0xe000e010u;
}

// It counts down, 24 bits, and interrupts nobody.
static bool is_free_running(void)
{
  uint32_t control = systick()->control;
  return (control & ON) && !(control & INTERRUPTS) &&
         systick()->reload == TICKS_MAX;
}

static bool start_clock(void)
{
  if (systick()->control & ON) return is_free_running();
  systick()->reload = TICKS_MAX;
  systick()->now = 0;
  systick()->control = ON | CORE_CLOCK;
  while (systick()->now == 0) {
  }
  return is_free_running();
}

static uint32_t read_clock(void)
{
  return systick()->now;
}

// At most TICKS_MAX, however long it was. Zero may be passed between the two
// reads: then it was not yet when the first of them looked.
static uint32_t ticks_since(uint32_t then)
{
  bool passed_zero = (systick()->control & PASSED_ZERO) != 0;
  uint32_t now = systick()->now;
  if (passed_zero && now <= then) return TICKS_MAX;
  return (then - now) & TICKS_MAX;
}

static void turn(uint32_t turns)
{
  __asm volatile(
      ".syntax unified\n"
      "1: subs %0, %0, #1\n"
      "bne 1b"
      : "+l"(turns)::"cc");
}

#else

static bool is_free_running(void)
{
  return false;
}

static bool start_clock(void)
{
  return false;
}

static uint32_t read_clock(void)
{
  return 0;
}

static uint32_t ticks_since(uint32_t then)
{
  return then;
}

static void turn(uint32_t turns)
{
  (void)turns;
}

#endif

void tp_soak_clock_begin(void)
{
  running = start_clock();
  if (!running) return;
  uint32_t then = read_clock();
  turn(TURNS);
  calibrated = ticks_since(then);
}

static void add(uint32_t ticks)
{
  if (!costs.frames || ticks < costs.least) costs.least = ticks;
  if (!costs.frames || ticks > costs.most) {
    costs.most = ticks;
    costs.most_frame = tp_clock_now;
  }
  costs.total += ticks;
  if (costs.total < ticks) costs.total = UINT32_MAX;
  costs.frames++;
}

void tp_soak_clock_stop(void)
{
  if (!running || !counting) return;
  uint32_t ticks = ticks_since(began);
  running = is_free_running();
  if (running) add(ticks);
  counting = false;
}

void tp_soak_clock_go(void)
{
  if (!running) return;
  counting = true;
  began = read_clock();
  (void)is_free_running();  // Forgets that it passed zero.
}

void tp_soak_clock_report(void)
{
  if (!costs.frames) return;
  tp_record_begin(FRAME_COSTS, FRAME_COSTS_BYTES);
  tp_record_put32(tp_clock_now);
  tp_record_put32(costs.most_frame);
  tp_record_put16(costs.frames);
  tp_record_put16(calibrated);
  tp_record_put32(costs.least);
  tp_record_put32(costs.total / costs.frames);
  tp_record_put32(costs.most);
  tp_record_put32(budget);
  tp_record_end();
  costs.frames = costs.total = 0;
}
