// SPDX-License-Identifier: MIT
// What the unit images leave out of the object code of the library, though
// they reach the same lines in C: other copies of what is inline, and pools
// that mask something else. test_object_code.py counts what is executed.
#include "ways.h"

#include "core/tp_core.h"
#include "object/tp_build.h"
#include "object/tp_scene.h"
#include "policy/tp_steal_least.h"
#include "policy/tp_watermark.h"

enum { WORDS = 256 };

const uint8_t locks[] = {TP_LOCK_PRIMASK, TP_LOCK_NONE, 0x40};
static struct tp_pool pool;
static tp_word_t memory[WORDS];
static void *objects[SLOTS];

void build_of(struct tp_pool *built, uint8_t lock, struct tp_build row)
{
  row.size = 16;
  row.count = SLOTS;
  row.align = 8;
  row.lock = lock;
  tp_pool_build(built, "built", &row, memory);
}

static void build(uint8_t lock, const struct tp_policy *policy, bool aged,
                  bool timed)
{
  build_of(&pool, lock,
           (struct tp_build){
               .aged = aged, .timed = timed, .tagged = 1, .policy = policy});
}

static void fill(void)
{
  for (uint32_t i = 0; i < SLOTS; i++) {
    objects[i] = tp_pool_alloc_for(&pool, NULL, NULL);
  }
}

static void a_dropping_pool_of_any_lock_does_all_it_can(void)
{
  for (uint32_t i = 0; i < 3; i++) {
    build(locks[i], &tp_drop, false, false);
    fill();
    CHECK(!tp_pool_alloc_for(&pool, NULL, NULL));
    tp_pool_free_for(&pool, objects[0], NULL);
    CHECK(tp_pool_extend(&pool, NULL, NULL) == objects[0]);
    tp_pool_free_for(&pool, objects[0], NULL);
    pool.tag[1] = 0x7fffffffu;
    CHECK(tp_pool_alloc_for(&pool, NULL, NULL) == objects[0]);
    CHECK_EQ(pool.tag[1], 0x80000001u);
    tp_pool_reset(&pool);
    CHECK_EQ(tp_pool_live(&pool), 0);
  }
}

// A list, a tag and a pointer that are wrong, found with each lock.
static void a_pool_of_any_lock_finds_what_is_wrong(void)
{
  for (uint32_t i = 0; i < 3; i++) {
    build(locks[i], &tp_drop, false, false);
    fill();
    tp_pool_free_for(&pool, objects[0], NULL);
    CHECK_FAULTS(TP_FAULT_DOUBLE_FREE,
                 tp_pool_free_for(&pool, objects[0], NULL));
    if (TP_CHECKS < TP_CHECKS_FAST) continue;
    CHECK_FAULTS(TP_FAULT_FOREIGN, tp_pool_free_for(&pool, &pool, NULL));
    pool.tag[1] |= 0x80000000u;
    CHECK_FAULTS(TP_FAULT_TAG, tp_pool_alloc_for(&pool, NULL, NULL));
    pool.tag[1] &= 0x7fffffffu;
    *(tp_word_t *)objects[0] ^= 0x10000u;
    CHECK_FAULTS(TP_FAULT_LINK, tp_pool_alloc_for(&pool, NULL, NULL));
    *(tp_word_t *)objects[0] ^= 0x10000u;
    pool.tag[0] |= 0x7000u;
    CHECK_FAULTS(TP_FAULT_LINK, tp_pool_alloc_for(&pool, NULL, NULL));
  }
}

// A list that was written over and counts wrong: no slot is made up.
static void a_pool_that_counts_too_few_is_full_all_the_same(void)
{
  for (uint32_t i = 0; TP_CHECKS >= TP_CHECKS_FAST && i < 3; i++) {
    build(locks[i], &tp_drop, false, false);
    fill();
    pool.tag[0] = 0x10000u;
    CHECK(!tp_pool_alloc_for(&pool, NULL, NULL));
  }
}

static void a_pool_of_any_lock_steals_the_oldest(void)
{
  for (uint32_t i = 0; i < 3; i++) {
    for (int timed = 0; timed < 2; timed++) {
      build(locks[i], &tp_steal_oldest, true, timed);
      CHECK_EQ(tp_pool_oldest_age(&pool), 0);
      fill();
      tp_clock_now += 5;
      CHECK_EQ(tp_pool_oldest_age(&pool), timed ? 5 : 0);
      uint32_t tag = 0;
      CHECK(tp_pool_alloc_for(&pool, &tag, NULL) == objects[0]);
      CHECK(tp_pool_alloc_for(&pool, NULL, NULL) == objects[1]);
      tp_pool_free_for(&pool, objects[2], NULL);
      CHECK(tp_pool_alloc_for(&pool, &tag, NULL) == objects[2]);
      tp_pool_free_for(&pool, objects[2], NULL);
      CHECK(tp_aged_alloc(&pool) == objects[2]);
      tp_aged_free(&pool, objects[2]);
    }
  }
}

static void told(const struct tp_pool *of, uint32_t left)
{
  (void)of;
  (void)left;
}

static void a_pool_of_any_lock_is_watched(void)
{
  for (uint32_t i = 0; i < 3; i++) {
    struct tp_watermark_state state = {0};
    const struct tp_watermark watermark = {&pool, &state, told, told, 1, 2};
    build(locks[i], &tp_drop, false, false);
    void *first = tp_watermark_alloc(&watermark);
    void *second = tp_watermark_alloc(&watermark);
    CHECK(tp_watermark_is_low(&watermark));
    tp_watermark_free(&watermark, first);
    CHECK(!tp_watermark_is_low(&watermark));
    tp_watermark_free(&watermark, second);
  }
}

// Scores, and what comes between two looks at the pool.
static uint32_t visits;
static uint32_t disturbed;  // At so many visits, from the first on.
static bool pins;           // And how: pinned, or freed.

static uint32_t score(const void *object)
{
  if (visits++ < disturbed) {
    if (pins) {
      tp_pool_pin(&pool, (void *)(uintptr_t)object);
    } else {
      tp_pool_free_for(&pool, (void *)(uintptr_t)object, NULL);
    }
  }
  return ((const uint32_t *)object)[1];
}

static const struct tp_steal_least least = {
    {.overflow = tp_least_overflow}, score, 1};

static void fill_scored(uint8_t lock, bool timed)
{
  build(lock, &least.policy, true, timed);
  fill();
  for (uint32_t i = 0; i < SLOTS; i++) ((uint32_t *)objects[i])[1] = 5 - i;
  visits = 0;
  disturbed = 0;
  pins = false;
}

static void a_pool_of_any_lock_steals_the_least(void)
{
  for (uint32_t i = 0; i < 6; i++) {
    fill_scored(locks[i % 3], i >= 3);
    CHECK(tp_least_alloc(&pool, 9) == objects[2]);
    ((uint32_t *)objects[2])[1] = 3;
    CHECK(!tp_least_alloc(&pool, 1));
    CHECK(tp_pool_alloc_for(&pool, NULL, NULL) == objects[2]);
    for (uint32_t slot = 0; slot < SLOTS; slot++) {
      tp_pool_pin(&pool, objects[slot]);
    }
    CHECK(!tp_least_alloc(&pool, 9));
  }
}

static void a_scan_of_any_lock_that_is_disturbed_finds_what_was_freed(void)
{
  for (uint32_t i = 0; i < 12; i++) {
    fill_scored(locks[i % 3], i >= 6);
    disturbed = 1;
    uint32_t tag = ~9u;
    CHECK(tp_pool_alloc_for(&pool, i % 2 ? &tag : NULL, NULL) == objects[0]);
    fill_scored(locks[i % 3], i >= 6);
    disturbed = 1;
    pins = true;
    CHECK(tp_least_alloc(&pool, 9));
    fill_scored(locks[i % 3], i >= 6);
    disturbed = 9;
    pins = true;
    CHECK(!tp_least_alloc(&pool, 9));
    fill_scored(locks[i % 3], i >= 6);
    disturbed = 9;
    pins = true;
    CHECK(!least.policy.overflow(&pool, NULL, NULL));
  }
}

// Last of a scan, so that the choice, the oldest, is made and then changed.
static uint32_t score_last(const void *object)
{
  if (++visits == SLOTS) {
    if (pins) {
      tp_pool_pin(&pool, objects[0]);
    } else {
      tp_pool_free_for(&pool, objects[0], NULL);
      (void)tp_pool_alloc_for(&pool, NULL, NULL);
    }
  }
  return ((const uint32_t *)object)[1];
}

static const struct tp_steal_least late = {
    {.overflow = tp_least_overflow}, score_last, 0};

static void a_choice_that_changed_meanwhile_is_made_again(void)
{
  for (uint32_t i = 0; i < 6; i++) {
    fill_scored(locks[i % 3], false);
    for (uint32_t slot = 1; slot <= SLOTS; slot++) {
      ((uint32_t *)objects[slot - 1])[1] = slot;
      pool.tag[slot] = ~0u;
    }
    pool.policy = &late.policy;
    pins = i >= 3;
    CHECK(tp_least_alloc(&pool, 9));
  }
}

// Frees what it is asked about, and writes over the list.
static uint32_t score_badly(const void *object)
{
  tp_pool_free_for(&pool, (void *)(uintptr_t)object, NULL);
  pool.tag[0] |= 0x7000u;
  return 1;
}

static const struct tp_steal_least bad = {
    {.overflow = tp_least_overflow}, score_badly, 0};

static void a_list_that_is_written_over_in_a_scan_is_found(void)
{
  for (uint32_t i = 0; TP_CHECKS >= TP_CHECKS_FAST && i < 3; i++) {
    fill_scored(locks[i], false);
    pool.policy = &bad.policy;
    CHECK_FAULTS(TP_FAULT_LINK, tp_least_alloc(&pool, 9));
  }
}

static void scenes_cut_pools_of_any_lock_and_stride(void)
{
  for (uint32_t i = 0; i < 3; i++) {
    build(locks[i], &tp_drop, false, false);
    fill();
    CHECK(!tp_scene_pool.close(&pool));
    tp_pool_reset(&pool);
    CHECK(tp_scene_pool.close(&pool));
    for (uint32_t stride = 4; stride <= 0x8000; stride *= 2) {
      pool.stride = (uint16_t)stride;
      pool.size = (uint16_t)stride;
      tp_scene_pool.open(&pool, memory, 1);
      CHECK(tp_scene_pool.close(&pool));
    }
    pool.tagged = 0;
    CHECK(tp_scene_pool.close(&pool));
    tp_scene_pool.open(&pool, memory, 1);
    CHECK(tp_scene_pool.close(&pool));
    pool.age = (struct tp_age_link *)memory;
    tp_scene_pool.open(&pool, memory, 1);
    CHECK(tp_scene_pool.close(&pool));
  }
}

static void rows_of_each_stride_and_count_take_what_they_take(void)
{
  for (uint32_t size = 4; size <= 0x8000; size *= 2) {
    const struct tp_build row = {.size = (uint16_t)size,
                                 .count = 1,
                                 .align = 4,
                                 .tagged = 1,
                                 .policy = &tp_drop};
    CHECK(tp_build_bytes(&row) > size);
  }
  for (uint32_t count = 1; count <= 0x4000; count *= 2) {
    const struct tp_build row = {.size = 4,
                                 .count = (tp_slot_t)count,
                                 .align = 4,
                                 .tagged = 1,
                                 .policy = &tp_drop};
    CHECK(tp_build_bytes(&row) > 4 * count);
  }
}

static tp_word_t wide[0x4000];

static void pools_of_each_stride_are_built(void)
{
  for (uint32_t size = 4; size <= 0x8000; size *= 2) {
    tp_pool_build(
        &pool, "built",
        &(struct tp_build){
            .size = (uint16_t)size, .count = 1, .align = 4, .policy = &tp_drop},
        wide);
    void *object = tp_pool_alloc(&pool);
    CHECK(object);
    tp_pool_free(&pool, object);
  }
}

// Calls that know of no lock, and those of a ring, for pools that have none.
static void calls_without_a_lock_do_all_that_the_others_do(void)
{
  for (int timed = 0; timed < 2; timed++) {
    build(TP_LOCK_NONE, &tp_steal_oldest, true, timed);
    void *object = tp_unlocked_alloc(&pool);
    tp_unlocked_free(&pool, object);
    CHECK(tp_unlocked_alloc(&pool) == object);
    tp_unlocked_free(&pool, object);
    pool.tag[1] = 0x7fffffffu;
    CHECK(tp_unlocked_alloc(&pool) == object);
  }
  build(TP_LOCK_PRIMASK, &tp_drop, false, false);
  void *object = tp_aged_alloc(&pool);
  tp_aged_free(&pool, object);
  CHECK(tp_aged_alloc(&pool) == object);
  tp_aged_free(&pool, object);
  CHECK(tp_unlocked_alloc(&pool) == object);
  tp_unlocked_free(&pool, object);
}

static void calls_without_a_lock_find_what_is_wrong(void)
{
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  build(TP_LOCK_NONE, &tp_drop, false, false);
  void *object = tp_unlocked_alloc(&pool);
  tp_unlocked_free(&pool, object);
  CHECK_FAULTS(TP_FAULT_DOUBLE_FREE, tp_unlocked_free(&pool, object));
  CHECK_FAULTS(TP_FAULT_FOREIGN, tp_unlocked_free(&pool, &pool));
  *(tp_word_t *)object ^= 0x10000u;
  CHECK_FAULTS(TP_FAULT_LINK, tp_unlocked_alloc(&pool));
}

// Of pools that quick calls serve.
static void quick_calls_go_on_where_a_generation_ends(void)
{
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  build(TP_LOCK_PRIMASK, &tp_drop, false, false);
  pool.general = NULL;
  void *object = tp_pool_alloc(&pool);
  tp_pool_free(&pool, object);
  pool.tag[1] = 0x7fffffffu;
  CHECK(tp_pool_alloc(&pool) == object);
  CHECK_EQ(pool.tag[1], 0x80000001u);
  pool.tag[2] = 0x7fffffffu;
  CHECK(tp_pool_alloc(&pool));
  CHECK_EQ(pool.tag[2], 0x80000001u);
}

static void handles_of_nothing_are_stale(void)
{
  build(TP_LOCK_PRIMASK, &tp_steal_oldest, true, false);
  tp_handle64_t handle;
  void *object = tp_handle64_alloc(&pool, &handle);
  const tp_handle64_t wrong[] = {0, handle ^ (tp_handle64_t)1 << 47,
                                 handle + 100, handle & 0xffff};
  for (uint32_t i = 0; i < 4; i++) {
    CHECK(!tp_handle64_free(&pool, wrong[i]));
    CHECK(!tp_handle64_pin(&pool, wrong[i]));
    CHECK(!tp_handle64_unpin(&pool, wrong[i]));
    CHECK(!tp_handle64_get(&pool, wrong[i]));
  }
  CHECK(tp_handle64_free(&pool, handle));
  CHECK(tp_handle64_of(&pool, object) == 0);
  CHECK(tp_handle64_of(&pool, memory) == 0);
}

// Of 1 less 2, an instruction of each condition: half of them are done.
__attribute__((naked, noinline)) static void known_ways(void)
{
#define WHERE(condition) "it " #condition "\n mov" #condition " r1, r0\n"
  __asm volatile("movs r0, #1\n cmp r0, #2\n" WHERE(eq) WHERE(ne) WHERE(cs)
                     WHERE(cc) WHERE(mi) WHERE(pl) WHERE(vs) WHERE(vc) WHERE(hi)
                         WHERE(ls) WHERE(ge) WHERE(lt) WHERE(gt)
                             WHERE(le) "bx lr");
}

int main(void)
{
  known_ways();
  RUN(a_dropping_pool_of_any_lock_does_all_it_can);
  RUN(a_pool_of_any_lock_finds_what_is_wrong);
  RUN(a_pool_that_counts_too_few_is_full_all_the_same);
  RUN(a_pool_of_any_lock_steals_the_oldest);
  RUN(a_pool_of_any_lock_is_watched);
  RUN(a_pool_of_any_lock_steals_the_least);
  RUN(a_scan_of_any_lock_that_is_disturbed_finds_what_was_freed);
  RUN(a_choice_that_changed_meanwhile_is_made_again);
  RUN(a_list_that_is_written_over_in_a_scan_is_found);
  RUN(scenes_cut_pools_of_any_lock_and_stride);
  RUN(rows_of_each_stride_and_count_take_what_they_take);
  RUN(pools_of_each_stride_are_built);
  RUN(calls_without_a_lock_do_all_that_the_others_do);
  RUN(calls_without_a_lock_find_what_is_wrong);
  RUN(quick_calls_go_on_where_a_generation_ends);
  RUN(handles_of_nothing_are_stale);
  suite_regions();
  suite_more();
  suite_rows();
  suite_outside();
  suite_owners();
  suite_rings();
  suite_blocks();
  suite_nests();
  suite_chunks();
  suite_denses();
  suite_objects();
  return tp_test_end();
}
