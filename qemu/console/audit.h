// SPDX-License-Identifier: MIT
// audit.h - once a simulated second: the pools' books against the console's.
#ifndef AUDIT_H
#define AUDIT_H

#include <stdint.h>

#include "telemetry.h"

// Notes every pool's use at the end of a frame.
void audit_frame(void);

// Compares and verifies every pool, tells the host of each disagreement, and
// fills [samples] with what has been seen since the last call.
void audit_second(uint32_t frame, struct pool_sample samples[TP_POOL_N]);

// The poison of a few dead slots of every pool.
void audit_scrub(void);

#endif
