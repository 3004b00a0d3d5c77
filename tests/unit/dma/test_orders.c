// SPDX-License-Identifier: MIT
// Whatever the cache does by itself, and whenever: each way of nothing, a fetch
// and an eviction at each point between two steps, those of lend and take too.
#include "dma.h"

enum { POINTS = 9, WAYS = 19683, BEFORE = 0x44, AFTER = 0x55, BESIDE = 0x66 };

static uint32_t way;  // Its digits to the base of 3.
static uint32_t points;

static void cache_does_something(void)
{
  uint32_t what = way % 3;
  way /= 3;
  points++;
  if (what == 1) lines_fetch();
  if (what == 2) lines_evict();
}

// What the two protocols are made of: lend and take, or what a driver does that
// leaves one of the two out.
enum protocol { WHOLE, NO_LEND, NO_TAKE };

static void *begin(uint32_t number)
{
  FORGET(orders);
  void *order = orders_alloc(), *other = orders_alloc();
  cpu_writes(other, ORDERS_SIZE, BESIDE);
  lines_between = cache_does_something;
  way = number;
  points = 0;
  cpu_writes(order, ORDERS_SIZE, BEFORE);
  cache_does_something();
  return order;
}

static bool receives(uint32_t number, enum protocol protocol)
{
  uint8_t *order = begin(number);
  if (protocol != NO_LEND) orders_lend(order, TP_DMA_RX);
  cache_does_something();
  device_writes(order, ORDERS_SIZE, AFTER);
  cache_does_something();
  if (protocol == NO_LEND) lines_invalidate(order, ORDERS_SIZE);
  if (protocol == WHOLE) orders_take(order);
  return cpu_reads(order, ORDERS_SIZE, AFTER) &&
         cpu_reads(order + orders_pool.stride, ORDERS_SIZE, BESIDE);
}

static bool sends(uint32_t number, enum protocol protocol)
{
  uint8_t *order = begin(number);
  if (protocol != NO_LEND) orders_lend(order, TP_DMA_TX);
  cache_does_something();
  bool sent = device_reads(order, ORDERS_SIZE, BEFORE);
  cache_does_something();
  if (protocol == WHOLE) orders_take(order);
  return sent && cpu_reads(order, ORDERS_SIZE, BEFORE) &&
         cpu_reads(order + orders_pool.stride, ORDERS_SIZE, BESIDE);
}

static uint32_t wrong_ways(bool (*transfer)(uint32_t, enum protocol),
                           enum protocol protocol)
{
  uint32_t wrong = 0;
  for (uint32_t number = 0; number < WAYS; number++) {
    wrong += !transfer(number, protocol);
  }
  return wrong;
}

static void what_is_received_is_right_whatever_the_cache_does(void)
{
  CHECK_EQ(wrong_ways(receives, WHOLE), 0);
  CHECK_EQ(points, POINTS);
}

static void what_is_sent_is_right_whatever_the_cache_does(void)
{
  CHECK_EQ(wrong_ways(sends, WHOLE), 0);
  CHECK(points <= POINTS);
}

static void without_either_call_some_way_is_wrong(void)
{
  CHECK(wrong_ways(receives, NO_LEND) > 0);
  CHECK(wrong_ways(receives, NO_TAKE) > 0);
  CHECK(wrong_ways(sends, NO_LEND) > 0);
}

void suite_orders(void)
{
  RUN(what_is_received_is_right_whatever_the_cache_does);
  RUN(what_is_sent_is_right_whatever_the_cache_does);
  RUN(without_either_call_some_way_is_wrong);
}
