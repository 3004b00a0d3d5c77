// SPDX-License-Identifier: MIT
// audit.h - the pools' accounts against our own, between two frames. What needs
// no account of ours the soak looks at in any firmware.
//
// Each class of bug and who finds it: qemu/harness/plants.py.
#ifndef AUDIT_H
#define AUDIT_H

#include <stdint.h>

#include "tidepool.h"

// Every second, mostly: compares our accounts with the pools'.
void audit_pools(void);

// Corrects [stats] of allocator [index] by our own account, if we keep one.
void audit_account(uint32_t index, struct tp_stats *stats);

// Tells the host: [text], of [slot] of [pool]; 0 and NULL where none is meant.
void audit_found(const struct tp_pool *pool, uint32_t slot, const char *text);

#endif
