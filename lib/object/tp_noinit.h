// SPDX-License-Identifier: MIT
// tp_noinit.h - a pool whose memory a reset leaves alone.
//
// Its slots and all of its metadata lie in a bank that start-up code does not
// clear, with a seal: a word that says whose memory it is. After a reset the
// objects are there again, and their handles resolve. But not after the power
// was off, or a new firmware was loaded, or the reset fell into the middle of a
// call. So ask, once after each reset and before anything else of the pool:
//
//   bool warm = journal_validate();
#ifndef TP_NOINIT_H
#define TP_NOINIT_H

#include "tidepool.h"

#ifdef __cplusplus
extern "C" {
#endif

// Lives in flash.
struct tp_noinit {
  const struct tp_pool *pool;
  uint32_t *seal;   // In the pool's memory.
  uint32_t config;  // TP_CONFIG_HASH of the table that the pool is a row of.
  uint32_t tags;    // Entries of the pool's tag.
};

// Looks whether the memory of a pool is what it was before the reset, and makes
// the pool empty, as at boot, if it is not.
//
// Returns  true iff its seal is that of this pool, of this configuration, and
//          tp_pool_verify() finds nothing: then every object is as it was.
// Time     O(capacity), plus O(its bytes) from poison up. Nothing is locked.
// Context  Any, before anybody uses the pool after the reset.
bool tp_noinit_validate(const struct tp_noinit *noinit);

#ifdef __cplusplus
}
#endif

#endif
