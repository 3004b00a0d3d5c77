// SPDX-License-Identifier: MIT
#include "scripts.h"

#include "draw.h"
#include "random.h"
#include "scenario.h"
#include "tp_pools.h"

enum { WORDS_MAX = 16 };

struct script {
  uint32_t *words;  // What it was begun with; NULL: none runs.
  uint16_t count;
  uint16_t frames_left;
};

static struct random *const chance = &streams[STREAM_SCRIPTS];
static struct script scripts[SCRIPTS_MAX];
static uint32_t running;

static void begin(struct script *script)
{
  uint32_t count = random_between(chance, 1, WORDS_MAX);
  script->words = scripts_alloc(count * sizeof(uint32_t));
  if (!script->words) return;
  uint32_t word = random_next(chance);
  for (uint32_t i = 0; i < count; i++) script->words[i] = word + i;
  script->count = (uint16_t)count;
  script->frames_left = (uint16_t)random_between(chance, 10, 200);
  running++;
}

// The last thing a script does is seen.
static void end(struct script *script)
{
  uint32_t last = script->words[script->count - 1];
  draw((int32_t)(last % 81920), (int32_t)(last / 16 % 61440), 11);
  scripts_free(script->words);
  script->words = 0;
  running--;
}

// Of all places for a script, a few may begin one each frame.
void scripts_update(void)
{
  uint32_t tries = 2 * scenario_load();
  for (uint32_t i = 0; i < tries; i++) {
    struct script *script = &scripts[random_below(chance, SCRIPTS_MAX)];
    if (!script->words) begin(script);
  }
  for (uint32_t i = 0; i < SCRIPTS_MAX; i++) {
    struct script *script = &scripts[i];
    if (script->words && --script->frames_left == 0) end(script);
  }
}

uint32_t scripts_running(void)
{
  return running;
}
