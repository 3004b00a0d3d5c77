// SPDX-License-Identifier: MIT
#include "allocator/tp_nest.h"

#include "allocator/tp_bump.h"
#include "allocator/tp_dense.h"
#include "allocator/tp_reloc.h"
#include "check/tp_check.h"
#include "core/tp_words.h"

// Adds what an end, a stack or a pool has to [item].
static void add(struct tp_nest_item *item, const struct tp_stats *stats,
                uint32_t bytes)
{
  item->used += stats->live * bytes;
  item->peak += stats->peak * bytes;
}

// By the kind of an allocator, what it has is added to an item of that kind.
typedef void tp_nest_measurer(const void *allocator, struct tp_nest_item *item);

static void measure_dstack(const void *allocator, struct tp_nest_item *item)
{
  const struct tp_dstack *dstack = (const struct tp_dstack *)allocator;
  struct tp_stats low, high;
  tp_dstack_stats(dstack, TP_LOW, &low);
  tp_dstack_stats(dstack, TP_HIGH, &high);
  add(item, &low, 1);
  add(item, &high, 1);
}

static void measure_stack(const void *allocator, struct tp_nest_item *item)
{
  struct tp_stats stats;
  tp_stack_stats((const struct tp_stack *)allocator, &stats);
  add(item, &stats, 1);
}

static void measure_frame(const void *allocator, struct tp_nest_item *item)
{
  struct tp_stats stats;
  tp_frame_stats((const struct tp_frame *)allocator, &stats);
  add(item, &stats, 1);
}

static void measure_pool(const void *allocator, struct tp_nest_item *item)
{
  const struct tp_pool *pool = (const struct tp_pool *)allocator;
  struct tp_stats stats;
  tp_pool_stats(pool, &stats);
  add(item, &stats, pool->stride);
}

static void measure_dense(const void *allocator, struct tp_nest_item *item)
{
  const struct tp_dense *dense = (const struct tp_dense *)allocator;
  struct tp_stats stats;
  tp_dense_stats(dense, &stats);
  add(item, &stats, dense->stride);
}

// Up to the top, holes included.
static void measure_reloc(const void *allocator, struct tp_nest_item *item)
{
  const struct tp_reloc *reloc = (const struct tp_reloc *)allocator;
  uint32_t touched = reloc->state->touched;  // With the header at the top.
  item->used += reloc->state->top * (uint32_t)TP_RELOC_UNIT;
  item->peak += touched ? (touched - 1) * TP_RELOC_UNIT : 0;
}

// No switch: of one GCC calls a library on ARMv6-M.
static tp_nest_measurer *const measurers[] = {
    [TP_NEST_DSTACK] = measure_dstack, [TP_NEST_STACK] = measure_stack,
    [TP_NEST_FRAME] = measure_frame,   [TP_NEST_POOL] = measure_pool,
    [TP_NEST_DENSE] = measure_dense,   [TP_NEST_RELOC] = measure_reloc,
};

static uint32_t bytes_of_rows(const struct tp_nest *nest)
{
  uint32_t bytes = 0;
  for (uint32_t i = 0; i < nest->row_count; i++) bytes += nest->rows[i].bytes;
  return bytes;
}

static uint32_t bytes_of_children(const struct tp_nest *nest, tp_site_t site)
{
  uint32_t bytes = 0;
  if (!nest->state) return 0;
  for (uint32_t end = TP_LOW; end <= TP_HIGH; end++) {
    const struct tp_nest *child = nest->state->newest[end];
    for (; child; child = child->older) {
      tp_nest_check(child, site);
      bytes += child->bytes;
    }
  }
  return bytes;
}

static void visit_nest(const struct tp_nest *nest, uint8_t depth,
                       tp_nest_visitor *visit, void *context, tp_site_t site)
{
  struct tp_nest_item item;
  uint32_t rows = bytes_of_rows(nest);
  tp_clear_words(&item, sizeof item);
  item.name = nest->name;
  item.nest = nest;
  item.bytes = nest->bytes;
  item.padding = nest->padding;
  item.kind = nest->kind;
  item.end = nest->end;
  item.depth = depth;
  measurers[item.kind](&nest->as, &item);
  item.used += rows;
  item.peak += rows;
  item.children = rows + bytes_of_children(nest, site);
  visit(&item, context);
}

static void visit_rows(const struct tp_nest *nest, tp_nest_visitor *visit,
                       void *context)
{
  for (uint32_t i = 0; i < nest->row_count; i++) {
    const struct tp_nest_row *row = &nest->rows[i];
    struct tp_nest_item item;
    tp_clear_words(&item, sizeof item);
    item.name = row->name;
    item.bytes = row->bytes;
    item.kind = row->kind;
    item.end = row->end;
    item.depth = 1;
    measurers[item.kind](row->allocator, &item);
    visit(&item, context);
  }
}

// The sibling that comes after [nest]: older ones first, then the other end.
// NULL: none.
static const struct tp_nest *sibling_of(const struct tp_nest *nest)
{
  if (nest->older || nest->end == TP_HIGH) return nest->older;
  return nest->parent->state->newest[TP_HIGH];
}

// What follows [nest] below [top], whose depth is 0; NULL: nothing does.
static const struct tp_nest *next_of(const struct tp_nest *nest,
                                     const struct tp_nest *top, uint8_t *depth)
{
  const struct tp_nest *next = tp_nest_child(nest);
  if (next) {
    ++*depth;
    return next;
  }
  for (; nest != top; nest = nest->parent) {
    next = sibling_of(nest);
    if (next) return next;
    --*depth;
  }
  return NULL;
}

TP_NOINLINE void tp_nest_walk(const struct tp_nest *nest,
                              tp_nest_visitor *visit, void *context)
{
  tp_site_t site = tp_site(NULL);
  uint8_t depth = 0;
  tp_nest_check(nest, site);
  if (TP_MISUSE(nest->kind == TP_NEST_CLOSED)) {
    tp_raise_misuse(TP_FAULT_CLOSED, nest->name, nest, 0, 0, site);
  }
  visit_nest(nest, depth, visit, context, site);
  visit_rows(nest, visit, context);
  for (const struct tp_nest *at = next_of(nest, nest, &depth); at;
       at = next_of(at, nest, &depth)) {
    visit_nest(at, depth, visit, context, site);
  }
}
