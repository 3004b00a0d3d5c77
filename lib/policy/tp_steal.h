// SPDX-License-Identifier: MIT
// tp_steal.h - internal: stealing, written once: how a victim is taken, how its
// slot changes hands, and the choice of the oldest. The policy objects compile
// it for all pools, tp_pools.c for one.
#ifndef TP_STEAL_H
#define TP_STEAL_H

#include "check/tp_check.h"
#include "core/tp_core.h"

// Is the object in [slot] younger than min_age, so that it is not stolen?
/*@ requires \valid_read(pool);
    requires pool->min_age != 0 ==> \valid_read(pool->born + slot);
    assigns \nothing;
    ensures \result <==> spared(pool, slot); */
TP_INLINE bool tp_steal_spares(const struct tp_pool *pool, tp_slot_t slot)
{
  if (pool->min_age == 0) return false;
  return tp_clock_now - pool->born[slot] < pool->min_age;
}

// tp_age_remove() of the oldest, in the fewest instructions: false iff another
// is older or the next one none. That it is another than it was, who leaves it
// otherwise and tp_pool_verify() find.
/*@ requires last == tp_slots && on_ring(slot) && slot == age[0].newer;
    TP_LEAVES_RING(age, slot);
    ensures \result && !is_aged(slot); */
TP_INLINE bool tp_age_shift(struct tp_age_link *age, uint32_t last,
                            tp_slot_t slot)
{
  uint32_t newer = tp_port_link(&age[slot]);
  if (TP_MISUSE(newer > last)) return false;
  age[0].newer = (tp_slot_t)newer;
  age[(tp_slot_t)newer].older = 0;
  //@ ghost tp_ringed[slot] = 0;
  return true;
}

// Makes [victim], which is live and in the ring, maybe as the [oldest], dead
// and takes it out of the ring: now nobody else can steal it, free it or get it
// by its handle. Wants the pool locked. False iff the ring is broken; [doubt]
// is of any but the oldest.
/*@ requires on_ring(victim) && age == pool->age && last == pool->capacity;
    requires first: oldest ==> victim == age[0].newer;
    TP_DETACHES(pool, victim);
    ensures taken: \result && tp_limbo[victim] != 0; */
TP_INLINE bool tp_steal_take(const struct tp_pool *pool, tp_slot_t victim,
                             struct tp_age_link *age, uint32_t last,
                             bool oldest, bool doubt)
{
  /*@ assert counted: victim <= pool->state->fresh &&
        tp_place[victim] <= list_live(pool); */
  bool out = oldest ? tp_age_shift(age, last, victim)
                    : tp_age_remove(age, last, victim, doubt);
  if (!out) return false;
  //@ assert removed: list_begins(pool);
  tp_tag_retire_live(pool, victim);
  //@ ghost tp_limbo[victim] = 1;
  //@ assert begins: list_begins(pool);
  //@ assert limbo: tags_limbo(pool);
  return true;
}

// tp_steal_take() of the oldest object. Returns its slot; TP_NO_SLOT iff there
// is none, or it is younger than min_age.
/*@ TP_DETACHES(pool, \result);
    ensures found: \result != 0 ==> \old(oldest(\result)) &&
      tp_limbo[\result] != 0 && 1 <= \result <= pool->capacity;
    ensures none: \result == 0 ==> \old(guarded(pool)); */
TP_INLINE tp_slot_t tp_steal_detach(const struct tp_pool *pool, uint32_t lock)
{
  struct tp_age_link *age = pool->age;
  struct tp_pool_state *state = pool->state;
  uint32_t last = pool->capacity;
  bool sound = true, stands = true;
  uint32_t key = tp_lock_take(lock);
  tp_slot_t victim = tp_age_oldest(age);
  bool none = !tp_list_names(victim, last);
  if (none) sound = !TP_MISUSE(victim != TP_NO_SLOT);
  if (none || tp_steal_spares(pool, victim)) {
    victim = TP_NO_SLOT;
    state->refused_by_rule++;
  } else {
    state->steals++;
    stands = tp_tag_stands(pool, victim);
    sound = tp_steal_take(pool, victim, age, last, true, false);
  }
  tp_lock_give(lock, key);
  if (!stands) tp_tag_raise(pool, victim, NULL);
  if (!sound) tp_pool_raise_ring(pool, 0, NULL);
  return victim;
}

// Tells the owner of the object at [words], which was taken.
/*@ requires pool_memory(pool) && pool_sound(pool) && pool_evicts(pool);
    requires tp_clock < 0x7fffffffffffffff;
    check requires evicted: evicted(pool, words);
    assigns TP_CHANGES(pool);
    TP_ENSURES_SOUND(pool);
    ensures \forall integer s; \old(tp_limbo[s]) != 0 ==> tp_limbo[s] != 0;
    ensures tp_clock < 0x7fffffffffffffff; */
TP_INLINE void tp_steal_tell(const struct tp_pool *pool, tp_word_t *words)
{
  if (pool->evict) {
    tp_hook_evicting(words);
    //@ admit evicted: evicted(pool, words);  // Checked at each call.
    //@ calls tp_any_evict;
    pool->evict(words);
    tp_hook_evicted(words);
  }
}

// Tells the owner of [victim], which was taken, and issues its slot anew.
/*@ requires 1 <= victim <= pool->capacity && tp_limbo[victim] != 0;
    TP_STEALS(pool, tag);
    ensures words: object_words(\result) == slot_words(pool, victim); */
TP_INLINE void *tp_steal_reissue(const struct tp_pool *pool, uint32_t lock,
                                 tp_slot_t victim, uint32_t *tag,
                                 tp_site_t site)
{
  tp_word_t *words = tp_slot_words(pool, victim);
  tp_hook_event(TP_EVENT_STEAL, words, site);
  tp_steal_tell(pool, words);
  tp_check_stolen(pool, words, site);
  tp_slot_renew(pool, lock, victim);
  //@ ghost tp_limbo[victim] = 0;
  /*@ assert same: pool->gate == \at(pool->gate, Pre) &&
        pool->capacity == \at(pool->capacity, Pre) &&
        pool->stride == \at(pool->stride, Pre) &&
        pool->origin == \at(pool->origin, Pre); */
  //@ assert kept: slot_memory(pool) && slot_gated(pool);
  //@ assert born: born_memory(pool);
  //@ assert whole: pool_memory(pool);
  //@ assert sound: list_sound(pool) && tags_sound(pool);
  tp_hook_event(TP_EVENT_ALLOC, words, site);
  tp_core_join(pool, lock, victim, tag);
  tp_hook_issued(pool, victim, site);
  tp_core_audit(pool, site);
  return words;
}

//@ TP_STEALS_OLDEST(pool, tag);
TP_INLINE void *tp_steal_core(const struct tp_pool *pool, uint32_t lock,
                              uint32_t *tag, tp_site_t site)
{
  tp_slot_t victim = tp_steal_detach(pool, lock);
  if (!TP_LIKELY(victim != TP_NO_SLOT)) return NULL;
  return tp_steal_reissue(pool, lock, victim, tag, site);
}

#endif
