// SPDX-License-Identifier: MIT
// What is said of accesses to the memory of allocators that are no plain pool.
#include "allocator/tp_nest.h"
#include "check/tp_sanitize.h"
#include "object/tp_scene.h"
#include "check/tp_shadow.h"
#include "sanitize.h"
#include "tp_pools.h"
#include "tp_test.h"

static void *at(void *object, int32_t offset)
{
  return (uint8_t *)object + offset;
}

static bool named(uint32_t kind, const char *name)
{
  return heard(kind, name, reported.slot, reported.offset);
}

static void what_is_lent_is_the_borrower_s_until_it_is_given_back(void)
{
  listen();
  (void)debris_alloc();
  void *lent = debris_alloc();
  write_word(lent);
  CHECK_EQ(reports, 0);
  debris_free(lent);
  write_word(lent);
  CHECK(heard(TP_FAULT_DEAD, "rubble", 1, 0));
}

static void what_begins_before_all_and_ends_behind_all_is_looked_at(void)
{
  const uintptr_t far = 0x100000;
  listen();
  uintptr_t begin = (uintptr_t)sparks_pool.storage & ~(far - 1);
  tp_shadow_look((const void *)begin, 2 * far, true, TP_SITE);
  CHECK_EQ(reports, 1);
}

static void memory_above_the_top_of_a_stack_is_nobody_s(void)
{
  listen();
  struct tp_mark mark = tp_stack_mark(&level_stack);
  void *block = tp_stack_alloc(&level_stack, 12, 4);
  write_byte(at(block, 11));
  CHECK_EQ(reports, 0);
  write_byte(at(block, 12));
  CHECK(named(TP_FAULT_DEAD, "level"));
  listen();
  tp_stack_release(&level_stack, mark);
  (void)read_word(block);
  CHECK(named(TP_FAULT_DEAD, "level"));
  CHECK(reported.address == block);
}

static void between_the_ends_of_a_stack_nothing_is_anybody_s(void)
{
  listen();
  void *low = tp_dstack_alloc(&sides_dstack, TP_LOW, 8, 4);
  void *high = tp_dstack_alloc(&sides_dstack, TP_HIGH, 8, 4);
  write_byte(at(low, 7));
  write_byte(high);
  CHECK_EQ(reports, 0);
  write_byte(at(high, -1));
  CHECK(named(TP_FAULT_DEAD, "sides"));
  listen();
  (void)read_byte(at(low, 8));
  CHECK(named(TP_FAULT_DEAD, "sides"));
}

static void what_a_frame_gave_is_there_in_the_next_and_gone_in_the_one_after(
    void)
{
  listen();
  void *drawn = tp_frame_alloc(&draw_frame, 8, 4);
  write_word(drawn);
  tp_frame_end(&draw_frame);
  (void)read_word(drawn);
  CHECK_EQ(reports, 0);
  tp_frame_end(&draw_frame);
  (void)read_word(drawn);
  CHECK(named(TP_FAULT_DEAD, "draw"));
}

static void behind_the_bytes_asked_for_of_a_block_there_are_none(void)
{
  listen();
  void *small = text_alloc(16);
  void *large = text_alloc(21);
  write_byte(at(small, 15));
  write_byte(at(large, 20));
  CHECK_EQ(reports, 0);
  (void)read_byte(at(large, 21));
  CHECK(heard(TP_FAULT_BESIDE, "text_32", 1, 21));
  CHECK(reported.address == large);
  listen();
  write_word(at(large, 20));
  CHECK(heard(TP_FAULT_BESIDE, "text_32", 1, 20));
  CHECK(heard_of(4, true));
  listen();
  text_free(large);
  (void)read_byte(at(large, 3));
  CHECK(heard(TP_FAULT_DEAD, "text_32", 1, 3));
  listen();
  large = text_alloc(30);
  write_byte(at(large, 29));
  CHECK_EQ(reports, 0);
}

static void behind_the_last_object_of_a_dense_pool_there_is_none(void)
{
  listen();
  bullets_handle_t handle;
  void *bullet = bullets_alloc(&handle);
  write_byte(at(bullet, 9));
  CHECK_EQ(reports, 0);
  write_byte(at(bullet, 10));
  CHECK(named(TP_FAULT_BESIDE, "bullets"));
  CHECK_EQ(reported.offset, 10);
  listen();
  bullets_free(handle);
  (void)read_byte(bullet);
  CHECK(named(TP_FAULT_DEAD, "bullets"));
}

static void a_block_that_may_move_is_its_owner_s_while_it_is_locked(void)
{
  listen();
  tp_handle_t handle = tp_reloc_alloc(&meshes_reloc, 12);
  void *block = tp_reloc_lock(&meshes_reloc, handle);
  write_word(block);
  CHECK_EQ(reports, 0);
  (void)read_word(at(block, -8));
  CHECK(named(TP_FAULT_DEAD, "meshes"));
  listen();
  CHECK(tp_reloc_unlock(&meshes_reloc, handle));
  write_word(at(block, 4));
  CHECK(heard(TP_FAULT_UNLOCKED, "meshes", 1, 4));
  listen();
  CHECK(tp_reloc_free(&meshes_reloc, handle));
  (void)read_word(block);
  CHECK(named(TP_FAULT_DEAD, "meshes"));
}

static void of_a_nest_the_innermost_child_says_whose_it_is(void)
{
  static struct tp_nest child;
  listen();
  CHECK(tp_nest_open_stack(&child, &root_nest, TP_LOW, "child", 64,
                           TP_FULL_DROP));
  void *block = tp_stack_alloc(tp_nest_stack(&child), 8, 4);
  write_word(block);
  CHECK_EQ(reports, 0);
  write_word(at(block, 8));
  CHECK(named(TP_FAULT_DEAD, "child"));
  listen();
  tp_nest_close(&child);
  (void)read_word(block);
  CHECK(named(TP_FAULT_DEAD, "root"));
}

// Its tags went with it.
static void of_a_pool_in_a_nest_that_was_closed_no_object_is_anybody_s(void)
{
  static const struct tp_build row = {
      .size = 8, .align = 4, .count = 3, .refuses = 1, .policy = &tp_drop};
  static struct tp_nest child;
  listen();
  CHECK(tp_nest_open_pool(&child, &root_nest, TP_LOW, "child", &row));
  void *first = tp_pool_alloc(tp_nest_pool(&child));
  void *second = tp_pool_alloc(tp_nest_pool(&child));
  write_word(first);
  write_word(second);
  CHECK_EQ(reports, 0);
  tp_pool_free(tp_nest_pool(&child), second);
  (void)read_word(second);
  CHECK(named(TP_FAULT_DEAD, "child"));
  listen();
  tp_pool_free(tp_nest_pool(&child), first);
  tp_nest_close(&child);
  (void)read_word(first);
  CHECK(named(TP_FAULT_DEAD, "root"));
}

static void of_a_pool_in_a_nest_tags_and_counts_are_not_written_either(void)
{
  static const struct tp_build row = {
      .size = 8, .align = 4, .count = 3, .refuses = 1, .policy = &tp_drop};
  static struct tp_nest child;
  CHECK(tp_nest_open_pool(&child, &root_nest, TP_LOW, "child", &row));
  const struct tp_pool *pool = tp_nest_pool(&child);
  listen();
  (void)read_word(&pool->tag[3]);
  (void)read_word(pool->state);
  CHECK_EQ(reports, 0);
  write_word(&pool->tag[3]);
  CHECK(heard(TP_FAULT_METADATA, "child", 0, 0));
  CHECK(reported.pool == pool && reported.address == &pool->tag[3]);
  pool->tag[3] = 0;
  tp_nest_close(&child);
}

static void of_a_scene_that_is_left_no_memory_is_anybody_s(void)
{
  listen();
  CHECK_EQ(tp_scene_switch(&scenes_scenes, 0, NULL), 0);
  void *one = crowd_alloc();
  write_word(one);
  CHECK_EQ(reports, 0);
  crowd_free(one);
  (void)read_word(one);
  CHECK(heard(TP_FAULT_DEAD, "crowd", 1, 0));
  listen();
  (void)read_word(at(one, 3 * crowd_pool.stride));
  CHECK(named(TP_FAULT_DEAD, "scenes"));
}

static void a_descriptor_that_scenes_write_may_be_read_and_not_written(void)
{
  tp_word_t *word = (tp_word_t *)(void *)&crowd_pool;
  listen();
  uint32_t kept = read_word(word);
  CHECK_EQ(reports, 0);
  write_word(word);
  CHECK(named(TP_FAULT_METADATA, "crowd"));
  CHECK(reported.address == word);
  tp_sanitize_off();
  *word = kept;
  tp_sanitize_on();
}

static bool granted(const struct tp_chunk *chunk)
{
  (void)chunk;
  return true;
}

// Each byte of it: what stands before the links of its slots, and red zones.
static void all_memory_of_a_chunk_that_was_released_is_the_application_s(void)
{
  static struct tp_chunk_state state;
  static const struct tp_chunk chunk = {
      .pool = &linked_pool, .state = &state, .reclaim = granted};
  struct tp_fault_record record;
  struct tp_run run;
  tp_sanitize_off();
  tp_test_forget(&linked_pool);
  tp_sanitize_on();
  CHECK(tp_chunk_shadow.run(&chunk, 0, &run));
  for (uint32_t phase = TP_CHUNK_OPEN; phase <= TP_CHUNK_RELEASED; phase++) {
    state.phase = (uint8_t)phase;
    for (uint32_t i = 0; i < run.bytes; i++) {
      const struct tp_access access = {run.begin + i, 1, true};
      bool right = !tp_chunk_shadow.judge(&chunk, &access, &record);
      CHECK_EQ(right, phase != TP_CHUNK_OPEN);
    }
  }
}

void cases_of_kinds(void)
{
  RUN(all_memory_of_a_chunk_that_was_released_is_the_application_s);
  RUN(what_is_lent_is_the_borrower_s_until_it_is_given_back);
  RUN(what_begins_before_all_and_ends_behind_all_is_looked_at);
  RUN(memory_above_the_top_of_a_stack_is_nobody_s);
  RUN(between_the_ends_of_a_stack_nothing_is_anybody_s);
  RUN(what_a_frame_gave_is_there_in_the_next_and_gone_in_the_one_after);
  RUN(behind_the_bytes_asked_for_of_a_block_there_are_none);
  RUN(behind_the_last_object_of_a_dense_pool_there_is_none);
  RUN(a_block_that_may_move_is_its_owner_s_while_it_is_locked);
  RUN(of_a_nest_the_innermost_child_says_whose_it_is);
  RUN(of_a_pool_in_a_nest_that_was_closed_no_object_is_anybody_s);
  RUN(of_a_pool_in_a_nest_tags_and_counts_are_not_written_either);
  RUN(of_a_scene_that_is_left_no_memory_is_anybody_s);
  RUN(a_descriptor_that_scenes_write_may_be_read_and_not_written);
}
