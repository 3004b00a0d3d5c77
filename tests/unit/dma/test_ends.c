// SPDX-License-Identifier: MIT
// Every way to give an object back faults while a device has it, and works
// once it is taken.
#include "dma.h"

static uint32_t ended;     // Blocks and sectors.
static bool says_goodbye;  // Does a block, to a device, as it ends?

void block_ended(void *block)
{
  if (says_goodbye) blocks_lend(block, TP_DMA_TX);
  ended++;
}

void sector_released(void *sector)
{
  (void)sector;
  ended++;
}

static void a_lent_object_is_not_freed(void)
{
  FORGET(frames);
  void *frame = frames_alloc();
  frames_lend(frame, TP_DMA_TX);
  if (CHECKED) {
    CHECK_FAULTS(TP_FAULT_LENT, frames_free(frame));
    CHECK_EQ(tp_fault_record.found, TP_DMA_TX);
    CHECK_EQ(tp_fault_record.slot, 1);
  }
  frames_take(frame);
  frames_free(frame);
  CHECK(frames_alloc() == frame);
}

static void what_is_none_of_the_pool_is_the_fault_of_free(void)
{
  FORGET(frames);
  uint8_t *frame = frames_alloc();
  if (!CHECKED) return;
  CHECK_FAULTS(TP_FAULT_INTERIOR, frames_free(frame + 4));
  frames_free(frame);
  CHECK_FAULTS(TP_FAULT_DOUBLE_FREE, frames_free(frame));
}

static void a_lent_object_is_not_freed_by_handle(void)
{
  FORGET(orders);
  orders_handle_t handle;
  void *order = orders_alloc_handle(&handle);
  orders_lend(order, TP_DMA_RX);
  if (CHECKED) {
    CHECK_FAULTS(TP_FAULT_LENT, (void)orders_free_handle(handle));
    CHECK_FAULTS(TP_FAULT_LENT, orders_free(order));
  }
  orders_take(order);
  CHECK(orders_free_handle(handle));
  CHECK(!orders_free_handle(handle));
  CHECK(!orders_free_handle(ORDERS_NO_HANDLE));
}

static void a_stale_handle_is_stale_though_its_slot_is_lent(void)
{
  FORGET(wide);
  wide_handle_t old, handle;
  (void)wide_alloc_handle(&old);
  CHECK(wide_free_handle(old));
  void *object = wide_alloc_handle(&handle);
  wide_lend(object, TP_DMA_RX);
  CHECK(!wide_free_handle(old));
  if (CHECKED) {
    CHECK_FAULTS(TP_FAULT_LENT, (void)wide_free_handle(handle));
  }
  wide_take(object);
  CHECK(wide_free_handle(handle));
}

// As if the last slot were another pool's, which has lent it.
static void what_is_no_slot_of_the_pool_is_not_asked_for(void)
{
  struct tp_pool narrow = frames_pool;
  const struct tp_dma dma = {&narrow, frames_dma.lent};
  narrow.capacity--;
  FORGET(frames);
  void *object = NULL;
  for (uint32_t i = 0; i < frames_pool.capacity; i++) object = frames_alloc();
  frames_lend(object, TP_DMA_RX);
  CHECK(tp_dma_give(&dma, object) == object);
  frames_take(object);
  CHECK(tp_dma_give(&dma, NULL) == NULL);
}

static void a_lent_object_is_not_destroyed(void)
{
  FORGET(blocks);
  void *block = blocks_create(NULL);
  blocks_lend(block, TP_DMA_RX);
  ended = 0;
  if (CHECKED) {
    CHECK_FAULTS(TP_FAULT_LENT, blocks_destroy(block));
    CHECK_FAULTS(TP_FAULT_LENT, blocks_clear());
    CHECK_EQ(ended, 0);
  }
  blocks_take(block);
  blocks_destroy(block);
  CHECK_EQ(ended, 1);
}

static void nor_is_one_that_its_deinit_lends(void)
{
  FORGET(blocks);
  void *block = blocks_create(NULL);
  says_goodbye = true;
  ended = 0;
  if (CHECKED) {
    CHECK_FAULTS(TP_FAULT_LENT, blocks_destroy(block));
    CHECK_EQ(tp_fault_record.found, TP_DMA_TX);
    CHECK(blocks_is_live(block));
    blocks_take(block);
    CHECK_FAULTS(TP_FAULT_LENT, blocks_clear());
    blocks_take(block);
  }
  says_goodbye = false;
  blocks_destroy(block);
  CHECK_EQ(ended, CHECKED ? 3 : 1);
}

static bool goes(void *block, void *context)
{
  (void)block;
  (void)context;
  return false;
}

static void a_step_does_not_end_a_lent_object(void)
{
  FORGET(blocks);
  void *block = blocks_create(NULL);
  blocks_lend(block, TP_DMA_RX);
  ended = 0;
  if (CHECKED) {
    CHECK_FAULTS(TP_FAULT_LENT, blocks_update(goes, NULL));
  }
  blocks_take(block);
  blocks_update(goes, NULL);
  CHECK_EQ(ended, 1);
}

static void a_scene_does_not_end_what_is_lent(void)
{
  tp_test_forget(&sectors_pool);
  scenes_force(TP_SCENE_READING);
  lines_watch((uint8_t *)sectors_pool.storage, 2u * sectors_pool.stride);
  void *sector = sectors_alloc();
  CHECK_EQ((uintptr_t)sector % LINE_BYTES, 0);
  sectors_lend(sector, TP_DMA_RX);
  ended = 0;
  CHECK_EQ(scenes_switch(TP_SCENE_READING, NULL), 1);
  if (CHECKED) {
    CHECK_FAULTS(TP_FAULT_LENT, scenes_force(TP_SCENE_READING));
    CHECK_EQ(ended, 0);
  }
  sectors_take(sector);
  scenes_force(TP_SCENE_READING);
  CHECK_EQ(ended, 1);
}

static void a_pool_with_a_lent_object_is_not_reset(void)
{
  FORGET(frames);
  (void)frames_alloc();
  void *frame = frames_alloc();
  frames_lend(frame, TP_DMA_RX);
  if (CHECKED) {
    CHECK_FAULTS(TP_FAULT_LENT, frames_reset());
    CHECK_EQ(tp_fault_record.slot, 2);
  }
  frames_take(frame);
  frames_reset();
  struct tp_stats stats;
  tp_pool_stats(&frames_pool, &stats);
  CHECK_EQ(stats.live, 0);
}

static bool names_lent(uint32_t slot, const void *object, uint32_t found,
                       uint32_t expected)
{
  const struct tp_fault_record *record = &tp_fault_record;
  return record->pool == &frames_pool && record->slot == slot &&
         record->address == object && record->offset == 0 &&
         record->found == found && record->expected == expected;
}

static void each_slot_that_is_lent_keeps_its_pool_from_a_reset(void)
{
  void *frame[FRAMES_COUNT];
  FORGET(frames);
  for (uint32_t i = 0; i < FRAMES_COUNT; i++) frame[i] = frames_alloc();
  for (uint32_t i = 0; i < FRAMES_COUNT; i++) {
    frames_lend(frame[i], TP_DMA_BOTH);
    CHECK_FAULTS(TP_FAULT_LENT, frames_reset());
    CHECK(names_lent(i + 1, frame[i], TP_DMA_BOTH, 0));
    frames_take(frame[i]);
  }
}

static void what_is_lent_or_not_is_named_whatever_was_called(void)
{
  FORGET(frames);
  (void)frames_alloc();
  void *frame = frames_alloc();
  CHECK_FAULTS(TP_FAULT_LENT, frames_take(frame));
  CHECK(names_lent(2, frame, 0, 1));
  frames_lend(frame, TP_DMA_RX);
  CHECK_FAULTS(TP_FAULT_LENT, frames_lend(frame, TP_DMA_TX));
  CHECK(names_lent(2, frame, TP_DMA_RX, 0));
  CHECK_FAULTS(TP_FAULT_LENT, frames_free(frame));
  CHECK(names_lent(2, frame, TP_DMA_RX, 0));
  frames_take(frame);
  CHECK_EQ(lines_dropped, 2);
}

// Who frees it by a call that does not look is not told of it a second time.
static void what_died_while_it_was_lent_is_not_lent_any_more(void)
{
  FORGET(frames);
  void *frame = frames_alloc();
  frames_lend(frame, TP_DMA_RX);
  tp_pool_free(&frames_pool, frame);

  CHECK_FAULTS(TP_FAULT_DOUBLE_FREE, frames_free(frame));
  frames_reset();

  CHECK(frames_alloc() == frame);
  frames_free(frame);
}

// Before the notes stands what would be that of slot 0.
static void a_wide_handle_that_says_dead_refers_to_nothing_that_is_lent(void)
{
  uint16_t lent[WIDE_COUNT + 1] = {TP_DMA_RX};
  const struct tp_dma dma = {&wide_pool, lent + 1};
  FORGET(wide);
  CHECK(wide_alloc());
  uint32_t word = wide_pool.tag[0];
  tp_handle64_t handle = (tp_handle64_t)word << 16 | 1;
  lent[0] = TP_LENT_AS(word, TP_DMA_RX);

  CHECK(tp_dma_give_handle64(&dma, handle) == handle);
}

static void a_write_behind_an_object_is_found_when_all_are_taken_back(void)
{
  FORGET(frames);
  uint8_t *frame = frames_alloc();
  if (TP_CHECKS < TP_CHECKS_FULL) return;
  frame[2 * LINE_BYTES] ^= 1;
  CHECK_FAULTS(TP_FAULT_RED_ZONE, frames_reset());
  frame[2 * LINE_BYTES] ^= 1;
}

void suite_ends(void)
{
  RUN(a_lent_object_is_not_freed);
  RUN(what_is_none_of_the_pool_is_the_fault_of_free);
  RUN(a_lent_object_is_not_freed_by_handle);
  RUN(a_stale_handle_is_stale_though_its_slot_is_lent);
  RUN(what_is_no_slot_of_the_pool_is_not_asked_for);
  RUN(a_lent_object_is_not_destroyed);
  RUN(nor_is_one_that_its_deinit_lends);
  RUN(a_step_does_not_end_a_lent_object);
  RUN(a_scene_does_not_end_what_is_lent);
  RUN(a_pool_with_a_lent_object_is_not_reset);
  RUN(a_wide_handle_that_says_dead_refers_to_nothing_that_is_lent);
  if (CHECKED) {
    RUN(each_slot_that_is_lent_keeps_its_pool_from_a_reset);
    RUN(what_is_lent_or_not_is_named_whatever_was_called);
    RUN(what_died_while_it_was_lent_is_not_lent_any_more);
  }
  RUN(a_write_behind_an_object_is_found_when_all_are_taken_back);
}
