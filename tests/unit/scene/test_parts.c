// SPDX-License-Identifier: MIT
// What is asked of each part of scenes: of two that note it, and of one behind
// them that is no part.
#include "scene.h"

#include "tp_port.h"

enum { PARTS = 2, CUTS = 4 };

static struct noted {
  uint32_t live, peak;  // What it answers.
  uint32_t opens, closes, ends;
  uint32_t amount;
  const void *memory;
} noted[PARTS + 1];

static uint32_t noted_bytes(const void *allocator, uint32_t amount)
{
  (void)allocator;
  return amount + 1;
}

static uint32_t noted_live(const void *allocator)
{
  return ((const struct noted *)allocator)->live;
}

static uint32_t noted_peak(const void *allocator)
{
  return ((const struct noted *)allocator)->peak;
}

static bool noted_close(void *allocator)
{
  ((struct noted *)allocator)->closes++;
  return true;
}

static void noted_open(void *allocator, void *memory, uint32_t amount)
{
  struct noted *part = allocator;
  part->opens++;
  part->memory = memory;
  part->amount = amount;
}

static void noted_end(const struct tp_scene_part *part, tp_site_t site)
{
  (void)site;
  ((struct noted *)part->allocator)->ends++;
}

static const struct tp_scene_kind kind = {noted_bytes, noted_live, noted_peak,
                                          noted_close, noted_open};
static const uint32_t amounts[PARTS + 1][CUTS] = {
    {0, 1, 7, 8}, {7, 0, 1, 16}, {7, 7, 7, 7}};
static uint32_t peaks[PARTS + 1][CUTS];
static const struct tp_scene_part parts[PARTS + 1] = {
    {&kind, &noted[0], NULL, "one", amounts[0], peaks[0], noted_end, NULL,
     NULL},
    {&kind, &noted[1], NULL, "two", amounts[1], peaks[1], noted_end, NULL,
     NULL},
    {&kind, &noted[2], NULL, "none", amounts[2], peaks[2], noted_end, NULL,
     NULL},
};
static const uint32_t taken[CUTS] = {8, 8, 16, 40};
static _Alignas(8) tp_word_t arena[10];
static struct tp_scene_state state;
static const struct tp_scenes cuts = {.parts = parts,
                                      .arena = arena,
                                      .state = &state,
                                      .name = "cuts",
                                      .bytes = sizeof arena,
                                      .part_count = PARTS,
                                      .scene_count = CUTS,
                                      .align = 8};

static void start(void)
{
  state = (struct tp_scene_state){0};
  for (uint32_t i = 0; i <= PARTS; i++) {
    noted[i] = (struct noted){0};
    for (uint32_t scene = 0; scene < CUTS; scene++) peaks[i][scene] = 0;
  }
}

static void a_scene_takes_the_bytes_of_its_parts_each_a_whole_alignment(void)
{
  for (uint32_t scene = 0; scene < CUTS; scene++) {
    CHECK_EQ(tp_scene_bytes(&cuts, scene), taken[scene]);
  }
}

static void each_part_lies_behind_the_one_before(void)
{
  static const uint32_t first[CUTS] = {0, 8, 8, 16};
  start();
  for (uint32_t scene = 0; scene < CUTS; scene++) {
    CHECK_EQ(tp_scene_switch(&cuts, scene, NULL), 0);
    CHECK(noted[0].memory == arena);
    CHECK(noted[1].memory == arena + first[scene] / 4);
    CHECK_EQ(noted[0].amount, amounts[0][scene]);
    CHECK_EQ(noted[1].amount, amounts[1][scene]);
  }
}

static void each_part_is_closed_and_opened_once_and_no_other(void)
{
  start();
  CHECK_EQ(tp_scene_switch(&cuts, 0, NULL), 0);
  tp_scene_force(&cuts, 1);
  CHECK_EQ(state.switches, 2);
  for (uint32_t i = 0; i <= PARTS; i++) {
    CHECK_EQ(noted[i].closes, i < PARTS ? 2 : 0);
    CHECK_EQ(noted[i].opens, i < PARTS ? 2 : 0);
    CHECK_EQ(noted[i].ends, i < PARTS ? 1 : 0);
  }
}

static void each_part_that_holds_something_is_listed_and_no_other(void)
{
  struct tp_scene_holder holders[PARTS + 1] = {{"", 0}};
  start();
  noted[1].live = 1;
  noted[2].live = 9;
  CHECK_EQ(tp_scene_switch(&cuts, 0, holders), 1);
  CHECK(holders[0].name == parts[1].name);
  CHECK_EQ(holders[0].live, 1);
  noted[0].live = 5;
  CHECK_EQ(tp_scene_switch(&cuts, 0, holders), 2);
  CHECK(holders[0].name == parts[0].name && holders[1].name == parts[1].name);
  CHECK_EQ(holders[0].live, 5);
  CHECK_EQ(state.refused, 2);
  CHECK_EQ(state.switches + noted[0].closes + noted[1].opens, 0);
}

static void the_highest_peak_of_a_scene_is_kept(void)
{
  static const uint32_t seen[] = {5, 3, 7}, kept[] = {5, 5, 7};
  start();
  noted[0].peak = 9;
  CHECK_EQ(tp_scene_switch(&cuts, 1, NULL), 0);
  for (uint32_t i = 0; i < 3; i++) {
    noted[0].peak = seen[i];
    CHECK_EQ(tp_scene_switch(&cuts, 1, NULL), 0);
    CHECK_EQ(peaks[0][1], kept[i]);
  }
  CHECK_EQ(peaks[0][0] + peaks[0][2] + peaks[1][1] + peaks[2][1], 0);
}

static void the_bytes_of_the_greediest_scene_so_far_are_kept(void)
{
  static const uint32_t order[] = {2, 0, 3, 1}, most[] = {16, 16, 40, 40};
  start();
  for (uint32_t i = 0; i < CUTS; i++) {
    CHECK_EQ(tp_scene_switch(&cuts, order[i], NULL), 0);
    CHECK_EQ(state.peak, most[i]);
    CHECK_EQ(tp_scene_current(&cuts), order[i]);
  }
}

static bool says(const struct tp_scenes *scenes, uint32_t found,
                 uint32_t expected)
{
  const struct tp_fault_record *record = &tp_fault_record;
  return record->name == scenes->name && record->address == scenes->arena &&
         record->found == found && record->expected == expected &&
         !record->pool && record->slot == 0 && record->offset == 0;
}

static void a_scene_that_is_none_is_named_with_how_many_there_are(void)
{
  start();
  CHECK_FAULTS(TP_FAULT_SCENE, tp_scene_switch(&cuts, CUTS + 1, NULL));
  CHECK(says(&cuts, CUTS + 1, CUTS));
  CHECK_FAULTS(TP_FAULT_SCENE, tp_scene_force(&cuts, CUTS));
  CHECK(says(&cuts, CUTS, CUTS));
  CHECK_EQ(noted[0].ends + noted[0].closes + noted[0].opens, 0);
}

static void a_scene_too_large_is_named_with_its_bytes_and_the_arena_s(void)
{
  struct tp_scenes small = cuts;
  small.bytes = 32;
  start();
  CHECK_FAULTS(TP_FAULT_LARGE, tp_scene_switch(&small, 3, NULL));
  CHECK(says(&small, 40, 32));
  CHECK_FAULTS(TP_FAULT_LARGE, tp_scene_force(&small, 3));
  CHECK(says(&small, 40, 32));
  CHECK_EQ(noted[0].ends + noted[0].closes + noted[0].opens, 0);
}

// The kind of pools ----------------------------------------------------------

static void leave(void)
{
  game_force(BATTLE);
}

static void a_pool_takes_its_slots_and_a_red_zone(void)
{
  CHECK_EQ(tp_scene_pool.bytes(&sparks_pool, 1), SPARK_STRIDE + TP_RED_ZONE(8));
  CHECK_EQ(tp_scene_pool.bytes(&sparks_pool, 5),
           5 * SPARK_STRIDE + TP_RED_ZONE(8));
}

static void a_closed_pool_is_whole_and_has_no_slot(void)
{
  leave();
  struct spark *spark = sparks_alloc();
  CHECK(!tp_scene_pool.close(&sparks_pool));
  CHECK_EQ(sparks_pool.capacity, 6);
  CHECK_EQ(tp_scene_pool.live(&sparks_pool), 1);
  sparks_free(spark);

  CHECK(tp_scene_pool.close(&sparks_pool));

  CHECK(tp_pool_verify(&sparks_pool, NULL));
  CHECK_EQ(sparks_pool.capacity, 0);
  CHECK_EQ(sparks_pool.gate, TP_GATE(SPARK_STRIDE, 0));
  CHECK_EQ(tp_scene_pool.peak(&sparks_pool), 0);
  CHECK(!sparks_alloc());
  leave();
}

static void an_opened_pool_is_whole_and_begins_behind_its_red_zone(void)
{
  static _Alignas(8) tp_word_t memory[(3 * SPARK_STRIDE + 16) / 4];
  leave();
  for (uint32_t i = 0; i < 3; i++) sparks_free(sparks_alloc());
  CHECK(tp_scene_pool.close(&sparks_pool));

  tp_scene_pool.open(&sparks_pool, memory, 3);

  CHECK(tp_pool_verify(&sparks_pool, NULL));
  CHECK(sparks_alloc() == (void *)(memory + TP_RED_ZONE(8) / 4));
  for (uint32_t i = 0; i < 2; i++) CHECK(sparks_alloc());
  CHECK(!sparks_alloc());
  CHECK_EQ(tp_scene_pool.live(&sparks_pool), 3);
  CHECK_EQ(tp_scene_pool.peak(&sparks_pool), 3);
  leave();
}

static void a_pool_that_masks_by_basepri_is_closed_and_opened_too(void)
{
  static _Alignas(8) tp_word_t memory[(3 * SPARK_STRIDE + 16) / 4];
  leave();
  sparks_pool.lock = 64;
  CHECK(tp_scene_pool.close(&sparks_pool));
  tp_scene_pool.open(&sparks_pool, memory, 3);
  sparks_pool.lock = TP_LOCK_PRIMASK;
  CHECK(sparks_alloc() != NULL);
}

static uint32_t finished;

static void finish(const struct tp_scene_part *part, void *object,
                   tp_site_t site)
{
  (void)part;
  (void)object;
  (void)site;
  finished++;
}

// Where the list's word is an address it may be as high as the tag of one that
// lives, and behind what was ever issued anything may stand. Two of three that
// were issued live; then one more was issued, says a count, than there are.
static void only_who_lives_of_what_was_issued_is_counted_and_ended(void)
{
  const uint32_t live = 0x80000001u, dead = 1;
  uint32_t tags[] = {live, live, dead, live, live, live};
  struct tp_pool_state issued = {.fresh = 3};
  leave();
  struct tp_pool pool = sparks_pool;
  struct tp_scene_part part = {.allocator = &pool};
  pool.tag = tags;
  pool.state = &issued;
  pool.capacity = 4;
  finished = 0;

  tp_scene_end_for(&part, NULL, finish);

  CHECK_EQ(finished, 2);
  CHECK_EQ(tp_scene_pool.live(&pool), 2);
  issued.fresh = 5;
  CHECK_EQ(tp_scene_pool.live(&pool), 3);
}

#if !defined __arm__ && !defined __riscv
static void *memory_of_sparks(void)
{
  return sparks_pool.storage - (SPARK_STRIDE - sparks_pool.size) / 4;
}

static void take_a_spark(void)
{
  sparks_alloc();
}

static void opening_what_was_not_closed_loses_no_count_of_an_interrupt_s(void)
{
  leave();
  tp_port_interrupt_after(1, take_a_spark);
  tp_scene_pool.open(&sparks_pool, memory_of_sparks(), 6);
  tp_port_interrupt_after(0, NULL);
  CHECK(tp_pool_verify(&sparks_pool, NULL));
}

static void who_closes_or_opens_a_pool_while_masked_stays_so(void)
{
  leave();
  void *memory = memory_of_sparks();
  uint32_t key = tp_port_lock();
  tp_scene_pool.open(&sparks_pool, memory, 6);
  CHECK_EQ(tp_port_depth, 1);
  CHECK(tp_scene_pool.close(&sparks_pool));
  CHECK_EQ(tp_port_depth, 1);
  tp_scene_pool.open(&sparks_pool, memory, 6);
  CHECK_EQ(tp_port_depth, 1);
  tp_port_unlock(key);
}

static void suite_masked(void)
{
  RUN(opening_what_was_not_closed_loses_no_count_of_an_interrupt_s);
  RUN(who_closes_or_opens_a_pool_while_masked_stays_so);
}
#else
static void suite_masked(void)
{
}
#endif

void suite_parts(void)
{
  RUN(a_scene_takes_the_bytes_of_its_parts_each_a_whole_alignment);
  RUN(each_part_lies_behind_the_one_before);
  RUN(each_part_is_closed_and_opened_once_and_no_other);
  RUN(each_part_that_holds_something_is_listed_and_no_other);
  RUN(the_highest_peak_of_a_scene_is_kept);
  RUN(the_bytes_of_the_greediest_scene_so_far_are_kept);
  RUN(a_scene_too_large_is_named_with_its_bytes_and_the_arena_s);
  RUN(a_pool_takes_its_slots_and_a_red_zone);
  RUN(a_closed_pool_is_whole_and_has_no_slot);
  RUN(an_opened_pool_is_whole_and_begins_behind_its_red_zone);
  RUN(a_pool_that_masks_by_basepri_is_closed_and_opened_too);
  RUN(only_who_lives_of_what_was_issued_is_counted_and_ended);
  suite_masked();
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  RUN(a_scene_that_is_none_is_named_with_how_many_there_are);
}
