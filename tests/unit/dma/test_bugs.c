// SPDX-License-Identifier: MIT
// Five mistakes that shipped, each as it was and with lend and take. What is
// read wrong is read wrong at every run: the cache is a model.
#include "dma.h"

// Memory of a driver that knows of no lines.
static _Alignas(LINE_BYTES) uint8_t heap[4 * LINE_BYTES];

enum { OLD = 0x11, NEW = 0x22, HEADER = 0x33 };

static uint8_t *fresh_heap(void)
{
  for (uint32_t i = 0; i < sizeof heap; i++) heap[i] = 0;
  lines_watch(heap, sizeof heap);
  return heap;
}

// apache/nuttx 19506, the SDMMC of an STM32H7: dropped before the transfer, but
// not behind it. 32 bytes of the sector before are read.
static void a_line_fetched_during_a_transfer_is_read_after_it(void)
{
  uint8_t *sector = fresh_heap();
  device_writes(sector, LINE_BYTES, OLD);
  lines_invalidate(sector, LINE_BYTES);
  lines_fetch();
  device_writes(sector, LINE_BYTES, NEW);
  CHECK(cpu_reads(sector, LINE_BYTES, OLD));
}

static void what_is_taken_is_read_as_the_device_wrote_it(void)
{
  FORGET(frames);
  void *sector = frames_alloc();
  cpu_writes(sector, LINE_BYTES, OLD);
  frames_lend(sector, TP_DMA_RX);
  lines_fetch();
  device_writes(sector, LINE_BYTES, NEW);
  CHECK(cpu_reads(sector, LINE_BYTES, OLD));
  frames_take(sector);
  CHECK(cpu_reads(sector, LINE_BYTES, NEW));
}

// apache/nuttx 11594, the SPI of an STM32H7: the same scratch buffer is lent
// for every exchange, and its lines are dropped when an exchange begins.
static void a_buffer_used_again_shows_the_exchange_before(void)
{
  uint8_t *scratch = fresh_heap();
  for (uint8_t exchange = 1; exchange <= 2; exchange++) {
    lines_invalidate(scratch, LINE_BYTES);
    if (exchange == 2) lines_fetch();
    device_writes(scratch, LINE_BYTES, exchange);
  }
  CHECK(cpu_reads(scratch, LINE_BYTES, 1));
}

static void who_forgets_to_take_a_buffer_cannot_lend_it_again(void)
{
  FORGET(frames);
  void *scratch = frames_alloc();
  for (uint8_t exchange = 1; exchange <= 2; exchange++) {
    frames_lend(scratch, TP_DMA_BOTH);
    lines_fetch();
    device_writes(scratch, LINE_BYTES, exchange);
    frames_take(scratch);
    CHECK(cpu_reads(scratch, LINE_BYTES, exchange));
  }
  frames_lend(scratch, TP_DMA_BOTH);
  if (!CHECKED) return;
  CHECK_FAULTS(TP_FAULT_LENT, frames_lend(scratch, TP_DMA_BOTH));
}

// thesofproject/sof 9676: buffers aligned to 8 in lines of 32, and before each
// the header of its block, which is lost when the buffer's lines are dropped.
static void a_header_in_the_line_of_a_buffer_is_destroyed(void)
{
  uint8_t *header = fresh_heap(), *buffer = header + 8;
  cpu_writes(header, 8, HEADER);
  device_writes(buffer, 2 * LINE_BYTES, NEW);
  lines_invalidate(buffer, 2 * LINE_BYTES);
  CHECK(cpu_reads(header, 8, 0));
}

static void no_slot_shares_a_line_and_its_neighbours_keep_their_bytes(void)
{
  FORGET(frames);
  uint8_t *before = frames_alloc(), *buffer = frames_alloc();
  uint8_t *behind = frames_alloc();
  CHECK_EQ((uintptr_t)buffer % LINE_BYTES, 0);
  CHECK(buffer >= before + FRAMES_SIZE && behind >= buffer + 2 * LINE_BYTES);
  frames_lend(buffer, TP_DMA_RX);
  cpu_writes(before, FRAMES_SIZE, HEADER);
  cpu_writes(behind, FRAMES_SIZE, HEADER);
  device_writes(buffer, FRAMES_SIZE, NEW);
  frames_take(buffer);
  CHECK(cpu_reads(buffer, FRAMES_SIZE, NEW));
  CHECK(cpu_reads(before, FRAMES_SIZE, HEADER));
  CHECK(cpu_reads(behind, FRAMES_SIZE, HEADER));
}

// x-cube-azrtos-h7 3: a buffer is cleared before the transfer; its lines come
// to memory when others need their place, over what the device wrote.
static void a_line_written_before_a_transfer_comes_over_it(void)
{
  uint8_t *packet = fresh_heap();
  cpu_writes(packet, LINE_BYTES, OLD);
  device_writes(packet, LINE_BYTES, NEW);
  lines_evict();
  lines_invalidate(packet, LINE_BYTES);
  CHECK(cpu_reads(packet, LINE_BYTES, OLD));
}

static void what_was_written_before_it_was_lent_comes_over_nothing(void)
{
  FORGET(frames);
  void *packet = frames_alloc();
  cpu_writes(packet, FRAMES_SIZE, OLD);
  frames_lend(packet, TP_DMA_RX);
  device_writes(packet, FRAMES_SIZE, NEW);
  lines_evict();
  frames_take(packet);
  CHECK(cpu_reads(packet, FRAMES_SIZE, NEW));
}

// ARMmbed/mbed-os 10239: buffers of a ring side by side, whose length is no
// multiple of a line. Where two of them meet, nothing that is done is right:
// one loses what the CPU wrote, the other what the device did.
static uint8_t *meeting(void)
{
  uint8_t *first = fresh_heap(), *second = first + 40;
  cpu_writes(first, 40, HEADER);
  device_writes(second, 40, NEW);
  return second;
}

static void buffers_that_meet_in_a_line_lose_bytes_whatever_is_done(void)
{
  uint8_t *second = meeting();
  lines_invalidate(second, 40);
  CHECK(cpu_reads(second, 40, NEW));
  CHECK(!cpu_reads(second - 40, 40, HEADER));
  second = meeting();
  lines_clean(second, 40);
  lines_invalidate(second, 40);
  CHECK(cpu_reads(second - 40, 40, HEADER));
  CHECK(!cpu_reads(second, 40, NEW));
}

static void slots_of_any_size_are_padded_to_lines(void)
{
  FORGET(frames);
  uint8_t *first = frames_alloc(), *second = frames_alloc();
  CHECK_EQ((uint32_t)(second - first) % LINE_BYTES, 0);
  CHECK((uint32_t)(second - first) >= 2 * LINE_BYTES);
  frames_lend(second, TP_DMA_RX);
  cpu_writes(first, FRAMES_SIZE, HEADER);
  device_writes(second, FRAMES_SIZE, NEW);
  lines_evict();
  frames_take(second);
  CHECK(cpu_reads(second, FRAMES_SIZE, NEW));
  CHECK(cpu_reads(first, FRAMES_SIZE, HEADER));
}

void suite_bugs(void)
{
  RUN(a_line_fetched_during_a_transfer_is_read_after_it);
  RUN(what_is_taken_is_read_as_the_device_wrote_it);
  RUN(a_buffer_used_again_shows_the_exchange_before);
  RUN(who_forgets_to_take_a_buffer_cannot_lend_it_again);
  RUN(a_header_in_the_line_of_a_buffer_is_destroyed);
  RUN(no_slot_shares_a_line_and_its_neighbours_keep_their_bytes);
  RUN(a_line_written_before_a_transfer_comes_over_it);
  RUN(what_was_written_before_it_was_lent_comes_over_nothing);
  RUN(buffers_that_meet_in_a_line_lose_bytes_whatever_is_done);
  RUN(slots_of_any_size_are_padded_to_lines);
}
