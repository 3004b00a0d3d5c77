// SPDX-License-Identifier: MIT
#include "scene.h"

static void start(enum scene scene)
{
  game_force(scene);
  released = 0;
}

static uint32_t fill_sparks(void)
{
  uint32_t count = 0;
  while (sparks_alloc()) count++;
  return count;
}

static uint32_t fill_foes(void)
{
  uint32_t count = 0;
  while (foes_alloc()) count++;
  return count;
}

static void before_the_first_scene_its_pools_have_no_slots(void)
{
  CHECK_EQ(game_current(), TP_NO_SCENE);
  CHECK(sparks_alloc() == NULL);
  CHECK(foes_alloc() == NULL);
}

static void each_scene_has_its_own_counts(void)
{
  static const uint32_t sparks[] = {6, 8, 10}, foes[] = {3, 2, 0};
  for (uint32_t scene = 0; scene < SCENES; scene++) {
    start((enum scene)scene);
    CHECK_EQ(game_current(), scene);
    CHECK_EQ(fill_sparks(), sparks[scene]);
    CHECK_EQ(fill_foes(), foes[scene]);
    CHECK(tp_pool_verify(&sparks_pool, NULL));
    CHECK(tp_pool_verify(&foes_pool, NULL));
  }
}

static void a_switch_lists_what_blocks_it_and_changes_nothing(void)
{
  struct tp_scene_holder blocks[2];
  start(BATTLE);
  foes_alloc();
  struct foe *second = foes_alloc();
  second->word[0] = 77;

  CHECK_EQ(game_switch(TITLE, blocks), 1);

  CHECK(blocks[0].name == foes_pool.name);
  CHECK_EQ(blocks[0].live, 2);
  CHECK_EQ(game_current(), BATTLE);
  CHECK_EQ(second->word[0], 77);
  CHECK_EQ(game_scenes.state->refused, 1);
  sparks_alloc();
  CHECK_EQ(game_switch(TITLE, blocks), 2);
  CHECK_EQ(game_switch(TITLE, NULL), 2);
}

static void a_forced_switch_releases_each_live_object_once(void)
{
  start(BATTLE);
  fill_sparks();
  fill_foes();

  game_force(TITLE);

  CHECK_EQ(released, 9);
  CHECK_EQ(game_current(), TITLE);
  CHECK_EQ(fill_sparks(), 8);
}

static void who_comes_in_place_of_who_was_released_is_released_too(void)
{
  start(BATTLE);
  sparks_alloc();
  returns = true;

  game_force(TITLE);

  CHECK(!returns);
  CHECK_EQ(released, 2);
  CHECK_EQ(fill_sparks(), 8);
}

static void what_a_forced_switch_takes_back_dies_as_objects_do(void)
{
  start(BATTLE);
  fill_sparks();
  fill_foes();
  ended = 0;

  game_force(TITLE);

  CHECK_EQ(ended, 3);
}

static void what_an_interrupt_makes_during_a_forced_switch_is_ended_too(void)
{
  start(BATTLE);
  fill_sparks();
  fill_foes();
  intrudes = true;

  game_force(TITLE);

  CHECK(intruder != NULL);
  CHECK_EQ(released, 10);
  CHECK_EQ(game_current(), TITLE);
  CHECK_EQ(tp_pool_live(&sparks_pool), 0);
  CHECK_EQ(fill_sparks(), 8);
}

static void every_handle_of_the_old_scene_is_stale(void)
{
  tp_handle_t old[6];
  start(BATTLE);
  for (uint32_t i = 0; i < 6; i++) sparks_alloc_handle(&old[i]);
  tp_handle_t foe = TP_NO_HANDLE;
  foes_alloc_handle(&foe);

  game_force(TITLE);
  fill_sparks();
  fill_foes();
  for (uint32_t i = 0; i < 6; i++) CHECK(sparks_get(old[i]) == NULL);
  CHECK(foes_get(foe) == NULL);
  CHECK(!sparks_free_handle(old[0]));

  game_force(BATTLE);
  fill_sparks();
  for (uint32_t i = 0; i < 6; i++) CHECK(sparks_get(old[i]) == NULL);
}

static void the_arena_is_the_greatest_scene_not_the_sum(void)
{
  start(BATTLE);
  start(TITLE);
  uint32_t most = BATTLE_NEEDS > TITLE_NEEDS ? BATTLE_NEEDS : TITLE_NEEDS;
  CHECK_EQ(game_scenes.bytes, ARENA_BYTES);
  CHECK_EQ(game_scenes.state->peak, most);
  CHECK(game_scenes.bytes < BATTLE_NEEDS + TITLE_NEEDS);
}

static void the_pools_of_a_scene_do_not_overlap(void)
{
  start(BATTLE);
  uintptr_t end = (uintptr_t)sparks_pool.storage + 6 * SPARK_STRIDE;
  CHECK(end + TP_RED_ZONE(8) <= (uintptr_t)foes_pool.storage);
  uintptr_t last = (uintptr_t)foes_pool.storage + 3 * FOE_STRIDE;
  CHECK(last <= (uintptr_t)game_scenes.arena + game_scenes.bytes);
}

static bool same(const struct tp_stats *a, const struct tp_stats *b)
{
  return a->live == b->live && a->peak == b->peak && a->refused == b->refused &&
         a->allocs - a->frees == b->allocs - b->frees;
}

static void round_trip(void)
{
  foes_free(foes_alloc());
  sparks_free(sparks_alloc());
  game_switch(TITLE, NULL);
  sparks_free(sparks_alloc());
  game_switch(BATTLE, NULL);
}

static void a_million_round_trips_leave_no_drift(void)
{
  struct tp_stats before, after;
  start(TITLE);
  start(BATTLE);
  round_trip();
  tp_pool_stats(&sparks_pool, &before);
  for (uint32_t i = 0; i < 1000000; i++) round_trip();
  tp_pool_stats(&sparks_pool, &after);
  CHECK_EQ(after.allocs - before.allocs, 2000000);
  CHECK_EQ(after.frees - before.frees, 2000000);
  CHECK(same(&before, &after));
  CHECK_EQ(fill_sparks(), 6);
  CHECK_EQ(fill_foes(), 3);
}

static void peaks_are_kept_by_scene(void)
{
  start(BATTLE);
  sparks_alloc();
  sparks_alloc();
  start(TITLE);
  for (uint32_t i = 0; i < 5; i++) sparks_alloc();
  start(CALM);
  const uint32_t *peaks = game_scenes.parts[0].peaks;
  CHECK(peaks[BATTLE] >= 2);
  CHECK(peaks[TITLE] >= 5);
  CHECK(peaks[BATTLE] <= 6);
}

static void a_scene_that_does_not_exist_is_a_fault(void)
{
  start(BATTLE);
  CHECK_FAULTS(TP_FAULT_SCENE, game_switch(SCENES, NULL));
  CHECK_EQ(tp_fault_record.found, SCENES);
  CHECK_FAULTS(TP_FAULT_SCENE, game_force(99));
  CHECK_EQ(game_current(), BATTLE);
}

static void a_scene_that_does_not_fit_is_a_fault(void)
{
  start(BATTLE);
  uint32_t scene = TITLE_NEEDS > BATTLE_NEEDS ? TITLE : BATTLE;
  CHECK_FAULTS(TP_FAULT_LARGE, cramped_force(scene));
  CHECK_EQ(tp_fault_record.found, ARENA_BYTES);
}

static void an_object_of_the_old_scene_is_no_object_of_the_new(void)
{
  start(BATTLE);
  for (uint32_t i = 0; i < 2; i++) foes_alloc();
  struct foe *third = foes_alloc();
  game_force(CALM);
  CHECK_FAULTS(TP_FAULT_FOREIGN, foes_free(third));
}

static void a_write_behind_an_object_is_found_when_its_scene_is_forced_out(void)
{
  start(BATTLE);
  char *foe = tp_pool_alloc(&foes_pool);
  foe[sizeof(struct foe)] ^= 1;
  CHECK_FAULTS(TP_FAULT_RED_ZONE, tp_scene_force(&game_scenes, TITLE));
  tp_test_forget(&foes_pool);
}

static void what_has_no_end_of_its_own_is_freed_by_a_forced_switch(void)
{
  start(BATTLE);
  game_force(CALM);
  cramped_force(CALM);
  CHECK_EQ(fill_sparks(), 10);
  cramped_force(CALM);
  CHECK_EQ(released, 0);
  CHECK_EQ(cramped_current(), CALM);
  CHECK_EQ(fill_sparks(), 10);
  cramped_force(CALM);
}

// A part that another context uses while a switch closes it, so often.
static uint32_t busy, opened, closed;

static uint32_t restless_bytes(const void *allocator, uint32_t count)
{
  (void)allocator;
  return count;
}

static uint32_t restless_live(const void *allocator)
{
  (void)allocator;
  return 0;
}

static bool restless_close(void *allocator)
{
  (void)allocator;
  if (busy > 0) return busy-- == 0;
  closed++;
  return true;
}

static void restless_open(void *allocator, void *memory, uint32_t count)
{
  (void)allocator;
  (void)memory;
  opened = opened * 100 + count;
}

static void a_switch_that_another_context_disturbs_begins_again(void)
{
  static const struct tp_scene_kind restless = {restless_bytes, restless_live,
                                                restless_live, restless_close,
                                                restless_open};
  static const uint32_t amounts[] = {16, 32};
  static uint32_t peaks[2];
  static struct tp_scene_state state;
  static const struct tp_scene_part part = {
      &restless, &busy, NULL, "restless", amounts, peaks, NULL, NULL, NULL};
  static const struct tp_scenes scenes = {.parts = &part,
                                          .state = &state,
                                          .name = "restless",
                                          .bytes = 32,
                                          .part_count = 1,
                                          .scene_count = 2,
                                          .align = 8};
  state = (struct tp_scene_state){0};
  busy = 2;
  closed = opened = 0;
  CHECK_EQ(tp_scene_switch(&scenes, 0, NULL), 0);
  CHECK_EQ(closed, 1);
  CHECK_EQ(opened, 16);  // Nothing to restore before the first scene.
  busy = 2;
  CHECK_EQ(tp_scene_switch(&scenes, 1, NULL), 0);
  CHECK_EQ(closed, 2);
  CHECK_EQ(opened, 16161632);
  CHECK_EQ(state.switches, 2);
  CHECK_EQ(tp_scene_current(&scenes), 1);
}

void suite_scene(void)
{
  RUN(before_the_first_scene_its_pools_have_no_slots);
  RUN(each_scene_has_its_own_counts);
  RUN(a_switch_lists_what_blocks_it_and_changes_nothing);
  RUN(a_forced_switch_releases_each_live_object_once);
  RUN(who_comes_in_place_of_who_was_released_is_released_too);
  RUN(what_a_forced_switch_takes_back_dies_as_objects_do);
  RUN(what_an_interrupt_makes_during_a_forced_switch_is_ended_too);
  RUN(every_handle_of_the_old_scene_is_stale);
  RUN(the_arena_is_the_greatest_scene_not_the_sum);
  RUN(the_pools_of_a_scene_do_not_overlap);
  RUN(a_million_round_trips_leave_no_drift);
  RUN(peaks_are_kept_by_scene);
  RUN(a_switch_that_another_context_disturbs_begins_again);
  RUN(what_has_no_end_of_its_own_is_freed_by_a_forced_switch);
  RUN(a_scene_that_does_not_fit_is_a_fault);
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  RUN(a_scene_that_does_not_exist_is_a_fault);
  RUN(an_object_of_the_old_scene_is_no_object_of_the_new);
  if (TP_CHECKS >= TP_CHECKS_FULL)
    RUN(a_write_behind_an_object_is_found_when_its_scene_is_forced_out);
}
