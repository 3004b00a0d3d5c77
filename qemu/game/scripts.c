// SPDX-License-Identifier: MIT
#include "scripts.h"

#include "draw.h"
#include "random.h"
#include "scenario.h"
#include "tp_pools.h"

enum { WORDS_MAX = 16 };

struct script {
  uint32_t *words;  // What it was begun with.
  uint16_t count;
  uint16_t frames_left;
};

static struct random *const chance = &streams[STREAM_SCRIPTS];
static struct script scripts[SCRIPTS_COUNT];
static uint32_t running;

static void begin(void)
{
  struct script script = {
      .count = (uint16_t)random_between(chance, 1, WORDS_MAX),
      .frames_left = (uint16_t)random_between(chance, 10, 200),
  };
  uint32_t word = random_next(chance);
  script.words = scripts_alloc(script.count * sizeof(uint32_t));
  if (!script.words) return;
  for (uint32_t i = 0; i < script.count; i++) script.words[i] = word + i;
  scripts[running++] = script;
}

// The last thing a script does is seen.
static void end(struct script *script)
{
  uint32_t last = script->words[script->count - 1];
  draw((int32_t)(last % WIDTH), (int32_t)(last / 16 % HEIGHT), COLOUR_PINK,
       SHAPE_DOT);
  scripts_free(script->words);
  *script = scripts[--running];
}

// From the last to the first: who takes the place of one that ended has run.
void scripts_update(void)
{
  uint32_t percent = scenario.script_percent * scenario_load();
  for (uint32_t n = random_times(chance, percent); n > 0; n--) begin();
  for (uint32_t i = running; i-- > 0;) {
    if (--scripts[i].frames_left == 0) end(&scripts[i]);
  }
}

uint32_t scripts_running(void)
{
  return running;
}
