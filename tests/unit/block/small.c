// SPDX-License-Identifier: MIT
// Six classes in one arena, and the two tables that the generator makes of
// such.
#include "config/tp_define.h"
#include "unit.h"

enum { ALIGN = TP_BLOCK_ALIGN };
#define WORDS(bytes, count) \
  ((TP_RED_ZONE(ALIGN) + (count) * TP_STRIDE(bytes, ALIGN)) / 4)

static struct {
  _Alignas(ALIGN) tp_word_t of_8[WORDS(8, 8)];
  tp_word_t of_16[WORDS(16, 8)];
  tp_word_t of_32[WORDS(32, 6)];
  tp_word_t of_64[WORDS(64, 4)];
  tp_word_t of_128[WORDS(128, 3)];
  tp_word_t of_256[WORDS(256, 2)];
} arena;

#define SMALL_CLASS(name, part, bytes, count)                               \
  enum {                                                                    \
    name##_stride = TP_STRIDE(bytes, ALIGN),                                \
    name##_odd = name##_stride >> TP_SHIFT(name##_stride)                   \
  };                                                                        \
  static uint32_t name##_tag[TP_TAGS(count) + 1];                           \
  static struct tp_pool_state name##_state;                                 \
  static uint16_t name##_asked[TP_TAGS(count) + 1];                         \
  static struct tp_blocks_waste name##_waste;                               \
  static const struct tp_pool name##_pool = {                               \
      TP_POOL_FORM(name, bytes, count, ALIGN),                              \
      .storage = arena.part + TP_RED_ZONE(ALIGN) / 4,                       \
      .origin = (uintptr_t)arena.part + TP_RED_ZONE(ALIGN) - name##_stride, \
      .gate = TP_GATE(name##_stride, count),                                \
      .capacity = (count),                                                  \
      .policy = &tp_drop,                                                   \
      .refuses = 1,                                                         \
      TP_OBJECT(bytes, 0, NULL)}
SMALL_CLASS(small_8, of_8, 8, 8);
SMALL_CLASS(small_16, of_16, 16, 8);
SMALL_CLASS(small_32, of_32, 32, 6);
SMALL_CLASS(small_64, of_64, 64, 4);
SMALL_CLASS(small_128, of_128, 128, 3);
SMALL_CLASS(small_256, of_256, 256, 2);

static const struct tp_blocks_class classes[] = {
    TP_BLOCK_ROW(small_8),  TP_BLOCK_ROW(small_16),  TP_BLOCK_ROW(small_32),
    TP_BLOCK_ROW(small_64), TP_BLOCK_ROW(small_128), TP_BLOCK_ROW(small_256)};
static struct tp_blocks_waste waste;

// Of 8 bytes each, and of 64 without red zones.
static const uint8_t by_size[] = {0, 1, 2, 2, 3, 3, 3, 3, 4, 4, 4,
                                  4, 4, 4, 4, 4, 5, 5, 5, 5, 5, 5,
                                  5, 5, 5, 5, 5, 5, 5, 5, 5, 5};
static const uint8_t by_page[] = {0, 1, 1, 2, 2, 2, 3, 3, 3, 3, 4, 4,
                                  4, 4, 4, 4, 5, 5, 5, 5, 5, 5, 5, 5};
static const uint8_t wrong[sizeof by_page];  // All are said to be of the first.

#define SMALL(pages_)          \
  {                            \
      .classes = classes,      \
      .waste = &waste,         \
      .name = "small",         \
      .count = SMALL_CLASSES,  \
      .sizes = sizeof by_size, \
      .shift = 6,              \
      .by_size = by_size,      \
      .by_page = (pages_),     \
      .begin = arena.of_8,     \
      .pages = sizeof by_page, \
  }
const struct tp_blocks small_blocks = SMALL(by_page);
const struct tp_blocks misled_blocks = SMALL(wrong);
