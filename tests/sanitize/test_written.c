// SPDX-License-Identifier: MIT
// What is said of reads of what nobody wrote, in a pool whose row asks.
#include <string.h>

#include "check/tp_sanitize.h"
#include "core/tp_shape.h"
#include "sanitize.h"
#include "tp_pools.h"
#include "tp_test.h"

static const void *read_of;  // The draft that is evicted.

void draft_evicted(void *draft)
{
  read_of = draft;
  (void)read_word(draft);
}

static void *at(void *object, uint32_t offset)
{
  return (uint8_t *)object + offset;
}

// Two drafts, of which nothing is written, as at boot.
static void *fresh(void)
{
  tp_sanitize_off();
  tp_test_forget(&drafts_pool);
  for (uint32_t slot = 0; slot < 2; slot++) {
    drafts_pool.written[slot * TP_WRITTEN(drafts_pool.stride)] = 0;
  }
  tp_sanitize_on();
  (void)drafts_alloc();
  void *second = drafts_alloc();
  listen();
  return second;
}

static void a_word_that_nobody_wrote_is_named_where_it_is_read(void)
{
  void *draft = fresh();
  (void)read_word(at(draft, 36));
  CHECK(heard(TP_FAULT_UNWRITTEN, "drafts", 2, 36));
  CHECK(heard_of(4, false));
  CHECK(reported.pool == &drafts_pool);
  CHECK(reported.address == draft);
}

static void a_word_that_was_written_may_be_read_and_no_other(void)
{
  void *draft = fresh();
  write_word(at(draft, 8));
  (void)read_word(at(draft, 8));
  (void)read_byte(at(draft, 11));
  CHECK_EQ(reports, 0);
  (void)read_byte(at(draft, 12));
  CHECK(heard(TP_FAULT_UNWRITTEN, "drafts", 2, 12));
  listen();
  (void)read_wide(at(draft, 8));
  CHECK(heard(TP_FAULT_UNWRITTEN, "drafts", 2, 8));
  CHECK(heard_of(8, false));
}

static void each_word_of_an_object_is_told_from_the_others(void)
{
  for (uint32_t written = 0; written < 40; written += 4) {
    void *draft = fresh();
    write_word(at(draft, written));
    for (uint32_t word = 0; word < 40; word += 4) {
      listen();
      (void)read_word(at(draft, word));
      CHECK_EQ(reports, word != written);
    }
  }
}

static void a_word_that_alone_was_not_written_is_named(void)
{
  for (uint32_t missing = 0; missing < 40; missing += 4) {
    void *draft = fresh();
    for (uint32_t word = 0; word < 40; word += 4) {
      if (word != missing) write_word(at(draft, word));
    }
    (void)read_word(at(draft, missing));
    CHECK(heard(TP_FAULT_UNWRITTEN, "drafts", 2, missing));
  }
}

// More words than a word has bits for: the second of two scores.
static void *fresh_score(void)
{
  tp_sanitize_off();
  tp_test_forget(&scores_pool);
  for (uint32_t slot = 0; slot < 2; slot++) {
    scores_pool.written[slot * TP_WRITTEN(scores_pool.stride)] = 0;
  }
  tp_sanitize_on();
  (void)scores_alloc();
  void *second = scores_alloc();
  listen();
  return second;
}

static void each_word_of_a_long_object_is_told_from_the_others(void)
{
  for (uint32_t written = 0; written < 300; written += 4) {
    void *score = fresh_score();
    write_word(at(score, written));
    for (uint32_t word = 0; word < 300; word += 4) {
      listen();
      (void)read_word(at(score, word));
      CHECK_EQ(reports, word != written);
    }
  }
}

// Each of them, and none of the neighbour's.
static void with_its_owner_an_object_loses_what_was_written_of_it(void)
{
  void *second = fresh_score();
  void *first = (uint8_t *)second - scores_pool.stride;
  for (uint32_t word = 0; word < 300; word += 4) write_word(at(first, word));
  write_word(second);
  scores_free(first);
  CHECK(scores_alloc() == first);
  for (uint32_t word = 0; word < 300; word += 4) {
    listen();
    (void)read_word(at(first, word));
    CHECK(heard(TP_FAULT_UNWRITTEN, "scores", 1, word));
  }
  listen();
  (void)read_word(second);
  CHECK_EQ(reports, 0);
}

static void what_the_next_owner_writes_may_be_read(void)
{
  void *draft = fresh();
  drafts_free(draft);
  CHECK(drafts_alloc() == draft);
  write_word(draft);
  (void)read_word(draft);
  CHECK_EQ(reports, 0);
}

static void what_the_last_owner_wrote_is_not_the_next_one_s(void)
{
  void *draft = fresh();
  write_word(draft);
  drafts_free(draft);
  CHECK(drafts_alloc() == draft);
  (void)read_word(draft);
  CHECK(heard(TP_FAULT_UNWRITTEN, "drafts", 2, 0));
}

static void what_was_stolen_is_written_until_it_is(void)
{
  void *second = fresh();
  void *first = (uint8_t *)second - drafts_pool.stride;
  write_word(first);
  read_of = NULL;
  CHECK(drafts_alloc() == first);
  CHECK(read_of == first);
  CHECK_EQ(reports, 0);
  (void)read_word(first);
  CHECK(heard(TP_FAULT_UNWRITTEN, "drafts", 1, 0));
}

static void a_call_of_the_c_library_writes_too(void)
{
  void *draft = fresh();
  volatile size_t whole = 40;
  memset(draft, 0, whole);
  for (uint32_t word = 0; word < 40; word += 4)
    (void)read_word(at(draft, word));
  CHECK_EQ(reports, 0);
}

// With what lies between its members, which nobody writes.
static void a_copy_of_an_object_is_no_read_of_its_words(void)
{
  uint8_t copy[22];
  void *draft = fresh();
  copy_all(copy, draft);
  CHECK_EQ(reports, 0);
}

static void more_than_8_bytes_are_a_copy_and_8_are_none(void)
{
  void *(*volatile copy)(void *, const void *, size_t) = memcpy;
  uint8_t to[9];
  void *draft = fresh();
  copy(to, draft, 9);
  CHECK_EQ(reports, 0);
  copy(to, draft, 8);
  CHECK(heard(TP_FAULT_UNWRITTEN, "drafts", 2, 0));
}

static void a_pool_whose_row_does_not_ask_is_not_looked_at(void)
{
  (void)fresh();
  CHECK(!sparks_pool.written);
  void *spark = sparks_alloc();
  (void)read_word(spark);
  CHECK_EQ(reports, 0);
  sparks_free(spark);
}

void cases_of_writes(void)
{
  RUN(a_word_that_nobody_wrote_is_named_where_it_is_read);
  RUN(a_word_that_was_written_may_be_read_and_no_other);
  RUN(each_word_of_an_object_is_told_from_the_others);
  RUN(a_word_that_alone_was_not_written_is_named);
  RUN(each_word_of_a_long_object_is_told_from_the_others);
  RUN(with_its_owner_an_object_loses_what_was_written_of_it);
  RUN(what_the_next_owner_writes_may_be_read);
  RUN(what_the_last_owner_wrote_is_not_the_next_one_s);
  RUN(what_was_stolen_is_written_until_it_is);
  RUN(a_call_of_the_c_library_writes_too);
  RUN(a_copy_of_an_object_is_no_read_of_its_words);
  RUN(more_than_8_bytes_are_a_copy_and_8_are_none);
  RUN(a_pool_whose_row_does_not_ask_is_not_looked_at);
}
