// SPDX-License-Identifier: MIT
// tp_steal.h - internal: stealing, written once: how a victim is taken, how its
// slot changes hands, and the choice of the oldest. The policy objects compile
// it for all pools, TP_POOL_OWN_STEALING() for one.
#ifndef TP_STEAL_H
#define TP_STEAL_H

#include "check/tp_check.h"
#include "pool/tp_core.h"

// Was [slot] born too recently to be stolen?
//@ assigns \nothing; ensures !\result;
TP_INLINE bool tp_steal_spares(const struct tp_pool *pool, tp_slot_t slot)
{
  if (pool->min_age == 0) return false;
  return tp_clock_now - pool->born[slot] < pool->min_age;
}

// Takes [victim], which is live and on the ring, off both: nobody else can
// steal, free or resolve it. Wants the pool locked.
/*@ requires pool_memory(pool) && pool_sound(pool) && pool->age != \null;
    requires 1 <= victim <= pool->capacity && on_ring(victim);
    assigns pool->tag[0 .. pool->capacity], *pool->state,
      pool->age[0 .. pool->capacity], tp_ringed[0 .. 0x7fff],
      tp_limbo[0 .. 0x7fff];
    TP_ENSURES_SOUND(0 == 0, pool);
    ensures tp_limbo[victim] != 0;
    ensures others: \forall integer s; s != victim ==>
      tp_limbo[s] == \old(tp_limbo[s]); */
TP_INLINE void tp_steal_take(const struct tp_pool *pool, tp_slot_t victim)
{
  /*@ assert counted: victim <= pool->state->fresh &&
        tp_place[victim] <= list_live(pool); */
  tp_age_remove(pool->age, victim);
  //@ assert removed: list_begins(pool);
  tp_tag_bury(pool, victim);
  //@ ghost tp_limbo[victim] = 1;
  //@ assert begins: list_begins(pool);
  //@ assert limbo: tags_limbo(pool);
  pool->state->steals++;
}

// The oldest slot, taken; TP_NO_SLOT iff there is none to take.
/*@ requires pool_memory(pool) && pool_sound(pool) && pool->age != \null;
    assigns pool->tag[0 .. pool->capacity], *pool->state,
      pool->age[0 .. pool->capacity], tp_ringed[0 .. 0x7fff],
      tp_limbo[0 .. 0x7fff];
    TP_ENSURES_SOUND(0 == 0, pool);
    ensures found: \result != 0 ==> \old(oldest(\result)) && tp_limbo[\result] != 0 &&
      1 <= \result <= pool->capacity;
    ensures none: \result == 0 ==> \forall integer s; !\old(on_ring(s));
    ensures others: \forall integer s; s != \result ==>
      tp_limbo[s] == \old(tp_limbo[s]); */
TP_INLINE tp_slot_t tp_steal_detach(const struct tp_pool *pool, uint32_t lock)
{
  uint32_t key = tp_lock_take(lock);
  tp_slot_t victim = tp_age_oldest(pool->age);
  if (TP_LIKELY(victim != TP_NO_SLOT) && tp_steal_spares(pool, victim)) {
    victim = TP_NO_SLOT;
  }
  if (TP_LIKELY(victim != TP_NO_SLOT)) {
    tp_steal_take(pool, victim);
  } else {
    pool->state->refusals++;
  }
  tp_lock_give(lock, key);
  return victim;
}

// Tells the owner of [victim], which was taken, and issues its slot anew.
/*@ requires pool_memory(pool) && pool_sound(pool) && pool->age != \null;
    requires pool_evicts(pool) && tp_clock < 0x7fffffffffffffff;
    requires tag_memory(pool, tag);
    requires 1 <= victim <= pool->capacity && tp_limbo[victim] != 0;
    assigns TP_CHANGES(pool), *tag;
    TP_ENSURES_SOUND(0 == 0, pool);
    ensures answers: answers(pool, \result, tag);
    ensures words: object_words(\result) == slot_words(pool, victim); */
TP_INLINE void *tp_steal_reissue(const struct tp_pool *pool, uint32_t lock,
                                 tp_slot_t victim, uint32_t *tag)
{
  tp_word_t *words = tp_slot_words(pool, victim);
  //@ calls tp_any_evict;
  if (pool->evict) pool->evict(words);
  tp_check_stolen(pool, words);
  tp_tag_renew(pool, victim);
  //@ ghost tp_limbo[victim] = 0;
  tp_core_join(pool, lock, victim, tag);
  tp_check_whole(pool);
  return words;
}

/*@ requires pool_memory(pool) && pool_sound(pool) && pool->age != \null;
    requires pool_evicts(pool) && tp_clock < 0x7fffffffffffffff;
    requires tag_memory(pool, tag);
    assigns TP_CHANGES(pool), *tag;
    TP_ENSURES_SOUND(0 == 0, pool);
    ensures answers: answers(pool, \result, tag);
    ensures oldest: \result != \null ==> \exists integer s;
      object_words(\result) == slot_words(pool, s) && \old(oldest(s));
    ensures none: \result == \null ==> \forall integer s; !\old(on_ring(s)); */
TP_INLINE void *tp_steal_core(const struct tp_pool *pool, uint32_t lock,
                              uint32_t *tag)
{
  tp_slot_t victim = tp_steal_detach(pool, lock);
  if (!TP_LIKELY(victim != TP_NO_SLOT)) return NULL;
  return tp_steal_reissue(pool, lock, victim, tag);
}

#endif
