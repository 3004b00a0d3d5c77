// SPDX-License-Identifier: MIT
#include "nest.h"

static struct tp_nest level, draw, sparks, spare;

static void start(void)
{
  forget_nest(&root_nest);
  level = (struct tp_nest){0};
  draw = level;
  sparks = level;
  spare = level;
}

static bool lies_within(const void *memory, size_t bytes,
                        const struct tp_region *region)
{
  uintptr_t from = (uintptr_t)memory - (uintptr_t)region->storage;
  return from < region->bytes && bytes <= region->bytes - from;
}

// Frames at one end, at the other a stack that carries pools.
static void a_root_carries_frames_at_one_end_and_pools_in_a_stack_at_the_other(
    void)
{
  struct tp_build row = drop_row(4);
  start();
  CHECK(tp_nest_open_frame(&draw, &root_nest, TP_LOW, "draw", 64, 2,
                           TP_FULL_DROP));
  CHECK(tp_nest_open_stack(&level, &root_nest, TP_HIGH, "level", 1024,
                           TP_FULL_DROP));
  CHECK(tp_nest_open_pool(&sparks, &level, TP_LOW, "sparks", &row));

  void *spark = tp_pool_alloc(tp_nest_pool(&sparks));
  void *piece = tp_frame_alloc(tp_nest_frame(&draw), 64, 4);
  CHECK(lies_within(spark, 12, &tp_nest_stack(&level)->region));
  CHECK(lies_within(piece, 64, &root_nest.as.dstack.region));
  CHECK(lies_within(level.as.stack.region.storage, 1024,
                    &root_nest.as.dstack.region));

  tp_pool_free(tp_nest_pool(&sparks), spark);
  tp_nest_close(&sparks);
  tp_nest_close(&level);
  tp_nest_close(&draw);
  CHECK_EQ(used_of(&root_nest), 0);
}

static void a_pool_in_a_nest_is_a_pool(void)
{
  struct tp_build row = drop_row(3);
  void *objects[3];
  start();
  CHECK(tp_nest_open_pool(&sparks, &root_nest, TP_LOW, "sparks", &row));
  const struct tp_pool *pool = tp_nest_pool(&sparks);
  for (uint32_t i = 0; i < 3; i++) CHECK(objects[i] = tp_pool_alloc(pool));
  CHECK(!tp_pool_alloc(pool));
  for (uint32_t i = 0; i < 3; i++) tp_pool_free(pool, objects[i]);
  CHECK(tp_pool_verify(pool, NULL));
  tp_nest_close(&sparks);
}

static void children_are_aligned_as_they_need(void)
{
  start();
  for (uint32_t align = 4; align <= 64; align *= 2) {
    struct tp_build row = drop_row(2);
    row.align = (uint8_t)align;
    tp_dstack_alloc(&root_nest.as.dstack, TP_LOW, 4, 4);
    CHECK(tp_nest_open_pool(&sparks, &root_nest, TP_LOW, "sparks", &row));
    void *object = tp_pool_alloc(tp_nest_pool(&sparks));
    CHECK_EQ((uintptr_t)object % align, 0);
    CHECK_EQ(sparks.bytes, tp_build_bytes(&row) + sparks.padding);
    tp_pool_free(tp_nest_pool(&sparks), object);
    tp_nest_close(&sparks);
  }
}

static void memory_of_a_child_is_like_new_though_others_used_it(void)
{
  struct tp_build row = drop_row(20);
  start();
  tp_word_t *dirt = tp_dstack_alloc(&root_nest.as.dstack, TP_LOW, 3000, 4);
  for (uint32_t i = 0; i < 750; i++) dirt[i] = ~i;
  tp_dstack_reset(&root_nest.as.dstack, TP_LOW);

  CHECK(tp_nest_open_pool(&sparks, &root_nest, TP_LOW, "sparks", &row));
  CHECK(tp_pool_verify(tp_nest_pool(&sparks), NULL));
  tp_nest_close(&sparks);
  CHECK(tp_nest_open_dstack(&level, &root_nest, TP_LOW, "level", 1024,
                            TP_FULL_DROP));
  CHECK_EQ(used_of(&level), 0);
  CHECK(tp_dstack_alloc(tp_nest_dstack(&level), TP_HIGH, 1024, 4));
}

static void a_parent_without_room_refuses_and_nothing_changes(void)
{
  start();
  CHECK(tp_nest_open_stack(&level, &root_nest, TP_LOW, "level", 3072,
                           TP_FULL_DROP));
  uint32_t used = used_of(&root_nest);

  CHECK(!tp_nest_open_stack(&spare, &root_nest, TP_LOW, "spare", 1024,
                            TP_FULL_DROP));
  CHECK(!tp_nest_open_frame(&spare, &root_nest, TP_HIGH, "spare", 512, 2,
                            TP_FULL_DROP));

  CHECK_EQ(spare.kind, TP_NEST_CLOSED);
  CHECK_EQ(used_of(&root_nest), used);
  for (int end = TP_LOW; end <= TP_HIGH; end++) {
    struct tp_stats stats;
    tp_dstack_stats(&root_nest.as.dstack, (enum tp_end)end, &stats);
    CHECK_EQ(stats.refused, 1);
  }
  tp_nest_close(&level);
}

static void a_parent_that_must_never_be_full_faults(void)
{
  start();
  forget_nest(&strict_nest);
  tp_dstack_alloc(&strict_nest.as.dstack, TP_LOW, 128, 4);

  CHECK_FAULTS(TP_FAULT_FULL, tp_nest_open_stack(&spare, &strict_nest, TP_LOW,
                                                 "spare", 152, TP_FULL_DROP));

  CHECK(tp_fault_record.name == strict_nest.name);
  CHECK_EQ(spare.kind, TP_NEST_CLOSED);
}

static void a_child_that_must_never_be_full_faults_when_it_is(void)
{
  start();
  tp_nest_open_stack(&level, &root_nest, TP_LOW, "level", 64, TP_FULL_ASSERT);
  CHECK(tp_stack_alloc(tp_nest_stack(&level), 64, 4));
  CHECK_FAULTS(TP_FAULT_FULL, tp_stack_alloc(tp_nest_stack(&level), 4, 4));
}

static void a_frame_in_a_nest_is_a_frame(void)
{
  struct tp_stats stats;
  start();
  tp_nest_open_frame(&draw, &root_nest, TP_LOW, "draw", 64, 2, TP_FULL_DROP);
  const struct tp_frame *frame = tp_nest_frame(&draw);
  char *first = tp_frame_alloc(frame, 64, 4);
  CHECK(first);
  CHECK(!tp_frame_alloc(frame, 4, 4));
  tp_frame_end(frame);
  CHECK(tp_frame_alloc(frame, 16, 4) == first + 64);
  CHECK_EQ(frame->state->ended, 1);
  tp_frame_stats(frame, &stats);
  CHECK_EQ(stats.live, 16);
  CHECK_EQ(stats.peak, 64);
  CHECK_EQ(stats.refused, 1);
  tp_nest_close(&draw);
}

static void a_child_that_is_open_is_not_opened_again(void)
{
  start();
  tp_nest_open_stack(&level, &root_nest, TP_LOW, "level", 64, TP_FULL_DROP);

  CHECK_FAULTS(TP_FAULT_ORDER, tp_nest_open_stack(&level, &root_nest, TP_HIGH,
                                                  "level", 64, TP_FULL_DROP));
}

static void a_frame_or_a_pool_has_no_children(void)
{
  struct tp_build row = drop_row(4);
  start();
  tp_nest_open_frame(&draw, &root_nest, TP_LOW, "draw", 64, 1, TP_FULL_DROP);
  tp_nest_open_pool(&sparks, &root_nest, TP_LOW, "sparks", &row);

  CHECK_FAULTS(TP_FAULT_CHILD,
               tp_nest_open_pool(&spare, &draw, TP_LOW, "spare", &row));
  CHECK_FAULTS(TP_FAULT_CHILD,
               tp_nest_open_pool(&spare, &sparks, TP_LOW, "spare", &row));
}

static void a_stack_has_no_high_end(void)
{
  struct tp_build row = drop_row(4);
  start();
  tp_nest_open_stack(&level, &root_nest, TP_LOW, "level", 512, TP_FULL_DROP);

  CHECK_FAULTS(TP_FAULT_CHILD,
               tp_nest_open_pool(&spare, &level, TP_HIGH, "spare", &row));
}

static void who_may_not_be_opened_is_named_with_where(void)
{
  static const char name[] = "spare";
  start();
  tp_nest_open_stack(&level, &root_nest, TP_LOW, "level", 512, TP_FULL_DROP);
  CHECK_FAULTS(TP_FAULT_CHILD, tp_nest_open_stack(&spare, &level, TP_HIGH, name,
                                                  64, TP_FULL_DROP));
  CHECK(tp_fault_record.name == name);
  CHECK(tp_fault_record.address == &level);
  CHECK_EQ(tp_fault_record.found, 0);
  CHECK_EQ(tp_fault_record.expected, 0);
}

static void there_are_no_children_of_odd_or_no_bytes(void)
{
  static const size_t wrong[] = {0, 4, 12, TP_REGION_MAX + 8u, SIZE_MAX - 7};
  struct tp_build no_row = drop_row(0);
  start();
  for (uint32_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    CHECK_FAULTS(TP_FAULT_SIZE,
                 tp_nest_open_dstack(&spare, &root_nest, TP_LOW, "spare",
                                     wrong[i], TP_FULL_DROP));
    CHECK_FAULTS(TP_FAULT_SIZE,
                 tp_nest_open_frame(&spare, &root_nest, TP_LOW, "spare",
                                    wrong[i], 2, TP_FULL_DROP));
  }
  CHECK_FAULTS(TP_FAULT_SIZE, tp_nest_open_frame(&spare, &root_nest, TP_LOW,
                                                 "spare", 64, 0, TP_FULL_DROP));
  CHECK_FAULTS(TP_FAULT_SIZE,
               tp_nest_open_frame(&spare, &root_nest, TP_LOW, "spare",
                                  TP_REGION_MAX / 2, 3, TP_FULL_DROP));
  CHECK_FAULTS(TP_FAULT_SIZE,
               tp_nest_open_pool(&spare, &root_nest, TP_LOW, "spare", &no_row));
  CHECK(tp_fault_record.address == &root_nest);
}

static void a_child_larger_than_its_parent_faults(void)
{
  start();
  CHECK_FAULTS(TP_FAULT_LARGE, tp_nest_open_stack(&spare, &root_nest, TP_LOW,
                                                  "spare", 4096, TP_FULL_DROP));
  CHECK_FAULTS(TP_FAULT_LARGE,
               tp_nest_open_stack(&spare, &root_nest, TP_LOW, "spare",
                                  TP_REGION_MAX, TP_FULL_DROP));
  CHECK_FAULTS(TP_FAULT_LARGE,
               tp_nest_open_frame(&spare, &root_nest, TP_LOW, "spare",
                                  TP_REGION_MAX / 2, 2, TP_FULL_DROP));
}

void suite_open(void)
{
  RUN(a_root_carries_frames_at_one_end_and_pools_in_a_stack_at_the_other);
  RUN(a_pool_in_a_nest_is_a_pool);
  RUN(a_frame_in_a_nest_is_a_frame);
  RUN(a_child_that_must_never_be_full_faults_when_it_is);
  RUN(children_are_aligned_as_they_need);
  RUN(memory_of_a_child_is_like_new_though_others_used_it);
  RUN(a_parent_without_room_refuses_and_nothing_changes);
  RUN(a_parent_that_must_never_be_full_faults);
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  RUN(a_child_that_is_open_is_not_opened_again);
  RUN(a_frame_or_a_pool_has_no_children);
  RUN(a_stack_has_no_high_end);
  RUN(who_may_not_be_opened_is_named_with_where);
  RUN(there_are_no_children_of_odd_or_no_bytes);
  RUN(a_child_larger_than_its_parent_faults);
}
