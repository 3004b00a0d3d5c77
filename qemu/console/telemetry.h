// SPDX-License-Identifier: MIT
// telemetry.h - what the console tells the host, as records over the UART.
//
//   0xb7  type  length:16  payload...  check:16       little-endian
//
// The check is Fletcher's, modulo 255, over type, length and payload. The
// payloads are those of qemu/harness/telemetry.py, the other end.
#ifndef TELEMETRY_H
#define TELEMETRY_H

#include <stdint.h>

#include "figures.h"
#include "ledger.h"
#include "roster.h"
#include "tp_pools.h"

struct run;
struct tp_fault_record;

// What a pool's sample holds beside the pool's own figures.
struct pool_sample {
  struct ledger ledger;
  uint32_t live;
  uint32_t peak;
  uint32_t low, high;    // Of live, over the frames since the last sample.
  uint32_t full_frames;  // Frames that ended with every slot live.
};

void telemetry_hello(const struct run *run);
void telemetry_sample(uint32_t frame, uint64_t hash, uint32_t interrupts,
                      const struct pool_sample samples[ROSTER_N]);
void telemetry_fault(const struct tp_fault_record *record);
void telemetry_done(uint32_t frame, uint64_t hash, uint32_t interrupts);

void telemetry_figure_names(void);
void telemetry_figures(uint32_t frame, const uint32_t values[FIGURE_N]);
void telemetry_scene(uint32_t frame, const char *name);

// What calls cost since the start, and which requests were refused on purpose.
void telemetry_costs(void);
void telemetry_refusals(void);

// [pool] and the console disagree, or a bug was planted there. NULL and slot 0
// where no one pool or slot is meant.
void telemetry_audit(uint32_t frame, const struct tp_pool *pool, uint32_t slot,
                     const char *text);
void telemetry_planted(uint32_t frame, const struct tp_pool *pool,
                       uint32_t slot, const char *name);

#endif
