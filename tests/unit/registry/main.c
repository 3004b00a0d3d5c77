// SPDX-License-Identifier: MIT
// The list of all allocators, of a table with one row of each kind.
#include "core/tp_totals.h"
#include "tp_pools.h"
#include "tp_test.h"

static void *refuse(const struct tp_pool *pool, uint32_t *tag, tp_site_t site)
{
  (void)tag;
  (void)site;
  pool->state->overflows++;
  return NULL;
}

const struct tp_policy keep_the_last = {.overflow = refuse};

static const struct tp_entry *entry_of(const char *name)
{
  return tp_registry.entries[tp_registry_find(&tp_registry, name)];
}

static bool is_text(const char *a, const char *b)
{
  while (*a && *a == *b) a++, b++;
  return *a == *b;
}

static struct tp_stats stats_of(const char *name)
{
  struct tp_stats stats;
  tp_entry_stats(entry_of(name), &stats);
  return stats;
}

// All seven figures of an entry, of which each byte was [byte] before.
static void read_over(const struct tp_entry *entry, uint32_t byte,
                      uint32_t figures[7])
{
  struct tp_stats stats;
  for (uint32_t i = 0; i < sizeof stats; i++) {
    ((volatile unsigned char *)&stats)[i] = (unsigned char)byte;
  }
  tp_entry_stats(entry, &stats);
  const uint32_t told[7] = {stats.live,   stats.peak,   stats.allocs,
                            stats.frees,  stats.steals, stats.spills,
                            stats.refused};
  for (uint32_t i = 0; i < 7; i++) figures[i] = told[i];
}

static void figures_do_not_depend_on_what_was_there(void)
{
  for (uint32_t i = 0; i < tp_registry.count; i++) {
    uint32_t zeroed[7], dirty[7];
    read_over(tp_registry.entries[i], 0, zeroed);
    read_over(tp_registry.entries[i], 0xff, dirty);
    for (uint32_t j = 0; j < 7; j++) CHECK_EQ(zeroed[j], dirty[j]);
  }
}

static bool sound(const char *name)
{
  struct tp_finding finding;
  bool sound = tp_entry_verify(entry_of(name), &finding);
  return sound && finding.broken == TP_SOUND;
}

static void every_row_has_an_entry_and_those_of_pools_stand_first(void)
{
  static const char *const names[] = {
      "sparks",  "debris", "notes",   "rubble",         "voices",
      "foes",    "crowd",  "beacons", "nested",         "level",
      "sides",   "draw",   "text",    "meshes",         "meshes_arena",
      "bullets", "root",   "scenes",  "voices_reserve", "text_8",
      "text_16"};
  CHECK_EQ(tp_registry.count, TP_ALLOCATOR_N);
  CHECK_EQ(tp_registry.count, sizeof names / sizeof names[0]);
  CHECK_EQ(tp_registry.config, TP_CONFIG_HASH);
  CHECK_EQ(TP_ID_NESTED, TP_POOL_N - 1);
  for (uint32_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    uint32_t index = tp_registry_find(&tp_registry, names[i]);
    CHECK(index < tp_registry.count);
    CHECK((index < TP_POOL_N) == (i < TP_POOL_N));
  }
  CHECK_EQ(tp_registry_find(&tp_registry, "scenes"), TP_ID_SCENES);
  CHECK_EQ(tp_registry_find(&tp_registry, "spark"), TP_ALLOCATOR_N);
}

static void a_policy_is_told_by_its_name(void)
{
  CHECK(is_text(entry_of("sparks")->policy, "drop"));
  CHECK(is_text(entry_of("debris")->policy, "spill"));
  CHECK(is_text(entry_of("notes")->policy, "steal-oldest"));
  CHECK(is_text(entry_of("voices_reserve")->policy, "drop"));
  CHECK(is_text(entry_of("foes")->policy, "keep_the_last"));
  CHECK(is_text(entry_of("text")->policy, "assert"));
  CHECK(is_text(entry_of("text_8")->policy, "drop"));
  CHECK(is_text(entry_of("text_16")->policy, "assert"));
}

static void a_spare_allocator_says_so(void)
{
  CHECK_EQ(entry_of("beacons")->spare, 1);
  CHECK_EQ(entry_of("voices_reserve")->spare, 1);
  CHECK_EQ(entry_of("sparks")->spare, 0);
}

static void a_pool_counts_slots(void)
{
  const struct tp_entry *sparks = entry_of("sparks");
  void *spark = sparks_alloc();
  CHECK(is_text(sparks->kind->name, "pool"));
  CHECK(is_text(sparks->kind->unit, "slots"));
  CHECK_EQ(tp_entry_capacity(sparks), 4);
  CHECK_EQ(sparks->stride, sparks_pool.stride);
  CHECK(sparks->bytes >= 4u * sparks->stride);
  CHECK_EQ(tp_entry_live(sparks), tp_pool_live(&sparks_pool));
  CHECK_EQ(stats_of("sparks").peak, sparks_pool.state->fresh);
  sparks_free(spark);
  CHECK(sound("sparks"));
}

// The clock of the table counts, but nobody notes who was born when.
static void of_a_pool_without_births_none_has_an_age(void)
{
  void *spark = sparks_alloc(), *note = notes_alloc();
  tp_clock_now += 7;
  CHECK_EQ(tp_pool_oldest_age(&sparks_pool), 0);
  CHECK_EQ(tp_pool_oldest_age(&notes_pool), 0);
  tp_clock_now -= 7;
  sparks_free(spark);
  notes_free(note);
}

static void where_none_lives_none_has_an_age(void)
{
  static uint32_t born[5];
  struct tp_pool timed = notes_pool;
  timed.born = born;
  tp_clock_now += 7;
  CHECK_EQ(tp_pool_live(&timed), 0);
  CHECK_EQ(tp_pool_oldest_age(&timed), 0);
  tp_clock_now -= 7;
}

static void a_chunk_that_is_released_has_no_slots(void)
{
  const struct tp_entry *rubble = entry_of("rubble");
  void *pieces[3];
  for (uint32_t i = 0; i < 3; i++) pieces[i] = debris_alloc();
  CHECK_EQ(tp_entry_capacity(rubble), 4);
  CHECK_EQ(stats_of("rubble").peak, 1);
  CHECK(sound("rubble"));
  for (uint32_t i = 0; i < 3; i++) debris_free(pieces[i]);
  CHECK(tp_chunk_release(&rubble_chunk));
  rubble_pool.storage[0] = 5;  // Its memory is somebody else's.
  CHECK_EQ(tp_entry_capacity(rubble), 0);
  CHECK(sound("rubble"));
  tp_entry_scrub(rubble, 1);
  rubble_pool.storage[0] = TP_POISON;
}

static void a_chunk_that_is_released_still_says_what_it_did(void)
{
  void *pieces[3];
  for (uint32_t i = 0; i < 3; i++) pieces[i] = debris_alloc();
  for (uint32_t i = 0; i < 3; i++) debris_free(pieces[i]);
  struct tp_stats open = stats_of("rubble");
  CHECK(tp_chunk_release(&rubble_chunk));
  struct tp_stats released = stats_of("rubble");
  CHECK_EQ(released.peak, open.peak);
  CHECK_EQ(released.allocs, open.allocs);
  CHECK_EQ(released.frees, open.frees);
}

static void what_scenes_cut_has_the_slots_of_the_scene(void)
{
  const struct tp_entry *crowd = entry_of("crowd");
  const struct tp_entry *scenes = entry_of("scenes");
  CHECK_EQ(tp_entry_capacity(crowd), 0);
  CHECK_EQ(tp_entry_live(scenes), 0);
  scenes_switch(TP_SCENE_BATTLE, NULL);
  CHECK_EQ(tp_entry_capacity(crowd), 2);
  CHECK_EQ(tp_entry_live(scenes), 2u * crowd->stride + crowd_pool.zone);
  scenes_switch(TP_SCENE_TITLE, NULL);
  CHECK_EQ(tp_entry_capacity(crowd), 8);
  CHECK_EQ(tp_entry_live(scenes), tp_entry_capacity(scenes));
  CHECK_EQ(stats_of("scenes").peak, tp_entry_capacity(scenes));
  CHECK(sound("scenes"));
  CHECK(sound("crowd"));
}

static void stacks_and_frames_count_bytes(void)
{
  level_alloc(24, 8);
  sides_alloc(TP_LOW, 8, 8);
  sides_alloc(TP_HIGH, 16, 8);
  sides_alloc(TP_HIGH, 48, 8);
  draw_alloc(40, 8);
  CHECK_EQ(stats_of("level").live, 24);
  CHECK_EQ(tp_entry_live(entry_of("level")), 24);
  CHECK_EQ(stats_of("sides").live, 24);
  CHECK_EQ(stats_of("sides").refused, 1);
  CHECK_EQ(stats_of("draw").peak, 40);
  CHECK_EQ(tp_entry_capacity(entry_of("draw")), 64);
  CHECK_EQ(entry_of("draw")->bytes, 128);
  CHECK_EQ(tp_entry_capacity(entry_of("sides")), 64);
  CHECK(is_text(entry_of("level")->kind->unit, "bytes"));
  CHECK(sound("level") && sound("sides") && sound("draw"));
}

static void the_peak_of_two_ends_is_at_most_all_of_it(void)
{
  tp_dstack_reset(&sides_dstack, TP_LOW);
  tp_dstack_reset(&sides_dstack, TP_HIGH);
  sides_alloc(TP_LOW, 64, 8);
  tp_dstack_reset(&sides_dstack, TP_LOW);
  sides_alloc(TP_HIGH, 64, 8);
  CHECK_EQ(stats_of("sides").peak, 64);
  CHECK(sound("sides"));
}

static void a_broken_stack_or_frame_is_found(void)
{
  level_stack.state->bump.peak = 65;
  CHECK(!sound("level"));
  level_stack.state->bump.peak = 24;
  sides_dstack.state->bump[TP_LOW].used = 8;
  CHECK(!sound("sides"));
  sides_dstack.state->bump[TP_LOW].used = 0;
  draw_frame.state->current = 2;
  CHECK(!sound("draw"));
  draw_frame.state->current = 0;
  root_nest.as.dstack.state->bump[TP_LOW].peak = 257;
  CHECK(!sound("root"));
  root_nest.as.dstack.state->bump[TP_LOW].peak = 0;
}

static void more_in_use_than_ever_was_is_found(void)
{
  uint32_t used = level_stack.state->bump.used;
  level_stack.state->bump.used = level_stack.state->bump.peak + 8;
  CHECK(!sound("level"));
  level_stack.state->bump.used = used;
  CHECK(sound("level"));
}

static void scenes_that_cannot_be_are_found(void)
{
  uint32_t entered = scenes_scenes.state->entered;
  uint32_t peak = scenes_scenes.state->peak;
  scenes_scenes.state->entered = scenes_scenes.scene_count;
  CHECK(sound("scenes"));
  scenes_scenes.state->entered = scenes_scenes.scene_count + 1u;
  CHECK(!sound("scenes"));
  scenes_scenes.state->entered = entered;
  scenes_scenes.state->peak = scenes_scenes.bytes;
  CHECK(sound("scenes"));
  scenes_scenes.state->peak = scenes_scenes.bytes + 1;
  CHECK(!sound("scenes"));
  scenes_scenes.state->peak = peak;
  CHECK(sound("scenes"));
}

// Without .bigger each class refuses for itself; with it only the last. That of
// class 0, which drops, is counted at off by nobody.
static void blocks_count_what_they_refused_once(void)
{
  uint32_t first = TP_CHECKS >= TP_CHECKS_FAST ? 5 : 0;
  struct tp_blocks single = text_blocks;
  struct tp_stats stats;
  single.bigger = 0;
  tp_blocks_kind.stats(&single, &stats);
  uint32_t before = stats.refused;
  text_blocks.classes[0].pool->state->overflows += 5;
  text_blocks.classes[1].pool->state->overflows += 2;
  tp_blocks_kind.stats(&text_blocks, &stats);
  CHECK_EQ(stats.refused, 2);
  tp_blocks_kind.stats(&single, &stats);
  CHECK_EQ(stats.refused, before + first + 2);
  text_blocks.classes[0].pool->state->overflows -= 5;
  text_blocks.classes[1].pool->state->overflows -= 2;
}

static void an_arena_never_used_has_no_peak(void)
{
  CHECK_EQ(stats_of("meshes_arena").peak, 0);
  CHECK_EQ(stats_of("meshes_arena").live, 0);
}

static void an_arena_and_scenes_tell_what_they_refused(void)
{
  uint32_t arena = stats_of("meshes_arena").refused;
  uint32_t scenes = stats_of("scenes").refused;
  meshes_reloc.state->refused += 3;
  scenes_scenes.state->refused += 2;
  CHECK_EQ(stats_of("meshes_arena").refused, arena + 3);
  CHECK_EQ(stats_of("scenes").refused, scenes + 2);
  meshes_reloc.state->refused -= 3;
  scenes_scenes.state->refused -= 2;
}

static void scrubbing_an_open_chunk_finds_what_was_written_to_it(void)
{
  const struct tp_entry *rubble = entry_of("rubble");
  void *pieces[3];
  for (uint32_t i = 0; i < 3; i++) pieces[i] = debris_alloc();
  for (uint32_t i = 0; i < 3; i++) debris_free(pieces[i]);
  tp_entry_scrub(rubble, 4);
  uint32_t *piece = pieces[2];
  piece[2] ^= 1;
  if (TP_CHECKS >= TP_CHECKS_POISON) {
    CHECK_FAULTS(TP_FAULT_POISON, tp_entry_scrub(rubble, 0));
  }
  piece[2] ^= 1;
  CHECK(tp_chunk_release(&rubble_chunk));
  tp_chunk_kind.scrub(&rubble_chunk, 4, NULL);
}

static void what_fills_from_an_end_is_closed_for_a_scene_only_when_empty(void)
{
  struct tp_stack stack = level_stack;
  struct tp_bump kept = stack.state->bump;
  stack.state->bump.used = 8;
  stack.state->bump.peak = 8;
  CHECK(!tp_scene_stack.close(&stack));
  CHECK_EQ(stack.region.bytes, 64);
  CHECK_EQ(stack.state->bump.peak, 8);
  stack.state->bump.used = 0;
  CHECK(tp_scene_stack.close(&stack));
  CHECK_EQ(stack.region.bytes, 0);
  CHECK_EQ(stack.state->bump.peak, 0);
  stack.state->bump = kept;
}

static void a_nest_counts_what_its_rows_leave(void)
{
  static struct tp_nest child;
  uint32_t rest = tp_entry_capacity(entry_of("root"));
  CHECK(rest < 256 && rest == entry_of("root")->bytes);
  tp_nest_open_stack(&child, &root_nest, TP_LOW, "child", 64, TP_FULL_DROP);
  CHECK(stats_of("root").live >= 64);
  CHECK(sound("root") && sound("nested"));
  tp_nest_close(&child);
}

static void blocks_count_the_bytes_of_all_their_classes(void)
{
  bool counts = TP_CHECKS >= TP_CHECKS_FAST;
  void *block[3];
  for (uint32_t i = 0; i < 3; i++) block[i] = text_alloc(5);
  CHECK_EQ(tp_entry_capacity(entry_of("text")), 2 * 8 + 2 * 16);
  CHECK_EQ(stats_of("text").live, counts ? 2 * 8 + 16 : 0);
  CHECK_EQ(tp_entry_live(entry_of("text")), counts ? 2 * 8 + 16 : 0);
  CHECK_EQ(stats_of("text_8").peak, 2);
  CHECK_EQ(stats_of("text_16").peak, 1);
  CHECK(sound("text"));
  for (uint32_t i = 0; i < 3; i++) text_free(block[i]);
  text_blocks.waste->now++;
  CHECK(!sound("text"));
  text_blocks.waste->now--;
}

// Which need not have been at the same time.
static void the_peak_of_blocks_is_the_sum_of_those_of_all_classes(void)
{
  void *small[2] = {text_alloc(5), text_alloc(5)};
  for (uint32_t i = 0; i < 2; i++) text_free(small[i]);
  void *large[2] = {text_alloc(16), text_alloc(16)};
  for (uint32_t i = 0; i < 2; i++) text_free(large[i]);
  CHECK_EQ(stats_of("text").peak, 2 * 8 + 2 * 16);
}

static void what_moves_counts_objects_or_blocks_and_bytes(void)
{
  bullets_handle_t bullet;
  meshes_handle_t mesh = meshes_alloc(24);
  bullets_alloc(&bullet);
  CHECK_EQ(stats_of("bullets").live, 1);
  CHECK_EQ(tp_entry_capacity(entry_of("bullets")), 4);
  CHECK_EQ(stats_of("meshes").live, 1);
  CHECK_EQ(tp_entry_live(entry_of("meshes")), 1);
  CHECK_EQ(tp_entry_capacity(entry_of("meshes")), 4);
  CHECK_EQ(stats_of("meshes_arena").live, 32);
  CHECK_EQ(tp_entry_capacity(entry_of("meshes_arena")), 128);
  CHECK(sound("bullets") && sound("meshes") && sound("meshes_arena"));
  meshes_free(mesh);
  CHECK_EQ(stats_of("meshes_arena").peak, 32);
  meshes_reloc.state->top = 16;
  CHECK(sound("meshes_arena"));
  meshes_reloc.state->top = 17;
  CHECK(!sound("meshes_arena"));
  meshes_reloc.state->top = 0;
  bullets_dense.state->count = 5;
  CHECK(!sound("bullets"));
  bullets_dense.state->count = 1;
}

static void scrubbing_an_entry_looks_at_a_share_of_its_slots(void)
{
  bool looks = TP_CHECKS >= TP_CHECKS_POISON;
  void *spark[3];
  for (uint32_t i = 0; i < 3; i++) spark[i] = sparks_alloc();
  tp_entry_scrub(entry_of("sparks"), 2);
  CHECK_EQ(sparks_pool.state->scrubbed, looks ? 2 : 0);
  tp_entry_scrub(entry_of("sparks"), 7);
  CHECK_EQ(sparks_pool.state->scrubbed, looks ? 3 : 0);
  tp_entry_scrub(entry_of("level"), 1);
  for (uint32_t i = 0; i < 3; i++) sparks_free(spark[i]);
}

static void scrubbing_an_entry_finds_what_was_written_to_a_dead_slot(void)
{
  uint32_t *spark = sparks_alloc();
  sparks_free(spark);
  spark[2] = 5;
  if (TP_CHECKS >= TP_CHECKS_POISON) {
    CHECK_FAULTS(TP_FAULT_POISON, tp_entry_scrub(entry_of("sparks"), 0));
  }
  spark[2] = TP_POISON;
}

static void totals_add_up_every_kind(void)
{
  static struct tp_totals_row rows[TP_ALLOCATOR_N];
  const struct tp_totals totals = {&tp_registry, rows};
  tp_totals_update(&totals);
  uint64_t before = tp_totals_find(&totals, "bullets")->allocs;
  bullets_handle_t bullet;
  bullets_alloc(&bullet);
  tp_dstack_reset(&sides_dstack, TP_LOW);
  tp_dstack_reset(&sides_dstack, TP_HIGH);
  sides_alloc(TP_LOW, 64, 8);
  tp_totals_note(&totals);
  tp_totals_update(&totals);
  CHECK_EQ(tp_totals_find(&totals, "sides")->use.full_frames, 1);
  CHECK(tp_totals_find(&totals, "bullets")->allocs == before + 1);
  CHECK_EQ(tp_totals_find(&totals, "bullets")->oldest, 0);
  CHECK(tp_totals_find(&totals, "nobody") == NULL);
  bullets_free(bullet);
  tp_dstack_reset(&sides_dstack, TP_LOW);
}

static void totals_tell_the_age_of_the_oldest_as_of_the_last_update(void)
{
  static uint32_t born[5];
  struct tp_totals_row row = {0};
  struct tp_pool timed = notes_pool;
  const struct tp_entry entry = {.kind = &tp_pool_kind, .allocator = &timed};
  const struct tp_entry *const entries[] = {&entry};
  const struct tp_registry registry = {.entries = entries, .count = 1};
  const struct tp_totals totals = {&registry, &row};
  timed.born = born;
  void *first = tp_pool_alloc(&timed);
  tp_clock_now += 7;
  void *second = tp_pool_alloc(&timed);
  tp_totals_update(&totals);
  CHECK_EQ(row.oldest, 7);
  tp_pool_free(&timed, first);
  CHECK_EQ(row.oldest, 7);
  tp_clock_now += 2;
  tp_totals_update(&totals);
  CHECK_EQ(row.oldest, 2);
  tp_pool_free(&timed, second);
  tp_totals_update(&totals);
  CHECK_EQ(row.oldest, 0);
  tp_clock_now -= 9;
}

int main(void)
{
  RUN(every_row_has_an_entry_and_those_of_pools_stand_first);
  RUN(figures_do_not_depend_on_what_was_there);
  RUN(a_policy_is_told_by_its_name);
  RUN(a_spare_allocator_says_so);
  RUN(a_pool_counts_slots);
  RUN(of_a_pool_without_births_none_has_an_age);
  RUN(where_none_lives_none_has_an_age);
  RUN(an_arena_never_used_has_no_peak);
  RUN(an_arena_and_scenes_tell_what_they_refused);
  RUN(scrubbing_an_open_chunk_finds_what_was_written_to_it);
  RUN(scrubbing_an_entry_looks_at_a_share_of_its_slots);
  RUN(scrubbing_an_entry_finds_what_was_written_to_a_dead_slot);
  RUN(a_chunk_that_is_released_has_no_slots);
  RUN(a_chunk_that_is_released_still_says_what_it_did);
  RUN(what_scenes_cut_has_the_slots_of_the_scene);
  RUN(stacks_and_frames_count_bytes);
  RUN(the_peak_of_two_ends_is_at_most_all_of_it);
  RUN(a_broken_stack_or_frame_is_found);
  RUN(what_fills_from_an_end_is_closed_for_a_scene_only_when_empty);
  RUN(more_in_use_than_ever_was_is_found);
  RUN(scenes_that_cannot_be_are_found);
  RUN(a_nest_counts_what_its_rows_leave);
  RUN(blocks_count_the_bytes_of_all_their_classes);
  RUN(blocks_count_what_they_refused_once);
  RUN(the_peak_of_blocks_is_the_sum_of_those_of_all_classes);
  RUN(what_moves_counts_objects_or_blocks_and_bytes);
  RUN(totals_add_up_every_kind);
  RUN(totals_tell_the_age_of_the_oldest_as_of_the_last_update);
  return tp_test_end();
}
