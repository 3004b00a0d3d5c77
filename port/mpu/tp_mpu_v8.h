// SPDX-License-Identifier: MIT
// tp_mpu_v8.h - internal: rows as regions of PMSAv8. A region begins and ends
// at any multiple of 32. None refuses everything: but where two overlap, every
// access faults. So a fence is a second region of what a row of DATA covers or,
// elsewhere, two.
#ifndef TP_MPU_V8_H
#define TP_MPU_V8_H

#include "tp_mpu_region.h"

#define TP_MPU_GRAIN     32u
#define TP_MPU_ENABLE    1u
#define TP_MPU_NEVER     1u         // Executed.
#define TP_MPU_ANYBODY   (1u << 1)  // Privileged or not.
#define TP_MPU_READ_ONLY (1u << 2)
#define TP_MPU_THROUGH   0u  // Which of MAIR's bytes a region refers to.
#define TP_MPU_BACK      1u
#define TP_MPU_MAIR      (*(volatile uint32_t *)0xe000edc0)

static inline uint32_t tp_mpu_round(const void *address, bool up)
{
  uint32_t less = up ? TP_MPU_GRAIN - 1 : 0;
  return ((uint32_t)(uintptr_t)address + less) / TP_MPU_GRAIN * TP_MPU_GRAIN;
}

static inline uint32_t tp_mpu_begin(const struct tp_mpu_row *row)
{
  return tp_mpu_round(row->begin, row->rights != TP_MPU_DATA);
}

static inline uint32_t tp_mpu_end(const struct tp_mpu_row *row)
{
  return tp_mpu_round(row->end, row->rights == TP_MPU_DATA);
}

// Where [row] begins if the 32 bytes that it shares with the end of another are
// that one's: no two may overlap.
static inline uint32_t tp_mpu_cut(const struct tp_mpu_row *row,
                                  const struct tp_mpu_row *rows, uint32_t count)
{
  uint32_t begin = tp_mpu_begin(row);
  if (row->rights != TP_MPU_DATA) return begin;
  for (uint32_t i = 0; i < count; i++) {
    if (rows[i].rights == TP_MPU_DATA && rows[i].begin < row->begin &&
        tp_mpu_end(&rows[i]) > begin) {
      begin = tp_mpu_end(&rows[i]);
    }
  }
  return begin;
}

static inline bool tp_mpu_is_within_data(const struct tp_mpu_row *fence,
                                         const struct tp_mpu_row *rows,
                                         uint32_t count)
{
  for (uint32_t i = 0; i < count; i++) {
    if (rows[i].rights == TP_MPU_DATA &&
        tp_mpu_begin(&rows[i]) <= tp_mpu_begin(fence) &&
        tp_mpu_end(fence) <= tp_mpu_end(&rows[i])) {
      return true;
    }
  }
  return false;
}

// Writes the regions of [row], one of the [count] of [rows] or none, to
// [regions]. Returns how many; 0 iff nothing of the row can be covered.
static inline uint32_t tp_mpu_regions_of(const struct tp_mpu_row *row,
                                         const struct tp_mpu_row *rows,
                                         uint32_t count,
                                         struct tp_mpu_region *regions)
{
  uint32_t begin = tp_mpu_cut(row, rows, count);
  uint32_t end = tp_mpu_end(row);
  if (begin >= end) return 0;
  uint32_t never = row->rights == TP_MPU_CODE ? TP_MPU_READ_ONLY : TP_MPU_NEVER;
  uint32_t cache = tp_mpu_writes_through(row) ? TP_MPU_THROUGH : TP_MPU_BACK;
  regions[0].base = begin | TP_MPU_ANYBODY | never;
  regions[0].rest = (end - TP_MPU_GRAIN) | cache << 1 | TP_MPU_ENABLE;
  regions[1] = regions[0];
  bool twice =
      row->rights == TP_MPU_NONE && !tp_mpu_is_within_data(row, rows, count);
  return twice ? 2 : 1;
}

// A fence over what of these bytes, which a row of DATA covers, can be.
static inline struct tp_mpu_region tp_mpu_cover(uint32_t begin, uint32_t end)
{
  uint32_t from = (begin + TP_MPU_GRAIN - 1) / TP_MPU_GRAIN * TP_MPU_GRAIN;
  uint32_t last = end / TP_MPU_GRAIN * TP_MPU_GRAIN - TP_MPU_GRAIN;
  struct tp_mpu_region region = {from | TP_MPU_ANYBODY | TP_MPU_NEVER, 0};
  if (from <= last) region.rest = last | TP_MPU_ENABLE;
  return region;
}

// What regions refer to: as the core has it without an MPU.
static inline void tp_mpu_prepare(void)
{
  TP_MPU_MAIR = 0xaau << (8 * TP_MPU_THROUGH) | 0xffu << (8 * TP_MPU_BACK);
}

#endif
