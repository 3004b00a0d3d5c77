// SPDX-License-Identifier: MIT
// What lend and take do to the cache, and what they refuse.
#include "dma.h"

static uint8_t foreign[64];

static void to_lend_cleans_every_line_of_the_slot_between_barriers(void)
{
  FORGET(frames);
  void *frame = frames_alloc();
  frames_lend(frame, TP_DMA_TX);
  CHECK_EQ(lines_cleaned, 2);
  CHECK_EQ(lines_dropped, 0);
  CHECK_EQ(lines_barriers, 2);
}

static void to_take_drops_the_lines_of_what_a_device_wrote(void)
{
  FORGET(frames);
  void *frame = frames_alloc();
  frames_lend(frame, TP_DMA_RX);
  frames_take(frame);
  CHECK_EQ(lines_dropped, 2);
  CHECK_EQ(lines_barriers, 4);
  frames_lend(frame, TP_DMA_BOTH);
  frames_take(frame);
  CHECK_EQ(lines_dropped, 4);
}

// At off nobody knows what it was lent for.
static void to_take_back_what_was_sent_drops_nothing(void)
{
  FORGET(frames);
  void *frame = frames_alloc();
  frames_lend(frame, TP_DMA_TX);
  frames_take(frame);
  CHECK_EQ(lines_dropped, CHECKED ? 0 : 2);
}

// As if it were: then a second look would drop the lines a second time.
static void at_off_no_note_is_read_or_written(void)
{
  FORGET(frames);
  void *frame = frames_alloc();
  uint16_t note = TP_LENT_AS(frames_pool.tag[1], TP_DMA_RX);
  frames_dma.lent[0] = note;
  frames_lend(frame, TP_DMA_TX);
  CHECK_EQ(frames_dma.lent[0], note);
  frames_take(frame);
  CHECK_EQ(frames_dma.lent[0], note);
  CHECK_EQ(lines_dropped, 2);
}

static void at_off_what_is_lent_is_not_noted(void)
{
  FORGET(frames);
  void *frame = frames_alloc();
  uint16_t none = (uint16_t)(TP_LENT_AS(frames_pool.tag[1], 0) ^ 4);
  frames_dma.lent[0] = none;
  frames_lend(frame, TP_DMA_RX);
  CHECK_EQ(frames_dma.lent[0], none);
}

static void whatever_masks_the_pool_is_given_back(void)
{
  static const uint8_t locks[] = {TP_LOCK_PRIMASK, TP_LOCK_NONE, 64};
  for (uint32_t which = 0; which < 3; which++) {
    FORGET(frames);
    struct tp_pool masked = frames_pool;
    const struct tp_dma dma = {&masked, frames_dma.lent};
    masked.lock = locks[which];
    void *frame = frames_alloc();
    tp_dma_lend(&dma, frame, TP_DMA_RX);
    tp_dma_take(&dma, frame);
    CHECK_EQ(lines_dropped, 2);
  }
}

static void what_stands_before_a_link_is_lent_too(void)
{
  FORGET(linked);
  uint8_t *object = linked_alloc();
  CHECK_EQ((uintptr_t)object % LINE_BYTES, 0);
  cpu_writes(object, LINKED_SIZE, 0x77);
  linked_lend(object, TP_DMA_BOTH);
  CHECK(device_reads(object, LINKED_SIZE, 0x77));
  lines_fetch();
  device_writes(object, LINKED_SIZE, 0x78);
  linked_take(object);
  CHECK(cpu_reads(object, LINKED_SIZE, 0x78));
}

static void what_lies_behind_an_object_with_a_link_is_left_alone(void)
{
  FORGET(linked);
  uint8_t *object = linked_alloc(), *next = linked_alloc();
  linked_lend(object, TP_DMA_RX);
  cpu_writes(next, LINKED_SIZE, 0x79);
  linked_take(object);
  CHECK(cpu_reads(next, LINKED_SIZE, 0x79));
}

static void nothing_is_lent_twice_or_taken_twice(void)
{
  FORGET(frames);
  void *frame = frames_alloc();
  if (!CHECKED) return;
  CHECK_FAULTS(TP_FAULT_LENT, frames_take(frame));
  CHECK_EQ(tp_fault_record.found, 0);
  CHECK_EQ(tp_fault_record.expected, 1);
  frames_lend(frame, TP_DMA_RX);
  uint32_t cleaned = lines_cleaned;
  CHECK_FAULTS(TP_FAULT_LENT, frames_lend(frame, TP_DMA_TX));
  CHECK_EQ(lines_cleaned, cleaned);
  CHECK_EQ(tp_fault_record.found, TP_DMA_RX);
  CHECK_EQ(tp_fault_record.slot, 1);
  frames_take(frame);
  CHECK_FAULTS(TP_FAULT_LENT, frames_take(frame));
}

static void what_does_not_live_is_neither_lent_nor_taken(void)
{
  FORGET(frames);
  uint8_t *frame = frames_alloc();
  if (!CHECKED) return;
  CHECK_FAULTS(TP_FAULT_FOREIGN, frames_lend(foreign, TP_DMA_RX));
  CHECK_FAULTS(TP_FAULT_FOREIGN, frames_take(NULL));
  CHECK_FAULTS(TP_FAULT_INTERIOR, frames_lend(frame + 4, TP_DMA_RX));
  CHECK_FAULTS(TP_FAULT_INTERIOR, frames_take(frame + 4));
  frames_free(frame);
  CHECK_FAULTS(TP_FAULT_DOUBLE_FREE, frames_lend(frame, TP_DMA_RX));
  CHECK_FAULTS(TP_FAULT_DOUBLE_FREE, frames_take(frame));
}

static void what_can_be_stolen_is_pinned_before_it_is_lent(void)
{
  FORGET(sounds);
  void *sound = sounds_alloc();
  if (CHECKED) {
    CHECK_FAULTS(TP_FAULT_PIN, sounds_lend(sound, TP_DMA_TX));
  }
  sounds_pin(sound);
  sounds_lend(sound, TP_DMA_TX);
  void *other = sounds_alloc();
  CHECK(other != sound);
  CHECK(sounds_alloc() == other);
  sounds_take(sound);
  sounds_unpin(sound);
}

static void what_is_not_pinned_is_named(void)
{
  FORGET(sounds);
  (void)sounds_alloc();
  void *sound = sounds_alloc();
  CHECK_FAULTS(TP_FAULT_PIN, sounds_lend(sound, TP_DMA_TX));
  CHECK(tp_fault_record.pool == &sounds_pool);
  CHECK(tp_fault_record.address == sound);
  CHECK_EQ(tp_fault_record.slot, 2);
  CHECK_EQ(tp_fault_record.offset, 0);
  CHECK_EQ(tp_fault_record.found, 0);
  CHECK_EQ(tp_fault_record.expected, 1);
}

static void what_is_lent_is_not_unpinned(void)
{
  FORGET(sounds);
  sounds_handle_t handle;
  void *sound = sounds_alloc_handle(&handle);
  CHECK(sounds_pin_handle(handle) == sound);
  sounds_lend(sound, TP_DMA_TX);
  if (!CHECKED) return;
  CHECK_FAULTS(TP_FAULT_LENT, sounds_unpin(sound));
  CHECK_FAULTS(TP_FAULT_LENT, (void)sounds_unpin_handle(handle));
  sounds_take(sound);
  CHECK(sounds_unpin_handle(handle));
}

// By calls that do not look: it is another object's now.
static void what_died_while_it_was_lent_is_not_taken(void)
{
  FORGET(frames);
  void *frame = frames_alloc();
  frames_lend(frame, TP_DMA_RX);
  tp_pool_free(&frames_pool, frame);
  if (!CHECKED) return;
  CHECK_FAULTS(TP_FAULT_DOUBLE_FREE, frames_take(frame));
  CHECK(frames_alloc() == frame);
  CHECK_FAULTS(TP_FAULT_LENT, frames_take(frame));
  frames_free(frame);
}

static void *taken;

static void take_it(void)
{
  void *object = taken;
  taken = NULL;
  if (object) frames_take(object);
}

static void an_interrupt_that_takes_it_meanwhile_is_noticed(void)
{
  FORGET(frames);
  void *frame = frames_alloc();
  frames_lend(frame, TP_DMA_RX);
  if (!CHECKED) return;
  taken = frame;
  lines_between = take_it;
  CHECK_FAULTS(TP_FAULT_LENT, frames_take(frame));
  CHECK(taken == NULL);
}

static void free_it(void)
{
  void *object = taken;
  taken = NULL;
  if (object) frames_free(object);
}

static void nobody_frees_it_until_its_lines_are_dropped(void)
{
  FORGET(frames);
  void *frame = frames_alloc();
  frames_lend(frame, TP_DMA_RX);
  if (!CHECKED) return;
  taken = frame;
  lines_between = free_it;
  CHECK_FAULTS(TP_FAULT_LENT, frames_take(frame));
  CHECK(taken == NULL);
}

void suite_calls(void)
{
  RUN(to_lend_cleans_every_line_of_the_slot_between_barriers);
  RUN(to_take_drops_the_lines_of_what_a_device_wrote);
  RUN(to_take_back_what_was_sent_drops_nothing);
  if (!CHECKED) RUN(at_off_no_note_is_read_or_written);
  if (!CHECKED) RUN(at_off_what_is_lent_is_not_noted);
  RUN(whatever_masks_the_pool_is_given_back);
  RUN(what_stands_before_a_link_is_lent_too);
  RUN(what_lies_behind_an_object_with_a_link_is_left_alone);
  RUN(nothing_is_lent_twice_or_taken_twice);
  RUN(what_does_not_live_is_neither_lent_nor_taken);
  RUN(what_can_be_stolen_is_pinned_before_it_is_lent);
  if (CHECKED) RUN(what_is_not_pinned_is_named);
  RUN(what_is_lent_is_not_unpinned);
  RUN(what_died_while_it_was_lent_is_not_taken);
  RUN(an_interrupt_that_takes_it_meanwhile_is_noticed);
  RUN(nobody_frees_it_until_its_lines_are_dropped);
}
