// SPDX-License-Identifier: MIT
// tp_hooks.h - internal: whom calls of the library tell of what they do, in
// builds that ask for it: the soak, what keeps events, the sanitizer.
//
// Of a build with TIDEPOOL_SOAK = 1 the application is linked with
// tp_soak_hooks.c, which answers these calls: every request may be refused on
// purpose, and what came of it is noted with the place that asked. Any other
// build has nothing of it. Who uses these includes tp_check.h, which has
// tp_site().
#ifndef TP_HOOKS_H
#define TP_HOOKS_H

#include "check/tp_events.h"
#include "check/tp_level.h"
#include "check/tp_shadow.h"
#include "tidepool.h"

#ifdef __cplusplus
extern "C" {
#endif

// Returns  true iff the request of the allocator called [name], which came from
//          [site], is to be answered as if there was nothing left.
// Context  Any in which allocators are used; nothing is locked.
bool tp_soak_refuses(const char *name, tp_site_t site);

// The allocator called [name] has nothing left for a request of [site].
//
// Context  As above.
void tp_soak_full(const char *name, tp_site_t site);

// [slot] of [pool] was just issued to [site].
//
// Context  As tp_soak_refuses().
void tp_soak_issued(const struct tp_pool *pool, uint32_t slot, tp_site_t site);

#ifdef __cplusplus
}
#endif

// What is kept of events: tp_events.h.
#if TIDEPOOL_EVENTS
#define tp_hook_event(kind, words, site) \
  tp_event_note(kind, words, tp_site(site))
#define tp_hook_fault(record) tp_event_note_fault(record)
#else
#define tp_hook_event(kind, words, site) ((void)0)
#define tp_hook_fault(record)            ((void)0)
#endif

// The sanitizer's hooks: tp_shadow.h.
#if TIDEPOOL_SANITIZE
#define tp_hook_evicting(words) tp_shadow_evicting(words)
#define tp_hook_evicted(words)  tp_shadow_evicted(words)
#else
#define tp_hook_evicting(words) ((void)0)
#define tp_hook_evicted(words)  ((void)0)
#endif

// Macros, since a function that does nothing moves what GCC makes of others.
#if TIDEPOOL_SOAK
#include "check/tp_called.h"
#define tp_hook_refuses(name, site) tp_soak_refuses(name, tp_site(site))
#define tp_hook_full(name, site)    tp_soak_full(name, tp_site(site))
#define tp_hook_issued(pool, slot, site) \
  tp_soak_issued(pool, slot, tp_site(site))
#define tp_hook_frees(name, site) tp_soak_frees(name, tp_site(site))
#define tp_hook_waits(name, site) tp_soak_waits(name, tp_site(site))
#define tp_hook_freed(pool, words, site) \
  (tp_hook_event(TP_EVENT_FREE, words, site), tp_hook_frees((pool)->name, site))
#else
#define tp_hook_refuses(name, site)      false
#define tp_hook_full(name, site)         ((void)0)
#define tp_hook_issued(pool, slot, site) ((void)0)
#define tp_hook_frees(name, site)        ((void)0)
#define tp_hook_waits(name, site)        ((void)0)
#define tp_hook_freed(pool, words, site) \
  tp_hook_event(TP_EVENT_FREE, words, site)
#endif

#endif
