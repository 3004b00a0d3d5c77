// SPDX-License-Identifier: MIT
// mistakes.c - an application that is wrong once in each function. The record
// of the fault must name that function; and the note of an owner that is right.
#include "mistakes.h"
#include "tp_pools.h"

#define MISTAKE(name) __attribute__((noinline)) void name(void)

static uint32_t local[8];
volatile uint32_t survived;

void ended(void *victim)
{
  (void)victim;
}

MISTAKE(frees_a_foreign_pointer)
{
  foreign_free(local);
  survived++;
}

MISTAKE(frees_twice)
{
  void *object = twice_alloc();
  twice_free(object);
  twice_free(object);
  survived++;
}

MISTAKE(writes_over_a_link)
{
  uint32_t *object = link_alloc();
  link_free(object);
  *object = 0xffffffffu;
  link_alloc();
  survived++;
}

MISTAKE(meets_a_live_slot)
{
  live_free(live_alloc());
  live_pool.tag[1] |= 0x80000000u;
  live_alloc();
  survived++;
}

MISTAKE(overflows)
{
  for (uint32_t i = 0; i < 3; i++) brim_alloc();
  survived++;
}

MISTAKE(frees_own_twice)
{
  void *object = own_alloc();
  own_free(object);
  own_free(object);
  survived++;
}

MISTAKE(writes_over_an_own_link)
{
  uint32_t *object = ownlink_alloc();
  ownlink_free(object);
  *object = 0xffffffffu;
  ownlink_alloc();
  survived++;
}

MISTAKE(overflows_own)
{
  for (uint32_t i = 0; i < 3; i++) ownbrim_alloc();
  survived++;
}

MISTAKE(meets_a_live_slot_of_a_thief)
{
  thief_free(thief_alloc());
  thief_pool.tag[1] |= 0x80000000u;
  thief_alloc();
  survived++;
}

MISTAKE(overflows_by_handle)
{
  tp_handle_t last;
  for (uint32_t i = 0; i < 3; i++) handle_alloc_handle(&last);
  survived++;
}

MISTAKE(pins_twice)
{
  void *object = pinned_alloc();
  pinned_pin(object);
  pinned_pin(object);
  survived++;
}

MISTAKE(destroys_twice)
{
  void *object = object_create(NULL);
  object_destroy(object);
  object_destroy(object);
  survived++;
}

MISTAKE(overflows_a_stack)
{
  for (uint32_t i = 0; i < 3; i++) stack_alloc(40, 4);
  survived++;
}

MISTAKE(releases_a_mark_twice)
{
  struct tp_mark mark = marked_mark();
  marked_release(mark);
  marked_release(mark);
  survived++;
}

MISTAKE(releases_a_mark_of_an_end_twice)
{
  struct tp_mark mark = ended_mark(TP_HIGH);
  ended_release(TP_HIGH, mark);
  ended_release(TP_HIGH, mark);
  survived++;
}

MISTAKE(overflows_a_frame)
{
  for (uint32_t i = 0; i < 3; i++) frame_alloc(40, 4);
  survived++;
}

MISTAKE(overflows_blocks)
{
  for (uint32_t i = 0; i < 3; i++) blocks_alloc(16);
  survived++;
}

MISTAKE(frees_a_block_twice)
{
  void *block = twin_alloc(16);
  twin_free(block);
  twin_free(block);
  survived++;
}

MISTAKE(overflows_a_dense_pool)
{
  tp_handle_t last;
  for (uint32_t i = 0; i < 3; i++) dense_alloc(&last);
  survived++;
}

MISTAKE(asks_for_no_bytes)
{
  moving_alloc(0);
  survived++;
}

static void tell(const void *by)
{
  tp_fault_record.caller = by;
  tp_fault(&tp_fault_record);
}

MISTAKE(asks_for_what_is_noted)
{
  tell(noted_owner_of(noted_alloc())->asked);
  survived++;
}

static __attribute__((noinline)) void ends_with_a_request(void)
{
  last_alloc();
}

MISTAKE(tells_of_a_request_that_came_last)
{
  ends_with_a_request();
  tell(last_owned.owners[0].asked);
  survived++;
}

MISTAKE(gives_back_what_is_noted)
{
  void *object = noted_alloc();
  noted_free(object);
  tell(noted_owner_of(object)->freed);
  survived++;
}

MISTAKE(creates_what_is_noted)
{
  tell(noted_owner_of(noted_create(NULL))->asked);
  survived++;
}

MISTAKE(destroys_what_is_noted)
{
  void *object = noted_create(NULL);
  noted_destroy(object);
  tell(noted_owner_of(object)->freed);
  survived++;
}

MISTAKE(asks_for_a_handle_of_what_is_noted)
{
  wide_handle_t wide;
  tell(wide_owner_of(wide_alloc_handle(&wide))->asked);
  survived++;
}

MISTAKE(gives_back_a_handle_of_what_is_noted)
{
  wide_handle_t wide;
  void *object = wide_alloc_handle(&wide);
  wide_free_handle(wide);
  tell(wide_owner_of(object)->freed);
  survived++;
}

#define ROW(name) {#name, name}

const struct mistake mistakes[] = {
    ROW(frees_a_foreign_pointer),
    ROW(frees_twice),
    ROW(writes_over_a_link),
    ROW(meets_a_live_slot),
    ROW(overflows),
    ROW(frees_own_twice),
    ROW(writes_over_an_own_link),
    ROW(overflows_own),
    ROW(meets_a_live_slot_of_a_thief),
    ROW(overflows_by_handle),
    ROW(pins_twice),
    ROW(destroys_twice),
    ROW(overflows_a_stack),
    ROW(releases_a_mark_twice),
    ROW(releases_a_mark_of_an_end_twice),
    ROW(overflows_a_frame),
    ROW(overflows_blocks),
    ROW(frees_a_block_twice),
    ROW(overflows_a_dense_pool),
    ROW(asks_for_no_bytes),
    ROW(asks_for_what_is_noted),
    {"ends_with_a_request", tells_of_a_request_that_came_last},
    ROW(gives_back_what_is_noted),
    ROW(creates_what_is_noted),
    ROW(destroys_what_is_noted),
    ROW(asks_for_a_handle_of_what_is_noted),
    ROW(gives_back_a_handle_of_what_is_noted),
    {0, 0}};
