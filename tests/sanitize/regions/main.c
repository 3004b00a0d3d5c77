// SPDX-License-Identifier: MIT
// The regions that port/mpu makes of rows, on the host: against what the
// registers mean, for all rows of a few sizes and places. Prints the first that
// is wrong. MPU_HEADER names the architecture's.
#include MPU_HEADER

#include <stdio.h>
#include <stdlib.h>

#define GRAIN 32u

// As ARM numbers them: of PMSAv7's RASR and of PMSAv8's RBAR and RLAR.
enum { V8_NEVER = 1, V8_ANYBODY = 2, V8_READ_ONLY = 4, ON = 1 };
#ifdef __ARM_ARCH_6M__
enum { SHIFT_LEAST = 8 };
#else
enum { SHIFT_LEAST = 5 };
#endif

static void require(bool is_so, const char *what, const struct tp_mpu_row *row)
{
  if (is_so) return;
  printf("%s: %#x to %#x, rights %d\n", what, (unsigned)(uintptr_t)row->begin,
         (unsigned)(uintptr_t)row->end, (int)row->rights);
  exit(1);
}

static struct tp_mpu_row row_of(uint32_t begin, uint32_t end,
                                enum tp_mpu_rights rights)
{
  return (struct tp_mpu_row){"", (const void *)(uintptr_t)begin,
                             (const void *)(uintptr_t)end, rights};
}

// As the core has it without an MPU: from 0 on, and from 0x80000000.
static bool is_written_through(const struct tp_mpu_row *row)
{
  uintptr_t begin = (uintptr_t)row->begin;
  return begin < 0x20000000 || (begin >= 0x80000000 && begin < 0xa0000000);
}

#ifdef TP_MPU_V7_H

static uint32_t shift_of(const struct tp_mpu_region *region)
{
  return (region->rest >> 1 & 31) + 1;
}

static bool is_covered(const struct tp_mpu_region *region, uint32_t address)
{
  uint32_t shift = shift_of(region), at = address - region->base;
  if (at >> (shift - 1) >> 1) return false;
  return !(region->rest >> 8 >> (at >> (shift - 3)) & 1);
}

static void check_form(const struct tp_mpu_region *region,
                       const struct tp_mpu_row *row)
{
  static const uint32_t access[] = {3, 6, 0};
  uint32_t shift = shift_of(region);
  bool is_slow = is_written_through(row);
  require(region->rest & ON, "it is on", row);
  require(shift >= SHIFT_LEAST, "it is large enough", row);
  require(shift >= 8 || !(region->rest >> 8 & 0xff), "it is whole", row);
  require(region->base % (1u << shift) == 0, "it is aligned", row);
  require((region->rest >> 24 & 7) == access[row->rights], "its access", row);
  require((region->rest >> 28 & 1) == (row->rights != TP_MPU_CODE),
          "who executes it", row);
  require((region->rest >> 16 & 0x3f) == (is_slow ? 2 : 11), "its cache", row);
}

// The most bytes of one that holds the begin of [row] and nothing beside it.
static uint32_t most_within(uint32_t begin, uint32_t end)
{
  uint32_t most = 0;
  for (uint32_t shift = SHIFT_LEAST; shift < 17; shift++) {
    uint32_t part = 1u << (shift - 3), base = begin >> shift << shift, sum = 0;
    for (uint32_t at = base; at < base + 8 * part; at += part) {
      if (at >= begin && at + part <= end) sum += part;
    }
    if (shift >= 8 || sum == 8 * part) most = sum > most ? sum : most;
  }
  return most;
}

static void check_row(uint32_t begin, uint32_t end, enum tp_mpu_rights rights)
{
  struct tp_mpu_row row = row_of(begin, end, rights);
  struct tp_mpu_region region = {0, 0};
  uint32_t made = tp_mpu_regions_of(&row, &row, 1, &region);
  uint32_t most = most_within(begin, end), sum = 0;
  require(made == (rights == TP_MPU_DATA || most != 0), "one is made", &row);
  if (!made) return;
  check_form(&region, &row);
  uint32_t part = (1u << shift_of(&region)) / 8;
  for (uint32_t at = region.base; at < region.base + 8 * part; at += 4) {
    bool inside = at >= begin && at < end, covers = is_covered(&region, at);
    uint32_t from = at / part * part;
    bool touched = from < end && from + part > begin;
    sum += 4 * covers;
    if (rights == TP_MPU_DATA) {
      require(!inside || covers, "all of it is covered", &row);
      require(!covers || touched || part < GRAIN, "no eighth beside it", &row);
    } else {
      require(inside || !covers, "nothing beside it is covered", &row);
    }
  }
  if (rights == TP_MPU_DATA) {
    require(is_covered(&region, begin), "its begin", &row);
    require(is_covered(&region, end - 4), "its end", &row);
  } else {
    require(sum == most, "as much as can be", &row);
  }
}

static void check_cover(uint32_t begin, uint32_t end)
{
  struct tp_mpu_row row = row_of(begin, end, TP_MPU_NONE);
  struct tp_mpu_region region = tp_mpu_cover(begin, end);
  uint32_t bytes = 1;
  while (2 * bytes <= end - begin && begin % (2 * bytes) == 0) bytes *= 2;
  require(region.base == begin, "a fence begins there", &row);
  require(!region.rest == (bytes >> SHIFT_LEAST == 0), "a fence", &row);
  if (!region.rest) return;
  require(1u << shift_of(&region) == bytes, "a fence's bytes", &row);
  require((region.rest & ~0x3fu) == 1u << 28, "a fence's rights", &row);
  require(region.rest & ON, "a fence is on", &row);
}

static void check_beside(void)
{
}

#else

static void check_form(const struct tp_mpu_region *region,
                       const struct tp_mpu_row *row)
{
  uint32_t cache = is_written_through(row) ? 0 : 1;
  uint32_t never = row->rights == TP_MPU_CODE ? V8_READ_ONLY : V8_NEVER;
  require((region->base & 31) == (V8_ANYBODY | never), "its rights", row);
  require((region->rest & 31) == (cache << 1 | ON), "it is on", row);
}

static void check_row(uint32_t begin, uint32_t end, enum tp_mpu_rights rights)
{
  struct tp_mpu_row row = row_of(begin, end, rights);
  struct tp_mpu_region regions[2] = {{0, 0}, {0, 0}};
  uint32_t made = tp_mpu_regions_of(&row, &row, 1, regions);
  uint32_t out = rights == TP_MPU_DATA ? GRAIN - 1 : 0;
  uint32_t from = (begin + GRAIN - 1 - out) / GRAIN * GRAIN;
  uint32_t to = (end + out) / GRAIN * GRAIN;
  uint32_t wanted = rights == TP_MPU_NONE ? 2 : 1;
  require(made == (from < to ? wanted : 0), "as many are made", &row);
  if (!made) return;
  check_form(&regions[0], &row);
  require((regions[0].base & ~31u) == from, "its begin", &row);
  require((regions[0].rest & ~31u) + GRAIN == to, "its end", &row);
  require(made == 1 || (regions[1].base == regions[0].base &&
                        regions[1].rest == regions[0].rest),
          "twice", &row);
}

static void check_cover(uint32_t begin, uint32_t end)
{
  struct tp_mpu_row row = row_of(begin, end, TP_MPU_NONE);
  struct tp_mpu_region region = tp_mpu_cover(begin, end);
  uint32_t from = (begin + GRAIN - 1) / GRAIN * GRAIN, to = end / GRAIN * GRAIN;
  require(!region.rest == (from >= to), "a fence is", &row);
  if (!region.rest) return;
  require(region.base == (from | V8_ANYBODY | V8_NEVER), "its begin", &row);
  require(region.rest == ((to - GRAIN) | ON), "its end", &row);
}

// The base of [row] among both, and how many regions it takes.
static uint32_t base_of(const struct tp_mpu_row *row,
                        const struct tp_mpu_row *other, uint32_t *made)
{
  struct tp_mpu_row rows[] = {*row, *other, *row};
  struct tp_mpu_region regions[2], again[2];
  *made = tp_mpu_regions_of(&rows[0], rows, 2, regions);
  require(tp_mpu_regions_of(&rows[2], rows + 1, 2, again) == *made &&
              again[0].base == regions[0].base,
          "whatever their order", row);
  return regions[0].base & ~31u;
}

// Rows that share 32 bytes: the later one leaves them to the other. And fences
// within a row of DATA, at its ends, and behind them.
static void check_beside(void)
{
  uint32_t made;
  struct tp_mpu_row row = row_of(0x20000050, 0x200000c0, TP_MPU_DATA);
  struct tp_mpu_row other = row_of(0x20000000, 0x20000050, TP_MPU_DATA);
  require(base_of(&row, &other, &made) == 0x20000060 && made == 1, "cut", &row);
  other.rights = TP_MPU_CODE;
  require(base_of(&row, &other, &made) == 0x20000040, "code cuts none", &row);
  other = row_of(0x20000000, 0x20000040, TP_MPU_DATA);
  require(base_of(&row, &other, &made) == 0x20000040, "not cut", &row);
  other = row_of(0x200000c0, 0x200000e0, TP_MPU_DATA);
  require(base_of(&row, &other, &made) == 0x20000040, "none behind", &row);
  for (uint32_t at = 0x20000020; at <= 0x200000c0; at += GRAIN) {
    row = row_of(at, at + GRAIN, TP_MPU_NONE);
    other = row_of(0x20000050, 0x20000090, TP_MPU_DATA);
    bool within = at >= 0x20000040 && at < 0x200000a0;
    (void)base_of(&row, &other, &made);
    require(made == (within ? 1u : 2u), "a fence within", &row);
    other.rights = TP_MPU_CODE;
    (void)base_of(&row, &other, &made);
    require(made == 2, "a fence in code", &row);
  }
}

#endif

int main(void)
{
  static const uint32_t places[] = {0x0,        0x10000000, 0x20000000,
                                    0x60000f00, 0x80000000, 0xa0000000};
  for (uint32_t place = 0; place < 6; place++) {
    for (uint32_t at = 0; at < 640; at += 4 + at % 5 * 4) {
      for (uint32_t bytes = 4; bytes < 1400; bytes += 4 + bytes / 8 / 4 * 4) {
        uint32_t begin = places[place] + at, end = begin + bytes;
        for (int rights = TP_MPU_DATA; rights <= TP_MPU_NONE; rights++) {
          check_row(begin, end, (enum tp_mpu_rights)rights);
        }
        if (place > 0) check_cover(begin, end);
      }
    }
  }
  check_beside();
  return 0;
}
