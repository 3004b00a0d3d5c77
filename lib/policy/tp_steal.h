// SPDX-License-Identifier: MIT
// tp_steal.h - internal: stealing, written once: how a victim is taken, how its
// slot changes hands, and the choice of the oldest. The policy objects compile
// it for all pools, tp_pools.c for one.
#ifndef TP_STEAL_H
#define TP_STEAL_H

#include "check/tp_check.h"
#include "core/tp_core.h"

// tp_steal_oldest of a row whose slots never turn, see below: less code.
extern const struct tp_policy tp_steal_detached;

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
    ensures taken: \result && tp_limbo[victim] != 0;
    ensures figures: *pool->state == \old(*pool->state); */
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
    ensures none: \result == 0 ==> \old(guarded(pool));
    check ensures steals: pool->state->steals ==
      (uint32_t)(\old(pool->state->steals) + (\result != 0 ? 1 : 0));
    check ensures refused: pool->state->refused_by_rule ==
      (uint32_t)(\old(pool->state->refused_by_rule) + (\result ? 0 : 1)); */
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
    TP_KEEPS_LOCKS;
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

// In one window ---------------------------------------------------------------
//
// Where nobody is told, and no clock, sum or code goes with an object, its slot
// stays live and where it is: the oldest becomes the newest.

// Is [pool] such a one? Events are in an order that this cannot keep.
/*@ requires \valid_read(pool);
    assigns \nothing;
    ensures \result <==> pool->evict == \null && pool->born == \null; */
TP_INLINE bool tp_steal_turns(const struct tp_pool *pool)
{
  if (!TP_AS_IT_LIES) return false;
  if (TIDEPOOL_EVENTS) return false;
  return !pool->evict && !pool->born && !tp_tag_closed(pool);
}

// The tag of [slot], which is live, when it is issued anew; 0 if its generation
// can count no further, or another tag stands there. 1 where no tags are kept.
/*@ requires \valid_read(pool) && \valid_read(tags + slot);
    assigns \nothing;
    ensures next: \result != 0 ==> TP_LIVE <= \result == tags[slot] + 1;
    ensures last: \result == 0 ==>
      tags[slot] < TP_LIVE || tags[slot] == 0xffffffff; */
TP_INLINE uint32_t tp_steal_next(const struct tp_pool *pool,
                                 const uint32_t *tags, uint32_t slot)
{
  if (!tp_tag_kept(pool)) return 1;
  uint32_t next = tags[slot] + 1;
  return TP_LIKELY(next >= TP_LIVE) ? next : 0;
}

// Makes the oldest object's slot that of a new one. Returns it, and its [tag];
// TP_NO_SLOT, and nothing changed, iff there is no object, or tag or ring want
// more than this does.
/*@ requires pool_memory(pool) && pool_sound(pool) && pool->age != \null;
    requires tp_clock < 0x7fffffffffffffff && tag_memory(pool, tag);
    assigns pool->tag[1 .. pool->capacity], *pool->state,
      pool->age[0 .. pool->capacity], tp_ringed[0 .. 0x7fff],
      tp_birth[0 .. 0x7fff], tp_clock, tp_masked, tp_below, *tag;
    TP_KEEPS_LOCKS;
    TP_ENSURES_SOUND(pool);
    ensures turned: \result != 0 ==> \old(oldest(\result)) &&
      1 <= \result <= pool->capacity && is_live(pool, \result) &&
      tells(pool, \result, tag);
    ensures newest: \result != 0 ==> pool->age[0].older == \result;
    ensures next: \result != 0 ==>
      pool->tag[\result] == \old(pool->tag[\result]) + 1;
    check ensures steals: pool->state->steals ==
      (uint32_t)(\old(pool->state->steals) + (\result != 0 ? 1 : 0));
    ensures none: \result == 0 ==> tp_clock == \old(tp_clock) &&
      \forall integer s; tp_ringed[s] == \old(tp_ringed[s]) &&
        tp_birth[s] == \old(tp_birth[s]); */
TP_INLINE tp_slot_t tp_steal_turn(const struct tp_pool *pool, uint32_t lock,
                                  uint32_t *tag)
{
  struct tp_age_link *age = pool->age;
  struct tp_pool_state *state = pool->state;
  uint32_t *tags = pool->tag;
  uint32_t last = pool->capacity, next = 0;
  bool sound = true;
  uint32_t key = tp_lock_take(lock);
  tp_slot_t victim = tp_age_oldest(age);
  if (tp_list_names(victim, last)) next = tp_steal_next(pool, tags, victim);
  bool turns = next != 0 && tp_age_shift(age, last, victim);
  if (TP_LIKELY(turns)) {
    //@ assert removed: list_begins(pool) && list_links(pool);
    /*@ assert counted: victim <= pool->state->fresh &&
          tp_place[victim] <= list_live(pool) && tp_limbo[victim] == 0; */
    if (tp_tag_kept(pool)) tags[victim] = next;
    /*@ assert others: same_tags_but{Pre, Here}(pool, victim) &&
          pool->tag[0] == \at(pool->tag[0], Pre) &&
          pool->state->fresh == \at(pool->state->fresh, Pre); */
    state->steals++;
    sound = tp_age_push(age, last, victim);
    //@ assert begins: list_begins(pool);
  }
  tp_lock_give(lock, key);
  if (!sound) tp_pool_raise_ring(pool, 0, NULL);
  if (!turns) return TP_NO_SLOT;
  if (tag) *tag = next;
  return victim;
}

// The object in [slot], which was turned.
/*@ requires pool_memory(pool) && 1 <= slot <= pool->capacity;
    assigns \nothing;
    ensures \result == slot_words(pool, slot); */
TP_INLINE void *tp_steal_issue(const struct tp_pool *pool, uint32_t slot,
                               tp_site_t site)
{
  (void)site;
  tp_word_t *words = tp_slot_words(pool, slot);
  tp_hook_issued(pool, slot, site);
  return words;
}

// What a pool with code of its own does; what is rare is the policy's.
TP_INLINE void *tp_steal_own(const struct tp_pool *pool, uint32_t lock,
                             uint32_t *tag, tp_site_t site)
{
  if (!tp_steal_turns(pool)) return tp_steal_core(pool, lock, tag, site);
  tp_slot_t victim = tp_steal_turn(pool, lock, tag);
  if (victim == TP_NO_SLOT) return pool->policy->overflow(pool, tag, site);
  return tp_steal_issue(pool, victim, site);
}

#endif
