// SPDX-License-Identifier: MIT
// What scenes cut beside pools: stacks, frames, blocks and dense pools.
#include "compose.h"

#include "core/tp_registry.h"

static const struct tp_entry *entry_of(const char *name)
{
  return tp_registry.entries[tp_registry_find(&tp_registry, name)];
}

static uint32_t capacity_of(const char *name)
{
  return tp_entry_capacity(entry_of(name));
}

static void start(uint32_t scene)
{
  compose_start();
  scenes_force(scene);
  hooks = (struct hooks){0};
}

static void before_the_first_scene_every_part_is_full(void)
{
  compose_start();
  CHECK_EQ(scenes_current(), TP_NO_SCENE);
  foam_end();
  CHECK(!deck_alloc(4, 4) && !rope_alloc(TP_HIGH, 4, 4) && !foam_alloc(4, 4));
  CHECK(!mail_alloc(16) && !ants_alloc(NULL) && !bees_alloc(NULL));
  CHECK_EQ(capacity_of("deck") + capacity_of("mail") + capacity_of("ants"), 0);
}

static void each_part_has_what_the_scene_gives_it(void)
{
  static const char *const names[] = {"beams", "deck", "rope",
                                      "foam",  "mail", "ants"};
  static const uint32_t given[2][6] = {{4, 64, 0, 32, 80, 3},
                                       {1, 16, 64, 0, 128, 8}};
  for (uint32_t scene = 0; scene < 2; scene++) {
    start(scene);
    for (uint32_t i = 0; i < 6; i++) {
      CHECK_EQ(capacity_of(names[i]), given[scene][i]);
    }
  }
}

// Takes all that the scene gives, and writes to it.
static void fill(void)
{
  struct spark *spark;
  struct voice *voice;
  uint32_t *words;
  while ((words = deck_alloc(16, 8))) words[3] = 1;
  while ((words = rope_alloc(TP_HIGH, 16, 8))) words[3] = 2;
  while ((words = foam_alloc(16, 8))) words[3] = 3;
  while ((words = mail_alloc(16))) words[3] = 4;
  while ((words = mail_alloc(32))) words[7] = 5;
  while ((spark = ants_alloc(NULL))) spark->last = 6;
  while ((spark = bees_alloc(NULL))) spark->last = 7;
  while ((spark = lamps_create(NULL))) spark->last = 8;
  while ((voice = flares_alloc())) voice->unused[0] = 9;
  if ((voice = torches_create(NULL))) voice->unused[0] = 10;
}

// Does every allocator hold its invariants, and is nothing of it live?
static bool all_are(bool empty)
{
  for (uint32_t i = 0; i < tp_registry.count; i++) {
    const struct tp_entry *entry = tp_registry.entries[i];
    struct tp_finding finding;
    struct tp_stats stats;
    if (entry->kind == &tp_scenes_kind) continue;
    tp_entry_stats(entry, &stats);
    if (!tp_entry_verify(entry, &finding)) return false;
    if (stats.live > tp_entry_capacity(entry)) return false;
    if (entry->bytes > 0) continue;  // No scene cuts it.
    if (empty && (stats.live > 0 || stats.allocs != stats.frees)) return false;
  }
  return true;
}

static void parts_fill_the_memory_of_a_scene_and_do_not_overlap(void)
{
  for (uint32_t scene = 0; scene < 2; scene++) {
    start(scene);
    fill();
    CHECK(all_are(false));
    CHECK_EQ(tp_entry_live(entry_of("mail")), capacity_of("mail"));
    CHECK_EQ(tp_entry_live(entry_of("deck")), capacity_of("deck"));
    CHECK_EQ(tp_entry_live(entry_of("rope")), capacity_of("rope"));
    CHECK_EQ(tp_entry_live(entry_of("foam")), capacity_of("foam"));
    CHECK_EQ(ants_count(), capacity_of("ants"));
    CHECK_EQ(bees_count(), capacity_of("bees"));
  }
}

static void a_forced_switch_empties_every_part(void)
{
  compose_start();
  for (uint32_t i = 0; i < 1000; i++) {
    scenes_force(i % 2);
    CHECK(all_are(true));
    fill();
  }
  start(TP_SCENE_DAY);
  CHECK_EQ(mail_blocks.waste->now, 0);
  CHECK(tp_blocks_verify(&mail_blocks));
}

static void off_counts_a_block_of_no_bytes_as_any_other(void)
{
  start(TP_SCENE_DAY);
  void *block = mail_alloc(0);
  CHECK(block);
  CHECK(tp_blocks_verify(&mail_blocks));
  mail_free(block);
  CHECK_EQ(mail_blocks.waste->now, 0);
  CHECK(tp_blocks_verify(&mail_blocks));
}

static uint32_t holder_of(const char *name)
{
  struct tp_scene_holder holders[9];
  uint32_t count = scenes_switch(TP_SCENE_NIGHT, holders);
  if (count != 1 || tp_registry_find(&tp_registry, name) !=
                        tp_registry_find(&tp_registry, holders[0].name)) {
    return 0;
  }
  return holders[0].live;
}

static void a_switch_waits_for_what_lives_in_any_part(void)
{
  ants_handle_t ant;
  start(TP_SCENE_DAY);
  struct tp_mark mark = deck_mark();
  CHECK(deck_alloc(8, 8));
  CHECK_EQ(holder_of("deck"), 8);
  CHECK_EQ(capacity_of("deck"), 64);
  deck_release(mark);
  void *letter = mail_alloc(5);
  CHECK_EQ(holder_of("mail_16"), 1);
  mail_free(letter);
  CHECK(ants_alloc(&ant));
  CHECK_EQ(holder_of("ants"), 1);
  CHECK(ants_free(ant));
  CHECK(foam_alloc(12, 4));
  foam_end();
  CHECK_EQ(holder_of("foam"), 12);
  foam_end();
  CHECK_EQ(scenes_switch(TP_SCENE_NIGHT, NULL), 0);
  CHECK(rope_alloc(TP_LOW, 4, 4) && rope_alloc(TP_HIGH, 4, 4));
  CHECK_EQ(holder_of("rope"), 8);
}

static void handles_of_objects_side_by_side_are_stale_in_every_other_scene(void)
{
  ants_handle_t ants[8], ant;
  bees_handle_t bees[6], bee;
  start(TP_SCENE_NIGHT);
  for (uint32_t i = 0; i < 8; i++) CHECK(ants_alloc(&ants[i]));
  for (uint32_t i = 0; i < 6; i++) CHECK(bees_alloc(&bees[i]));
  for (uint32_t scene = 0; scene < 2; scene++) {
    scenes_force(scene);
    for (uint32_t i = 0; i < 2; i++) {
      for (uint32_t n = 0; n < 8; n++) CHECK(!ants_get(ants[n]));
      for (uint32_t n = 0; n < 8; n++) CHECK(!ants_free(ants[n]));
      for (uint32_t n = 0; n < 6; n++) CHECK(!bees_get(bees[n]));
      for (uint32_t n = 0; n < 6; n++) CHECK(!bees_free(bees[n]));
      CHECK(ants_alloc(&ant) && ants_get(ant));
      CHECK(bees_alloc(&bee) && bees_get(bee));
    }
    CHECK_EQ(ants_count(), 2);
  }
}

static void what_a_scene_gives_nothing_of_is_refused_by_its_policy(void)
{
  struct tp_stats before, after;
  start(TP_SCENE_NIGHT);
  tp_frame_stats(&foam_frame, &before);
  CHECK(!foam_alloc(1000, 4));
  foam_end();
  tp_frame_stats(&foam_frame, &after);
  CHECK_EQ(after.refused, before.refused + 1);
  CHECK(!mail_alloc(16));
}

static void the_peaks_of_every_part_are_kept_by_scene(void)
{
  start(TP_SCENE_DAY);
  scenes_force(TP_SCENE_DAY);
  fill();
  scenes_force(TP_SCENE_NIGHT);
  for (uint32_t i = 0; i < scenes_scenes.part_count; i++) {
    const struct tp_scene_part *part = &scenes_scenes.parts[i];
    if (part->allocator == &beams_pool) continue;
    CHECK_EQ(part->peaks[TP_SCENE_DAY], part->amounts[TP_SCENE_DAY]);
  }
}

static void a_mark_of_another_scene_is_a_fault(void)
{
  start(TP_SCENE_DAY);
  struct tp_mark mark = deck_mark();
  CHECK_EQ(scenes_switch(TP_SCENE_DAY, NULL), 0);
  CHECK(deck_alloc(8, 8));
  CHECK_FAULTS(TP_FAULT_ORDER, deck_release(mark));
}

static void a_handle_that_no_scene_gave_out_is_a_fault(void)
{
  ants_handle_t ant;
  start(TP_SCENE_DAY);
  CHECK(ants_alloc(&ant));
  scenes_force(TP_SCENE_NIGHT);
  ant.bits += 1u << 20;
  CHECK_FAULTS(TP_FAULT_HANDLE_POOL, ants_free(ant));
  ant.bits = 15;
  CHECK_FAULTS(TP_FAULT_HANDLE_POOL, ants_free(ant));
}

static void more_than_the_scene_gives_a_stack_is_a_fault(void)
{
  start(TP_SCENE_NIGHT);
  CHECK_FAULTS(TP_FAULT_LARGE, deck_alloc(17, 4));
}

void suite_parts(void)
{
  RUN(before_the_first_scene_every_part_is_full);
  RUN(each_part_has_what_the_scene_gives_it);
  RUN(parts_fill_the_memory_of_a_scene_and_do_not_overlap);
  RUN(a_forced_switch_empties_every_part);
  RUN(a_switch_waits_for_what_lives_in_any_part);
  RUN(handles_of_objects_side_by_side_are_stale_in_every_other_scene);
  RUN(what_a_scene_gives_nothing_of_is_refused_by_its_policy);
  RUN(the_peaks_of_every_part_are_kept_by_scene);
  if (TP_CHECKS < TP_CHECKS_FAST) {
    RUN(off_counts_a_block_of_no_bytes_as_any_other);
    return;
  }
  RUN(a_mark_of_another_scene_is_a_fault);
  RUN(a_handle_that_no_scene_gave_out_is_a_fault);
  RUN(more_than_the_scene_gives_a_stack_is_a_fault);
}
