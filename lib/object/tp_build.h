// SPDX-License-Identifier: MIT
// tp_build.h - pools in memory that is not zero at boot: made there at run
// time, for a scene or in a nest, or kept there over a reset.
//
// To make one, a row says what pools.toml says of other pools. The pool is one
// like any other, but that its descriptor lies in RAM.
//
// To keep one, its slots and all of its metadata lie in a bank that start-up
// code does not clear, with a seal: a word that says whose memory it is. After
// a reset the objects are there again, and their handles resolve. But not after
// the power was off, or a firmware of another table was loaded, or the reset
// fell into the middle of a call. So ask, once after each reset and before
// anything else of the pool:
//
//   bool warm = journal_validate();
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

// A pool that is kept. Lives in flash.
struct tp_noinit {
  const struct tp_pool *pool;
  uint32_t *seal;   // In the pool's memory.
  uint32_t config;  // TP_CONFIG_HASH of the table that the pool is a row of.
  uint32_t tags;    // Entries of the pool's tag.
};

// Looks whether the memory of a pool is what it was before the reset, and makes
// the pool empty, as at boot, if it is not.
//
// A call that the reset cut off was made, or was not, or the memory is not
// valid. So an object may live that its alloc never returned, or that was just
// being freed. At off, without tags, nobody can find such an object: then its
// slot is lost until tp_pool_reset().
//
// Returns  true iff its seal is that of this pool, of this configuration, and
//          tp_pool_verify() finds nothing, nor is the peak beyond capacity or
//          a tag of a hardened pool none: then every object is as it was, but
//          that who was born later than tp_clock_now is now is born now, and
//          that nobody is pinned: who was is now the newest, in order of slots.
// Time     O(capacity), plus O(its bytes) from poison up. Nothing is locked.
// Context  Any, before anybody uses the pool after the reset.
bool tp_noinit_validate(const struct tp_noinit *noinit);

#ifdef __cplusplus
}
#endif

#endif
