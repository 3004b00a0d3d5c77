// SPDX-License-Identifier: MIT
// What is said of accesses to the slots of pools.
#include <string.h>

#include "check/tp_events.h"
#include "check/tp_sanitize.h"
#include "check/tp_shadow.h"
#include "object/tp_owner.h"
#include "sanitize.h"
#include "tp_pools.h"
#include "tp_port.h"
#include "tp_test.h"

static void *told;  // The voice that is evicted.

static bool interrupted;  // While that is evicted.

static void touch_it(void)
{
  write_byte((uint8_t *)told + 4);
}

static void steal_one(void)
{
  (void)voices_alloc();
}

static void (*handler)(void) = touch_it;  // What an interrupt does.

#ifdef __arm__
void PendSV_Handler(void);

void PendSV_Handler(void)
{
  handler();
}

static void interrupt(void)
{
  *(volatile uint32_t *)0xe000ed04u = 1u << 28;  // PENDSVSET, in ICSR.
  __asm volatile("dsb\n\tisb" ::: "memory");
}
#else
static void interrupt(void)
{
  tp_port_interrupt_after(1, handler);
  sparks_free(sparks_alloc());
}
#endif

void voice_evicted(void *voice)
{
  told = voice;
  write_word(voice);
  if (!interrupted) return;
  interrupted = false;
  interrupt();
}

static void fresh(void)
{
  // The C library's calls are looked at, whoever makes them.
  tp_sanitize_off();
  tp_test_forget(&sparks_pool);
  tp_test_forget(&voices_pool);
  tp_test_forget(&linked_pool);
  tp_sanitize_on();
  listen();
}

// The address [offset] bytes from [object].
static void *at(void *object, int32_t offset)
{
  return (uint8_t *)object + offset;
}

static bool stands_in(const void *caller, void (*function)(void *))
{
  return (uintptr_t)caller - ((uintptr_t)function & ~(uintptr_t)1) < 128;
}

// Before anything else that is looked at.
static void the_first_copy_of_all_may_be_of_what_is_no_pool_s(void)
{
  static const char text[] = "in flash";
  char copy[sizeof text];
  volatile size_t whole = sizeof text;
  listen();
  memcpy(copy, text, whole);
  CHECK_EQ(reports, 0);
  CHECK_EQ(copy[3], 'f');
}

// A text of as many bytes as there is room for has no end: who compares it goes
// on as long as it is the same.
static void of_texts_that_differ_nothing_behind_that_is_looked_at(void)
{
  int (*volatile differ)(const char *, const char *, size_t) = strncmp;
  int (*volatile differ_all)(const char *, const char *) = strcmp;
  fresh();
  char *tag = at(sparks_alloc(), 18);
  tp_sanitize_off();
  memcpy(tag, "WAVE", 4);
  tp_sanitize_on();

  CHECK(differ(tag, "RIFF data", 9) > 0 && differ("RIFF data", tag, 9) < 0);
  CHECK(differ_all(tag, "WAVy") < 0 && differ_all("WAV", tag) < 0);
  CHECK(differ(tag, "WAVEFORM", 4) == 0);
  CHECK_EQ(reports, 0);

  differ(tag, "WAVEFORM", 8);
  CHECK(heard(TP_FAULT_BESIDE, "sparks", 1, 18));
  CHECK(heard_of(5, false));
}

static void a_live_object_is_its_owner_s_to_the_last_byte(void)
{
  fresh();
  uint8_t *spark = sparks_alloc();
  for (int32_t i = 0; i < 22; i++) write_byte(at(spark, i));
  for (int32_t i = 0; i < 22; i++) (void)read_byte(at(spark, i));
  copy_all(spark, spark);
  CHECK_EQ(reports, 0);
}

static void a_write_after_free_is_named_at_the_store(void)
{
  fresh();
  (void)sparks_alloc();
  void *spark = sparks_alloc();
  sparks_free(spark);
  write_word(at(spark, 8));
  CHECK(heard(TP_FAULT_DEAD, "sparks", 2, 8));
  CHECK(heard_of(4, true));
  CHECK(reported.pool == &sparks_pool);
  CHECK(reported.address == spark);
  CHECK(stands_in(reported.caller, write_word));
}

__attribute__((noinline)) static void *ask_for(void)
{
  void *lamp = lamps_alloc();
  write_word(lamp);
  return lamp;
}

__attribute__((noinline)) static void give_back(void *lamp)
{
  lamps_free(lamp);
  TP_BARRIER();
}

static bool returns_to(const void *caller, uintptr_t function)
{
  return (uintptr_t)caller - (function & ~(uintptr_t)1) < 128;
}

static void where_rows_have_owners_who_freed_and_who_has_it_is_known(void)
{
  fresh();
  void *lamp = ask_for();
  write_byte(at(lamp, 12));
  CHECK(heard(TP_FAULT_BESIDE, "lamps", 1, 12));
  const struct tp_owner *owner = tp_fault_owner_of(&reported);
  CHECK(owner && returns_to(owner->asked, (uintptr_t)ask_for));
  give_back(lamp);
  listen();
  write_byte(lamp);
  CHECK(heard(TP_FAULT_DEAD, "lamps", 1, 0));
  owner = tp_fault_owner_of(&reported);
  CHECK(owner && returns_to(owner->freed, (uintptr_t)give_back));
}

static void a_read_after_free_is_named(void)
{
  fresh();
  void *spark = sparks_alloc();
  sparks_free(spark);
  (void)read_byte(at(spark, 21));
  CHECK(heard(TP_FAULT_DEAD, "sparks", 1, 21));
  CHECK(heard_of(1, false));
}

static void a_copy_of_a_dead_object_is_named(void)
{
  fresh();
  static uint8_t copy[22];
  void *spark = sparks_alloc();
  sparks_free(spark);
  copy_all(copy, spark);
  CHECK(reports >= 1);
  reports = 1;  // Or two: of the copy, and of the call that it is made by.
  CHECK(heard(TP_FAULT_DEAD, "sparks", 1, 0));
  CHECK_EQ(reported.expected, 0);
}

static void what_a_call_of_the_c_library_copies_is_looked_at_to_its_end(void)
{
  fresh();
  uint8_t copy[32] = {0};
  volatile size_t whole = 22, more = 23;
  uint8_t *spark = sparks_alloc();
  memset(spark, 1, whole);
  memcpy(copy, spark, whole);
  CHECK_EQ(reports, 0);
  CHECK_EQ(copy[21], 1);
  memcpy(copy, spark, more);
  CHECK(heard(TP_FAULT_BESIDE, "sparks", 1, 0));
  CHECK(heard_of(23, false));
  listen();
  memset(spark, 1, more);
  CHECK(heard(TP_FAULT_BESIDE, "sparks", 1, 0));
  CHECK(heard_of(23, true));
  listen();
  copy[22] = 0;
  strcpy((char *)spark + 20, (const char *)copy + 20);
  CHECK(heard(TP_FAULT_BESIDE, "sparks", 1, 20));
  CHECK(heard_of(3, true));
  listen();
  sparks_free(spark);
  CHECK(strlen((const char *)spark) < 64);
  CHECK_EQ(reports, 1);
}

static void a_slot_that_was_never_issued_is_nobody_s(void)
{
  fresh();
  uint8_t *spark = sparks_alloc();
  (void)read_word(at(spark, sparks_pool.stride));
  CHECK(heard(TP_FAULT_DEAD, "sparks", 2, 0));
}

static void one_byte_behind_an_object_is_named_within_the_stride(void)
{
  fresh();
  void *spark = sparks_alloc();
  write_byte(at(spark, 22));
  CHECK(heard(TP_FAULT_BESIDE, "sparks", 1, 22));
}

static void what_begins_in_an_object_and_ends_behind_it_is_named(void)
{
  fresh();
  void *spark = sparks_alloc();
  (void)read_word(at(spark, 20));
  CHECK(heard(TP_FAULT_BESIDE, "sparks", 1, 20));
  CHECK(heard_of(4, false));
}

static void one_byte_before_an_object_is_one_before_it(void)
{
  fresh();
  void *first = sparks_alloc();
  void *spark = sparks_alloc();
  write_byte(at(spark, -1));
  CHECK(heard(TP_FAULT_BESIDE, "sparks", 2, (uint32_t)-1));
  listen();
  if (sparks_pool.zone == 0) return;
  (void)read_byte(at(first, -1));
  CHECK(heard(TP_FAULT_BESIDE, "sparks", 1, (uint32_t)-1));
}

static void behind_an_object_and_nearer_to_the_next_it_is_before_that(void)
{
  fresh();
  void *first = sparks_alloc();
  int32_t half = (22 + sparks_pool.stride) / 2;
  write_byte(at(first, half - 1));
  CHECK(heard(TP_FAULT_BESIDE, "sparks", 1, (uint32_t)half - 1));
  listen();
  write_byte(at(first, half));
  CHECK(heard(TP_FAULT_BESIDE, "sparks", 2,
              (uint32_t)(half - sparks_pool.stride)));
}

static void behind_the_last_object_there_is_none_to_be_before(void)
{
  fresh();
  for (uint32_t i = 1; i < SPARKS_COUNT; i++) (void)sparks_alloc();
  void *last = sparks_alloc();
  write_byte(at(last, sparks_pool.stride - 1));
  CHECK(heard(TP_FAULT_BESIDE, "sparks", SPARKS_COUNT, sparks_pool.stride - 1));
  CHECK(reported.address == last);
  listen();
  write_byte(at(last, -1));
  CHECK(heard(TP_FAULT_BESIDE, "sparks", SPARKS_COUNT, (uint32_t)-1));
  CHECK(reported.address == last);
}

static void an_object_before_its_link_is_its_owner_s_too(void)
{
  fresh();
  void *linked = linked_alloc();
  write_word(linked);
  write_byte(at(linked, 19));
  CHECK_EQ(reports, 0);
  linked_free(linked);
  (void)read_byte(linked);
  CHECK(heard(TP_FAULT_DEAD, "linked", 1, 0));
}

static void another_object_of_a_pool_is_judged_by_its_own_tag_and_end(void)
{
  fresh();
  uint8_t *one = sparks_alloc(), *dead = sparks_alloc(),
          *other = sparks_alloc();
  sparks_free(dead);
  write_word(one);
  write_word(other);
  write_byte(at(one, 21));
  CHECK_EQ(reports, 0);
  write_word(dead);
  CHECK(heard(TP_FAULT_DEAD, "sparks", 2, 0));
  reports = 0;
  (void)read_byte(one);
  write_byte(at(other, 22));
  CHECK(heard(TP_FAULT_BESIDE, "sparks", 3, 22));
}

// Each time it is looked for, after an access to another pool.
static void where_an_object_was_right_its_neighbour_is_looked_at(void)
{
  for (int32_t i = 0; i < 22; i++) {
    fresh();
    uint8_t *spark = sparks_alloc();
    write_byte(linked_alloc());
    write_byte(at(spark, i));
    CHECK_EQ(reports, 0);
    write_byte(at(spark, sparks_pool.stride));
    CHECK(heard(TP_FAULT_DEAD, "sparks", 2, 0));
  }
}

static void what_was_used_until_it_was_freed_is_nobody_s_then(void)
{
  fresh();
  uint8_t *one = sparks_alloc(), *other = sparks_alloc();
  (void)sparks_alloc();
  write_byte(linked_alloc());
  write_word(one);
  sparks_free(one);
  (void)read_word(one);
  CHECK(heard(TP_FAULT_DEAD, "sparks", 1, 0));
  listen();
  write_word(other);
  sparks_free(other);
  (void)read_word(other);
  CHECK(heard(TP_FAULT_DEAD, "sparks", 2, 0));
}

// Its own tag says so, not one that is alike.
static void what_was_used_after_another_is_nobody_s_once_it_is_freed(void)
{
  fresh();
  uint8_t *objects[] = {sparks_alloc(), sparks_alloc(), sparks_alloc()};
  write_word(objects[0]);
  write_word(objects[1]);
  sparks_free(objects[1]);
  (void)read_word(objects[1]);
  CHECK(heard(TP_FAULT_DEAD, "sparks", 2, 0));
  CHECK(sparks_pool.tag[1] == sparks_pool.tag[3]);
}

// Wherever in it that was.
static void what_was_used_after_another_ends_where_it_does(void)
{
  for (int32_t offset = 0; offset < 22; offset++) {
    fresh();
    uint8_t *one = sparks_alloc(), *other = sparks_alloc();
    write_byte(one);
    write_byte(at(other, offset));
    CHECK_EQ(reports, 0);
    write_byte(at(other, 22));
    CHECK(heard(TP_FAULT_BESIDE, "sparks", 2, 22));
    listen();
    write_byte(one);
    write_byte(at(other, offset));
    write_byte(at(other, -1));
    CHECK(heard(TP_FAULT_BESIDE, "sparks", 2, (uint32_t)-1));
  }
}

static void evict_may_use_the_object_it_is_told_of(void)
{
  fresh();
  void *voice = voices_alloc();
  (void)voices_alloc();
  CHECK(voices_alloc() == voice);
  CHECK(told == voice);
  CHECK_EQ(reports, 0);
  voices_free(voice);
  write_word(voice);
  CHECK(heard(TP_FAULT_DEAD, "voices", 1, 0));
}

static void an_interrupt_that_touches_an_object_while_it_is_evicted_is_named(
    void)
{
  fresh();
  void *voice = voices_alloc();
  (void)voices_alloc();
  interrupted = true;
  (void)voices_alloc();
  CHECK(heard(TP_FAULT_DEAD, "voices", 1, 4));
  CHECK(reported.address == voice);
}

static void an_interrupt_that_steals_may_use_what_it_is_told_of(void)
{
  fresh();
  void *voice = voices_alloc();
  (void)voices_alloc();
  told = NULL;
  handler = steal_one;
  interrupt();
  handler = touch_it;
  CHECK(told == voice);
  CHECK_EQ(reports, 0);
}

static const tp_word_t both[1];

static void evict_it_too(void)
{
  tp_shadow_evicting(both);
  tp_shadow_evicted(both);
}

static void what_an_interrupt_evicts_too_is_evicted_here_until_it_ends(void)
{
  fresh();
  tp_shadow_evicting(both);
  handler = evict_it_too;
  interrupt();
  handler = touch_it;
  CHECK(tp_shadow_is_evicting(both));
  tp_shadow_evicted(both);
  CHECK(!tp_shadow_is_evicting(both));
}

static void eight_are_evicted_at_a_time_and_each_ends_alone(void)
{
  static const tp_word_t words[9];
  for (uint32_t i = 0; i < 9; i++) tp_shadow_evicting(&words[i]);
  for (uint32_t i = 0; i < 8; i++) {
    CHECK(tp_shadow_is_evicting(&words[i]));
    tp_shadow_evicted(&words[i]);
    for (uint32_t j = 0; j < 9; j++) {
      CHECK_EQ(tp_shadow_is_evicting(&words[j]), j > i && j < 8);
    }
  }
}

static void tags_and_counts_are_to_be_read_and_links_are_nobody_s(void)
{
  fresh();
  (void)read_word(sparks_pool.state);
  (void)read_word(&sparks_pool.tag[1]);
  CHECK_EQ(reports, 0);
  write_word(&sparks_pool.tag[1]);
  CHECK(heard(TP_FAULT_METADATA, "sparks", 0, 0));
  CHECK(reported.address == &sparks_pool.tag[1]);
  sparks_pool.tag[1] = 0;
  listen();
  (void)read_word(&voices_pool.age[1]);
  CHECK(heard(TP_FAULT_METADATA, "voices", 0, 0));
}

static void links_beside_the_tags_are_nobody_s_to_the_last(void)
{
  fresh();
  uint32_t *last = &apart_pool.tag[2 * APART_COUNT];
  (void)read_word(last);
  CHECK_EQ(reports, 0);
  write_word(last);
  CHECK(heard(TP_FAULT_METADATA, "apart", 0, 0));
  CHECK(reported.address == last);
  write_word(&last[-1]);
  CHECK(heard(TP_FAULT_METADATA, "apart", 0, 0));
  tp_pool_reset(&apart_pool);
}

static void a_ring_is_nobody_s_to_its_last_link(void)
{
  fresh();
  (void)read_word(&voices_pool.age[VOICES_COUNT]);
  CHECK(heard(TP_FAULT_METADATA, "voices", 0, 0));
  CHECK(reported.address == &voices_pool.age[VOICES_COUNT]);
}

static void what_lies_before_a_ring_and_behind_it_is_none_of_it(void)
{
  struct tp_fault_record record;
  const struct tp_age_link *links = voices_pool.age;
  uintptr_t begin = (uintptr_t)links;
  uintptr_t end = (uintptr_t)(links + VOICES_COUNT + 1);
  for (uintptr_t address = begin - 1; address <= end; address++) {
    const struct tp_access access = {address, 1, false};
    bool inside = address >= begin && address < end;
    uint32_t kind = tp_pool_shadow.judge(&voices_pool, &access, &record);
    CHECK_EQ(kind == TP_FAULT_METADATA, inside);
  }
}

// To the last byte, and to no other.
static void a_pool_has_its_slots_and_tags_its_counts_and_its_ring(void)
{
  const struct tp_pool *pool = &voices_pool;
  const uint32_t tags = VOICES_COUNT + 1;
  const struct tp_run whole[] = {
      {(uintptr_t)pool->storage - pool->zone,
       pool->zone + VOICES_COUNT * (uint32_t)pool->stride},
      {(uintptr_t)pool->tag, tags * (uint32_t)sizeof *pool->tag},
      {(uintptr_t)pool->state, sizeof *pool->state},
      {(uintptr_t)pool->age, tags * (uint32_t)sizeof *pool->age}};
  struct tp_run run;
  for (uint32_t i = 0; i < 4; i++) {
    CHECK(tp_pool_shadow.run(pool, i, &run));
    CHECK(run.begin == whole[i].begin);
    CHECK_EQ(run.bytes, whole[i].bytes);
  }
  CHECK(!tp_pool_shadow.run(pool, 4, &run));
  CHECK(!sparks_pool.age && tp_pool_shadow.run(&sparks_pool, 3, &run));
  CHECK_EQ(run.bytes, 0);
}

static void a_member_of_null_is_named(void)
{
  fresh();
  const void *volatile nothing = (const void *)8;
#ifdef __arm__
  (void)read_word(nothing);
  CHECK(heard(TP_FAULT_NULL_PAGE, NULL, 0, 8));
#else
  (void)nothing;
#endif
}

static void nothing_is_said_between_off_and_the_last_on(void)
{
  fresh();
  void *spark = sparks_alloc();
  sparks_free(spark);
  tp_sanitize_off();
  tp_sanitize_off();
  (void)read_wide(spark);
  tp_sanitize_on();
  (void)read_wide(spark);
  CHECK_EQ(reports, 0);
  tp_sanitize_on();
  (void)read_wide(spark);
  CHECK(heard(TP_FAULT_DEAD, "sparks", 1, 0));
  CHECK(heard_of(8, false));
}

static void each_place_is_reported_once(void)
{
  fresh();
  void *spark = sparks_alloc();
  sparks_free(spark);
  for (int32_t i = 0; i < 3; i++) (void)read_wide(at(spark, 8 * i % 16));
  CHECK_EQ(reports, 1);
  write_byte(spark);
  CHECK_EQ(reports, 2);
  for (int32_t i = 0; i < 3; i++) (void)read_wide(at(spark, 8 * i % 16));
  CHECK_EQ(reports, 2);
  listen();
  write_byte(spark);
  CHECK_EQ(reports, 1);
}

static void without_a_report_it_is_a_fault(void)
{
  fresh();
  void *spark = sparks_alloc();
  sparks_free(spark);
  tp_sanitize_report(NULL);
  tp_clock_now = 7;
  tp_fault_record.magic = 0;
  CHECK_FAULTS(TP_FAULT_DEAD, write_byte(at(spark, 4)));
  CHECK_EQ(tp_fault_record.magic, TP_FAULT_MAGIC);
  CHECK(tp_fault_record.pool == &sparks_pool);
  CHECK(tp_fault_record.name == sparks_pool.name);
  CHECK(tp_fault_record.address == spark);
  CHECK_EQ(tp_fault_record.slot, 1);
  CHECK_EQ(tp_fault_record.offset, 4);
  CHECK_EQ(tp_fault_record.found, 1);
  CHECK_EQ(tp_fault_record.expected, 1);
  CHECK_EQ(tp_fault_record.frame, 7);
  CHECK(stands_in(tp_fault_record.caller, write_byte));
  listen();
}

#if TIDEPOOL_EVENTS
static void a_fault_is_the_last_of_the_events(void)
{
  fresh();
  void *spark = sparks_alloc();
  sparks_free(spark);
  tp_sanitize_report(NULL);
  CHECK_FAULTS(TP_FAULT_DEAD, write_byte(spark));
  uint32_t last = (tp_events.count - 1) % TIDEPOOL_EVENTS;
  CHECK_EQ(tp_events.event[last].what, 4 * TP_FAULT_DEAD);
  listen();
}
#endif

void cases_of_pools(void)
{
  RUN(the_first_copy_of_all_may_be_of_what_is_no_pool_s);
  RUN(of_texts_that_differ_nothing_behind_that_is_looked_at);
  RUN(a_live_object_is_its_owner_s_to_the_last_byte);
  RUN(a_write_after_free_is_named_at_the_store);
  RUN(where_rows_have_owners_who_freed_and_who_has_it_is_known);
  RUN(a_read_after_free_is_named);
  RUN(a_copy_of_a_dead_object_is_named);
  RUN(what_a_call_of_the_c_library_copies_is_looked_at_to_its_end);
  RUN(a_slot_that_was_never_issued_is_nobody_s);
  RUN(one_byte_behind_an_object_is_named_within_the_stride);
  RUN(what_begins_in_an_object_and_ends_behind_it_is_named);
  RUN(one_byte_before_an_object_is_one_before_it);
  RUN(behind_an_object_and_nearer_to_the_next_it_is_before_that);
  RUN(behind_the_last_object_there_is_none_to_be_before);
  RUN(an_object_before_its_link_is_its_owner_s_too);
  RUN(another_object_of_a_pool_is_judged_by_its_own_tag_and_end);
  RUN(where_an_object_was_right_its_neighbour_is_looked_at);
  RUN(what_was_used_until_it_was_freed_is_nobody_s_then);
  RUN(what_was_used_after_another_is_nobody_s_once_it_is_freed);
  RUN(what_was_used_after_another_ends_where_it_does);
  RUN(evict_may_use_the_object_it_is_told_of);
  RUN(an_interrupt_that_touches_an_object_while_it_is_evicted_is_named);
  RUN(an_interrupt_that_steals_may_use_what_it_is_told_of);
  RUN(what_an_interrupt_evicts_too_is_evicted_here_until_it_ends);
  RUN(eight_are_evicted_at_a_time_and_each_ends_alone);
  RUN(tags_and_counts_are_to_be_read_and_links_are_nobody_s);
  RUN(links_beside_the_tags_are_nobody_s_to_the_last);
  RUN(a_ring_is_nobody_s_to_its_last_link);
  RUN(what_lies_before_a_ring_and_behind_it_is_none_of_it);
  RUN(a_pool_has_its_slots_and_tags_its_counts_and_its_ring);
  RUN(a_member_of_null_is_named);
  RUN(nothing_is_said_between_off_and_the_last_on);
  RUN(each_place_is_reported_once);
  RUN(without_a_report_it_is_a_fault);
#if TIDEPOOL_EVENTS
  RUN(a_fault_is_the_last_of_the_events);
#endif
}
