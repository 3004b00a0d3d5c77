// SPDX-License-Identifier: MIT
// tp_harden.h - internal: what hardened pools call beside the code that is
// compiled for each of them, and what all pools call in an image that has one.
//
//   orders = { size = 48, count = 16, full = "drop", code = "own",
//              harden = true }
//
// From fast up a call on such a pool finds any bit that was flipped in the list
// word, the tags and `fresh` before it does harm, and a word written over one
// of them unless it happens to be one of 2^16:
//
//   list word   the link of the slot it names must say one live slot more. If
//               it names none, its live count must be `fresh`.
//   fresh       the same comparison: nobody else uses it.
//   tags        are words of a code: tp_code.h.
//
// The calls of the row, tp_pool_alloc(), tp_pool_free(), tp_pool_reset() and
// what only looks know such a pool. Other calls that issue or take back, as
// tp_handle_alloc(), take its tags for those of any pool: what they leave is
// none of the code, and the next call of the row says so.
//
// The same calls know a pool whose row says link = "outside", hardened or not:
// the link of each slot lies behind the tags, so that whatever is written to a
// dead slot leads nowhere. Calls that do not know it look for links in objects.
#ifndef TP_HARDEN_H
#define TP_HARDEN_H

#include "core/tp_calls.h"
#include "core/tp_slot.h"
#include "tidepool.h"
#include "tp_port.h"

#ifdef __cplusplus
extern "C" {
#endif

// tp_pool_extend() of a hardened pool.
void *tp_hardened_extend(const struct tp_pool *pool, uint32_t *tag,
                         tp_site_t site);

// tp_pool_alloc_for() of a hardened pool.
//@ assigns \nothing;
void *tp_hardened_alloc(const struct tp_pool *pool, uint32_t *tag,
                        tp_site_t site);

// tp_pool_foreign() of a hardened pool: a slot whose tag is none of the code
// was not freed twice.
void tp_hardened_foreign(const struct tp_pool *pool, void *object,
                         tp_site_t site);

// A handle of [slot] is stale. That its tag is none of the code is a fault.
//@ assigns \nothing;
void tp_hardened_stale(const struct tp_pool *pool, uint32_t slot,
                       tp_site_t site);

// tp_pool_raise_link() of a hardened pool.
//@ TP_RAISES;
TP_NORETURN void tp_hardened_raise_link(const struct tp_pool *pool,
                                        uint32_t word, tp_site_t site);

// The list word names no slot, but does not say that those that were ever
// issued are live.
//@ TP_RAISES;
TP_NORETURN void tp_hardened_raise_count(const struct tp_pool *pool,
                                         tp_site_t site);

// What tp_pool_reset() and tp_pool_stats() do in an image with such a pool.
void tp_hardened_reset(const struct tp_pool *pool, tp_site_t site);
void tp_hardened_stats(const struct tp_pool *pool, struct tp_stats *stats);

// Puts them there, in place of the library's, which are weak.
#define TP_HARDENED_CALLS                                                \
  TP_NOINLINE void tp_pool_reset(const struct tp_pool *pool)             \
  {                                                                      \
    tp_hardened_reset(pool, tp_site(NULL));                              \
  }                                                                      \
  void tp_pool_stats(const struct tp_pool *pool, struct tp_stats *stats) \
  {                                                                      \
    tp_hardened_stats(pool, stats);                                      \
  }                                                                      \
  TP_STATIC_ASSERT(true, "")

// What hardened pools name in place of tp_general and tp_steal_oldest.
extern const struct tp_general tp_hardened_general;
extern const struct tp_policy tp_hardened_oldest;

#ifdef __cplusplus
}
#endif

// tp_pool_raise_link(), as far as this file knows the pool.
//@ TP_RAISES;
TP_NORETURN TP_INLINE void tp_list_raise(const struct tp_pool *pool,
                                         uint32_t word, tp_site_t site)
{
  uint32_t top = tp_list_top_of(word);
  if (!tp_list_names(top, pool->capacity)) {
    tp_raise_slot(TP_FAULT_LINK, pool, 0, 0, word, pool->capacity, site);
  }
  uint32_t slot = tp_list_slot(pool, top);
  if (pool->tag[slot] >= TP_LIVE) tp_pool_raise_tag(pool, slot, site);
  tp_word_t *link = tp_list_link(pool, tp_list_words(pool, top), slot);
  tp_raise_slot(TP_FAULT_LINK, pool, slot, 0, link[0], tp_list_expected(word),
                site);
}

// The list that begins with [word] was written over.
//@ TP_RAISES;
TP_INLINE void tp_list_broken(const struct tp_pool *pool, uint32_t word,
                              tp_site_t site)
{
  if (tp_tag_closed(pool)) tp_hardened_raise_link(pool, word, site);
  tp_pool_raise_link(pool, word, site);
}

// Is every slot live? The live count of a hardened pool says so only where no
// slot is on the list: tp_core_retry() compares it with that slot's link.
/*@ requires \valid_read(pool) && \valid(pool->tag);
    assigns \nothing;
    ensures \result <==> list_live(pool) == pool->capacity; */
TP_INLINE bool tp_hardened_full(const struct tp_pool *pool)
{
  if (tp_tag_coded(pool) && tp_list_top(pool) != 0) return false;
  return tp_list_is_full(pool);
}

// [pool] is locked by [key]. If it is hardened, its list word must name a slot,
// or say that all that were ever issued are live.
//@ assigns \nothing;
TP_INLINE void tp_hardened_recount(const struct tp_pool *pool, uint32_t lock,
                                   uint32_t key, tp_site_t site)
{
  if (!tp_tag_coded(pool) || tp_list_top(pool) != 0) return;
  if (TP_LIKELY(tp_list_live(pool) == pool->state->fresh)) return;
  tp_lock_give(lock, key);
  tp_hardened_raise_count(pool, site);
}

#endif
