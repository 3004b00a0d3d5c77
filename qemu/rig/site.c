// SPDX-License-Identifier: MIT
#include "site.h"

#include "board.h"

#define SITE_REQUEST(id, name, step) [SITE_##id] = {name, 0, 0},
struct tp_soak_site sites[SITE_REQUEST_N] = {SITE_REQUESTS(SITE_REQUEST)};

#define SITE_COST(id, name, step) [SITE_##id] = {name, step},
static const struct {
  const char *name;
  uint32_t step;
} costs[SITE_N] = {SITE_REQUESTS(SITE_COST) SITE_OTHERS(SITE_COST)};

bool site_timed;

static bool has_clock;
static uint32_t began;
static uint32_t overhead;    // Of an empty measurement.
static uint32_t calls, sum;  // Requests of the frame that is timed.

void site_start(bool clock)
{
  has_clock = clock;
  if (!clock) return;
  board_clock_start();
  uint32_t from = board_clock();
  overhead = board_instructions(board_clock() - from);
}

void site_frame(bool timed)
{
  site_timed = timed && has_clock;
  if (site_timed) calls = sum = 0;
}

uint32_t site_mean(void)
{
  return calls ? sum / calls : 0;
}

void site_time(void)
{
  began = board_clock();
}

void site_timed_end(enum site site)
{
  uint32_t spent = board_instructions(board_clock() - began);
  uint32_t cost = spent < overhead ? 0 : spent - overhead;
  tp_soak_cost(costs[site].name, costs[site].step, cost);
  if (site >= SITE_REQUEST_N) return;
  calls++;
  sum += cost;
}
