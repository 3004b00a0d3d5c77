// SPDX-License-Identifier: MIT
// What is kept of events, as a build with TIDEPOOL_EVENTS = 8 has it.
#define TIDEPOOL_EVENTS 8
#include "check/tp_events.c"
#include "tp_test.h"

static tp_word_t slots[4];

static void fill(uint8_t byte)
{
  uint8_t *bytes = (uint8_t *)&tp_events;
  for (uint32_t i = 0; i < sizeof tp_events; i++) bytes[i] = byte;
}

static void note_alloc(uint32_t slot)
{
  tp_event_note(TP_EVENT_ALLOC, &slots[slot], TP_SITE);
}

static uint32_t kept(void)
{
  uint32_t found = 0;
  for (uint32_t i = 0; i < TIDEPOOL_EVENTS; i++) {
    found += tp_events.event[i].what != 0;
  }
  return found;
}

static void whatever_the_ram_held_the_first_event_stands_alone(void)
{
  const uint8_t fills[] = {0x00, 0xff, 0xa5};
  for (uint32_t i = 0; i < sizeof fills; i++) {
    fill(fills[i]);
    note_alloc(0);
    CHECK_EQ(tp_events.magic, TP_EVENTS_MAGIC);
    CHECK_EQ(tp_events.count, 1);
    CHECK_EQ(kept(), 1);
    CHECK_EQ(tp_events.event[0].what, (uintptr_t)&slots[0] + TP_EVENT_ALLOC);
  }
}

static void what_was_kept_before_a_reset_is_there_behind_it(void)
{
  fill(0);
  note_alloc(0);
  note_alloc(1);
  CHECK_EQ(tp_events.count, 2);
  CHECK_EQ(tp_events.event[0].what, (uintptr_t)&slots[0] + TP_EVENT_ALLOC);
  CHECK_EQ(tp_events.event[1].what, (uintptr_t)&slots[1] + TP_EVENT_ALLOC);
}

// By a firmware that was replaced since: what lies behind is not of its ring.
static void what_a_ring_of_another_size_left_is_emptied(void)
{
  fill(0xa5);
  tp_events.magic = 0x7e11e7e5u ^ 2 * TIDEPOOL_EVENTS;
  tp_events.count = 3;
  note_alloc(1);
  CHECK_EQ(tp_events.count, 1);
  CHECK_EQ(kept(), 1);
  tp_events.magic = 0x7e11e7e5u ^ TIDEPOOL_EVENTS;
  note_alloc(2);
  CHECK_EQ(kept(), 2);
}

static void the_latest_take_the_places_of_the_oldest(void)
{
  fill(0);
  for (uint32_t i = 0; i < 3 * TIDEPOOL_EVENTS + 3; i++) note_alloc(i % 4);
  CHECK_EQ(tp_events.count, 3 * TIDEPOOL_EVENTS + 3);
  CHECK_EQ(kept(), TIDEPOOL_EVENTS);
  CHECK_EQ(tp_events.event[2].what & ~(uintptr_t)3, (uintptr_t)&slots[2]);
  CHECK_EQ(tp_events.event[3].what & ~(uintptr_t)3, (uintptr_t)&slots[3]);
}

static void the_count_wraps_and_no_place_is_left_out(void)
{
  fill(0);
  note_alloc(0);
  tp_events.count = UINT32_MAX;
  note_alloc(1);
  note_alloc(2);
  CHECK_EQ(tp_events.count, 1);
  CHECK_EQ(tp_events.event[7].what, (uintptr_t)&slots[1] + TP_EVENT_ALLOC);
  CHECK_EQ(tp_events.event[0].what, (uintptr_t)&slots[2] + TP_EVENT_ALLOC);
}

static void an_event_has_its_kind_the_clock_and_half_the_address_of_the_call(
    void)
{
  fill(0);
  tp_clock_now = 0x12345;
  uintptr_t caller = (uintptr_t)tp_port_caller(TP_SITE);
  tp_event_note(TP_EVENT_STEAL, &slots[3], TP_SITE);
  struct tp_event event = tp_events.event[0];
  CHECK_EQ(event.what, (uintptr_t)&slots[3] + TP_EVENT_STEAL);
  CHECK_EQ(event.by & 0xfff, 0x345);
  CHECK_EQ(event.by >> TP_EVENT_CLOCK_BITS, (caller >> 1) & 0xfffff);
  tp_event_note(TP_EVENT_FREE, &slots[3], NULL);
  CHECK_EQ(tp_events.event[1].by, 0x345);
  tp_clock_now = 0;
}

static void the_clock_of_an_event_keeps_off_the_address(void)
{
  fill(0);
  tp_clock_now = UINT32_MAX;
  tp_event_note(TP_EVENT_FREE, &slots[3], NULL);
  CHECK_EQ(tp_events.event[0].by, (1u << TP_EVENT_CLOCK_BITS) - 1);
  tp_clock_now = 1u << TP_EVENT_CLOCK_BITS;
  tp_event_note(TP_EVENT_FREE, &slots[3], NULL);
  CHECK_EQ(tp_events.event[1].by, 0);
  tp_clock_now = 0;
}

static void a_fault_is_an_event_of_no_slot(void)
{
  fill(0);
  struct tp_fault_record record = {.kind = TP_FAULT_DOUBLE_FREE,
                                   .caller = &slots[1]};
  tp_event_note_fault(&record);
  CHECK_EQ(tp_events.event[0].what, 4 * TP_FAULT_DOUBLE_FREE);
  CHECK_EQ(tp_events.event[0].by >> TP_EVENT_CLOCK_BITS,
           (uintptr_t)&slots[1] >> 1 & 0xfffff);
}

#if !defined __arm__ && !defined __riscv

static void note_in_interrupt(void)
{
  note_alloc(2);
}

// Edge 1 is before it begins with nothing kept, the last where it counts.
static void an_event_of_an_interrupt_is_kept_whenever_it_comes(void)
{
  for (uint32_t edge = 1; edge <= 3; edge++) {
    fill(0xff);
    tp_port_interrupt_after(edge, note_in_interrupt);
    note_alloc(1);
    CHECK_EQ(tp_port_due, 0);
    CHECK_EQ(tp_events.count, 2);
    CHECK_EQ(kept(), 2);
    CHECK_EQ(tp_events.event[0].what, (uintptr_t)&slots[2] + TP_EVENT_ALLOC);
    CHECK_EQ(tp_events.event[1].what, (uintptr_t)&slots[1] + TP_EVENT_ALLOC);
  }
}

#endif

int main(void)
{
  RUN(whatever_the_ram_held_the_first_event_stands_alone);
  RUN(what_was_kept_before_a_reset_is_there_behind_it);
  RUN(what_a_ring_of_another_size_left_is_emptied);
  RUN(the_latest_take_the_places_of_the_oldest);
  RUN(the_count_wraps_and_no_place_is_left_out);
  RUN(an_event_has_its_kind_the_clock_and_half_the_address_of_the_call);
  RUN(the_clock_of_an_event_keeps_off_the_address);
  RUN(a_fault_is_an_event_of_no_slot);
#if !defined __arm__ && !defined __riscv
  RUN(an_event_of_an_interrupt_is_kept_whenever_it_comes);
#endif
  return tp_test_end();
}
