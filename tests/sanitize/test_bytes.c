// SPDX-License-Identifier: MIT
// Of the memory of an allocator that is no plain pool, each access by its
// bytes: those that lie in what somebody has are right, and no others.
#include "allocator/tp_nest.h"
#include "check/tp_sanitize.h"
#include "check/tp_shadow.h"
#include "core/tp_registry.h"
#include "object/tp_scene.h"
#include "sanitize.h"
#include "tp_pools.h"
#include "tp_test.h"

enum { MOST_PARTS = 4 };

// Memory that somebody has.
struct had {
  const void *begin;
  uint32_t bytes;
};

static void *at(void *object, uint32_t offset)
{
  return (uint8_t *)object + offset;
}

static bool lies_in(const struct tp_access *access, const struct had *part)
{
  uintptr_t offset = access->address - (uintptr_t)part->begin;
  return offset < part->bytes && part->bytes - offset >= access->bytes;
}

static bool lies_in_one(const struct tp_access *access, const struct had *parts)
{
  bool lies = false;
  for (uint32_t i = 0; i < MOST_PARTS; i++) lies |= lies_in(access, &parts[i]);
  return lies;
}

// Of all accesses to [all] of 1 to [most] bytes, are those that lie in one of
// the parts right, and only those?
static bool right_are(const struct tp_shadow *shadow, const void *allocator,
                      const struct had *all, const struct had *parts,
                      uint32_t most)
{
  struct tp_fault_record record;
  for (uint32_t i = 0; i < all->bytes; i++) {
    for (uint32_t bytes = 1; bytes <= most; bytes *= 2) {
      const struct tp_access access = {(uintptr_t)all->begin + i, bytes, false};
      bool right = !shadow->judge(allocator, &access, &record);
      if (right != lies_in_one(&access, parts)) return false;
    }
  }
  return true;
}

// Has it one run, and is that all of this?
static bool is_all(const struct tp_shadow *shadow, const void *allocator,
                   const struct had *all)
{
  struct tp_run run;
  if (shadow->run(allocator, 1, &run)) return false;
  return shadow->run(allocator, 0, &run) &&
         run.begin == (uintptr_t)all->begin && run.bytes == all->bytes;
}

static void of_a_stack_what_is_below_its_top_is_right(void)
{
  const struct had all = {level_stack.region.storage, 64};
  struct tp_mark mark = tp_stack_mark(&level_stack);
  const struct had parts[MOST_PARTS] = {
      {tp_stack_alloc(&level_stack, 12, 4), 12}};
  CHECK(is_all(&tp_stack_shadow, &level_stack, &all));
  CHECK(right_are(&tp_stack_shadow, &level_stack, &all, parts, 16));
  tp_stack_release(&level_stack, mark);
}

static void of_two_ends_what_each_gave_is_right(void)
{
  const struct had all = {sides_dstack.region.storage, 64};
  struct tp_mark low = tp_dstack_mark(&sides_dstack, TP_LOW);
  struct tp_mark high = tp_dstack_mark(&sides_dstack, TP_HIGH);
  const struct had parts[MOST_PARTS] = {
      {tp_dstack_alloc(&sides_dstack, TP_LOW, 8, 4), 8},
      {tp_dstack_alloc(&sides_dstack, TP_HIGH, 20, 4), 20}};
  CHECK(is_all(&tp_dstack_shadow, &sides_dstack, &all));
  CHECK(right_are(&tp_dstack_shadow, &sides_dstack, &all, parts, 16));
  tp_dstack_release(&sides_dstack, TP_LOW, low);
  tp_dstack_release(&sides_dstack, TP_HIGH, high);
}

static void of_a_frame_what_each_buffer_gave_is_right(void)
{
  const struct had all = {draw_frame.region.storage, 128};
  const struct had none[MOST_PARTS] = {{NULL, 0}};
  struct had parts[MOST_PARTS] = {{tp_frame_alloc(&draw_frame, 8, 4), 8}};
  tp_frame_end(&draw_frame);
  parts[1] = (struct had){tp_frame_alloc(&draw_frame, 20, 4), 20};
  CHECK(is_all(&tp_frame_shadow, &draw_frame, &all));
  CHECK(right_are(&tp_frame_shadow, &draw_frame, &all, parts, 16));
  tp_frame_end(&draw_frame);
  tp_frame_end(&draw_frame);
  CHECK(right_are(&tp_frame_shadow, &draw_frame, &all, none, 16));
}

static struct had memory_of(const struct tp_pool *pool)
{
  return (struct had){(const uint8_t *)pool->storage - pool->zone,
                      pool->zone + (uint32_t)pool->capacity * pool->stride};
}

static void of_blocks_what_was_asked_for_is_right(void)
{
  const struct tp_pool *small = text_blocks.classes[0].pool;
  const struct tp_pool *large = text_blocks.classes[1].pool;
  const struct had all_small = memory_of(small), all_large = memory_of(large);
  void *whole = text_alloc(16), *one = text_alloc(1), *some = text_alloc(21);
  const struct had parts[MOST_PARTS] = {{whole, 16}, {one, 1}, {some, 21}};
  CHECK(right_are(&tp_blocks_shadow, &text_blocks, &all_small, parts, 32));
  CHECK(right_are(&tp_blocks_shadow, &text_blocks, &all_large, parts, 32));
  text_free(one);
  text_free(some);
  const struct had left[MOST_PARTS] = {{whole, 16}};
  CHECK(right_are(&tp_blocks_shadow, &text_blocks, &all_small, left, 32));
  CHECK(right_are(&tp_blocks_shadow, &text_blocks, &all_large, left, 32));
  text_free(whole);
}

static void blocks_judge_the_slots_of_each_class_and_of_no_other_pool(void)
{
  CHECK(tp_blocks_shadow.has(&text_blocks, text_blocks.classes[0].pool));
  CHECK(tp_blocks_shadow.has(&text_blocks, text_blocks.classes[1].pool));
  CHECK(!tp_blocks_shadow.has(&text_blocks, &sparks_pool));
  void *small = text_alloc(10);
  listen();
  write_byte(at(small, 10));
  CHECK(heard(TP_FAULT_BESIDE, "text_16", 1, 10));
  text_free(small);
}

// Each time it is looked for, after an access to another allocator.
static void where_a_block_was_right_what_is_behind_it_is_looked_at(void)
{
  void *first = text_alloc(16), *block = text_alloc(10);
  void *other = tp_frame_alloc(&draw_frame, 8, 4);
  for (uint32_t i = 0; i < 10; i++) {
    listen();
    write_byte(other);
    write_byte(at(block, i));
    CHECK_EQ(reports, 0);
    write_byte(at(block, 10));
    CHECK(heard(TP_FAULT_BESIDE, "text_16", 2, 10));
    CHECK(reported.address == block);
  }
  tp_frame_end(&draw_frame);
  tp_frame_end(&draw_frame);
  text_free(block);
  text_free(first);
}

static void a_block_that_was_used_until_it_was_freed_is_nobody_s_then(void)
{
  tp_sanitize_off();
  tp_test_forget(text_blocks.classes[0].pool);
  tp_sanitize_on();
  void *first = text_alloc(16), *second = text_alloc(16);
  listen();
  write_byte(at(second, 8));
  text_free(second);
  (void)read_byte(at(second, 8));
  CHECK(heard(TP_FAULT_DEAD, "text_16", 2, 8));
  second = text_alloc(16);
  listen();
  write_byte(at(first, 8));
  text_free(first);
  (void)read_byte(at(first, 8));
  CHECK(heard(TP_FAULT_DEAD, "text_16", 1, 8));
  text_free(second);
}

static void of_a_dense_pool_its_objects_are_right(void)
{
  const struct had all = {bullets_dense.storage,
                          BULLETS_COUNT * (uint32_t)bullets_dense.stride};
  bullets_handle_t one, other;
  void *first = bullets_alloc(&one), *second = bullets_alloc(&other);
  const struct had parts[MOST_PARTS] = {{first, 10}, {second, 10}};
  const struct had left[MOST_PARTS] = {{first, 10}};
  CHECK(is_all(&tp_dense_shadow, &bullets_dense, &all));
  CHECK(right_are(&tp_dense_shadow, &bullets_dense, &all, parts, 16));
  listen();
  (void)read_byte(at(second, 10));
  CHECK(heard(TP_FAULT_BESIDE, "bullets", 0, 10));
  CHECK(reported.address == second);
  CHECK(bullets_free(one));
  CHECK(right_are(&tp_dense_shadow, &bullets_dense, &all, left, 16));
  CHECK(bullets_free(other));
}

// To whole units.
static void of_blocks_that_move_those_that_are_locked_are_right(void)
{
  const struct had all = {meshes_reloc.arena, (meshes_reloc.units + 1u) * 8};
  tp_handle_t one = tp_reloc_alloc(&meshes_reloc, 12);
  tp_handle_t other = tp_reloc_alloc(&meshes_reloc, 24);
  void *first = tp_reloc_lock(&meshes_reloc, one);
  void *second = tp_reloc_lock(&meshes_reloc, other);
  const struct had parts[MOST_PARTS] = {{first, 16}, {second, 24}};
  const struct had left[MOST_PARTS] = {{first, 16}};
  CHECK(is_all(&tp_arena_shadow, &meshes_reloc, &all));
  CHECK(right_are(&tp_arena_shadow, &meshes_reloc, &all, parts, 32));
  CHECK(tp_reloc_unlock(&meshes_reloc, other));
  CHECK(right_are(&tp_arena_shadow, &meshes_reloc, &all, left, 32));
  listen();
  (void)read_byte(at(second, 5));
  CHECK(heard(TP_FAULT_UNLOCKED, "meshes", 2, 5));
  CHECK(reported.address == second);
  CHECK(tp_reloc_free(&meshes_reloc, other));
  CHECK(right_are(&tp_arena_shadow, &meshes_reloc, &all, left, 32));
  CHECK(tp_reloc_unlock(&meshes_reloc, one));
  CHECK(tp_reloc_free(&meshes_reloc, one));
}

// And of the root what it has for itself.
static void of_a_nest_what_each_child_gave_is_right(void)
{
  static struct tp_nest low, high;
  const struct tp_dstack *root = tp_nest_dstack(&root_nest);
  uint8_t *begin = (uint8_t *)root->region.storage;
  const struct had all = {begin, 256};
  CHECK(tp_nest_open_stack(&low, &root_nest, TP_LOW, "low", 32, TP_FULL_DROP));
  CHECK(tp_nest_open_frame(&high, &root_nest, TP_HIGH, "high", 24, 2,
                           TP_FULL_DROP));
  uint8_t *block = tp_stack_alloc(tp_nest_stack(&low), 12, 4);
  uint8_t *drawn = tp_frame_alloc(tp_nest_frame(&high), 16, 4);
  uint8_t *behind_low = block + 32, *behind_high = drawn + 48;
  uint32_t used = root->state->bump[TP_LOW].used;
  uint32_t below = (uint32_t)(block - begin);
  const struct had parts[] = {
      {block, 12},
      {drawn, 16},
      {behind_low, used - below - 32},
      {behind_high, 256 - (uint32_t)(behind_high - begin)}};
  CHECK_EQ(below, 0);
  CHECK(is_all(&tp_nest_shadow, &root_nest, &all));
  CHECK(right_are(&tp_nest_shadow, &root_nest, &all, parts, 1));
  tp_nest_close(&high);
  tp_nest_close(&low);
}

static void of_a_scene_the_objects_of_its_parts_are_right(void)
{
  const struct had all = {scenes_scenes.arena, scenes_scenes.bytes};
  struct tp_run run;
  CHECK_EQ(tp_scene_switch(&scenes_scenes, 0, NULL), 0);
  void *one = crowd_alloc(), *other = crowd_alloc(), *bird = flock_alloc();
  const struct had parts[MOST_PARTS] = {{one, 16}, {other, 16}, {bird, 8}};
  CHECK(tp_scenes_shadow.run(&scenes_scenes, 0, &run));
  CHECK(run.begin == (uintptr_t)all.begin && run.bytes == all.bytes);
  CHECK(right_are(&tp_scenes_shadow, &scenes_scenes, &all, parts, 16));
  crowd_free(one);
  crowd_free(other);
  flock_free(bird);
}

static bool is_written_by_scenes(uint32_t index, const void *descriptor)
{
  struct tp_run run;
  return tp_scenes_shadow.run(&scenes_scenes, index, &run) &&
         run.begin == (uintptr_t)descriptor &&
         run.bytes == sizeof(struct tp_pool);
}

static void a_descriptor_that_scenes_write_has_the_name_of_its_part(void)
{
  struct tp_run run;
  struct tp_fault_record record;
  const struct tp_pool *const pools[] = {&crowd_pool, &flock_pool};
  for (uint32_t i = 0; i < 2; i++) {
    CHECK(is_written_by_scenes(i + 1, pools[i]));
    for (uint32_t byte = 0; byte < sizeof(struct tp_pool); byte++) {
      const struct tp_access access = {(uintptr_t)pools[i] + byte, 1, true};
      CHECK_EQ(tp_scenes_shadow.judge(&scenes_scenes, &access, &record),
               TP_FAULT_METADATA);
      CHECK(record.name == pools[i]->name);
    }
  }
  CHECK(!tp_scenes_shadow.run(&scenes_scenes, 3, &run));
}

static void what_a_scene_s_pool_counts_is_not_the_application_s(void)
{
  struct tp_pool_state kept = *crowd_pool.state;
  listen();
  write_word(crowd_pool.state);
  *crowd_pool.state = kept;
  CHECK(reports >= 1);
  reports = 1;  // Or two: of that, and of what mends it.
  CHECK(heard(TP_FAULT_METADATA, "crowd", 0, 0));
}

// What a compiler calls before a load or store; nothing is read or stored.
void ask_of_a_store(uintptr_t address) __asm("__asan_store1_noabort");
void ask_of_loads(uintptr_t address,
                  size_t bytes) __asm("__asan_loadN_noabort");
void ask_of_stores(uintptr_t address,
                   size_t bytes) __asm("__asan_storeN_noabort");

// Is a store to each end of the run reported iff it is wrong?
static bool ends_are_looked_at(const struct tp_entry *entry,
                               const struct tp_run *run)
{
  struct tp_fault_record record;
  for (uint32_t offset = 0; offset < run->bytes; offset += run->bytes - 1) {
    const struct tp_access access = {run->begin + offset, 1, true};
    bool wrong =
        entry->kind->shadow->judge(entry->allocator, &access, &record) != 0;
    listen();
    ask_of_a_store(access.address);
    if (reports != wrong) return false;
  }
  return true;
}

// A run that is listed.
struct listed {
  const struct tp_entry *entry;
  struct tp_run run;
  uint32_t entries, runs;  // So many were before it, and of its own entry.
};

// Goes on to the next one. Returns false after the last.
static bool next_run(struct listed *at)
{
  for (; at->entries < tp_registry.count; at->entries++, at->runs = 0) {
    at->entry = tp_registry.entries[at->entries];
    const struct tp_shadow *shadow = at->entry->kind->shadow;
    while (shadow && shadow->run(at->entry->allocator, at->runs, &at->run)) {
      bool elsewhere = at->runs++ == 0 && at->entry->bytes == 0;
      if (at->run.bytes != 0 && !elsewhere) return true;
    }
  }
  return false;
}

// From the lowest address that anybody has to the highest.
static void every_run_of_every_allocator_is_looked_at(void)
{
  uint32_t runs = 0;
  struct listed at = {0};
  for (; next_run(&at); runs++) {
    CHECK(ends_are_looked_at(at.entry, &at.run));
  }
  CHECK(runs > tp_registry.count);
}

// Is a store to its first byte judged as if alone, right after one to the byte
// before it?
static bool is_told_from_what_is_before(const struct listed *at)
{
  struct tp_fault_record record = {0};
  const struct tp_access first = {at->run.begin, 1, true};
  uint32_t kind =
      at->entry->kind->shadow->judge(at->entry->allocator, &first, &record);
  ask_of_a_store(at->run.begin - 1);
  listen();
  ask_of_a_store(at->run.begin);
  if (kind == TP_FAULT_NONE) return reports == 0;
  return reports == 1 && reported.kind == kind &&
         reported.pool == record.pool && reported.name == record.name &&
         reported.address == record.address;
}

static void where_one_run_ends_and_another_begins_that_one_is_asked(void)
{
  struct listed at = {0};
  while (next_run(&at)) CHECK(is_told_from_what_is_before(&at));
}

static bool is_in_none(uintptr_t address)
{
  struct listed at = {0};
  while (next_run(&at)) {
    if (address - at.run.begin < at.run.bytes) return false;
  }
  return true;
}

__attribute__((noinline)) static void load_22(void *memory)
{
  ask_of_loads((uintptr_t)memory, 22);
  TP_BARRIER();
}

__attribute__((noinline)) static void store_21(void *memory)
{
  ask_of_stores((uintptr_t)memory, 21);
  TP_BARRIER();
}

static bool is_by(void (*function)(void *))
{
  uintptr_t begin = (uintptr_t)function & ~(uintptr_t)1;
  return (uintptr_t)reported.caller - begin < 32;
}

static void of_any_number_of_bytes_it_is_told_who_reads_or_writes_them(void)
{
  void *spark = sparks_alloc();
  sparks_free(spark);
  listen();
  ask_of_loads((uintptr_t)spark, 0);
  CHECK_EQ(reports, 0);
  load_22(spark);
  CHECK(heard(TP_FAULT_DEAD, "sparks", 1, 0) && heard_of(22, false));
  CHECK(is_by(load_22));
  listen();
  store_21(spark);
  CHECK(heard(TP_FAULT_DEAD, "sparks", 1, 0) && heard_of(21, true));
  CHECK(is_by(store_21));
}

static void null_is_the_64_bytes_from_there_and_none_behind_them(void)
{
  listen();
  ask_of_a_store(64);
  ask_of_stores(64, 3);
  CHECK_EQ(reports, 0);
  for (uint32_t offset = 0; offset < 64; offset++) {
    listen();
    ask_of_a_store(offset);
    CHECK(heard(TP_FAULT_NULL_PAGE, NULL, 0, offset) && heard_of(1, true));
    CHECK(!reported.address && !reported.pool);
    ask_of_a_store(64);
    CHECK_EQ(reports, 1);
  }
}

// As a length that was below 0 is.
static void of_more_bytes_than_can_be_told_as_many_are_told_as_can(void)
{
  const size_t most = INT32_MAX;
  void *spark = sparks_alloc();
  for (size_t bytes = most; bytes <= most + 32; bytes++) {
    listen();
    tp_shadow_look(spark, bytes, false, TP_SITE);
    CHECK(heard(TP_FAULT_BESIDE, "sparks", 1, 0) && heard_of(most, false));
  }
  listen();
  tp_shadow_look(spark, SIZE_MAX, false, TP_SITE);
  CHECK(heard(TP_FAULT_BESIDE, "sparks", 1, 0) && heard_of(most, false));
  sparks_free(spark);
}

// Is what begins a byte before the run, where none is, looked at iff it reaches
// into it?
static bool is_reached_from_before(const struct tp_entry *entry,
                                   const struct tp_run *run)
{
  struct tp_fault_record record;
  const struct tp_access first = {run->begin, 1, true};
  bool wrong = entry->kind->shadow->judge(entry->allocator, &first, &record);
  const void *before = (const void *)(run->begin - 1);
  listen();
  tp_shadow_look(before, 1, true, TP_SITE);
  if (reports != 0) return false;
  tp_shadow_look(before, 2, true, TP_SITE);
  return reports == wrong && (!wrong || heard_of(1, true));
}

static void what_begins_in_memory_that_is_none_of_ours_is_looked_at_to_its_end(
    void)
{
  uint32_t reached = 0;
  struct listed at = {0};
  while (next_run(&at)) {
    if (!is_in_none(at.run.begin - 1)) continue;
    CHECK(is_reached_from_before(at.entry, &at.run));
    reached++;
  }
  CHECK(reached > 0);
}

static bool is_dead_at_its_begin(const struct listed *at)
{
  struct tp_fault_record record;
  const struct tp_access first = {at->run.begin, 1, false};
  return at->entry->kind->shadow->judge(at->entry->allocator, &first, &record);
}

// Tags and counts.
static void what_begins_where_it_may_be_read_is_looked_at_to_its_end(void)
{
  const uintptr_t far = 0x100000;
  uint32_t reached = 0;
  struct listed from = {0};
  while (next_run(&from)) {
    if (is_dead_at_its_begin(&from)) continue;
    bool reaches = false;
    struct listed to = {0};
    while (next_run(&to)) {
      uintptr_t behind = to.run.begin - from.run.begin;
      reaches |= behind < far && is_dead_at_its_begin(&to);
    }
    listen();
    tp_shadow_look((const void *)from.run.begin, far, false, TP_SITE);
    CHECK(!reaches || reports == 1);
    reached += reaches;
  }
  CHECK(reached > 0);
}

static void behind_the_last_address_nothing_is_looked_at(void)
{
  listen();
  tp_shadow_look((const void *)(UINTPTR_MAX - 8), 32, true, TP_SITE);
  CHECK_EQ(reports, 0);
}

static void of_more_places_than_there_is_room_for_the_first_are_reported(void)
{
  void *spark = sparks_alloc();
  sparks_free(spark);
  listen();
  for (uintptr_t place = 1; place <= 40; place++) {
    tp_shadow_look(spark, 1, true, (tp_site_t)place);
  }
  CHECK_EQ(reports, 32);
}

// Does a run that is listed before [at] begin or end there?
static bool is_cut_before(const struct listed *at, uintptr_t address)
{
  struct listed other = {0};
  while (next_run(&other)) {
    if (other.run.begin == at->run.begin) return false;
    if (other.run.begin == address) return true;
    if (other.run.begin + other.run.bytes == address) return true;
  }
  return false;
}

// All memory is one, and each address where a run begins or ends cuts it.
static uint32_t count_stretches(void)
{
  uint32_t count = 1;
  struct listed at = {0};
  while (next_run(&at)) {
    count += !is_cut_before(&at, at.run.begin);
    count += !is_cut_before(&at, at.run.begin + at.run.bytes);
  }
  return count;
}

static volatile uint32_t added;

// From the middle up and down: the first run is two stretches more, and each
// other one, which begins or ends where another does.
static void add_runs(const tp_word_t *words)
{
  for (added = 0; added < 510; added++) {
    uint32_t index = added % 2 ? 255 - added / 2 : 256 + added / 2;
    const struct tp_run run = {(uintptr_t)&words[index], 4};
    tp_shadow_add(&run, tp_registry.entries[0]);
  }
}

static void more_runs_than_there_is_room_for_are_a_fault(void)
{
  static const tp_word_t words[512];
  const uint32_t room = 2 * 128 + 1;
  CHECK_EQ(tp_scene_switch(&scenes_scenes, 1, NULL), 0);  // As they were found.
  tp_test_nobody_calls = true;  // The first access gathers the runs of all.
  CHECK_FAULTS(TP_FAULT_LARGE, add_runs(words));
  tp_test_nobody_calls = false;
  CHECK_EQ(tp_fault_record.found, tp_fault_record.expected);
  CHECK_EQ(tp_fault_record.expected, 2 * 128 + 2);
  CHECK_EQ(added, room - count_stretches() - 1);
}

// The last of all, which leaves runs behind.
void cases_of_room(void)
{
  RUN(more_runs_than_there_is_room_for_are_a_fault);
}

void cases_of_bytes(void)
{
  RUN(every_run_of_every_allocator_is_looked_at);
  RUN(of_any_number_of_bytes_it_is_told_who_reads_or_writes_them);
  RUN(where_one_run_ends_and_another_begins_that_one_is_asked);
  RUN(null_is_the_64_bytes_from_there_and_none_behind_them);
  RUN(of_more_bytes_than_can_be_told_as_many_are_told_as_can);
  RUN(what_begins_in_memory_that_is_none_of_ours_is_looked_at_to_its_end);
  RUN(what_begins_where_it_may_be_read_is_looked_at_to_its_end);
  RUN(behind_the_last_address_nothing_is_looked_at);
  RUN(of_more_places_than_there_is_room_for_the_first_are_reported);
  RUN(of_a_stack_what_is_below_its_top_is_right);
  RUN(of_two_ends_what_each_gave_is_right);
  RUN(of_a_frame_what_each_buffer_gave_is_right);
  RUN(of_blocks_what_was_asked_for_is_right);
  RUN(blocks_judge_the_slots_of_each_class_and_of_no_other_pool);
  RUN(where_a_block_was_right_what_is_behind_it_is_looked_at);
  RUN(a_block_that_was_used_until_it_was_freed_is_nobody_s_then);
  RUN(of_a_dense_pool_its_objects_are_right);
  RUN(of_blocks_that_move_those_that_are_locked_are_right);
  RUN(of_a_nest_what_each_child_gave_is_right);
  RUN(of_a_scene_the_objects_of_its_parts_are_right);
  RUN(a_descriptor_that_scenes_write_has_the_name_of_its_part);
  RUN(what_a_scene_s_pool_counts_is_not_the_application_s);
}
