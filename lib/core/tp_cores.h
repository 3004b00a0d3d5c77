// SPDX-License-Identifier: MIT
// tp_cores.h - pools that several cores use, which run one image.
//
//   packets = { size = 64, count = 32, full = "drop", lock = "cores" }
//
// Where another pool masks interrupts, such a pool masks those of this core and
// takes a lock that every core sees. There is one lock for all such pools, and
// it does not nest: between the two a pool calls nothing. Who finds it taken
// unmasks before it asks again, so interrupts wait for the window of their own
// core alone.
//
// How it is taken says tp_cores_port.h, of a folder of port/cores that is on
// the include path of the library and of tp_pools.c. For pools that drop,
// assert or steal the oldest.
//
// Memory order. A free is a release and an alloc an acquire, by the lock: who
// is issued a slot sees all that was written before it was freed, on whatever
// core: the bytes as they were left, but for the first word, the link; from
// poison up TP_POISON_NEW. Of its tag, too: when an alloc has returned, older
// handles of the slot are stale on that core. get() and statistics lock
// nothing, so by them alone a core may learn late what another did. To hand
// over an object that lives is the application's affair, barriers too; so is
// what it wrote to one that another core frees. Where each core has a data
// cache of its own, the memory of such pools is not cached.
//
// What looks without a lock, get() of a handle and statistics, sees the pool as
// an interrupt would. What wants that no user interrupts it, tp_pool_verify(),
// tp_pool_reset(), tp_pool_scrub() and NAME_validate(), wants that no other
// core is in a call, either.
//
// A core that stops in a window, in a HardFault or at a breakpoint, has the
// lock for good: the others wait for it with interrupts on. The record of a
// fault is one for all cores, the last one's.
#ifndef TP_CORES_H
#define TP_CORES_H

#include "tidepool.h"

// Without a port no pool is for two cores.
#if __has_include("tp_cores_port.h")
#include "tp_cores_port.h"
#define TP_CORES_PORTED 1

#if TIDEPOOL_SANITIZE
#error "the sanitizer is for one core: port/README.md"
#endif
#else
#define TP_CORES_PORTED 0
#endif

// Where it tells which core runs, a pool without this lock is of the core whose
// call was the first since boot: from fast up a call that issues a slot of it,
// takes one back or pins is refused to the other, the fault CONTEXT. And each
// core may keep slots for itself, tp_magazine.h.
#if TP_CORES_PORTED && defined TP_CORES_PORT_NUMBER
#define TP_CORES_NUMBERED 1
#else
#define TP_CORES_NUMBERED 0
#endif

// Of state->scrubbed, which is a slot in the bits below: the lowest bit of that
// core's number.
#define TP_CORE_BIT 0x8000u

// Beside enum tp_pool_lock: privileged code and any interrupt, of any core.
#define TP_LOCK_CORES 2u

#ifdef __cplusplus
extern "C" {
#endif

// tp_pool_alloc() and tp_pool_free() of a pool whose row says lock = "cores": a
// window of theirs begins when no other core is in one. How long that takes
// depends on the others: with two cores as long as a window each time that the
// other one is the first to ask.
void *tp_cores_alloc(const struct tp_pool *pool);
void tp_cores_free(const struct tp_pool *pool, void *object);

// What such a pool names in place of tp_general: a library that was compiled
// without the port has it not.
extern const struct tp_general tp_cores_general;

#ifdef __cplusplus
}
#endif

#endif
