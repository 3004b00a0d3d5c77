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

#include "core/tp_totals.h"

#ifdef __cplusplus
extern "C" {
#endif

// For what concerns no one allocator; so there are at most as many of them.
enum { TP_RECORD_NO_POOL = 255 };

// Of what `qemu/soak why` and `trace` stop at: a function of its own name, with
// LTO, too.
#define TP_STOPPED_AT __attribute__((noinline, used))

// What a run is, and of which allocators.
struct tp_record_hello {
  const struct tp_registry *registry;
  const char *board;  // What it was built for; "" if it does not say.
  uint64_t seed;
  uint32_t frames;
  uint8_t checks;  // TP_CHECKS.
  uint8_t timer;   // 1: interrupts come whenever a timer fires.
  uint8_t hooks;   // 1: requests can be refused on purpose, mistakes planted.
  uint8_t timed;   // 1: it hands over a timer of its own, asked for or not.
  uint8_t sanitized;                 // TIDEPOOL_SANITIZE.
  const struct tp_soak_site *sites;  // Places that it has names for.
  uint8_t site_count;
};

// A place of the application that has a name: tp_soak_enter().
struct tp_soak_site {
  const char *name;
  uint32_t requests, refused;  // Internal; 0 at first.
};

// A place in the application that asks an allocator.
struct tp_record_place {
  uint32_t index;       // Of the allocator.
  const void *site;     // Where its calls return to.
  uint32_t requests;    // Since the start,
  uint32_t on_purpose;  // of these refused by the soak
  uint32_t refused;     // and by the allocator.
  uint32_t held;        // Slots issued to it that are live now.
};

// The oldest object of a pool that says how long its objects live.
struct tp_record_oldest {
  uint32_t index;    // Of the pool.
  uint32_t life;     // As in its row.
  uint32_t slot;     // 0: none is live.
  uint32_t age;      // Units of tp_clock_now.
  const void *site;  // Where the call that issued it returns to.
};

// Where a run stands.
struct tp_record_moment {
  uint32_t frame;
  uint64_t hash;  // Of everything that happened.
  uint32_t interrupts;
};

// The application's: sends a byte, waiting while the UART is busy.
void tp_soak_put(uint8_t byte);

// A record begins, or it has ended: those of two cores are never mixed.
void tp_soak_cores_write(bool begins);

void tp_record_say_hello(const struct tp_record_hello *hello);

// A sample: begin, a use for each allocator of the hello in its order, end. Of
// objects and blocks allocs == frees + steals + live.
void tp_record_sample(const struct tp_record_moment *moment, uint32_t count);
void tp_record_use(uint32_t capacity, const struct tp_stats *stats,
                   const struct tp_use *use);

// What [finding] says, in words.
const char *tp_record_broken(const struct tp_finding *finding);

// The bytes of an object that stand before its link, where words begin: the
// typed calls of a row with link = N add them to what the application gives.
static inline uint32_t tp_record_lead(const struct tp_pool *pool)
{
  return (uint32_t)pool->stride - pool->size - pool->zone;
}

// [record] of allocator [index]; any larger index is none. [opened] is what the
// firmware calls one that no table names, or "".
void tp_record_fault(const struct tp_fault_record *record, uint32_t index,
                     const char *opened);
void tp_record_planted(uint32_t frame, uint32_t index, uint32_t slot,
                       const char *name);
void tp_record_tell_place(const struct tp_record_place *place);
void tp_record_tell_oldest(const struct tp_record_oldest *oldest);
void tp_record_audit(uint32_t frame, uint32_t index, uint32_t slot,
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
void tp_record_finding(uint32_t type, uint32_t frame, uint32_t index,
                       uint32_t slot, const char *text);

#ifdef __cplusplus
}
#endif

#endif
