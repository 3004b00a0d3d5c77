// SPDX-License-Identifier: MIT
// tp_blame.h - internal: from "something is wrong" to a complete record.
//
// Out of line and cold. Called with nothing locked; none returns unless the
// application's tp_fault() breaks its promise, and then the port traps.
//
// The first three end a call of the library and are not declared noreturn: so
// a compiler reaches them by a jump, and their own return address is the
// application's, for the record. (ARMv6-M cannot jump that far: there it lies
// in the pool's own function.) The others are told it, as [caller].
#ifndef TP_BLAME_H
#define TP_BLAME_H

#include "tidepool.h"
#include "tp_port.h"

// Where the function this stands in will return to.
#define TP_CALLER __builtin_return_address(0)

#ifdef __cplusplus
extern "C" {
#endif

// [object] was given back and is not a live slot: stray, interior or double.
/*@ assigns tp_blamed;
    ensures tp_blamed == \old(tp_blamed) + 1; */
void tp_blame_free(const struct tp_pool *pool, const void *object);

// The top slot of the free list, at [words], is not what it must be. Both
// stand for the object that was asked for: NULL.
/*@ assigns tp_blamed;
    ensures tp_blamed == \old(tp_blamed) + 1 && \result == \null; */
void *tp_blame_link(const tp_word_t *words, const struct tp_pool *pool);
/*@ assigns tp_blamed;
    ensures tp_blamed == \old(tp_blamed) + 1 && \result == \null; */
void *tp_blame_tag(const tp_word_t *words, const struct tp_pool *pool);

// Bytes of or around the dead slot at [words] hold the wrong pattern.
void tp_blame_bytes(const struct tp_pool *pool, const tp_word_t *words,
                    const void *caller);

// Bytes around the slot at [words] do.
void tp_blame_zone(const struct tp_pool *pool, const tp_word_t *words,
                   const void *caller);

// Every slot of a pool that must never be full is live.
void tp_blame_full(const struct tp_pool *pool, const void *caller);

// Of [slot], [offset] bytes from its beginning, something else is wrong.
// [found] and [expected] as below.
void tp_blame_slot(enum tp_fault_kind kind, const struct tp_pool *pool,
                   uint32_t slot, uint32_t offset, uint32_t found,
                   uint32_t expected, const void *caller);

// A caller used the allocator [name], which is no pool, against its contract.
// [found] and [expected] are numbers that explain it; see tp_misuse.h.
void tp_blame_misuse(enum tp_fault_kind kind, const char *name,
                     const void *address, uint32_t found, uint32_t expected,
                     const void *caller);

#ifdef __cplusplus
}
#endif

#endif
