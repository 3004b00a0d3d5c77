// SPDX-License-Identifier: MIT
// watch_scripts.c - blocks: a script's words are written in the frame that
// begins it, and are the same when it ends.
#include "check/tp_level.h"
#include "scripts.h"
#include "watch.h"

struct block {
  uint32_t *words;  // NULL: none here.
  uint32_t sum;
  uint16_t bytes;
  bool summed;
};

static struct block blocks[SCRIPTS_COUNT];
static uint32_t live, spoilt;
static uint32_t begun;  // In this frame: their words are being written.

static struct block *block_of(const uint32_t *words)
{
  for (uint32_t i = 0; i < SCRIPTS_COUNT; i++) {
    if (blocks[i].words == words) return &blocks[i];
  }
  return 0;
}

static uint32_t sum_of(const struct block *block)
{
  uint32_t sum = 0;
  for (uint32_t i = 0; i < block->bytes / 4u; i++) {
    sum = sum * 31 + block->words[i];
  }
  return sum;
}

void watch_script_asked(uint32_t *words, uint32_t bytes)
{
  struct block *block = block_of(0);
  if (!block) return;
  *block = (struct block){.words = words, .bytes = (uint16_t)bytes};
  live++;
  begun++;
}

void watch_script_freed(const uint32_t *words)
{
  struct block *block = block_of(words);
  if (!block) return;
  spoilt += block->summed && sum_of(block) != block->sum;
  block->words = 0;
  live--;
}

void watch_scripts_frame(void)
{
  for (uint32_t i = 0; begun > 0 && i < SCRIPTS_COUNT; i++) {
    struct block *block = &blocks[i];
    if (!block->words || block->summed) continue;
    block->sum = sum_of(block);
    block->summed = true;
    begun--;
  }
  begun = 0;
}

// Bytes between what was asked for and the class that was to serve it: at
// least so many are wasted, more where a bigger class helped out.
static uint32_t least_waste(void)
{
  const struct tp_blocks_class *classes = scripts_blocks.classes;
  uint32_t waste = 0;
  for (uint32_t i = 0; i < SCRIPTS_COUNT; i++) {
    uint32_t fits = 0;
    if (!blocks[i].words) continue;
    while (classes[fits].pool->size < blocks[i].bytes) fits++;
    waste += classes[fits].pool->size - blocks[i].bytes;
  }
  return waste;
}

static uint32_t live_blocks(void)
{
  uint32_t count = 0;
  struct tp_stats stats;
  for (uint32_t i = 0; tp_blocks_stats(&scripts_blocks, i, &stats); i++) {
    count += stats.live;
  }
  return count;
}

const char *watch_scripts_audit(void)
{
  if (spoilt) return "scripts: a block's contents changed";
  if (!tp_blocks_verify(&scripts_blocks)) return "scripts: a class is broken";
  if (scripts_running() != live) return "scripts: live, but held by nobody";
  if (TP_CHECKS < TP_CHECKS_FAST) return 0;
  if (live_blocks() != live) return "scripts: live counts differ";
  if (scripts_blocks.waste->now < least_waste()) return "scripts: waste is off";
  return 0;
}
