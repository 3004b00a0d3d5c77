// SPDX-License-Identifier: MIT
#include "allocator/tp_nest.h"

#include "allocator/tp_bump.h"

// What is not 0 of an open child alone: neither is of the root, and of no child
// before it is opened.
static bool is_child(const struct tp_nest *nest)
{
  return nest->parent || nest->mark.owner;
}

// All words of [nest] in one, but its seal: no flipped bit leaves it as it was.
static uint32_t sum_of(const struct tp_nest *nest)
{
  const tp_word_t *word = (const tp_word_t *)(const void *)nest;
  uint32_t sum = nest->seal;
  for (uint32_t i = 0; i < sizeof *nest / sizeof *word; i++) sum ^= word[i];
  return sum;
}

bool tp_nest_verify(const struct tp_nest *nest)
{
  return !is_child(nest) || sum_of(nest) == nest->seal;
}

// By no name, for that may be what was written over.
void tp_nest_check(const struct tp_nest *nest, tp_site_t site)
{
  if (!TP_MISUSE(!tp_nest_verify(nest))) return;
  tp_raise_misuse(TP_FAULT_INVARIANT, "nest", nest, sum_of(nest), nest->seal,
                  site);
}

// Who opens what where.
struct place {
  struct tp_nest *child;
  const struct tp_nest *parent;
  enum tp_end end;
  const char *name;
  tp_site_t site;
};

static struct tp_side side_of(const struct tp_nest *parent, enum tp_end end)
{
  return parent->kind == TP_NEST_DSTACK
             ? tp_side_of_dstack(&parent->as.dstack, end)
             : tp_side_of_stack(&parent->as.stack);
}

static bool has_end(const struct tp_nest *parent, enum tp_end end)
{
  if (parent->kind == TP_NEST_STACK) return end == TP_LOW;
  return parent->kind == TP_NEST_DSTACK && (unsigned)end <= TP_HIGH;
}

static enum tp_fault_kind wrong_place(const struct place *place)
{
  if (place->parent->kind == TP_NEST_CLOSED) return TP_FAULT_CLOSED;
  if (place->child->kind != TP_NEST_CLOSED) return TP_FAULT_ORDER;
  return has_end(place->parent, place->end) ? TP_FAULT_NONE : TP_FAULT_CHILD;
}

// Faults unless the child may be opened there, at [possible] bytes or numbers.
static void check_place(const struct place *place, bool possible)
{
  tp_nest_check(place->parent, place->site);
  enum tp_fault_kind wrong = wrong_place(place);
  if (wrong == TP_FAULT_NONE && !possible) wrong = TP_FAULT_SIZE;
  if (!TP_MISUSE(wrong)) return;
  tp_raise_misuse(wrong, place->name, place->parent, 0, 0, place->site);
}

static bool bytes_are_possible(size_t bytes)
{
  return bytes >= 8 && bytes % 8 == 0 && bytes <= TP_REGION_MAX;
}

// Are [buffers] times [bytes] at least one, and no more than a region has?
// Added up: ARMv6-M would call a library to divide.
static bool fits_times(size_t bytes, uint8_t buffers)
{
  size_t left = TP_REGION_MAX;
  for (uint32_t i = 0; i < buffers; i++) {
    if (bytes > left) return false;
    left -= bytes;
  }
  return buffers >= 1;
}

// Faults if the parent says that it is less full than where its newest child
// ends, so that another would lie on that. What it says of itself comes first:
// on RAM that was not zeroed nobody follows what is no child.
static void check_top(const struct place *place, const struct tp_side *side)
{
  tp_bump_check_words(side, place->site);
  // A child's name is the first that it has.
  const struct tp_nest *newest =
      (const struct tp_nest *)(const void *)tp_bump_newest(
          side->region, side->marks, place->site);
  uint32_t used = side->bump->used;
  if (!TP_MISUSE(newest && used < newest->mark.used + newest->bytes)) return;
  tp_raise_misuse(TP_FAULT_INVARIANT, place->parent->name, &side->bump->used,
                  used, newest->mark.used + newest->bytes, place->site);
}

// Takes [size] bytes of the parent and makes the child one of its own. NULL
// iff the parent refuses.
static void *carve(const struct place *place, size_t size, size_t align)
{
  struct tp_nest *child = place->child;
  const struct tp_nest *parent = place->parent;
  struct tp_side side = side_of(parent, place->end);
  uint32_t before = side.bump->used;
  check_top(place, &side);
  void *memory = tp_bump_alloc(&side, size, align, place->site);
  if (!memory) return NULL;
  uint32_t taken = side.bump->used - before;
  tp_clear_words(child, sizeof *child);
  child->name = place->name;
  child->parent = parent;
  child->older = parent->state->newest[place->end];
  child->bytes = taken;
  child->padding = taken - (uint32_t)size;
  child->mark = tp_bump_mark(&side, before);
  child->end = (uint8_t)place->end;
  side.marks->child = tp_bump_child(&child->name);
  parent->state->newest[place->end] = child;
  return memory;
}

// The last that is done to [child] as it is opened.
static bool opened(struct tp_nest *child, enum tp_nest_kind kind)
{
  child->kind = (uint8_t)kind;
  child->seal = sum_of(child);
  return true;
}

// [region] was cleared.
static void put_region(struct tp_region *region, void *memory, const char *name,
                       size_t bytes, enum tp_full full)
{
  region->storage = (tp_word_t *)memory;
  region->name = name;
  region->bytes = (uint32_t)bytes;
  region->full = (uint8_t)full;
}

// [marks] are none yet, and count from where no child that lay here before came
// to: each has a mark of its own at its parent, and times the golden ratio
// (Knuth, 6.4) no two of 30000 are less than 10000 apart.
static void put_marks(struct tp_marks *marks, const struct tp_nest *child)
{
  uint32_t own = (child->mark.serial << 1) | child->end;
  marks->serial = own * 0x9e3779b1u;
  marks->newest = marks->serial;
}

// What lies behind the bytes of each kind: its metadata.
struct dstack_metadata {
  struct tp_dstack_state own;
  struct tp_nest_state nest;
};

struct stack_metadata {
  struct tp_stack_state own;
  struct tp_nest_state nest;
};

TP_NOINLINE bool tp_nest_open_dstack(struct tp_nest *child,
                                     const struct tp_nest *parent,
                                     enum tp_end end, const char *name,
                                     size_t bytes, enum tp_full full)
{
  struct place place = {child, parent, end, name, tp_site(NULL)};
  check_place(&place, bytes_are_possible(bytes));
  char *memory = carve(&place, bytes + sizeof(struct dstack_metadata), 8);
  if (!memory) return false;
  struct dstack_metadata *metadata =
      (struct dstack_metadata *)(void *)(memory + bytes);
  tp_clear_words(metadata, sizeof *metadata);
  child->state = &metadata->nest;
  child->as.dstack.state = &metadata->own;
  put_marks(&metadata->own.marks[TP_LOW], child);
  put_marks(&metadata->own.marks[TP_HIGH], child);
  put_region(&child->as.dstack.region, memory, name, bytes, full);
  return opened(child, TP_NEST_DSTACK);
}

TP_NOINLINE bool tp_nest_open_stack(struct tp_nest *child,
                                    const struct tp_nest *parent,
                                    enum tp_end end, const char *name,
                                    size_t bytes, enum tp_full full)
{
  struct place place = {child, parent, end, name, tp_site(NULL)};
  check_place(&place, bytes_are_possible(bytes));
  char *memory = carve(&place, bytes + sizeof(struct stack_metadata), 8);
  if (!memory) return false;
  struct stack_metadata *metadata =
      (struct stack_metadata *)(void *)(memory + bytes);
  tp_clear_words(metadata, sizeof *metadata);
  child->state = &metadata->nest;
  child->as.stack.state = &metadata->own;
  put_marks(&metadata->own.marks, child);
  put_region(&child->as.stack.region, memory, name, bytes, full);
  return opened(child, TP_NEST_STACK);
}

TP_NOINLINE bool tp_nest_open_frame(struct tp_nest *child,
                                    const struct tp_nest *parent,
                                    enum tp_end end, const char *name,
                                    size_t bytes, uint8_t buffers,
                                    enum tp_full full)
{
  struct place place = {child, parent, end, name, tp_site(NULL)};
  bool possible = bytes_are_possible(bytes) && fits_times(bytes, buffers);
  check_place(&place, possible);
  size_t all = bytes * buffers;
  size_t metadata =
      sizeof(struct tp_frame_state) + buffers * sizeof(struct tp_bump);
  char *memory = carve(&place, all + metadata, 8);
  if (!memory) return false;
  struct tp_frame *frame = &child->as.frame;
  frame->state = (struct tp_frame_state *)(void *)(memory + all);
  frame->bump = (struct tp_bump *)(void *)(frame->state + 1);
  tp_clear_words(frame->state, metadata);
  put_region(&frame->region, memory, name, bytes, full);
  frame->buffers = buffers;
  return opened(child, TP_NEST_FRAME);
}

TP_NOINLINE bool tp_nest_open_pool(struct tp_nest *child,
                                   const struct tp_nest *parent,
                                   enum tp_end end, const char *name,
                                   const struct tp_build *row)
{
  struct place place = {child, parent, end, name, tp_site(NULL)};
  uint32_t bytes = tp_build_bytes(row);
  check_place(&place, bytes != 0);
  void *memory = carve(&place, bytes, tp_build_align(row));
  if (!memory) return false;
  tp_pool_build(&child->as.pool, name, row, memory);
  return opened(child, TP_NEST_POOL);
}

static uint32_t live_objects(const struct tp_nest *nest)
{
  struct tp_stats stats;
  if (nest->kind != TP_NEST_POOL) return 0;
  tp_pool_stats(&nest->as.pool, &stats);
  return stats.live;
}

// Its mark is the newest of its end iff the child is, and nobody made another.
static bool is_newest(const struct tp_nest *child)
{
  if (!child->parent) return false;
  struct tp_side side = side_of(child->parent, (enum tp_end)child->end);
  return tp_bump_is_newest(&side, &child->mark);
}

static enum tp_fault_kind wrong_close(const struct tp_nest *child)
{
  if (child->kind == TP_NEST_CLOSED) return TP_FAULT_CLOSED;
  if (tp_nest_child(child) || live_objects(child)) return TP_FAULT_CHILD;
  return is_newest(child) ? TP_FAULT_NONE : TP_FAULT_ORDER;
}

static void raise_close(const struct tp_nest *child, enum tp_fault_kind wrong,
                        tp_site_t site)
{
  const struct tp_nest *alive = tp_nest_child(child);
  const char *name = alive ? alive->name : child->name;
  uint32_t live = wrong == TP_FAULT_CHILD && !alive ? live_objects(child) : 0;
  tp_raise_misuse(wrong, name, child, live, 0, site);
}

static void *raise_overflow(const struct tp_pool *pool, uint32_t *tag,
                            tp_site_t site)
{
  if (tag) *tag = 0;
  tp_raise_misuse(TP_FAULT_CLOSED, pool->name, pool, 0, 0, site);
}

static const struct tp_policy closed_policy = {.overflow = raise_overflow};

// The metadata of what is closed: it has no bytes and no slots. That of a pool
// lies apart, for who scrubs it counts how far it came.
static union {
  struct tp_dstack_state dstack;
  struct tp_stack_state stack;
  struct {
    struct tp_frame_state state;
    struct tp_bump bump;
  } frame;
} nobody;

static struct {
  uint32_t tag[2];
  struct tp_pool_state state;
} no_pool;

// Leaves in [child] an allocator that has nothing to give, for who still has
// its address.
static void leave_empty(struct tp_nest *child)
{
  uint8_t kind = child->kind;
  const char *name = child->name;
  tp_clear_words(child, sizeof *child);
  child->name = name;
  if (kind == TP_NEST_DSTACK) {
    child->as.dstack.region.name = name;
    child->as.dstack.state = &nobody.dstack;
  } else if (kind == TP_NEST_STACK) {
    child->as.stack.region.name = name;
    child->as.stack.state = &nobody.stack;
  } else if (kind == TP_NEST_FRAME) {
    child->as.frame.region.name = name;
    child->as.frame.state = &nobody.frame.state;
    child->as.frame.bump = &nobody.frame.bump;
    child->as.frame.buffers = 1;
  } else {
    child->as.pool.tag = no_pool.tag;
    child->as.pool.state = &no_pool.state;
    child->as.pool.policy = &closed_policy;
    child->as.pool.name = name;
  }
}

TP_NOINLINE void tp_nest_close(struct tp_nest *child)
{
  tp_site_t site = tp_site(NULL);
  tp_nest_check(child, site);
  if (child->parent) tp_nest_check(child->parent, site);
  enum tp_fault_kind wrong = wrong_close(child);
  if (TP_MISUSE(wrong)) raise_close(child, wrong, site);
  struct tp_side side = side_of(child->parent, (enum tp_end)child->end);
  tp_bump_check(&side, site);
  child->parent->state->newest[child->end] = child->older;
  tp_bump_go_back(&side, &child->mark);
  leave_empty(child);
}

static void expect_kind(const struct tp_nest *nest, enum tp_nest_kind kind,
                        tp_site_t site)
{
  tp_nest_check(nest, site);
  if (!TP_MISUSE(nest->kind != kind)) return;
  tp_raise_misuse(TP_FAULT_CLOSED, nest->name, nest, nest->kind, kind, site);
}

TP_NOINLINE const struct tp_dstack *tp_nest_dstack(const struct tp_nest *nest)
{
  expect_kind(nest, TP_NEST_DSTACK, tp_site(NULL));
  return &nest->as.dstack;
}

TP_NOINLINE const struct tp_stack *tp_nest_stack(const struct tp_nest *nest)
{
  expect_kind(nest, TP_NEST_STACK, tp_site(NULL));
  return &nest->as.stack;
}

TP_NOINLINE const struct tp_frame *tp_nest_frame(const struct tp_nest *nest)
{
  expect_kind(nest, TP_NEST_FRAME, tp_site(NULL));
  return &nest->as.frame;
}

TP_NOINLINE const struct tp_pool *tp_nest_pool(const struct tp_nest *nest)
{
  expect_kind(nest, TP_NEST_POOL, tp_site(NULL));
  return &nest->as.pool;
}
