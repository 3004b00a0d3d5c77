// SPDX-License-Identifier: MIT
// telemetry.h - what the rig tells the host, as records over the UART.
#ifndef TELEMETRY_H
#define TELEMETRY_H

#include <stdint.h>

#include "figures.h"
#include "roster.h"
#include "tp_pools.h"

struct run;
struct tp_fault_record;

void telemetry_hello(const struct run *run);
void telemetry_fault(const struct tp_fault_record *record);

void telemetry_figure_names(void);
void telemetry_figures(uint32_t frame, const uint32_t values[FIGURE_N]);
void telemetry_scene(uint32_t frame, const char *name);

// What calls cost since the start, and which requests were refused on purpose.
void telemetry_costs(void);
void telemetry_refusals(void);

// [pool] and the rig disagree, or a bug was planted there. NULL and slot 0
// where no one pool or slot is meant.
void telemetry_audit(uint32_t frame, const struct tp_pool *pool, uint32_t slot,
                     const char *text);
void telemetry_planted(uint32_t frame, const struct tp_pool *pool,
                       uint32_t slot, const char *name);

#endif
