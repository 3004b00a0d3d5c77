// SPDX-License-Identifier: MIT
// A pool built at run time is the one the generator would have made.
#include "unit.h"
#include "core/tp_shape.h"
#include "object/tp_build.h"
#include "policy/tp_steal.h"

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
      .policy = &tp_steal_detached,
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

static const struct tp_build just_possible[] = {
    {.size = 4, .count = 1, .align = 4, .policy = &tp_drop},
    {.size = 4, .count = 1, .align = 64, .policy = &tp_drop},
    {.size = 4, .count = TP_CAPACITY_MAX, .align = 4, .policy = &tp_drop},
    {.size = (UINT16_MAX - TP_RED_ZONE(4)) / 4 * 4,
     .count = 1,
     .align = 4,
     .policy = &tp_drop},
};

static uint32_t words_of(const struct tp_build *row)
{
  uint32_t slots = row->count, by_slot = slots + 1;
  uint32_t stride = TP_STRIDE(row->size, (uint32_t)row->align);
  uint32_t tags = row->tagged || TP_CHECKS >= TP_CHECKS_FAST ? by_slot : 2;
  uint32_t words = (TP_RED_ZONE(row->align) + slots * stride) / 4 + tags;
  if (row->aged) words += by_slot * (uint32_t)sizeof(struct tp_age_link) / 4;
  if (row->timed) words += by_slot;
  return words + (uint32_t)sizeof(struct tp_pool_state) / 4;
}

static void a_pool_takes_what_it_is_made_of(void)
{
  struct tp_build row = drop_row;
  for (uint32_t kind = 0; kind < 8; kind++) {
    row.aged = kind & 1;
    row.timed = kind >> 1 & 1;
    row.tagged = kind >> 2 & 1;
    CHECK_EQ(tp_build_bytes(&row), 4 * words_of(&row));
  }
  for (uint32_t i = 0; i < sizeof just_possible / sizeof row; i++) {
    uint32_t bytes = 4 * words_of(&just_possible[i]);
    CHECK_EQ(tp_build_bytes(&just_possible[i]), bytes);
  }
}

static void forget_all(void)
{
  uint8_t *byte = (uint8_t *)&built;
  for (uint32_t i = 0; i < sizeof built; i++) byte[i] = 0xa5;
}

static void a_built_pool_has_nothing_but_what_its_row_says(void)
{
  forget_all();
  build(&drop_row);
  CHECK(!built.age && !built.born && !built.evict && !built.link_check);
  CHECK(!built.general);
  CHECK_EQ(built.min_age + built.takes_foreign + built.hardened, 0);
  CHECK_EQ(built.lock + built.tagged, 0);
  CHECK(built.storage == memory + TP_RED_ZONE(4) / 4);
  CHECK(built.origin == (uintptr_t)built.storage - built.stride);
}

static void a_built_pool_has_all_that_its_row_says(void)
{
  struct tp_build row = {.size = 12, .count = 5, .align = 4, .lock = 64};
  row.policy = &tp_steal_oldest;
  row.aged = row.timed = row.takes_foreign = 1;
  row.min_age = 77;
  forget_all();
  build(&row);
  CHECK(built.age && built.born && built.general);
  CHECK_EQ(built.min_age, 77);
  CHECK_EQ(built.takes_foreign, 1);
  CHECK_EQ(built.lock, 64);
  row.aged = 0;
  row.tagged = 1;
  build(&row);
  CHECK(built.general && built.tagged && !built.age);
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
    CHECK(tp_fault_record.name && tp_fault_record.name[0] == 'b');
    CHECK_EQ(tp_fault_record.found, impossible[i].size);
    CHECK_EQ(tp_fault_record.expected, impossible[i].align);
  }
}

void suite_build(void)
{
  RUN(a_built_pool_has_the_shape_of_a_generated_one);
  RUN(a_built_pool_issues_every_slot_and_then_answers_full);
  RUN(a_built_pool_steals_the_oldest);
  RUN(handles_of_a_built_pool_go_stale);
  RUN(a_built_pool_keeps_to_its_bytes);
  RUN(a_pool_takes_what_it_is_made_of);
  RUN(a_built_pool_has_nothing_but_what_its_row_says);
  RUN(a_built_pool_has_all_that_its_row_says);
  RUN(a_row_no_pool_can_have_takes_no_bytes);
  if (TP_CHECKS >= TP_CHECKS_FAST) RUN(building_a_pool_no_row_can_have_faults);
}
