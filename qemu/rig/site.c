// SPDX-License-Identifier: MIT
#include "site.h"

#include "board.h"
#include "random.h"

#define SITE_NAME(id, name, step) [SITE_##id] = name,
const char *const site_names[SITE_N] = {SITE_REQUESTS(SITE_NAME)
                                            SITE_OTHERS(SITE_NAME)};
#define SITE_STEP(id, name, step) [SITE_##id] = (step),
const uint16_t site_steps[SITE_N] = {SITE_REQUESTS(SITE_STEP)
                                         SITE_OTHERS(SITE_STEP)};

enum { REFUSING = 1, TIMING = 2, FIRST_STREAM = 48 };

struct site_use site_uses[SITE_N];
uint32_t site_watched;

static struct refusals asked;
static struct random chance[SITE_REQUEST_N];
static bool has_clock;
static uint32_t began;
static uint32_t overhead;    // Of an empty measurement.
static uint32_t calls, sum;  // Requests of the frame that is timed.

void site_start(uint64_t seed, const struct refusals *refusals, bool clock)
{
  asked = *refusals;
  has_clock = clock;
  for (uint32_t i = 0; i < SITE_REQUEST_N; i++) {
    chance[i] = random_stream(seed, FIRST_STREAM + i);
  }
  if (asked.nth || asked.per_million) site_watched = REFUSING;
  if (!clock) return;
  board_clock_start();
  uint32_t from = board_clock();
  overhead = board_instructions(board_clock() - from);
}

void site_frame(bool timed)
{
  site_watched &= REFUSING;
  if (!timed || !has_clock) return;
  site_watched |= TIMING;
  calls = sum = 0;
}

uint32_t site_mean(void)
{
  return calls ? sum / calls : 0;
}

// Draws at every request, so that what comes later is the same whatever N is.
static bool refuse(enum site site)
{
  uint32_t dice = random_next(&chance[site]) % 1000000;
  uint32_t number = ++site_uses[site].requests;
  if (asked.site != SITE_N && asked.site != site) return false;
  bool refused = dice < asked.per_million;
  if (asked.nth && number % asked.nth == 0) refused = true;
  site_uses[site].refused += refused;
  return refused;
}

bool site_begin_watched(enum site site)
{
  bool refusing = site_watched & REFUSING && site < SITE_REQUEST_N;
  bool open = !refusing || !refuse(site);
  if (site_watched & TIMING) began = board_clock();
  return open;
}

static void count(enum site site, uint32_t cost)
{
  uint32_t bucket = cost / site_steps[site];
  if (bucket >= SITE_BUCKETS) bucket = SITE_BUCKETS - 1;
  site_uses[site].costs[bucket]++;
  if (site >= SITE_REQUEST_N) return;
  calls++;
  sum += cost;
}

void site_end_watched(enum site site)
{
  if (!(site_watched & TIMING)) return;
  uint32_t spent = board_instructions(board_clock() - began);
  count(site, spent < overhead ? 0 : spent - overhead);
}
