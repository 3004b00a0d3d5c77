// SPDX-License-Identifier: MIT
#include "scripts.h"

#include "counts.h"
#include "random.h"
#include "scenario.h"
#include "site.h"
#include "tp_pools.h"
#include "allocator/tp_blocks.h"

enum { SCRIPTS = 2 * COUNT_enemies, WORDS_MAX = 16 };

struct script {
  uint32_t *words;  // NULL: none runs.
  uint32_t count;
  uint32_t first;  // The rest of its words follow from it.
  uint32_t frames_left;
};

static struct random chance;
static struct script scripts[SCRIPTS];
static uint32_t running, spoilt;

void scripts_start(uint64_t seed)
{
  chance = random_stream(seed, 8);
}

static uint32_t *new_frame(uint32_t count)
{
  bool open = site_begin(SITE_SCRIPT);
  uint32_t *words = open ? scripts_alloc(count * sizeof(uint32_t)) : 0;
  site_end(SITE_SCRIPT);
  return words;
}

static void begin(struct script *script)
{
  uint32_t count = random_between(&chance, 1, WORDS_MAX);
  script->words = new_frame(count);
  if (!script->words) return;
  script->count = count;
  script->first = random_next(&chance);
  script->frames_left = random_between(&chance, 10, 200);
  for (uint32_t i = 0; i < count; i++) script->words[i] = script->first + i;
  running++;
}

static void end(struct script *script)
{
  for (uint32_t i = 0; i < script->count; i++) {
    spoilt += script->words[i] != script->first + i;
  }
  site_begin(SITE_SCRIPT_FREE);
  scripts_free(script->words);
  site_end(SITE_SCRIPT_FREE);
  script->words = 0;
  running--;
}

// Of all places for a script, a few may begin one each frame.
void scripts_update(struct hash *hash)
{
  uint32_t tries = 2 * scenario_load();
  for (uint32_t i = 0; i < tries; i++) {
    struct script *script = &scripts[random_below(&chance, SCRIPTS)];
    if (!script->words) begin(script);
  }
  for (uint32_t i = 0; i < SCRIPTS; i++) {
    struct script *script = &scripts[i];
    if (script->words && --script->frames_left == 0) end(script);
  }
  hash_add(hash, running);
}

uint32_t scripts_running(void)
{
  return running;
}

// Bytes between what was asked for and the class that was to serve it: at
// least so many are wasted, more where a bigger class helped out.
static uint32_t least_waste(void)
{
  const struct tp_blocks_class *classes = scripts_blocks.classes;
  uint32_t waste = 0;
  for (uint32_t i = 0; i < SCRIPTS; i++) {
    uint32_t bytes = scripts[i].count * 4;
    uint32_t fits = 0;
    if (!scripts[i].words) continue;
    while (classes[fits].pool->size < bytes) fits++;
    waste += classes[fits].pool->size - bytes;
  }
  return waste;
}

static uint32_t live_blocks(void)
{
  uint32_t live = 0;
  struct tp_stats stats;
  for (uint32_t i = 0; tp_blocks_stats(&scripts_blocks, i, &stats); i++) {
    live += stats.live;
  }
  return live;
}

const char *scripts_audit(void)
{
  if (spoilt) return "scripts: a block's contents changed";
  if (!tp_blocks_verify(&scripts_blocks)) return "scripts: a class is broken";
  if (TP_CHECKS < TP_CHECKS_FAST) return 0;
  if (live_blocks() != running) return "scripts: live counts differ";
  if (scripts_blocks.waste->now < least_waste()) return "scripts: waste is off";
  return 0;
}
