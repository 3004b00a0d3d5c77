// SPDX-License-Identifier: MIT
// tp_reset.h - internal: the free list is rebuilt.
#ifndef TP_RESET_H
#define TP_RESET_H

#include "tidepool.h"

#ifdef __cplusplus
extern "C" {
#endif

// Makes every slot that was ever issued a free one, whatever its bytes are now:
// writes patterns, red zones and the free list anew. No slot may be live.
// Generations and peak stay.
//
// Time     O(slots ever issued), O(their bytes) from poison up.
// Context  One that no user of the pool interrupts.
void tp_pool_rebuild(const struct tp_pool *pool);

// tp_pool_reset() in the name of who called at [site].
void tp_pool_reset_for(const struct tp_pool *pool, tp_site_t site);

#ifdef __cplusplus
}
#endif

#endif
