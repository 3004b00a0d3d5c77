// SPDX-License-Identifier: MIT
// tp_build.h - a pool made at run time, in memory of the caller's: for a scene,
// or in a nest.
//
// A row says what pools.toml says of other pools. The pool is one like any
// other, but that its descriptor lies in RAM.
#ifndef TP_BUILD_H
#define TP_BUILD_H

#include "tidepool.h"

#ifdef __cplusplus
extern "C" {
#endif

// As the keys of a row in pools.toml, and named as in struct tp_pool.
struct tp_build {
  uint16_t size;          // Bytes of an object, from 4.
  tp_slot_t count;        // Slots, 1 to TP_CAPACITY_MAX.
  uint8_t align;          // 4, 8, 16, 32 or 64.
  uint8_t lock;           // enum tp_pool_lock, or BASEPRI's value.
  uint8_t aged;           // 1: the policy wants the age ring.
  uint8_t timed;          // 1: and the times when objects were issued.
  uint8_t tagged;         // 1: hands out handles.
  uint8_t refuses;        // 1: the policy always answers NULL.
  uint8_t takes_foreign;  // 1: it takes others' objects back.
  uint16_t min_age;       // Of a timed pool: units of tp_clock_now before an
                          // object can be stolen.
  const struct tp_policy *policy;
  void (*evict)(void *victim);  // NULL, or told before a theft.
};

// Returns  how many bytes a pool of [row] takes: its slots, tags, ring and
//          state. They depend on the check level. 0 iff a number is out of
//          range, or a slot would have 64 KiB, or there is no policy.
uint32_t tp_build_bytes(const struct tp_build *row);

// What [memory] for tp_pool_build() must be a multiple of.
static inline uint32_t tp_build_align(const struct tp_build *row)
{
  return row->align > 8 ? row->align : 8;
}

// Makes [pool] an empty pool of [row], called [name], in tp_build_bytes() of
// [memory], which may hold anything.
//
// Faults   SIZE: tp_build_bytes() is 0.
// Time     O(count): tags and ring are cleared. No slot is touched.
// Context  Any, while nobody uses [pool] or [memory].
void tp_pool_build(struct tp_pool *pool, const char *name,
                   const struct tp_build *row, void *memory);

#ifdef __cplusplus
}
#endif

#endif
