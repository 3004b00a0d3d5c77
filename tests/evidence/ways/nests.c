// SPDX-License-Identifier: MIT
// Children of a nest at each end of each kind of parent: closed in order or
// not, or where what is kept of them was written over.
#include "allocator/tp_bump.h"
#include "allocator/tp_nest.h"
#include "config/tp_define.h"
#include "core/tp_core.h"
#include "ways.h"

enum { BYTES = 1024, WITHIN = 512, PARENTS = 3 };

TP_NEST_DEFINE(tree, BYTES, .full = TP_FULL_DROP);

static struct tp_nest within, child, other;
static const struct tp_nest *parent;  // Of the two above, at [end].
static enum tp_end end;

static const struct tp_build row = {
    .size = 16, .count = 2, .align = 8, .tagged = 1, .policy = &tp_drop};

// The root's low and high end, and a stack's, which lies there.
static void begin(uint32_t i)
{
  *tree_nest.state = (struct tp_nest_state){{NULL, NULL}};
  *tree_nest.as.dstack.state = (struct tp_dstack_state){0};
  within = child = other = (struct tp_nest){0};
  parent = &tree_nest;
  end = i == 1 ? TP_HIGH : TP_LOW;
  if (i < 2) return;
  CHECK(tp_nest_open_stack(&within, &tree_nest, TP_LOW, "within", WITHIN,
                           TP_FULL_DROP));
  parent = &within;
}

enum { DSTACK, STACK, FRAME, POOL, KINDS };

static bool open(struct tp_nest *nest, uint32_t kind, size_t bytes)
{
  enum tp_full full = TP_FULL_DROP;
  if (kind == DSTACK) {
    return tp_nest_open_dstack(nest, parent, end, "dstack", bytes, full);
  }
  if (kind == STACK) {
    return tp_nest_open_stack(nest, parent, end, "stack", bytes, full);
  }
  if (kind == FRAME) {
    return tp_nest_open_frame(nest, parent, end, "frame", bytes / 2, 2, full);
  }
  return tp_nest_open_pool(nest, parent, end, "pool", &row);
}

static struct tp_bump *bump_of(void)
{
  if (parent == &within) return &within.as.stack.state->bump;
  return &tree_nest.as.dstack.state->bump[end];
}

static void each_kind_of_child_is_closed_in_order_alone(void)
{
  for (uint32_t i = 0; i < PARENTS * KINDS; i++) {
    begin(i / KINDS);
    CHECK(open(&child, i % KINDS, 64) && open(&other, i % KINDS, 64));
    if (TP_CHECKS >= TP_CHECKS_FAST) {
      CHECK_FAULTS(TP_FAULT_ORDER, tp_nest_close(&child));
      CHECK(tp_fault_record.address == &child);
      CHECK(tp_fault_record.name == child.name);
    }
    tp_nest_close(&other);
    tp_nest_close(&child);
    CHECK_EQ(bump_of()->used, 0);
    if (TP_CHECKS < TP_CHECKS_FAST) continue;
    CHECK_FAULTS(TP_FAULT_CLOSED, tp_nest_close(&child));
  }
}

static void a_root_is_not_closed(void)
{
  begin(0);
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  CHECK_FAULTS(TP_FAULT_ORDER, tp_nest_close((void *)(uintptr_t)&tree_nest));
}

// At off it is closed, whatever is in it.
static void close_refused(struct tp_nest *nest, const char *name)
{
  if (TP_CHECKS < TP_CHECKS_FAST) {
    tp_nest_close(nest);
    CHECK(!tree_nest.state->newest[end] && bump_of()->used == 0);
    return;
  }
  CHECK_FAULTS(TP_FAULT_CHILD, tp_nest_close(nest));
  CHECK(tp_fault_record.name == name);
}

static void a_pool_with_live_objects_is_not_closed(void)
{
  for (uint32_t i = 0; i < 2; i++) {
    begin(i);
    CHECK(open(&child, POOL, 0));
    CHECK(tp_pool_alloc_for(tp_nest_pool(&child), NULL, NULL));
    close_refused(&child, child.name);
  }
}

static void what_has_a_child_at_either_end_is_not_closed(void)
{
  for (enum tp_end at = TP_LOW; at <= TP_HIGH; at++) {
    begin(0);
    CHECK(open(&within, DSTACK, 256));
    CHECK(tp_nest_open_frame(&child, &within, at, "in", 64, 1, TP_FULL_DROP));
    close_refused(&within, child.name);
  }
}

// What says of which kind it is was written over.
static void a_child_that_seems_to_be_closed_is_closed_at_off(void)
{
  if (TP_CHECKS >= TP_CHECKS_FAST) return;
  begin(0);
  CHECK(open(&child, STACK, 64));
  child.kind = TP_NEST_CLOSED;
  tp_nest_close(&child);
  CHECK_EQ(bump_of()->used, 0);
}

// What says that it has children was written over: it has none.
static void what_can_have_no_child_is_refused_in_its_own_name(void)
{
  static struct tp_nest_state none;
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  begin(0);
  child.state = &none;
  CHECK_FAULTS(TP_FAULT_CLOSED, tp_nest_close(&child));
  child.state = NULL;
  CHECK(open(&child, POOL, 0));
  CHECK(tp_pool_alloc_for(tp_nest_pool(&child), NULL, NULL));
  child.state = &none;
  child.padding ^= (uint32_t)(uintptr_t)&none;  // So that its seal is right.
  close_refused(&child, child.name);
  CHECK_EQ(tp_fault_record.found, 1);
}

static void a_pool_that_was_closed_takes_nothing_back(void)
{
  static const struct tp_build plain = {
      .size = 16, .count = 2, .align = 8, .policy = &tp_drop};
  begin(0);
  CHECK(tp_nest_open_pool(&child, parent, end, "plain", &plain));
  const struct tp_pool *pool = tp_nest_pool(&child);
  void *object = tp_pool_alloc_for(pool, NULL, NULL);
  CHECK(object);
  tp_pool_free_for(pool, object, NULL);
  tp_nest_close(&child);
  CHECK_FAULTS(TP_FAULT_FOREIGN, tp_unlocked_free(pool, object));
  CHECK_FAULTS(TP_FAULT_FOREIGN, tp_aged_free(pool, object));
  CHECK_FAULTS(TP_FAULT_FOREIGN, tp_pool_free_for(pool, object, NULL));
}

static void a_pool_that_was_closed_serves_no_request(void)
{
  begin(0);
  uint32_t tag = 7;
  CHECK(open(&child, POOL, 0));
  const struct tp_pool *pool = tp_nest_pool(&child);
  tp_nest_close(&child);
  CHECK_FAULTS(TP_FAULT_CLOSED, tp_pool_alloc_for(pool, NULL, NULL));
  CHECK_FAULTS(TP_FAULT_CLOSED, tp_pool_alloc_for(pool, &tag, NULL));
  CHECK_EQ(tag, 0);
}

// What is left of the parent is too little: for the bytes, or for what has to
// be skipped so that they are aligned.
static void a_parent_without_room_refuses_at_each_end(void)
{
  static const struct tp_build wide = {
      .size = 64, .count = 1, .align = 64, .tagged = 1, .policy = &tp_drop};
  for (uint32_t i = 0; i < PARENTS; i++) {
    begin(i);
    uint32_t all = parent == &within ? WITHIN : BYTES;
    uint32_t bytes = tp_build_bytes(&wide);
    for (uint32_t left = bytes - 8; left < bytes + 64; left += 4) {
      uint32_t *used = &bump_of()->used;
      *used = bump_of()->peak = all - left;
      bool fits = tp_nest_open_pool(&child, parent, end, "wide", &wide);
      CHECK(!fits || left >= bytes);
      if (fits) tp_nest_close(&child);
      CHECK_EQ(*used, all - left);
      CHECK(!open(&other, STACK, 256));
    }
  }
}

#if TP_CHECKS >= TP_CHECKS_FAST

// What of an end is wrong, as regions.c has it.
static const struct tp_bump wrong[] = {{.used = 2, .peak = 8},
                                       {.used = 2 * BYTES, .peak = 2 * BYTES},
                                       {.used = 8, .peak = 4},
                                       {.used = 8, .peak = 2 * BYTES}};

static void a_parent_that_was_written_over_is_found_by_who_opens_or_closes(void)
{
  for (uint32_t i = 0; i < PARENTS * 4; i++) {
    begin(i / 4);
    CHECK(open(&child, STACK, 64));
    *bump_of() = wrong[i % 4];
    CHECK_FAULTS(TP_FAULT_INVARIANT, tp_nest_close(&child));
    CHECK(tp_fault_record.address == &bump_of()->used);
    CHECK_FAULTS(TP_FAULT_INVARIANT, open(&other, STACK, 64));
    CHECK(tp_fault_record.address == &bump_of()->used);
  }
}

static void so_is_the_other_end(void)
{
  for (uint32_t i = 0; i < 2 * 4; i++) {
    begin(i / 4);
    CHECK(open(&child, STACK, 64));
    struct tp_bump *far = &tree_nest.as.dstack.state->bump[1 - end];
    *far = wrong[i % 4];
    CHECK_FAULTS(TP_FAULT_INVARIANT, tp_nest_close(&child));
    CHECK(tp_fault_record.address == &far->used);
    CHECK_FAULTS(TP_FAULT_INVARIANT, open(&other, STACK, 64));
    CHECK(tp_fault_record.address == &far->used);
  }
}

// In its padding, too, so that its seal does not tell.
static void write_over(tp_word_t *word, uint32_t by)
{
  *word ^= by;
  child.padding ^= by;
  CHECK(tp_nest_verify(&child));
}

static void a_mark_that_is_none_of_the_parents_is_not_gone_back_to(void)
{
  for (uint32_t i = 0; i < PARENTS; i++) {
    begin(i);
    CHECK(open(&child, STACK, 64));
    tp_word_t *words[] = {(tp_word_t *)(void *)&child.mark.owner,
                          &child.mark.serial, &child.mark.used};
    for (uint32_t word = 0; word < 3; word++) {
      write_over(words[word], 0x1000);
      CHECK_FAULTS(TP_FAULT_ORDER, tp_nest_close(&child));
      write_over(words[word], 0x1000);
    }
    tp_nest_close(&child);
    CHECK_EQ(bump_of()->used, 0);
  }
}

#endif

void suite_nests(void)
{
  RUN(each_kind_of_child_is_closed_in_order_alone);
  RUN(a_root_is_not_closed);
  RUN(a_pool_with_live_objects_is_not_closed);
  RUN(what_has_a_child_at_either_end_is_not_closed);
  RUN(a_child_that_seems_to_be_closed_is_closed_at_off);
  RUN(what_can_have_no_child_is_refused_in_its_own_name);
  RUN(a_pool_that_was_closed_takes_nothing_back);
  RUN(a_pool_that_was_closed_serves_no_request);
  RUN(a_parent_without_room_refuses_at_each_end);
#if TP_CHECKS >= TP_CHECKS_FAST
  RUN(a_parent_that_was_written_over_is_found_by_who_opens_or_closes);
  RUN(so_is_the_other_end);
  RUN(a_mark_that_is_none_of_the_parents_is_not_gone_back_to);
#endif
}
