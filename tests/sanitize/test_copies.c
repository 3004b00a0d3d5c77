// SPDX-License-Identifier: MIT
// The calls of a C library that the linker puts others in the place of do what
// they did, and both sides are looked at.
#include <string.h>

#include "check/tp_sanitize.h"
#include "sanitize.h"
#include "tp_pools.h"
#include "tp_test.h"

enum { ROOM = 48 };

// Called by their addresses, so that no compiler knows better.
static void *(*volatile copy)(void *, const void *, size_t) = memcpy;
static void *(*volatile move)(void *, const void *, size_t) = memmove;
static void *(*volatile fill)(void *, int, size_t) = memset;
static int (*volatile compare)(const void *, const void *, size_t) = memcmp;
static size_t (*volatile length)(const char *) = strlen;
static char *(*volatile copy_text)(char *, const char *) = strcpy;
static char *(*volatile copy_some)(char *, const char *, size_t) = strncpy;
static int (*volatile differ)(const char *, const char *) = strcmp;
static int (*volatile differ_in)(const char *, const char *, size_t) = strncmp;

static _Alignas(8) uint8_t real[ROOM], model[ROOM], source[ROOM];

static void fresh(void)
{
  for (uint32_t i = 0; i < ROOM; i++) {
    real[i] = model[i] = (uint8_t)(i + 1);
    source[i] = (uint8_t)(0x80 + i);
  }
}

static bool is_as_the_model(void)
{
  for (uint32_t i = 0; i < ROOM; i++) {
    if (real[i] != model[i]) return false;
  }
  return true;
}

static void each_copy_is_of_as_many_bytes_wherever_it_begins(void)
{
  for (uint32_t i = 0; i < 5 * 5 * 20; i++) {
    uint32_t to = i % 5, from = i / 5 % 5, bytes = i / 25;
    fresh();
    for (uint32_t j = 0; j < bytes; j++) model[to + j] = source[from + j];
    CHECK(copy(real + to, source + from, bytes) == real + to);
    CHECK(is_as_the_model());
  }
}

static void what_is_moved_is_what_it_was_wherever_both_overlap(void)
{
  for (uint32_t i = 0; i < 14 * 14 * 20; i++) {
    uint32_t to = i % 14, from = i / 14 % 14, bytes = i / 196;
    fresh();
    for (uint32_t j = 0; j < bytes; j++) {
      model[to + j] = (uint8_t)(from + j + 1);
    }
    CHECK(move(real + to, real + from, bytes) == real + to);
    CHECK(is_as_the_model());
  }
}

static void each_fill_is_of_as_many_bytes(void)
{
  for (uint32_t i = 0; i < 5 * 20; i++) {
    uint32_t to = i % 5, bytes = i / 5;
    fresh();
    for (uint32_t j = 0; j < bytes; j++) model[to + j] = 0xa5;
    CHECK(fill(real + to, 0x3a5, bytes) == real + to);
    CHECK(is_as_the_model());
  }
}

static void bytes_are_compared_up_to_the_first_that_differs(void)
{
  for (uint32_t at = 0; at < 9; at++) {
    fresh();
    CHECK(compare(real, model, 9) == 0);
    real[at] = 0x80;
    CHECK(compare(real, model, 9) > 0 && compare(model, real, 9) < 0);
    CHECK(compare(real, model, at) == 0);
  }
}

static void a_text_is_copied_with_its_end_and_nothing_behind_it(void)
{
  for (uint32_t bytes = 0; bytes < 9; bytes++) {
    fresh();
    source[3 + bytes] = 0;
    for (uint32_t j = 0; j <= bytes; j++) model[2 + j] = source[3 + j];
    const char *text = (const char *)source + 3;
    char *to = (char *)real + 2;
    CHECK_EQ(length(text), bytes);
    CHECK(copy_text(to, text) == to);
    CHECK(is_as_the_model());
    CHECK(differ(to, text) == 0);
  }
}

static void of_a_text_as_many_bytes_are_copied_or_zeroed(void)
{
  for (uint32_t i = 0; i < 9 * 12; i++) {
    uint32_t bytes = i % 9, most = i / 9;
    fresh();
    source[3 + bytes] = 0;
    for (uint32_t j = 0; j < most; j++) {
      model[2 + j] = j < bytes ? source[3 + j] : 0;
    }
    char *to = (char *)real + 2;
    CHECK(copy_some(to, (const char *)source + 3, most) == to);
    CHECK(is_as_the_model());
  }
}

static void texts_differ_by_their_first_byte_that_does(void)
{
  CHECK(differ("WAV", "WAVE") < 0 && differ("WAVE", "WAV") > 0);
  CHECK(differ("\x80", "\x7f") > 0 && differ("", "") == 0);
  CHECK(differ("A", "W") < 0 && differ("W", "A") > 0);
  CHECK(differ_in("WAVE", "WAXE", 2) == 0);
  CHECK(differ_in("WAVE", "WAXE", 3) < 0 && differ_in("b", "a", 1) > 0);
  CHECK(differ_in("b", "a", 0) == 0);
}

static void neither_side_may_be_nobody_s(void)
{
  char *spark = sparks_alloc();
  tp_sanitize_off();
  sparks_free(spark);
  spark[16] = 'a', spark[17] = 0;
  tp_sanitize_on();
  char *text = (char *)real;
  for (uint32_t i = 0; i < 8; i++) {
    fresh();
    real[0] = 0;
    listen();
    if (i == 0) copy(real, spark, 8);
    if (i == 1) move(real, spark, 8);
    if (i == 2) compare(spark, real, 8);
    if (i == 3) compare(real, spark, 8);
    if (i == 4) copy_text(text, spark + 16);
    if (i == 5) copy_some(text, spark + 16, 8);
    if (i == 6) differ(spark + 16, text);
    if (i == 7) differ(text, spark + 16);
    CHECK_EQ(reports, 1);
    CHECK_EQ(reported.kind, TP_FAULT_DEAD);
    CHECK_EQ(reported.expected, 0);
  }
  tp_sanitize_off();
  tp_test_forget(&sparks_pool);
  tp_sanitize_on();
}

void cases_of_copies(void)
{
  listen();
  RUN(each_copy_is_of_as_many_bytes_wherever_it_begins);
  RUN(what_is_moved_is_what_it_was_wherever_both_overlap);
  RUN(each_fill_is_of_as_many_bytes);
  RUN(bytes_are_compared_up_to_the_first_that_differs);
  RUN(a_text_is_copied_with_its_end_and_nothing_behind_it);
  RUN(of_a_text_as_many_bytes_are_copied_or_zeroed);
  RUN(texts_differ_by_their_first_byte_that_does);
  RUN(neither_side_may_be_nobody_s);
}
