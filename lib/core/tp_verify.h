// SPDX-License-Identifier: MIT
// tp_verify.h - internal: the audit around each call.
#ifndef TP_VERIFY_H
#define TP_VERIFY_H

#include "tidepool.h"

#ifdef __cplusplus
extern "C" {
#endif

// What TP_AUDIT does before and after each call. Here calls of other
// contexts may be under way, whose slots are between two states.
//
// Faults   those of the damage found; else INVARIANT, [found] an enum tp_broken.
// Time     O(capacity) and O(its bytes), with interrupts masked.
void tp_verify_around(const struct tp_pool *pool, tp_site_t site);

#ifdef __cplusplus
}
#endif

#endif
