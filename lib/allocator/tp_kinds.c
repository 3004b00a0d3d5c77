// SPDX-License-Identifier: MIT
// What is no plain pool, as kinds of the registry.
#include "core/tp_registry.h"

#include "allocator/tp_blocks.h"
#include "allocator/tp_bump.h"
#include "allocator/tp_dense.h"
#include "allocator/tp_frame.h"
#include "allocator/tp_nest.h"
#include "allocator/tp_reloc.h"
#include "check/tp_shadow.h"
#include "core/tp_words.h"
#include "object/tp_scene.h"
#include "policy/tp_spill.h"

// [holds], and what is broken if not.
static bool found(bool holds, struct tp_finding *finding)
{
  finding->broken = holds ? TP_SOUND : TP_BROKEN_OTHER;
  finding->slot = 0;
  return holds;
}

// Chunks ---------------------------------------------------------------------

static bool is_open(const struct tp_chunk *chunk)
{
  return chunk->state->phase == TP_CHUNK_OPEN;
}

static uint32_t chunk_capacity(const void *allocator)
{
  const struct tp_chunk *chunk = (const struct tp_chunk *)allocator;
  return is_open(chunk) ? chunk->pool->capacity : 0;
}

static uint32_t chunk_live(const void *allocator)
{
  return tp_pool_live(((const struct tp_chunk *)allocator)->pool);
}

static void chunk_stats(const void *allocator, struct tp_stats *stats)
{
  tp_pool_stats(((const struct tp_chunk *)allocator)->pool, stats);
}

static bool chunk_verify(const void *allocator, struct tp_finding *finding)
{
  const struct tp_chunk *chunk = (const struct tp_chunk *)allocator;
  if (!is_open(chunk)) return found(true, finding);
  return tp_pool_verify(chunk->pool, finding);
}

static void chunk_scrub(const void *allocator, uint32_t budget, tp_site_t site)
{
  const struct tp_chunk *chunk = (const struct tp_chunk *)allocator;
  if (is_open(chunk)) tp_pool_scrub_for(chunk->pool, budget, site);
}

const struct tp_kind tp_chunk_kind = {
    .name = "pool",
    .unit = "slots",
    .capacity = chunk_capacity,
    .live = chunk_live,
    .stats = chunk_stats,
    .verify = chunk_verify,
    .scrub = chunk_scrub TP_SHADOW(tp_chunk_shadow),
};

// What fills from an end -----------------------------------------------------

// From poison up: do the bytes from [from] on, which somebody had, still hold
// what they were filled with?
static bool is_poison(const tp_word_t *storage, uint32_t from, uint32_t to)
{
  if (from >= to) return true;
  uint32_t words = (to - from) / 4;
  return tp_intact_words(storage + from / 4, words, TP_POISON) == words;
}

// Of what fills from the low end alone.
static bool is_sound(const struct tp_region *region, const tp_word_t *storage,
                     const struct tp_bump *bump)
{
  return tp_bump_is_whole(region, bump, region->bytes) &&
         is_poison(storage, bump->used, tp_bump_peak(bump));
}

static uint32_t region_bytes(const void *allocator)
{
  return ((const struct tp_region *)allocator)->bytes;
}

static void stack_stats(const void *allocator, struct tp_stats *stats)
{
  tp_stack_stats((const struct tp_stack *)allocator, stats);
}

static bool stack_verify(const void *allocator, struct tp_finding *finding)
{
  const struct tp_stack *stack = (const struct tp_stack *)allocator;
  const struct tp_region *region = &stack->region;
  bool sound = is_sound(region, region->storage, &stack->state->bump);
  return found(sound, finding);
}

const struct tp_kind tp_stack_kind = {
    .name = "stack",
    .unit = "bytes",
    .capacity = region_bytes,
    .stats = stack_stats,
    .verify = stack_verify TP_SHADOW(tp_stack_shadow),
};

static void dstack_stats(const void *allocator, struct tp_stats *stats)
{
  const struct tp_dstack *dstack = (const struct tp_dstack *)allocator;
  struct tp_stats high;
  tp_dstack_stats(dstack, TP_LOW, stats);
  tp_dstack_stats(dstack, TP_HIGH, &high);
  stats->live += high.live;
  stats->peak += high.peak;
  stats->refused += high.refused;
  if (stats->peak > dstack->region.bytes) stats->peak = dstack->region.bytes;
}

// What lies between both ends, as far as either ever reached.
static bool is_poison_between(const struct tp_region *region,
                              const struct tp_bump *low,
                              const struct tp_bump *high)
{
  uint32_t begin = low->used, end = region->bytes - high->used;
  uint32_t highest = tp_bump_peak(low);
  uint32_t lowest = region->bytes - tp_bump_peak(high);
  return is_poison(region->storage, begin, highest < end ? highest : end) &&
         is_poison(region->storage, lowest > begin ? lowest : begin, end);
}

static bool dstack_verify(const void *allocator, struct tp_finding *finding)
{
  const struct tp_dstack *dstack = (const struct tp_dstack *)allocator;
  const struct tp_region *region = &dstack->region;
  const struct tp_bump *low = &dstack->state->bump[TP_LOW];
  const struct tp_bump *high = &dstack->state->bump[TP_HIGH];
  bool whole = tp_bump_is_whole(region, low, region->bytes) &&
               tp_bump_is_whole(region, high, region->bytes - low->used);
  return found(whole && is_poison_between(region, low, high), finding);
}

const struct tp_kind tp_dstack_kind = {
    .name = "stack",
    .unit = "bytes",
    .capacity = region_bytes,
    .stats = dstack_stats,
    .verify = dstack_verify TP_SHADOW(tp_dstack_shadow),
};

static void frame_stats(const void *allocator, struct tp_stats *stats)
{
  tp_frame_stats((const struct tp_frame *)allocator, stats);
}

static bool frame_verify(const void *allocator, struct tp_finding *finding)
{
  const struct tp_frame *frame = (const struct tp_frame *)allocator;
  const struct tp_region *region = &frame->region;
  bool sound = frame->state->current < frame->buffers;
  for (uint32_t i = 0; sound && i < frame->buffers; i++) {
    const tp_word_t *storage = region->storage + region->bytes / 4 * i;
    sound = is_sound(region, storage, &frame->bump[i]);
  }
  return found(sound, finding);
}

const struct tp_kind tp_frame_kind = {
    .name = "frame",
    .unit = "bytes",
    .capacity = region_bytes,
    .stats = frame_stats,
    .verify = frame_verify TP_SHADOW(tp_frame_shadow),
};

static const void *rest_of(const void *nest)
{
  return &((const struct tp_nest *)nest)->as.dstack;
}

static void nest_stats(const void *allocator, struct tp_stats *stats)
{
  dstack_stats(rest_of(allocator), stats);
}

static bool nest_verify(const void *allocator, struct tp_finding *finding)
{
  return dstack_verify(rest_of(allocator), finding);
}

const struct tp_kind tp_nest_kind = {
    .name = "nest",
    .unit = "bytes",
    .stats = nest_stats,
    .verify = nest_verify TP_SHADOW(tp_nest_shadow),
};

// Blocks ---------------------------------------------------------------------

static uint32_t blocks_capacity(const void *allocator)
{
  const struct tp_blocks *blocks = (const struct tp_blocks *)allocator;
  uint32_t bytes = 0;
  for (uint32_t i = 0; i < blocks->count; i++) {
    const struct tp_pool *pool = blocks->classes[i].pool;
    bytes += (uint32_t)pool->capacity * pool->size;
  }
  return bytes;
}

static uint32_t blocks_live(const void *allocator)
{
  const struct tp_blocks *blocks = (const struct tp_blocks *)allocator;
  uint32_t bytes = 0;
  for (uint32_t i = 0; i < blocks->count; i++) {
    const struct tp_pool *pool = blocks->classes[i].pool;
    bytes += tp_pool_live(pool) * pool->size;
  }
  return bytes;
}

static void blocks_stats(const void *allocator, struct tp_stats *stats)
{
  const struct tp_blocks *blocks = (const struct tp_blocks *)allocator;
  struct tp_stats one;
  tp_clear_words(stats, sizeof *stats);
  for (uint32_t i = 0; tp_blocks_stats(blocks, i, &one); i++) {
    uint32_t size = blocks->classes[i].pool->size;
    stats->live += one.live * size;
    stats->peak += one.peak * size;
    if (!blocks->bigger || i == blocks->count - 1u)
      stats->refused += one.refused;
  }
}

static bool blocks_verify(const void *allocator, struct tp_finding *finding)
{
  return found(tp_blocks_verify((const struct tp_blocks *)allocator), finding);
}

const struct tp_kind tp_blocks_kind = {
    .name = "blocks",
    .unit = "bytes",
    .capacity = blocks_capacity,
    .live = blocks_live,
    .stats = blocks_stats,
    .verify = blocks_verify TP_SHADOW(tp_blocks_shadow),
};

// Objects and blocks that move -----------------------------------------------

static uint32_t dense_capacity(const void *allocator)
{
  return ((const struct tp_dense *)allocator)->capacity;
}

static void dense_stats(const void *allocator, struct tp_stats *stats)
{
  tp_dense_stats((const struct tp_dense *)allocator, stats);
}

static bool dense_verify(const void *allocator, struct tp_finding *finding)
{
  return found(tp_dense_verify((const struct tp_dense *)allocator), finding);
}

const struct tp_kind tp_dense_kind = {
    .name = "dense",
    .unit = "objects",
    .capacity = dense_capacity,
    .stats = dense_stats,
    .verify = dense_verify TP_SHADOW(tp_dense_shadow),
};

static uint32_t reloc_live(const void *allocator)
{
  return ((const struct tp_reloc *)allocator)->state->live;
}

static void reloc_stats(const void *allocator, struct tp_stats *stats)
{
  tp_reloc_stats((const struct tp_reloc *)allocator, stats);
}

static bool reloc_verify(const void *allocator, struct tp_finding *finding)
{
  return found(tp_reloc_verify((const struct tp_reloc *)allocator), finding);
}

const struct tp_kind tp_reloc_kind = {
    .name = "relocating",
    .unit = "blocks",
    .live = reloc_live,
    .stats = reloc_stats,
    .verify = reloc_verify,
};

static void arena_stats(const void *allocator, struct tp_stats *stats)
{
  const struct tp_reloc *reloc = (const struct tp_reloc *)allocator;
  uint32_t touched = reloc->state->touched;  // With the header at the top.
  tp_clear_words(stats, sizeof *stats);
  stats->live = reloc->state->top * (uint32_t)TP_RELOC_UNIT;
  stats->peak = touched ? (touched - 1) * TP_RELOC_UNIT : 0;
  stats->refused = reloc->state->refused;
}

static bool arena_verify(const void *allocator, struct tp_finding *finding)
{
  const struct tp_reloc *reloc = (const struct tp_reloc *)allocator;
  return found(reloc->state->top <= reloc->units, finding);
}

const struct tp_kind tp_arena_kind = {
    .name = "relocating",
    .unit = "bytes",
    .stats = arena_stats,
    .verify = arena_verify TP_SHADOW(tp_arena_shadow),
};

// Scenes ---------------------------------------------------------------------

static void scenes_stats(const void *allocator, struct tp_stats *stats)
{
  const struct tp_scenes *scenes = (const struct tp_scenes *)allocator;
  uint32_t scene = tp_scene_current(scenes);
  tp_clear_words(stats, sizeof *stats);
  if (scene != TP_NO_SCENE) stats->live = tp_scene_bytes(scenes, scene);
  stats->peak = scenes->state->peak;
  stats->refused = scenes->state->refused;
}

static bool scenes_verify(const void *allocator, struct tp_finding *finding)
{
  const struct tp_scenes *scenes = (const struct tp_scenes *)allocator;
  return found(scenes->state->entered <= scenes->scene_count &&
                   scenes->state->peak <= scenes->bytes,
               finding);
}

const struct tp_kind tp_scenes_kind = {
    .name = "scenes",
    .unit = "bytes",
    .stats = scenes_stats,
    .verify = scenes_verify TP_SHADOW(tp_scenes_shadow),
};
