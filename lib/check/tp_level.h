// SPDX-License-Identifier: MIT
// tp_level.h - how far the library distrusts its caller, one number an image;
// and what a caller can be wrong in.
//
//   0  off     trusts. Nothing is counted, and no more checked than whether a
//              slot is live, in pools with tags: for handles, hooks or owner.
//   1  fast    O(1): foreign and interior pointers, double free, free-list
//              links, live count. Cheap enough to stay on in what ships.
//   2  poison  O(size): + TP_POISON in what is free, verified before it is
//              issued again; TP_POISON_NEW in what is issued.
//   3  full    + red zones on both sides of every slot; and, unless TP_AUDIT
//              is 0, the whole pool is verified before and after every call.
//
// A level changes neither a pool's capacity nor the layout of any struct. It
// must be the same for the library, the generated file and pools defined by
// hand, or they do not link: give it once, on the compiler's command line.
// What else includes a public header may be compiled at any.
#ifndef TP_LEVEL_H
#define TP_LEVEL_H

#define TP_CHECKS_OFF    0
#define TP_CHECKS_FAST   1
#define TP_CHECKS_POISON 2
#define TP_CHECKS_FULL   3

#ifndef TP_CHECKS
#define TP_CHECKS TP_CHECKS_FAST
#endif

// At full: verify around every call, which is O(capacity) with interrupts
// masked? 0 leaves the price of full at that of the slot in hand.
#ifndef TP_AUDIT
#define TP_AUDIT 1
#endif

// 1: a build for qemu/soak, whose requests can be refused on purpose and are
// known by their places: tp_check.h. Nothing of it is in any other.
#ifndef TIDEPOOL_SOAK
#define TIDEPOOL_SOAK 0
#endif

// So many events are kept, a power of two: tp_events.h. 0: nothing of it.
#ifndef TIDEPOOL_EVENTS
#define TIDEPOOL_EVENTS 0
#endif

// 1: a build whose application asks at each load and store whether the memory
// is its own: tp_sanitize.h. Nothing of it is in any other.
#ifndef TIDEPOOL_SANITIZE
#define TIDEPOOL_SANITIZE 0
#endif
#if TIDEPOOL_SANITIZE && TP_CHECKS < TP_CHECKS_FAST
#error "TIDEPOOL_SANITIZE asks the tags of slots: TP_CHECKS must be 1 or more"
#endif

// What fills a dead object. Robert Nystrom asks for this word in the "Object
// Pool" chapter of Game Programming Patterns; a dump shows 0b db ea 1d.
#define TP_POISON 0x1deadb0bu

// What fills an object nobody has initialised yet: a second pattern, so that a
// dump tells "used too late" from "used too early". A build that is compared
// with another may have another word: what depends on it, they do differently.
#ifndef TP_POISON_NEW
#define TP_POISON_NEW 0x1deadbabu
#endif

// What stands between slots at TP_CHECKS_FULL.
#define TP_RED_WORD 0x0ddba115u

// Every way a caller can be wrong, of the pool and of the other allocators. The
// numbers appear in dumps and in telemetry: they only ever grow.
enum tp_fault_kind {
  TP_FAULT_NONE = 0,
  TP_FAULT_FOREIGN = 1,       // Not in this pool: foreign, NULL, past the end.
  TP_FAULT_INTERIOR = 2,      // In this pool, but not where a slot begins.
  TP_FAULT_DOUBLE_FREE = 3,   // A slot that is not live.
  TP_FAULT_LINK = 4,          // The link of a free slot was written over.
  TP_FAULT_TAG = 5,           // The free list leads to a slot that is live, or
                              // a tag is none that a hardened pool writes.
  TP_FAULT_POISON = 6,        // A free slot was written to.
  TP_FAULT_RED_ZONE = 7,      // A write before or after an object.
  TP_FAULT_FULL = 8,          // A pool that must never be full is.
  TP_FAULT_INVARIANT = 10,    // Two counts disagree, or a word of an
                              // allocator's own leads out of it.
  TP_FAULT_HANDLE_POOL = 11,  // A handle that this pool never gave out.
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
  // Of a build with TIDEPOOL_SANITIZE, and its application's own instruction:
  // [found] bytes are read, or written if [expected] is 1.
  TP_FAULT_DEAD = 24,       // Of memory that nobody has.
  TP_FAULT_BESIDE = 25,     // Before or behind an object.
  TP_FAULT_METADATA = 26,   // Of an allocator's own words.
  TP_FAULT_NULL_PAGE = 27,  // At NULL, or a little behind it.
  TP_FAULT_UNLOCKED = 28,   // Of a block that may move at any step.
  // And of any build:
  TP_FAULT_CONTEXT = 29,  // A wait in an interrupt, or with interrupts masked;
                          // at full, a call that no lock serves: [found] is 1
                          // of unprivileged code, 2 an NMI, 3 a HardFault; 4,
                          // from fast up, the core that the pool is not of.
  TP_FAULT_GUARD = 30,    // An access that the MPU refuses: port/mpu.
  // Of the sanitizer again:
  TP_FAULT_UNWRITTEN = 31,  // Of a word that nobody wrote since the issue.
  // Of any build:
  TP_FAULT_LENT = 32,  // Lent to a device twice, or taken without that; or
                       // freed, unpinned or reset while it is lent.
  // Of the sanitizer:
  TP_FAULT_DEVICE = 33,  // Of an object that a device has.
  TP_FAULT_KINDS
};

#endif
