// SPDX-License-Identifier: MIT
#include "scenario.h"

#include "run.h"

#define SCENARIO_DEFAULT(name, value) .name = (value),
struct scenario scenario = {SCENARIO(SCENARIO_DEFAULT)};

#define SCENARIO_NAME(name, value) #name,
static const char *const names[] = {SCENARIO(SCENARIO_NAME)};

static uint32_t load = 1;

static bool begins_with(const char *text, const char *name)
{
  while (*name) {
    if (*text++ != *name++) return false;
  }
  return *text == '=';
}

uint32_t *scenario_entry(const char *name)
{
  uint32_t *entry = (uint32_t *)&scenario;
  for (uint32_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    if (begins_with(name, names[i])) return &entry[i];
  }
  return 0;
}

// Whether the last [seconds] of every [every] seconds are under way.
static bool is_time(uint32_t frame, uint32_t every, uint32_t seconds)
{
  if (every == 0) return false;
  return frame / FRAMES_PER_SECOND % every + seconds >= every;
}

void scenario_frame(uint32_t frame)
{
  load = 1;
  if (is_time(frame, scenario.storm_every, scenario.storm_seconds)) {
    load = scenario.storm_times;
  }
  if (is_time(frame, scenario.lull_every, scenario.lull_seconds)) load = 0;
}

uint32_t scenario_load(void)
{
  return load;
}
