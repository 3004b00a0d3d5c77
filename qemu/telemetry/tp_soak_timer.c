// SPDX-License-Identifier: MIT
// tp_soak_timer.c - what --interrupts timer does to a firmware of one's own:
// its interrupt comes once a frame, at an instruction drawn from the seed.
#include "tp_port.h"
#include "tp_soak.h"

// Instructions; a turn is some.
enum { RANGE = 30000, TURNS = 4 * RANGE };

static uint32_t state;    // Of chance.
static uint32_t awaited;  // soak->interrupts once it has come.

void tp_soak_timer_begin(struct tp_soak *soak)
{
  const char *mode = tp_soak_argument("interrupts");
  bool asked = mode && tp_soak_is_word(mode, "timer");
  if (soak->timer && asked) soak->by_timer = 1;
  state = (uint32_t)soak->seed * 2654435761u | 1;
  awaited = soak->interrupts;
}

static uint32_t draw(void)
{
  uint32_t instructions = tp_soak_chance(&state) % RANGE + 1;
  return instructions < TP_SOAK_SOONEST ? TP_SOAK_SOONEST : instructions;
}

void tp_soak_timer_await(struct tp_soak *soak)
{
  if (!soak->timer || !soak->by_timer) return;
  const volatile uint32_t *came = &soak->interrupts;
  for (uint32_t turn = 0; *came != awaited; turn++) {
    tp_port_unlock(tp_port_lock());  // On the host, interrupts come only there.
    if (turn < TURNS) continue;
    tp_record_audit(tp_clock_now, TP_RECORD_NO_POOL, 0,
                    "the interrupt of soak.timer did not come, or did not count"
                    " itself alone in soak.interrupts");
    soak->by_timer = 0;
    return;
  }
}

void tp_soak_timer_start(struct tp_soak *soak)
{
  if (!soak->timer || !soak->by_timer) return;
  awaited = soak->interrupts + 1;
  soak->timer(draw());
}
