// SPDX-License-Identifier: MIT
// tp_reset.h - internal: the free list made anew.
#ifndef TP_RESET_H
#define TP_RESET_H

#include "tidepool.h"

#ifdef __cplusplus
extern "C" {
#endif

// Makes free slots of the bytes of [pool], whatever they are: patterns, red
// zones and the list. No slot may be live. Generations and peak stay.
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
