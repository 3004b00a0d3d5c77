// SPDX-License-Identifier: MIT
// tp_check.h - internal: the hooks the core calls. Each is empty below its
// level, so call sites read the same at every level and cost nothing when off.
#ifndef TP_CHECK_H
#define TP_CHECK_H

#include "check/tp_blame.h"
#include "check/tp_level.h"
#include "core/tp_list.h"
#include "check/tp_poison.h"
#include "core/tp_tag.h"
#include "core/tp_verify.h"

// Before and after each call.
//@ assigns \nothing;
TP_INLINE void tp_check_whole(const struct tp_pool *pool, tp_site_t site)
{
  if (TP_CHECKS < TP_CHECKS_FULL || !TP_AUDIT) return;
  tp_verify_around(pool, tp_site(site));
}

// Faults on a write outside [words], a live slot.
//@ assigns \nothing;
TP_INLINE void tp_check_zone(const struct tp_pool *pool, const tp_word_t *words,
                             tp_site_t site)
{
  if (TP_CHECKS < TP_CHECKS_FULL) return;
  if (TP_LIKELY(tp_zone_damage(pool, words) == 0)) return;
  tp_blame_zone(pool, words, tp_site(site));
}

// Faults on a write in or behind [words], a dead slot. The zone before it is
// the one behind its neighbour, and is looked at when either is freed.
//@ assigns \nothing;
TP_INLINE void tp_check_bytes(const struct tp_pool *pool,
                              const tp_word_t *words, tp_site_t site)
{
  uint32_t damage = 0;
  if (TP_CHECKS >= TP_CHECKS_POISON) damage |= tp_poison_damage(pool, words);
  if (TP_CHECKS >= TP_CHECKS_FULL) damage |= tp_zone_damage_behind(pool, words);
  if (TP_LIKELY(damage == 0)) return;
  tp_blame_bytes(pool, words, tp_site(site));
}

// Does freeing need the slot's number? Off trusts the pointer, and only a pool
// with side memory must find its place in it, or one that others' objects are
// given back to must know them.
/*@ requires \valid_read(pool);
    assigns \nothing;
    ensures \result; */
TP_INLINE bool tp_check_slot_wanted(const struct tp_pool *pool)
{
  return TP_CHECKS >= TP_CHECKS_FAST || pool->tagged || pool->age ||
         pool->takes_foreign;
}

// [words] was live, is dead and on no list yet. Unlocked.
//@ assigns \nothing;
TP_INLINE void tp_check_retired(const struct tp_pool *pool, tp_word_t *words,
                                tp_site_t site)
{
  tp_check_zone(pool, words, site);
  if (TP_CHECKS >= TP_CHECKS_POISON) tp_poison_fill(pool, words);
}

// The same where the pool is locked by [key], at entry and at exit: open in
// between if there is work to do, for that takes as long as the slot is large.
//@ assigns \nothing;
TP_INLINE uint32_t tp_check_dead(const struct tp_pool *pool, uint32_t lock,
                                 tp_word_t *words, uint32_t key, tp_site_t site)
{
  if (TP_CHECKS < TP_CHECKS_POISON) return key;
  tp_lock_give(lock, key);
  tp_check_retired(pool, words, site);
  return tp_lock_take(lock);
}

// [words] came off the free list and is about to be issued. Unlocked.
//@ assigns \nothing;
TP_INLINE void tp_check_reissued(const struct tp_pool *pool, tp_word_t *words,
                                 tp_site_t site)
{
  tp_check_bytes(pool, words, site);
  if (TP_CHECKS >= TP_CHECKS_POISON) tp_poison_renew(pool, words);
}

// [slot] will be issued for the first time. Locked: its neighbour's free looks
// at the zone between them, and the neighbour may be issued next.
//@ assigns \nothing;
TP_INLINE void tp_check_grown(const struct tp_pool *pool, uint32_t slot)
{
  if (TP_CHECKS < TP_CHECKS_FULL) return;
  tp_zone_fill(pool, tp_slot_words(pool, slot));
}

// [words] is issued for the first time. Unlocked.
//@ assigns \nothing;
TP_INLINE void tp_check_first(const struct tp_pool *pool, tp_word_t *words)
{
  if (TP_CHECKS >= TP_CHECKS_POISON) tp_poison_renew(pool, words);
}

// [words] goes from one owner to the next without having been free. Unlocked.
//@ assigns \nothing;
TP_INLINE void tp_check_stolen(const struct tp_pool *pool, tp_word_t *words,
                               tp_site_t site)
{
  tp_check_zone(pool, words, site);
  if (TP_CHECKS >= TP_CHECKS_POISON) tp_poison_renew(pool, words);
}

#endif
