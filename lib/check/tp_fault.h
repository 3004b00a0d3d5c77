// SPDX-License-Identifier: MIT
// tp_fault.h - every way a caller can be wrong, and what happens then.
//
// Full is an outcome and belongs to a policy. A fault is a bug of the caller:
// it is written into tp_fault_record and tp_fault() is called, which does not
// return. Both happen at every level but off, asserts or no asserts.
#ifndef TP_FAULT_H
#define TP_FAULT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tp_pool;

// The numbers appear in dumps and in telemetry: they only ever grow.
enum tp_fault_kind {
  TP_FAULT_NONE = 0,
  TP_FAULT_FOREIGN = 1,      // Not in this pool: foreign, NULL, past the end.
  TP_FAULT_INTERIOR = 2,     // In this pool, but not where a slot begins.
  TP_FAULT_DOUBLE_FREE = 3,  // A slot that is not live.
  TP_FAULT_LINK = 4,         // The link of a free slot was written over.
  TP_FAULT_TAG = 5,          // The free list leads to a slot that is live.
  TP_FAULT_POISON = 6,       // A free slot was written to.
  TP_FAULT_RED_ZONE = 7,     // A write before or after an object.
  TP_FAULT_FULL = 8,         // A pool that must never be full is.
  TP_FAULT_STALE_HANDLE =
      9,  // A handle whose object is gone, where one must live.
  TP_FAULT_INVARIANT = 10,    // tp_pool_verify(): the books disagree.
  TP_FAULT_HANDLE_POOL = 11,  // A handle of no pool: slot out of range.
  TP_FAULT_ORDER = 12,        // Released or closed out of order.
  TP_FAULT_MARK = 13,         // A mark of another allocator, or above its top.
  TP_FAULT_SIZE = 14,         // Bytes: 0. Or no power of two as alignment.
  TP_FAULT_LARGE = 15,        // More bytes than the allocator ever has.
  TP_FAULT_CHILD = 16,        // A parent is released while a child lives.
  TP_FAULT_PIN = 17,          // Pinned twice, or unpinned without a pin.
  TP_FAULT_LOCK = 18,         // Unlocked without a lock, or freed while locked.
  TP_FAULT_SCENE = 19,        // No such scene, or none entered yet.
  TP_FAULT_RETAIN = 20,       // The retained part of a dead object changed.
  TP_FAULT_IN_USE = 21,       // The predicate of an object and its pool differ.
  TP_FAULT_CHUNK = 22,   // Attached twice, or detached though not attached.
  TP_FAULT_CLOSED = 23,  // An allocator that is not open.
  TP_FAULT_KINDS
};

// What is known about the fault. Kept where start-up code clears nothing, so
// that it can be read after the reset that follows.
struct tp_fault_record {
  uint32_t magic;              // TP_FAULT_MAGIC iff the rest was written.
  uint32_t kind;               // enum tp_fault_kind.
  const char *name;            // Of the allocator whose call it was.
  const struct tp_pool *pool;  // The same, if it is a pool; else NULL.
  uint32_t slot;               // 1 to capacity; 0 when no slot is meant.
  const void *address;         // What the caller gave, or where the slot lies.
  uint32_t offset;             // Bytes from [address] to the damage.
  uint32_t expected;           // What should have stood there.
  uint32_t found;              // What did.
  const void *caller;          // Where the offending call returns to.
  uint32_t frame;              // tp_clock_now at that moment.
};

#define TP_FAULT_MAGIC 0x7e11a1e5u

extern struct tp_fault_record tp_fault_record;

// The application's clock, in frames or any other unit it likes; may wrap. It
// is copied into the record, and objects' ages are counted in it. The library
// never changes it.
extern uint32_t tp_clock_now;

// Called once [record] is complete, never with a pool locked, in the context
// of the offending call. Must not return; tp_port_trap() follows if it does.
// The library's own, which only traps, is weak: define yours to replace it.
void tp_fault(const struct tp_fault_record *record);

// The kind in words: "double-free". Never NULL.
const char *tp_fault_name(uint32_t kind);

#ifdef __cplusplus
}
#endif

#endif
