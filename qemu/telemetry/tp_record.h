// SPDX-License-Identifier: MIT
// tp_record.h - internal: the records that qemu/soak reads from a UART.
//
//   0xb7  type  length:16  payload...  check:16       little-endian
//
// The check is Fletcher's, modulo 255, over type, length and payload. The
// payloads are those of qemu/harness/telemetry.py, the other end.
#ifndef TP_RECORD_H
#define TP_RECORD_H

#include <stdint.h>

#include "tidepool.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TP_RECORD_NO_POOL = 255 };

// In the order of qemu/harness/telemetry.py.
enum tp_record_policy {
  TP_RECORD_ASSERT,
  TP_RECORD_DROP,
  TP_RECORD_STEAL_OLDEST,
  TP_RECORD_STEAL_LEAST,
  TP_RECORD_SPILL
};

struct tp_record_pool {
  const char *name;
  uint16_t capacity, stride;
  uint8_t policy;  // enum tp_record_policy.
};

// What a run is. [pool] tells of pool 0 to [pools] - 1.
struct tp_record_hello {
  uint64_t seed;
  uint32_t config;  // TP_CONFIG_HASH.
  uint32_t frames;
  uint8_t checks;  // TP_CHECKS.
  uint8_t timer;   // 1: interrupts come whenever a timer fires.
  uint8_t pools;
  struct tp_record_pool (*pool)(uint32_t index);
};

// A pool in a sample. allocs == frees + steals + live.
struct tp_record_usage {
  uint32_t live, peak;
  uint32_t low, high;  // Of live, over the frames since the last sample.
  uint32_t allocs, frees, steals, refused, spills;
  uint32_t full_frames;  // Frames that ended with every slot live.
};

// Where a run stands.
struct tp_record_moment {
  uint32_t frame;
  uint64_t hash;  // Of everything that happened.
  uint32_t interrupts;
};

// The application's: sends a byte, waiting while the UART is busy.
void tp_soak_put(uint8_t byte);

void tp_record_hello(const struct tp_record_hello *hello);
void tp_record_sample(const struct tp_record_moment *moment,
                      const struct tp_record_usage *usages, uint32_t count);
void tp_record_fault(const struct tp_fault_record *record, uint32_t pool);
void tp_record_audit(uint32_t frame, uint32_t pool, uint32_t slot,
                     const char *text);
void tp_record_done(const struct tp_record_moment *moment);

// Records of other types: begin, put exactly [length] bytes, end.
void tp_record_begin(uint32_t type, uint32_t length);
void tp_record_put8(uint32_t value);
void tp_record_put16(uint32_t value);
void tp_record_put32(uint32_t value);
void tp_record_put_text(const char *text);  // Without its final zero.
void tp_record_end(void);
uint32_t tp_record_length(const char *text);

// What an audit record is, of another type.
void tp_record_finding(uint32_t type, uint32_t frame, uint32_t pool,
                       uint32_t slot, const char *text);

#ifdef __cplusplus
}
#endif

#endif
