// SPDX-License-Identifier: MIT
// tp_blame.h - internal: from "something is wrong" to a complete record.
//
// Out of line and cold. Called with nothing locked. None returns: if the
// application's tp_fault() does, the port traps.
//
// [site] tells where the application called (port/README.md, TP_SITE). The
// functions it calls are never inlined, and hand their own TP_SITE down to
// what is out of line.
#ifndef TP_BLAME_H
#define TP_BLAME_H

#include "tidepool.h"
#include "check/tp_level.h"
#include "tidepool.h"
#include "tp_port.h"

#define TP_CALLER TP_SITE

// [site], or for NULL that of the function this is compiled into: so code that
// is compiled into several knows it only where it is needed. At off, NULL.
//@ assigns \nothing;
TP_INLINE tp_site_t tp_site(tp_site_t site)
{
  if (TP_CHECKS < TP_CHECKS_FAST) return NULL;
  return site ? site : TP_SITE;
}

#ifdef __cplusplus
extern "C" {
#endif

// [object] was given back and is not a live slot: foreign, interior or double.
/*@ assigns tp_blamed;
    ensures tp_blamed == \old(tp_blamed) + 1; */
TP_NORETURN void tp_blame_free(const struct tp_pool *pool, const void *object,
                               tp_site_t site);

// The top slot of the free list, at [words], is not what it must be. A broken
// link is found on the way of every alloc, which ends with a jump to the first:
// hence its result, which nobody sees.
/*@ assigns tp_blamed;
    ensures tp_blamed == \old(tp_blamed) + 1 && \result == \null; */
void *tp_blame_link(const tp_word_t *words, const struct tp_pool *pool,
                    tp_site_t site);
/*@ assigns tp_blamed;
    ensures tp_blamed == \old(tp_blamed) + 1; */
TP_NORETURN void tp_blame_tag(const tp_word_t *words,
                              const struct tp_pool *pool, tp_site_t site);

// Bytes of or around the dead slot at [words] hold the wrong pattern.
TP_NORETURN void tp_blame_bytes(const struct tp_pool *pool,
                                const tp_word_t *words, tp_site_t site);

// Bytes around the slot at [words] do.
TP_NORETURN void tp_blame_zone(const struct tp_pool *pool,
                               const tp_word_t *words, tp_site_t site);

// Every slot of a pool that must never be full is live.
TP_NORETURN void tp_blame_full(const struct tp_pool *pool, tp_site_t site);

// Of [slot], [offset] bytes from its beginning, something else is wrong.
// [found] and [expected] as below.
TP_NORETURN void tp_blame_slot(enum tp_fault_kind kind,
                               const struct tp_pool *pool, uint32_t slot,
                               uint32_t offset, uint32_t found,
                               uint32_t expected, tp_site_t site);

// A caller used the allocator [name], which is no pool, against its contract.
// [found] and [expected] are numbers that explain it; see tp_misuse.h.
TP_NORETURN void tp_blame_misuse(enum tp_fault_kind kind, const char *name,
                                 const void *address, uint32_t found,
                                 uint32_t expected, tp_site_t site);

#ifdef __cplusplus
}
#endif

#endif
