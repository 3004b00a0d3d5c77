// SPDX-License-Identifier: MIT
// tp_mpu_v7.h - internal: rows as regions of PMSAv7. A region is a power of two
// of bytes, aligned to that and, from 256 bytes on, each eighth of it may be
// left out. Where regions overlap, the last wins.
#ifndef TP_MPU_V7_H
#define TP_MPU_V7_H

#include "tp_mpu_region.h"

#define TP_MPU_ENABLE 1u
#define TP_MPU_NEVER  (1u << 28)  // Executed.
#ifdef __ARM_ARCH_6M__
#define TP_MPU_SHIFT_LEAST 8u
#else
#define TP_MPU_SHIFT_LEAST 5u
#endif
#define TP_MPU_SHIFT_PARTS 8u  // From here on it has eighths.
#define TP_MPU_SHIFT_MOST  32u

// Of a region of 2^[shift] bytes, from the eighth [first] to before [last].
struct tp_mpu_eighths {
  uint32_t shift;
  uint32_t first;
  uint32_t last;
};

static inline uint32_t tp_mpu_base(uintptr_t begin, uint32_t shift)
{
  return (uint32_t)begin >> (shift - 1) >> 1 << (shift - 1) << 1;
}

// What of [row] a region of 2^[shift] bytes covers that holds its begin. Where
// [last] is more than 8, the row goes on behind it.
static inline struct tp_mpu_eighths tp_mpu_eighths(const struct tp_mpu_row *row,
                                                   uint32_t shift)
{
  uint32_t base = tp_mpu_base((uintptr_t)row->begin, shift);
  uint32_t begin = (uint32_t)(uintptr_t)row->begin - base;
  uint32_t end = (uint32_t)(uintptr_t)row->end - base;
  uint32_t less = (1u << (shift - 3)) - 1;
  bool outwards = row->rights == TP_MPU_DATA;
  return (struct tp_mpu_eighths){
      .shift = shift,
      .first = (begin + (outwards ? 0 : less)) >> (shift - 3),
      .last = (end + (outwards ? less : 0)) >> (shift - 3)};
}

static inline uint32_t tp_mpu_bytes(const struct tp_mpu_eighths *part)
{
  if (part->last <= part->first) return 0;
  return (part->last - part->first) << (part->shift - 3);
}

// Can there be such a region?
static inline bool tp_mpu_is_region(const struct tp_mpu_eighths *part)
{
  if (part->last > 8) return false;
  return part->shift >= TP_MPU_SHIFT_PARTS ||
         (part->first == 0 && part->last == 8);
}

// The smallest region that holds all of [row], or the one that covers most.
static inline struct tp_mpu_eighths tp_mpu_best(const struct tp_mpu_row *row)
{
  struct tp_mpu_eighths best = tp_mpu_eighths(row, TP_MPU_SHIFT_LEAST);
  best.last = 0;  // Nothing yet.
  for (uint32_t shift = TP_MPU_SHIFT_LEAST; shift <= TP_MPU_SHIFT_MOST;
       shift++) {
    struct tp_mpu_eighths part = tp_mpu_eighths(row, shift);
    bool inwards = row->rights != TP_MPU_DATA;
    if (inwards && part.last > 8) part.last = 8;
    if (!tp_mpu_is_region(&part)) continue;
    if (!inwards) return part;
    if (tp_mpu_bytes(&part) > tp_mpu_bytes(&best)) best = part;
  }
  return best;
}

// Rights, execute-never and, as the core has it without an MPU, what a cache
// may do: write through in code and slow memory, or write back.
static inline uint32_t tp_mpu_attributes(const struct tp_mpu_row *row)
{
  static const uint32_t rights[] = {[TP_MPU_DATA] = TP_MPU_NEVER | 3u << 24,
                                    [TP_MPU_CODE] = 6u << 24,
                                    [TP_MPU_NONE] = TP_MPU_NEVER};
  uint32_t cache = tp_mpu_writes_through(row) ? 2u << 16 : 11u << 16;
  return rights[row->rights] | cache;
}

// Writes the regions of [row] to [regions]. Returns how many; 0 iff nothing of
// the row can be covered.
static inline uint32_t tp_mpu_regions_of(const struct tp_mpu_row *row,
                                         const struct tp_mpu_row *rows,
                                         uint32_t count,
                                         struct tp_mpu_region *regions)
{
  (void)rows, (void)count;
  struct tp_mpu_eighths part = tp_mpu_best(row);
  if (tp_mpu_bytes(&part) == 0) return 0;
  uint32_t covered = (1u << part.last) - (1u << part.first);
  regions->base = tp_mpu_base((uintptr_t)row->begin, part.shift);
  regions->rest = tp_mpu_attributes(row) | (~covered & 0xff) << 8 |
                  (part.shift - 1) << 1 | TP_MPU_ENABLE;
  return 1;
}

// A fence over the largest power of two that these bytes begin with.
static inline struct tp_mpu_region tp_mpu_cover(uint32_t begin, uint32_t end)
{
  struct tp_mpu_region region = {begin, 0};
  uint32_t shift = 31 - (uint32_t)__builtin_clz(end - begin);
  while (begin & ((1u << shift) - 1)) shift--;
  if (shift >= TP_MPU_SHIFT_LEAST) {
    region.rest = TP_MPU_NEVER | (shift - 1) << 1 | TP_MPU_ENABLE;
  }
  return region;
}

// What all regions refer to: nothing.
static inline void tp_mpu_prepare(void)
{
}

#endif
