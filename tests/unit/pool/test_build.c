// SPDX-License-Identifier: MIT
// A pool built at run time is the one the generator would have made.
#include "unit.h"
#include "object/tp_build.h"

static _Alignas(64) tp_word_t memory[512];
static struct tp_pool built;

static const struct tp_build drop_row = {
    .size = 12,
    .count = 5,
    .align = 4,
    .refuses = 1,
    .policy = &tp_drop,
};

// Builds a pool in memory that holds anything but zeros.
static void build(const struct tp_build *row)
{
  for (uint32_t i = 0; i < 512; i++) memory[i] = 0xa5a5a5a5;
  tp_pool_build(&built, "built", row, memory);
}

static bool shapes_agree(const struct tp_pool *pool)
{
  return built.inverse == pool->inverse && built.stride == pool->stride &&
         built.size == pool->size && built.capacity == pool->capacity &&
         built.gate == pool->gate && built.zone == pool->zone &&
         built.lock == pool->lock && built.tagged == pool->tagged &&
         built.refuses == pool->refuses &&
         built.handle_bits == pool->handle_bits && built.policy == pool->policy;
}

static void a_built_pool_has_the_shape_of_a_generated_one(void)
{
  build(&drop_row);
  CHECK(shapes_agree(&crates_pool));
  build(&(struct tp_build){
      .size = 16,
      .count = 4,
      .align = 8,
      .aged = 1,
      .policy = &tp_steal_oldest,
      .evict = notes_pool.evict,
  });
  CHECK(shapes_agree(&notes_pool));
  CHECK(built.evict == notes_pool.evict);
  build(&(struct tp_build){
      .size = 80,
      .count = 3,
      .align = 64,
      .refuses = 1,
      .lock = TP_LOCK_NONE,
      .policy = &tp_drop,
  });
  CHECK(shapes_agree(&wide_pool));
}

static void a_built_pool_issues_every_slot_and_then_answers_full(void)
{
  void *crates[5];
  build(&drop_row);
  for (uint32_t i = 0; i < 5; i++) {
    crates[i] = tp_pool_alloc(&built);
    CHECK(crates[i]);
    CHECK_EQ((uintptr_t)crates[i] % 4, 0);
  }
  CHECK(!tp_pool_alloc(&built));

  for (uint32_t i = 0; i < 5; i++) tp_pool_free(&built, crates[i]);

  CHECK(tp_pool_verify(&built, NULL));
  CHECK(tp_pool_alloc(&built));
}

static void a_built_pool_steals_the_oldest(void)
{
  build(&(struct tp_build){
      .size = 16,
      .count = 3,
      .align = 8,
      .aged = 1,
      .timed = 1,
      .policy = &tp_steal_oldest,
      .evict = notes_pool.evict,
  });
  void *oldest = tp_pool_alloc(&built);
  tp_pool_alloc(&built);
  tp_pool_alloc(&built);
  evictions = 0;

  CHECK(tp_pool_alloc(&built) == oldest);

  CHECK_EQ(evictions, 1);
  CHECK(evicted == oldest);
  CHECK(tp_pool_verify(&built, NULL));
}

static void handles_of_a_built_pool_go_stale(void)
{
  build(&(struct tp_build){
      .size = 12,
      .count = 5,
      .align = 4,
      .tagged = 1,
      .refuses = 1,
      .policy = &tp_drop,
  });
  void *object = tp_pool_alloc(&built);
  tp_handle_t handle = tp_handle_of(&built, object);
  CHECK(tp_handle_get(&built, handle) == object);

  tp_pool_free(&built, object);

  CHECK(!tp_handle_get(&built, handle));
}

// The last byte it may write is the last it asked for.
static void a_built_pool_keeps_to_its_bytes(void)
{
  static const uint8_t aligns[] = {4, 8, 16, 32, 64};
  for (uint32_t i = 0; i < sizeof aligns; i++) {
    struct tp_build row = {
        .size = 20,
        .count = 7,
        .align = aligns[i],
        .aged = 1,
        .timed = i & 1,
        .tagged = 1,
        .policy = &tp_steal_oldest,
        .evict = notes_pool.evict,
    };
    uint32_t bytes = tp_build_bytes(&row);
    CHECK(bytes % 4 == 0 && bytes <= sizeof memory - 4);
    build(&row);
    for (uint32_t round = 0; round < 20; round++) {
      void *object = tp_pool_alloc(&built);
      CHECK_EQ((uintptr_t)object % aligns[i], 0);
      for (uint32_t word = 0; word < 5; word++) {
        ((tp_word_t *)object)[word] = ~round;
      }
    }
    CHECK(tp_pool_verify(&built, NULL));
    CHECK(memory[bytes / 4 - 1] != 0xa5a5a5a5);
    CHECK_EQ(memory[bytes / 4], 0xa5a5a5a5);
  }
}

static const struct tp_build impossible[] = {
    {.size = 3, .count = 1, .align = 4, .policy = &tp_drop},
    {.size = 4, .count = 0, .align = 4, .policy = &tp_drop},
    {.size = 4, .count = TP_CAPACITY_MAX + 1, .align = 4, .policy = &tp_drop},
    {.size = 4, .count = 1, .align = 0, .policy = &tp_drop},
    {.size = 4, .count = 1, .align = 2, .policy = &tp_drop},
    {.size = 4, .count = 1, .align = 12, .policy = &tp_drop},
    {.size = 4, .count = 1, .align = 128, .policy = &tp_drop},
    {.size = 65535, .count = 1, .align = 4, .policy = &tp_drop},
    {.size = 4, .count = 1, .align = 4, .policy = NULL},
};

static void a_row_no_pool_can_have_takes_no_bytes(void)
{
  for (uint32_t i = 0; i < sizeof impossible / sizeof *impossible; i++) {
    CHECK_EQ(tp_build_bytes(&impossible[i]), 0);
  }
  CHECK(tp_build_bytes(&drop_row) > 0);
}

static void building_a_pool_no_row_can_have_faults(void)
{
  for (uint32_t i = 0; i < sizeof impossible / sizeof *impossible; i++) {
    CHECK_FAULTS(TP_FAULT_SIZE, build(&impossible[i]));
    CHECK(tp_fault_record.address == &impossible[i]);
  }
}

void suite_build(void)
{
  RUN(a_built_pool_has_the_shape_of_a_generated_one);
  RUN(a_built_pool_issues_every_slot_and_then_answers_full);
  RUN(a_built_pool_steals_the_oldest);
  RUN(handles_of_a_built_pool_go_stale);
  RUN(a_built_pool_keeps_to_its_bytes);
  RUN(a_row_no_pool_can_have_takes_no_bytes);
  if (TP_CHECKS >= TP_CHECKS_FAST) RUN(building_a_pool_no_row_can_have_faults);
}
