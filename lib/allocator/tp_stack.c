// SPDX-License-Identifier: MIT
// Stacks, double-ended stacks and frames: what fills from an end.
#include "allocator/tp_stack.h"

#include "allocator/tp_bump.h"
#include "allocator/tp_dstack.h"
#include "allocator/tp_frame.h"
#include "object/tp_scene.h"

//@ TP_STACK_ALLOCATES(stack, size, align);
TP_NOINLINE static void *stack_alloc(const struct tp_stack *stack, size_t size,
                                     size_t align, tp_site_t site)
{
  struct tp_side side = tp_side_of_stack(stack);
  return tp_bump_alloc(&side, size, align, site);
}

//@ TP_STACK_ALLOCATES(stack, size, align);
TP_NOINLINE void *tp_stack_alloc(const struct tp_stack *stack, size_t size,
                                 size_t align)
{
  void *object;
  if (TP_AS_IT_LIES) {
    struct tp_side side = tp_side_of_stack(stack);
    if (tp_bump_push(&side, size, align, &object)) return object;
  }
  return stack_alloc(stack, size, align, tp_site(NULL));
}

//@ TP_STACK_MARKS(stack);
TP_NOINLINE struct tp_mark tp_stack_mark(const struct tp_stack *stack)
{
  struct tp_side side = tp_side_of_stack(stack);
  tp_region_check(side.region, tp_site(NULL));
  return tp_bump_mark(&side, side.bump->used);
}

//@ TP_STACK_RELEASES(stack, mark);
TP_NOINLINE void tp_stack_release_mark(const struct tp_stack *stack,
                                       const struct tp_mark *mark)
{
  struct tp_side side = tp_side_of_stack(stack);
  tp_bump_release(&side, mark, tp_site(NULL));
}

//@ TP_STACK_RESETS(stack);
TP_NOINLINE void tp_stack_reset(const struct tp_stack *stack)
{
  struct tp_side side = tp_side_of_stack(stack);
  tp_bump_reset(&side, tp_site(NULL));
}

TP_NOINLINE void *tp_stack_alloc_block(const struct tp_stack *stack,
                                       size_t size, size_t align)
{
  struct tp_side side = tp_side_of_stack(stack);
  return tp_bump_alloc_block(&side, size, align, tp_site(NULL));
}

TP_NOINLINE void tp_stack_free(const struct tp_stack *stack, void *block)
{
  struct tp_side side = tp_side_of_stack(stack);
  tp_bump_free(&side, block, tp_site(NULL));
}

void tp_stack_stats(const struct tp_stack *stack, struct tp_stats *stats)
{
  tp_bump_stats(&stack->state->bump, stats);
}

//@ TP_LOOKS(end == TP_LOW || end == TP_HIGH, \valid_read(dstack));
static void check_end(const struct tp_dstack *dstack, enum tp_end end,
                      tp_site_t site)
{
  if (!TP_MISUSE((unsigned)end > TP_HIGH)) return;
  tp_raise_misuse(TP_FAULT_SIZE, dstack->region.name, dstack->region.storage,
                  (uint32_t)end, TP_HIGH, site);
}

//@ TP_DSTACK_ALLOCATES(dstack, end, size, align);
TP_NOINLINE void *tp_dstack_alloc(const struct tp_dstack *dstack,
                                  enum tp_end end, size_t size, size_t align)
{
  check_end(dstack, end, tp_site(NULL));
  struct tp_side side = tp_side_of_dstack(dstack, end);
  return tp_bump_alloc(&side, size, align, tp_site(NULL));
}

//@ TP_DSTACK_MARKS(dstack, end);
TP_NOINLINE struct tp_mark tp_dstack_mark(const struct tp_dstack *dstack,
                                          enum tp_end end)
{
  check_end(dstack, end, tp_site(NULL));
  struct tp_side side = tp_side_of_dstack(dstack, end);
  tp_region_check(side.region, tp_site(NULL));
  return tp_bump_mark(&side, side.bump->used);
}

//@ TP_DSTACK_RELEASES(dstack, end, mark);
TP_NOINLINE void tp_dstack_release_mark(const struct tp_dstack *dstack,
                                        enum tp_end end,
                                        const struct tp_mark *mark)
{
  check_end(dstack, end, tp_site(NULL));
  struct tp_side side = tp_side_of_dstack(dstack, end);
  tp_bump_release(&side, mark, tp_site(NULL));
}

//@ TP_DSTACK_RESETS(dstack, end);
TP_NOINLINE void tp_dstack_reset(const struct tp_dstack *dstack,
                                 enum tp_end end)
{
  check_end(dstack, end, tp_site(NULL));
  struct tp_side side = tp_side_of_dstack(dstack, end);
  tp_bump_reset(&side, tp_site(NULL));
}

TP_NOINLINE void *tp_dstack_alloc_block(const struct tp_dstack *dstack,
                                        enum tp_end end, size_t size,
                                        size_t align)
{
  check_end(dstack, end, tp_site(NULL));
  struct tp_side side = tp_side_of_dstack(dstack, end);
  return tp_bump_alloc_block(&side, size, align, tp_site(NULL));
}

TP_NOINLINE void tp_dstack_free(const struct tp_dstack *dstack, enum tp_end end,
                                void *block)
{
  check_end(dstack, end, tp_site(NULL));
  struct tp_side side = tp_side_of_dstack(dstack, end);
  tp_bump_free(&side, block, tp_site(NULL));
}

TP_NOINLINE void tp_dstack_stats(const struct tp_dstack *dstack,
                                 enum tp_end end, struct tp_stats *stats)
{
  check_end(dstack, end, tp_site(NULL));
  tp_bump_stats(&dstack->state->bump[end], stats);
}

// Whose turn it is after as many ends as there were: the remainder, bit by bit,
// since ARMv6-M would call a library for it.
static uint32_t turn_of(const struct tp_frame *frame)
{
  uint32_t turn = 0;
  for (uint32_t bit = 32; bit-- > 0;) {
    turn = turn << 1 | (frame->state->ended >> bit & 1);
    if (turn >= frame->buffers) turn -= frame->buffers;
  }
  return turn;
}

// Faults iff it is the turn of another buffer. At full, unless TP_AUDIT is 0.
static void check_turn(const struct tp_frame *frame, tp_site_t site)
{
  const struct tp_frame_state *state = frame->state;
  if (state->current == turn_of(frame)) return;
  tp_bump_raise_top(&frame->region, &state->current, state->current, site);
}

// The buffer that allocations come from now. Faults iff there is no such one.
//@ TP_IS_OF_FRAME(frame);
TP_INLINE struct tp_side current_of(const struct tp_frame *frame,
                                    tp_site_t site)
{
  if (TP_AUDITED) check_turn(frame, site);
  uint32_t current = frame->state->current;
  uintptr_t storage = (uintptr_t)frame->region.storage;
  struct tp_bump *bump = frame->bump;
  if (!TP_LIKELY(current == 0)) {  // There is a first one.
    if (TP_MISUSE(current >= frame->buffers)) {
      tp_bump_raise_top(&frame->region, &frame->state->current, current, site);
    }
    storage += (uintptr_t)frame->region.bytes * current;
    bump += current;
  }
  //@ assert product: TP_BUFFER_BEGINS(frame, current);
  //@ assert flat: TP_BUFFER_FLAT(frame, current);
  //@ assert lies: TP_BUFFER_LIES(frame, current, storage);
  //@ assert within: TP_BUFFER_WITHIN(frame, current, storage);
  TP_KEEP(bump);
  return (struct tp_side){
      .region = &frame->region,
      .storage = (tp_word_t *)storage,
      .bump = bump,
      .other = NULL,
      .marks = NULL,
      .end = TP_LOW,
  };
}

//@ TP_FRAME_ALLOCATES(frame, size, align);
TP_NOINLINE static void *frame_alloc(const struct tp_frame *frame, size_t size,
                                     size_t align, tp_site_t site)
{
  struct tp_side side = current_of(frame, site);
  return tp_bump_alloc(&side, size, align, site);
}

//@ TP_FRAME_ALLOCATES(frame, size, align);
TP_NOINLINE void *tp_frame_alloc(const struct tp_frame *frame, size_t size,
                                 size_t align)
{
  void *object;
  if (TP_AS_IT_LIES) {
    struct tp_side side = current_of(frame, tp_site(NULL));
    if (tp_bump_push(&side, size, align, &object)) return object;
  }
  return frame_alloc(frame, size, align, tp_site(NULL));
}

// The count of frames has wrapped: it goes on as what the current turn is that
// of. Below full nobody asks.
//@ requires \valid(state); assigns \nothing;
static void go_on(struct tp_frame_state *state)
{
  if (TP_AUDITED) state->ended = state->current;
}

//@ TP_FRAME_ENDS(frame);
TP_NOINLINE void tp_frame_end(const struct tp_frame *frame)
{
  struct tp_frame_state *state = frame->state;
  uint32_t next = state->current + 1;
  tp_hook_frees(frame->region.name, NULL);
  tp_region_check(&frame->region, tp_site(NULL));
  state->current = next < frame->buffers ? next : 0;
  if (++state->ended == 0) go_on(state);
  struct tp_side side = current_of(frame, tp_site(NULL));
  tp_bump_check(&side, tp_site(NULL));
  tp_bump_shrink(&side, 0);
}

//@ TP_FRAME_TELLS(frame, stats);
void tp_frame_stats(const struct tp_frame *frame, struct tp_stats *stats)
{
  uint32_t peak = 0;
  uint32_t refused = 0;
  //@ TP_FRAME_SUMS(frame, i, peak, refused);
  for (uint32_t i = 0; i < frame->buffers; i++) {
    const struct tp_bump *bump = &frame->bump[i];
    if (peak < tp_bump_peak(bump)) peak = tp_bump_peak(bump);
    refused += bump->refused;
  }
  tp_clear_words(stats, sizeof *stats);
  uint32_t current = frame->state->current;
  if (current < frame->buffers) stats->live = frame->bump[current].used;
  stats->peak = peak;
  stats->refused = refused;
}

// What scenes cut. Each begins with its region.

static void open_region(void *allocator, void *memory, uint32_t bytes)
{
  struct tp_region *region = (struct tp_region *)allocator;
  region->storage = (tp_word_t *)memory;
  TP_BARRIER();
  region->bytes = bytes;
}

static uint32_t as_they_are(const void *allocator, uint32_t bytes)
{
  (void)allocator;
  return bytes;
}

static uint32_t sum_of(const struct tp_bump *bump, uint32_t count)
{
  uint32_t used = 0;
  for (uint32_t i = 0; i < count; i++) used += bump[i].used;
  return used;
}

// Takes the memory of [region] away, if nothing of it is in use. What is asked
// for there is counted on, and no mark or block made before is good any more.
static bool close_region(void *region, struct tp_bump *bump, uint32_t count,
                         struct tp_marks *marks)
{
  uint32_t key = tp_port_lock();
  bool empty = sum_of(bump, count) == 0;
  if (empty) ((struct tp_region *)region)->bytes = 0;
  for (uint32_t i = 0; empty && i < count; i++) {
    bump[i].peak = 0;
    if (marks) tp_bump_outdate(&marks[i]);
  }
  tp_port_unlock(key);
  return empty;
}

static uint32_t stack_live(const void *allocator)
{
  return ((const struct tp_stack *)allocator)->state->bump.used;
}

static uint32_t stack_peak(const void *allocator)
{
  return tp_bump_peak(&((const struct tp_stack *)allocator)->state->bump);
}

static bool stack_close(void *allocator)
{
  struct tp_stack_state *state = ((struct tp_stack *)allocator)->state;
  return close_region(allocator, &state->bump, 1, &state->marks);
}

const struct tp_scene_kind tp_scene_stack = {
    .bytes = as_they_are,
    .live = stack_live,
    .peak = stack_peak,
    .close = stack_close,
    .open = open_region,
};

void tp_stack_end_scene(const struct tp_scene_part *part, tp_site_t site)
{
  struct tp_side side =
      tp_side_of_stack((const struct tp_stack *)part->allocator);
  tp_bump_reset(&side, site);
}

static uint32_t dstack_live(const void *allocator)
{
  return sum_of(((const struct tp_dstack *)allocator)->state->bump, 2);
}

static uint32_t dstack_peak(const void *allocator)
{
  const struct tp_dstack *dstack = (const struct tp_dstack *)allocator;
  const struct tp_bump *bump = dstack->state->bump;
  uint32_t peak = tp_bump_peak(&bump[TP_LOW]) + tp_bump_peak(&bump[TP_HIGH]);
  return peak < dstack->region.bytes ? peak : dstack->region.bytes;
}

static bool dstack_close(void *allocator)
{
  struct tp_dstack_state *state = ((struct tp_dstack *)allocator)->state;
  return close_region(allocator, state->bump, 2, state->marks);
}

const struct tp_scene_kind tp_scene_dstack = {
    .bytes = as_they_are,
    .live = dstack_live,
    .peak = dstack_peak,
    .close = dstack_close,
    .open = open_region,
};

void tp_dstack_end_scene(const struct tp_scene_part *part, tp_site_t site)
{
  const struct tp_dstack *dstack = (const struct tp_dstack *)part->allocator;
  struct tp_side low = tp_side_of_dstack(dstack, TP_LOW);
  struct tp_side high = tp_side_of_dstack(dstack, TP_HIGH);
  tp_bump_reset(&low, site);
  tp_bump_reset(&high, site);
}

static uint32_t frame_bytes(const void *allocator, uint32_t bytes)
{
  return bytes * ((const struct tp_frame *)allocator)->buffers;
}

static uint32_t frame_live(const void *allocator)
{
  const struct tp_frame *frame = (const struct tp_frame *)allocator;
  return sum_of(frame->bump, frame->buffers);
}

static uint32_t frame_peak(const void *allocator)
{
  struct tp_stats stats;
  tp_frame_stats((const struct tp_frame *)allocator, &stats);
  return stats.peak;
}

static bool frame_close(void *allocator)
{
  const struct tp_frame *frame = (const struct tp_frame *)allocator;
  return close_region(allocator, frame->bump, frame->buffers, NULL);
}

const struct tp_scene_kind tp_scene_frame = {
    .bytes = frame_bytes,
    .live = frame_live,
    .peak = frame_peak,
    .close = frame_close,
    .open = open_region,
};

void tp_frame_end_scene(const struct tp_scene_part *part, tp_site_t site)
{
  const struct tp_frame *frame = (const struct tp_frame *)part->allocator;
  (void)site;
  for (uint32_t i = 0; i < frame->buffers; i++) tp_frame_end(frame);
}
