// SPDX-License-Identifier: MIT
// What the sanitizer knows of allocators that are no plain pool: which of their
// bytes somebody has, said by their own words.
#include "check/tp_shadow.h"

#include "allocator/tp_blocks.h"
#include "allocator/tp_dense.h"
#include "allocator/tp_dstack.h"
#include "allocator/tp_frame.h"
#include "allocator/tp_nest.h"
#include "allocator/tp_reloc_block.h"
#include "allocator/tp_stack.h"
#include "core/tp_registry.h"
#include "object/tp_scene.h"
#include "policy/tp_spill.h"

#if TIDEPOOL_SANITIZE

// One run, [bytes] from [begin] on, and no more.
static bool only(uint32_t index, const void *begin, uint32_t bytes,
                 struct tp_run *run)
{
  run->begin = (uintptr_t)begin;
  run->bytes = bytes;
  return index == 0;
}

// Is all of [access] within the bytes from [low] to [high], counted from
// [begin]?
static bool within(const struct tp_access *access, const void *begin,
                   uint32_t low, uint32_t high)
{
  uintptr_t offset = access->address - (uintptr_t)begin;
  return offset >= low && offset < high && high - offset >= access->bytes;
}

static enum tp_fault_kind tell(const char *name, enum tp_fault_kind kind,
                               const struct tp_access *access,
                               struct tp_fault_record *record)
{
  tp_shadow_tell(record, name, NULL, access);
  return kind;
}

// Chunks ---------------------------------------------------------------------

static bool chunk_run(const void *allocator, uint32_t index, struct tp_run *run)
{
  const struct tp_chunk *chunk = (const struct tp_chunk *)allocator;
  return tp_pool_shadow.run(chunk->pool, index, run);
}

// What is released is the application's, if it is to be asked for: all of it,
// with what stands before links and between slots.
static enum tp_fault_kind chunk_judge(const void *allocator,
                                      const struct tp_access *access,
                                      struct tp_fault_record *record)
{
  const struct tp_chunk *chunk = (const struct tp_chunk *)allocator;
  struct tp_run all;
  (void)chunk_run(chunk, 0, &all);
  bool lent = chunk->reclaim && chunk->state->phase != TP_CHUNK_OPEN;
  if (lent && within(access, (const void *)all.begin, 0, all.bytes)) {
    return TP_FAULT_NONE;
  }
  return tp_pool_shadow.judge(chunk->pool, access, record);
}

const struct tp_shadow tp_chunk_shadow = {.run = chunk_run,
                                          .judge = chunk_judge};

// Blocks ---------------------------------------------------------------------

static bool blocks_run(const void *allocator, uint32_t index,
                       struct tp_run *run)
{
  (void)allocator;
  (void)index;
  (void)run;
  return false;  // Its classes have them all.
}

static bool blocks_has(const void *allocator, const void *part)
{
  const struct tp_blocks *blocks = (const struct tp_blocks *)allocator;
  uint32_t index = 0;
  while (index < blocks->count && blocks->classes[index].pool != part) index++;
  return index < blocks->count;
}

static const struct tp_blocks_class *class_at(const struct tp_blocks *blocks,
                                              uintptr_t address)
{
  const struct tp_blocks_class *of = blocks->classes;
  struct tp_run run;
  while (tp_pool_shadow.run(of->pool, 0, &run) &&
         address - run.begin >= run.bytes) {
    of++;
  }
  return of;
}

// Of a block, as many bytes as were asked for. 0 were, while it is issued.
static enum tp_fault_kind blocks_judge(const void *allocator,
                                       const struct tp_access *access,
                                       struct tp_fault_record *record)
{
  const struct tp_blocks *blocks = (const struct tp_blocks *)allocator;
  const struct tp_blocks_class *of = class_at(blocks, access->address);
  const struct tp_pool *pool = of->pool;
  uintptr_t offset = access->address - (uintptr_t)pool->storage;
  uint32_t index = (uint32_t)offset / pool->stride;
  uint32_t from = (uint32_t)offset - index * pool->stride;
  uint32_t tag = index < pool->capacity ? pool->tag[index + 1] : 0;
  enum tp_fault_kind kind = tp_pool_shadow.judge(pool, access, record);
  if (kind != TP_FAULT_NONE) return kind;
  uint32_t asked = of->asked[index + 1];
  tp_shadow_know(access->address - from, asked, &pool->tag[index + 1], tag,
                 NULL);
  if (asked == 0 || from + access->bytes <= asked) return TP_FAULT_NONE;
  tp_shadow_tell(record, pool->name, pool, access);
  record->slot = index + 1;
  record->address = (const void *)(access->address - from);
  record->offset = from;
  return TP_FAULT_BESIDE;
}

const struct tp_shadow tp_blocks_shadow = {
    .run = blocks_run, .judge = blocks_judge, .has = blocks_has};

// What fills from an end -----------------------------------------------------

static bool region_run(const void *allocator, uint32_t index,
                       struct tp_run *run)
{
  const struct tp_region *region = (const struct tp_region *)allocator;
  return only(index, region->storage, region->bytes, run);
}

static enum tp_fault_kind stack_judge(const void *allocator,
                                      const struct tp_access *access,
                                      struct tp_fault_record *record)
{
  const struct tp_stack *stack = (const struct tp_stack *)allocator;
  const struct tp_region *region = &stack->region;
  if (within(access, region->storage, 0, stack->state->bump.used)) {
    return TP_FAULT_NONE;
  }
  return tell(region->name, TP_FAULT_DEAD, access, record);
}

const struct tp_shadow tp_stack_shadow = {.run = region_run,
                                          .judge = stack_judge};

static enum tp_fault_kind dstack_judge(const void *allocator,
                                       const struct tp_access *access,
                                       struct tp_fault_record *record)
{
  const struct tp_dstack *dstack = (const struct tp_dstack *)allocator;
  const struct tp_region *region = &dstack->region;
  const struct tp_bump *bump = dstack->state->bump;
  uint32_t high = region->bytes - bump[TP_HIGH].used;
  if (within(access, region->storage, 0, bump[TP_LOW].used) ||
      within(access, region->storage, high, region->bytes)) {
    return TP_FAULT_NONE;
  }
  return tell(region->name, TP_FAULT_DEAD, access, record);
}

const struct tp_shadow tp_dstack_shadow = {.run = region_run,
                                           .judge = dstack_judge};

// All buffers: what was drawn into the last one is there until its turn comes.
static bool frame_run(const void *allocator, uint32_t index, struct tp_run *run)
{
  const struct tp_frame *frame = (const struct tp_frame *)allocator;
  uint32_t bytes = frame->region.bytes * frame->buffers;
  return only(index, frame->region.storage, bytes, run);
}

static enum tp_fault_kind frame_judge(const void *allocator,
                                      const struct tp_access *access,
                                      struct tp_fault_record *record)
{
  const struct tp_frame *frame = (const struct tp_frame *)allocator;
  const struct tp_region *region = &frame->region;
  uint32_t begin = 0;
  for (uint32_t i = 0; i < frame->buffers; i++, begin += region->bytes) {
    uint32_t end = begin + frame->bump[i].used;
    if (within(access, region->storage, begin, end)) return TP_FAULT_NONE;
  }
  return tell(region->name, TP_FAULT_DEAD, access, record);
}

const struct tp_shadow tp_frame_shadow = {.run = frame_run,
                                          .judge = frame_judge};

// Nests ----------------------------------------------------------------------

static bool nest_run(const void *allocator, uint32_t index, struct tp_run *run)
{
  const struct tp_nest *nest = (const struct tp_nest *)allocator;
  return region_run(&nest->as.dstack.region, index, run);
}

static const struct tp_shadow *shadow_of(const struct tp_nest *nest)
{
  switch (nest->kind) {
    case TP_NEST_STACK:
      return &tp_stack_shadow;
    case TP_NEST_FRAME:
      return &tp_frame_shadow;
    case TP_NEST_POOL:
      return &tp_pool_shadow;
    default:
      return &tp_dstack_shadow;
  }
}

// Does what is accessed begin in memory of [nest]? Of a pool, that of its tags
// and counts is the parent's, too.
static bool nest_holds(const struct tp_nest *nest,
                       const struct tp_access *access)
{
  const struct tp_shadow *shadow = shadow_of(nest);
  struct tp_run run;
  for (uint32_t i = 0; shadow->run(&nest->as, i, &run); i++) {
    if (access->address - run.begin < run.bytes) return true;
  }
  return false;
}

// The child of [nest] whose memory it is; NULL if it is no child's.
static const struct tp_nest *child_of(const struct tp_nest *nest,
                                      const struct tp_access *access)
{
  for (uint32_t end = 0; nest->state && end < 2; end++) {
    const struct tp_nest *child = nest->state->newest[end];
    for (; child; child = child->older) {
      if (nest_holds(child, access)) return child;
    }
  }
  return NULL;
}

static enum tp_fault_kind nest_judge(const void *allocator,
                                     const struct tp_access *access,
                                     struct tp_fault_record *record)
{
  const struct tp_nest *nest = (const struct tp_nest *)allocator;
  const struct tp_nest *child = child_of(nest, access);
  while (child) {
    nest = child;
    child = child_of(nest, access);
  }
  return shadow_of(nest)->judge(&nest->as, access, record);
}

const struct tp_shadow tp_nest_shadow = {.run = nest_run, .judge = nest_judge};

// Objects and blocks that move -----------------------------------------------

static bool dense_run(const void *allocator, uint32_t index, struct tp_run *run)
{
  const struct tp_dense *dense = (const struct tp_dense *)allocator;
  uint32_t bytes = (uint32_t)dense->capacity * dense->stride;
  return only(index, dense->storage, bytes, run);
}

static enum tp_fault_kind dense_judge(const void *allocator,
                                      const struct tp_access *access,
                                      struct tp_fault_record *record)
{
  const struct tp_dense *dense = (const struct tp_dense *)allocator;
  uintptr_t offset = access->address - (uintptr_t)dense->storage;
  uint32_t index = (uint32_t)offset / dense->stride;
  uint32_t from = (uint32_t)offset - index * dense->stride;
  bool inside = from + access->bytes <= dense->size;
  if (inside && index < dense->state->count) return TP_FAULT_NONE;
  (void)tell(dense->name, TP_FAULT_DEAD, access, record);
  record->address = (const void *)(access->address - from);
  record->offset = from;
  return inside ? TP_FAULT_DEAD : TP_FAULT_BESIDE;
}

const struct tp_shadow tp_dense_shadow = {.run = dense_run,
                                          .judge = dense_judge};

// Of the arena, with the header behind the last block.
static bool arena_run(const void *allocator, uint32_t index, struct tp_run *run)
{
  const struct tp_reloc *reloc = (const struct tp_reloc *)allocator;
  uint32_t bytes = (reloc->units + 1u) * TP_RELOC_UNIT;
  return only(index, reloc->arena, bytes, run);
}

static bool is_block(const struct tp_reloc *reloc, uint32_t index,
                     const struct tp_access *access)
{
  const struct tp_reloc_entry *entry = &reloc->entry[index];
  if (entry->generation % 2 == 0) return false;
  uint32_t bytes = (tp_head_at(reloc, entry->at)->units - 1u) * TP_RELOC_UNIT;
  return within(access, tp_head_block(reloc, entry->at), 0, bytes);
}

// Only while it is locked is a block's address worth anything; and while it is
// told that the block has moved there.
static enum tp_fault_kind arena_judge(const void *allocator,
                                      const struct tp_access *access,
                                      struct tp_fault_record *record)
{
  static volatile uint16_t last;  // Where accesses are, the next often is.
  const struct tp_reloc *reloc = (const struct tp_reloc *)allocator;
  uint32_t index = last;
  if (index == 0 || index > reloc->state->fresh ||
      !is_block(reloc, index, access)) {
    index = reloc->state->fresh;
    while (index > 0 && !is_block(reloc, index, access)) index--;
  }
  if (index == 0) return tell(reloc->name, TP_FAULT_DEAD, access, record);
  last = (uint16_t)index;
  const struct tp_reloc_entry *entry = &reloc->entry[index];
  const tp_word_t *block = tp_head_block(reloc, entry->at);
  if (entry->locks > 0 || tp_shadow_is_evicting(block)) return TP_FAULT_NONE;
  (void)tell(reloc->name, TP_FAULT_UNLOCKED, access, record);
  record->slot = index;
  record->address = block;
  record->offset = (uint32_t)(access->address - (uintptr_t)block);
  return TP_FAULT_UNLOCKED;
}

const struct tp_shadow tp_arena_shadow = {.run = arena_run,
                                          .judge = arena_judge};

// Scenes ---------------------------------------------------------------------

// Its memory, and behind that each descriptor that it writes.
static bool scenes_run(const void *allocator, uint32_t index,
                       struct tp_run *run)
{
  const struct tp_scenes *scenes = (const struct tp_scenes *)allocator;
  if (index == 0) return only(index, scenes->arena, scenes->bytes, run);
  if (index > scenes->part_count) return false;
  const struct tp_seal *seal = scenes->parts[index - 1].seal;
  run->begin = seal ? (uintptr_t)seal->descriptor : 0;
  run->bytes = seal ? seal->count * (uint32_t)sizeof(tp_word_t) : 0;
  return true;
}

// The part whose descriptor lies there.
static const char *part_at(const struct tp_scenes *scenes, uintptr_t address)
{
  struct tp_run run;
  for (uint32_t i = 1; scenes_run(scenes, i, &run); i++) {
    if (address - run.begin < run.bytes) return scenes->parts[i - 1].name;
  }
  return scenes->name;
}

// Its parts have entries of their own, and tell where they lie now. Their
// descriptors may be read, which some calls do that are part of their callers.
static enum tp_fault_kind scenes_judge(const void *allocator,
                                       const struct tp_access *access,
                                       struct tp_fault_record *record)
{
  const struct tp_scenes *scenes = (const struct tp_scenes *)allocator;
  if (access->address - (uintptr_t)scenes->arena < scenes->bytes) {
    const void *owner = tp_shadow_tenant(access->address);
    if (owner) return tp_shadow_judge(owner, access, record);
    return tell(scenes->name, TP_FAULT_DEAD, access, record);
  }
  if (!access->writes) return TP_FAULT_NONE;
  return tell(part_at(scenes, access->address), TP_FAULT_METADATA, access,
              record);
}

const struct tp_shadow tp_scenes_shadow = {.run = scenes_run,
                                           .judge = scenes_judge};

#endif
