// SPDX-License-Identifier: MIT
// What is said of accesses to an object that a device has.
#include "check/tp_sanitize.h"
#include "sanitize.h"
#include "tp_pools.h"
#include "tp_test.h"

static uint8_t *fresh(void)
{
  tp_sanitize_off();
  tp_test_forget(&packets_pool);
  for (uint32_t i = 0; i < PACKETS_COUNT; i++) packets_dma.lent[i] = 0;
  tp_sanitize_on();
  (void)packets_alloc();
  uint8_t *packet = packets_alloc();
  write_word(packet);
  listen();
  return packet;
}

static void what_a_device_writes_is_not_read_before_it_is_taken(void)
{
  uint8_t *packet = fresh();
  packets_lend(packet, TP_DMA_RX);
  (void)read_word(packet + 8);
  CHECK(heard(TP_FAULT_DEVICE, "packets", 2, 8));
  CHECK(heard_of(4, false));
  CHECK(reported.address == packet);
  packets_take(packet);
  listen();
  (void)read_word(packet + 8);
  write_word(packet);
  CHECK_EQ(reports, 0);
}

static void what_a_device_writes_the_cpu_does_not(void)
{
  uint8_t *packet = fresh();
  packets_lend(packet, TP_DMA_BOTH);
  write_byte(packet + 39);
  CHECK(heard(TP_FAULT_DEVICE, "packets", 2, 39));
  CHECK(heard_of(1, true));
}

static void what_a_device_reads_may_be_read_and_not_written(void)
{
  uint8_t *packet = fresh();
  packets_lend(packet, TP_DMA_TX);
  (void)read_word(packet);
  CHECK_EQ(reports, 0);
  write_word(packet + 4);
  CHECK(heard(TP_FAULT_DEVICE, "packets", 2, 4));
}

// Where a word was right, the next one often is: not if it was lent meanwhile.
static void a_word_that_was_just_read_is_looked_at_again(void)
{
  uint8_t *packet = fresh();
  (void)read_word(packet);
  packets_lend(packet, TP_DMA_RX);
  (void)read_word(packet);
  CHECK(heard(TP_FAULT_DEVICE, "packets", 2, 0));
}

static void its_neighbour_is_not_lent(void)
{
  uint8_t *packet = fresh();
  packets_lend(packet, TP_DMA_RX);
  write_word(packet - packets_pool.stride);
  CHECK_EQ(reports, 0);
}

static void who_is_issued_the_slot_of_one_that_died_lent_may_use_it(void)
{
  uint8_t *packet = fresh();
  packets_lend(packet, TP_DMA_RX);
  tp_pool_free(&packets_pool, packet);
  CHECK(packets_alloc() == packet);
  (void)read_word(packet);
  CHECK_EQ(reports, 0);
}

void cases_of_loans(void)
{
  RUN(what_a_device_writes_is_not_read_before_it_is_taken);
  RUN(what_a_device_writes_the_cpu_does_not);
  RUN(what_a_device_reads_may_be_read_and_not_written);
  RUN(a_word_that_was_just_read_is_looked_at_again);
  RUN(its_neighbour_is_not_lent);
  RUN(who_is_issued_the_slot_of_one_that_died_lent_may_use_it);
}
