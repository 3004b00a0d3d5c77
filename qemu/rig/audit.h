// SPDX-License-Identifier: MIT
// audit.h - the pools' accounts against our own, between two frames.
//
// Each class of bug and who finds it: qemu/harness/plants.py.
#ifndef AUDIT_H
#define AUDIT_H

#include <stdint.h>

#include "tidepool.h"
#include "telemetry.h"
#include "tp_record.h"

// Before a frame awaits its interrupts: are they let in?
void audit_lock(void);

// Every frame: what is used, and all invariants of the pools that steal: a
// broken ring of ages would be followed soon.
void audit_frame(void);

// Every second, mostly: compares our accounts with the pools' and verifies all
// allocators.
void audit_pools(void);

// The uses of a sample: what has been seen since the last call.
void audit_report(void);

// The poison of a few dead slots of every pool: all of them in 128 frames.
void audit_scrub(void);

// Tells the host: [text], of [slot] of [pool]; 0 and NULL where none is meant.
void audit_found(const struct tp_pool *pool, uint32_t slot, const char *text);

#endif
