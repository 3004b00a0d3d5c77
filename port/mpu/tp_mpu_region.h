// SPDX-License-Identifier: MIT
// tp_mpu_region.h - internal: what PMSAv7 and PMSAv8 have in common. Each has a
// header that makes regions of a row.
#ifndef TP_MPU_REGION_H
#define TP_MPU_REGION_H

#include <stdbool.h>
#include <stdint.h>

#include "tp_mpu.h"

// As the registers have it: where it begins, and where it ends. Its rights are
// in either.
struct tp_mpu_region {
  uint32_t base;
  uint32_t rest;
};

// Code, and the memory from 0x80000000 on, that the core does not write back.
static inline bool tp_mpu_writes_through(const struct tp_mpu_row *row)
{
  uint32_t part = (uint32_t)(uintptr_t)row->begin >> 29;
  return part == 0 || part == 4;
}

// What tp_mpu_sample.c needs of tp_mpu.c, which does without the former.

struct tp_mpu_past;

// Asked of each load and store that is refused, unless NULL. Returns true if it
// is right by now, and can be tried again; else [past] has what is known of who
// had what lies there.
extern bool (*tp_mpu_goes_on)(uintptr_t address, struct tp_mpu_past *past);

bool tp_mpu_is_on(void);

// Do [bytes] at [address] lie in one row of DATA?
bool tp_mpu_is_data(uintptr_t address, uint32_t bytes);

// Writes to [number] a region that nobody has. Returns false iff there is none.
bool tp_mpu_take(uint32_t *number);

void tp_mpu_write(uint32_t number, const struct tp_mpu_region *region);

// From here on all is as it was written.
static inline void tp_mpu_settle(void)
{
  __asm volatile("dsb\n isb" : : : "memory");
}

#endif
