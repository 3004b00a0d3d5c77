// SPDX-License-Identifier: MIT
// tp_core.h - internal: issuing and taking back, written once; and the ring of
// the live slots, oldest first.
//
// tp_core.c compiles it for all pools ("shared"), tp_pools.c for one ("own"):
// the same lines against a constant descriptor, which folds away. [lock] is the
// pool's, or PRIMASK, which serves every pool, as a constant.
//
// A slot that is on no list and on no ring belongs to whoever took it off: its
// tag and its bytes are then changed with nothing locked.
#ifndef TP_CORE_H
#define TP_CORE_H

#include "check/tp_check.h"
#include "core/tp_harden.h"

#ifdef __cplusplus
extern "C" {
#endif

// What is rare, out of line and entered unlocked: issues a slot for the first
// time or asks the policy, after another look at the list. [tag] here and below
// is what a request says, struct tp_policy, and what its handle is made of.
/*@ TP_ALLOCATES(pool, tag); */
void *tp_pool_extend(const struct tp_pool *pool, uint32_t *tag, tp_site_t site);

// The same for a quick call: that of a pool with a ring or tags begins anew.
//@ TP_EXTENDS_QUICKLY(pool, tag);
void *tp_quick_extend(const struct tp_pool *pool, uint32_t *tag,
                      tp_site_t site);
/*@ requires pool->general == \null ==>
      \forall integer s; 1 <= s <= pool->capacity &&
        object_words(object) == slot_words(pool, s) ==> !is_live(pool, s);
    TP_FREES(pool, object); */
void tp_quick_foreign(const struct tp_pool *pool, void *object, tp_site_t site);

// [object] was given back to [pool] and is not a live slot of it: the policy
// may know it, or it is a fault.
/*@ requires \valid_read(pool) && pool_knows(pool);
    assigns tp_raised, tp_taken_back;
    ensures raises_foreign{Pre, Here}(pool); */
void tp_pool_foreign(const struct tp_pool *pool, void *object, tp_site_t site);

// What the rest of the library calls: tp_pool_alloc() and tp_pool_free() under
// the pool's own lock, in the name of who called at [site].
/*@ TP_ALLOCATES(pool, tag); */
void *tp_pool_alloc_for(const struct tp_pool *pool, uint32_t *tag,
                        tp_site_t site);
/*@ TP_FREES(pool, object); */
void tp_pool_free_for(const struct tp_pool *pool, void *object, tp_site_t site);

#ifdef __cplusplus
}
#endif

// The ring -------------------------------------------------------------------
//
// The live slots in order of birth are threaded through an array indexed by
// slot, beside them: an overrun of an object cannot relink it. Link 0 is the
// ring's head, so adding and removing have no special case, and zeroed memory
// is an empty ring. A pinned slot is a ring of its own: nobody who steals finds
// it, and it is removed like any. Every function wants the pool locked.

// The slot issued longest ago; TP_NO_SLOT iff the ring is empty.
/*@ requires ring_memory(age) && ring_sound(age);
    assigns \nothing;
    ensures \result != 0 ==> on_ring(\result);
    ensures \forall integer s; on_ring(s) ==>
              \result != 0 && tp_birth[\result] <= tp_birth[s]; */
TP_INLINE tp_slot_t tp_age_oldest(const struct tp_age_link *age)
{
  return age[0].newer;
}

// Makes [slot] the newest. It must be on the ring no longer, or not yet. False
// iff the head names no slot, of [last]: nothing changed.
/*@ requires TP_RING(age) && last == tp_slots;
    requires 1 <= slot <= tp_slots && !on_ring(slot);
    requires tp_clock < 0x7fffffffffffffff;
    assigns age[0 .. tp_slots], tp_ringed[slot], tp_birth[slot], tp_clock;
    TP_PUSHES_RING(age, slot); */
TP_INLINE bool tp_age_push(struct tp_age_link *age, uint32_t last,
                           tp_slot_t slot)
{
  tp_slot_t newest = age[0].older;
  if (TP_CHECKS >= TP_CHECKS_FAST && newest > last) return false;
  /*@ assert last: ring_sound(age) ==> \forall integer s; is_link(s) &&
        s != 0 ==> age[s].older != newest; */
  tp_port_put_link(&age[slot], newest);
  age[newest].newer = slot;
  age[0].older = slot;
  /*@ ghost tp_ringed[slot] = 1;
            tp_birth[slot] = tp_clock;
            tp_clock = tp_clock + 1; */
  return true;
}

// Of [last] slots, is it doubtful that the neighbours of [slot] know it? Asked
// before anything is masked: an interrupt may be at work there; then again.
/*@ requires ring_memory(age) && last == tp_slots && slot <= last;
    assigns \nothing;
    TP_DOUBTS_RING(age, slot); */
TP_INLINE bool tp_age_doubts(const struct tp_age_link *age, uint32_t last,
                             uint32_t slot)
{
  if (TP_CHECKS < TP_CHECKS_FAST) return false;
  uint32_t older = age[slot].older, newer = age[slot].newer;
  return older > last || newer > last || age[older].newer != slot ||
         age[newer].older != slot;
}

// Takes [slot] out, wherever it stands. False iff there is a [doubt] and it
// holds, so that a link was written over: nothing changed.
/*@ requires last == tp_slots;
    TP_REMOVES_RING(age, slot, doubt); */
TP_INLINE bool tp_age_remove(struct tp_age_link *age, uint32_t last,
                             tp_slot_t slot, bool doubt)
{
  if (!TP_LIKELY(!doubt) && tp_age_doubts(age, last, slot)) return false;
  tp_slot_t older = age[slot].older;
  tp_slot_t newer = age[slot].newer;
  age[older].newer = newer;
  age[newer].older = older;
  //@ ghost tp_ringed[slot] = 0;
  return true;
}

// Is live [slot] a ring of its own?
/*@ requires ring_memory(age) && ring_sound(age) && is_aged(slot);
    assigns \nothing;
    ensures \result <==> is_pinned(slot); */
TP_INLINE bool tp_age_pinned(const struct tp_age_link *age, tp_slot_t slot)
{
  return age[slot].newer == slot;
}

// Issuing --------------------------------------------------------------------

typedef void *tp_core_extender(const struct tp_pool *pool, uint32_t *tag,
                               tp_site_t site);
typedef void tp_core_refuser(const struct tp_pool *pool, void *object,
                             tp_site_t site);
typedef void *tp_core_overflow(const struct tp_pool *pool, uint32_t lock,
                               uint32_t *tag, tp_site_t site);

// Before and after each call of a pool: full looks at all of it.
//@ assigns \nothing;
TP_INLINE void tp_core_enter(const struct tp_pool *pool, uint32_t lock,
                             tp_site_t site)
{
  if (tp_tag_doubted(pool, lock)) tp_pool_audit(pool, tp_site(site));
}

//@ assigns \nothing;
TP_INLINE void tp_core_audit(const struct tp_pool *pool, tp_site_t site)
{
  if (TP_AUDITED) tp_core_enter(pool, TP_LOCK_CORES, site);
}

// Does freeing need the slot's number? At off only pools that keep something by
// slot do, tags, links or a ring, and those that must tell what others own from
// their own: of quick calls the last.
/*@ requires \valid_read(pool); assigns \nothing;
    ensures \result; */
TP_INLINE bool tp_core_wants_slot(const struct tp_pool *pool, bool quick)
{
  if (TP_CHECKS >= TP_CHECKS_FAST || pool->takes_foreign) return true;
  return !quick && (pool->tagged || pool->age || tp_tag_closed(pool));
}

// [words] was live, is dead and on no list yet. Locked by [key] at entry and at
// exit; open in between if there is work, as much as the slot is large.
//@ assigns tp_masked, tp_below; TP_OPENS_LOCK(lock, key);
TP_INLINE uint32_t tp_core_clean(const struct tp_pool *pool, uint32_t lock,
                                 tp_word_t *words, uint32_t key, tp_site_t site)
{
  if (TP_CHECKS < TP_CHECKS_POISON) return key;
  tp_lock_give(lock, key);
  tp_check_retired(pool, words, site);
  return tp_lock_take(lock);
}

// Makes a slot that was just issued the newest. Until then nobody steals it, so
// who wants a handle has its [tag] read now; else NULL. A broken ring: no site.
/*@ requires pool_memory(pool) && tag_memory(pool, tag);
    requires 1 <= slot <= pool->capacity;
    requires pool->age != \null ==> ring_sound(pool->age) && !on_ring(slot);
    requires tp_clock < 0x7fffffffffffffff;
    assigns pool->age[0 .. pool->capacity], pool->born[slot], tp_ringed[slot],
      tp_birth[slot], tp_clock, tp_masked, tp_below, *tag;
    TP_KEEPS_LOCKS;
    ensures tells: tells(pool, slot, tag);
    check ensures born: pool->age && pool->born ==>
      pool->born[slot] == tp_clock_now;
    ensures pool->age != \null ==> on_ring(slot) && pool->age[0].older == slot;
    TP_ENSURES_RING_IF(pool->age != \null, pool->age);
    ensures pool->age == \null ==> tp_ringed[slot] == \old(tp_ringed[slot]); */
TP_INLINE void tp_core_join(const struct tp_pool *pool, uint32_t lock,
                            uint32_t slot, uint32_t *tag)
{
  struct tp_age_link *age = pool->age;
  if (tag) *tag = pool->tag[slot];
  if (!age) return;
  if (pool->born) pool->born[slot] = tp_clock_now;
  uint32_t last = pool->capacity;
  uint32_t key = tp_lock_take(lock);
  bool sound = tp_age_push(age, last, (tp_slot_t)slot);
  tp_lock_give(lock, key);
  if (!sound) tp_pool_raise_ring(pool, 0, NULL);
}

// A [quick] call knows nothing of rings, and of tags at off: it has no [tag]
// either. The others are open to every pool. What a handle is [made] of is told
// without memory, unless NULL, of what comes off the list.
/*@ TP_EXTENDS(pool, quick, extend, tag, made); TP_REQUESTS(pool, tag);
    assigns TP_CHANGES(pool), *tag, *made; TP_KEEPS_LOCKS;
    TP_ISSUES(made == \null, pool, tag);
    TP_DEFERS(made != \null, pool, tag, made); */
TP_INLINE void *tp_core_alloc(const struct tp_pool *pool, bool quick,
                              uint32_t lock, tp_core_extender *extend,
                              uint32_t *tag, struct tp_generation *made,
                              tp_site_t site)
{
  if (TP_CHECKS >= TP_CHECKS_FAST) TP_SAVE_RETURN();
  if (tp_hook_refuses(pool->name, site)) return NULL;
  tp_core_enter(pool, lock, site);
  uint32_t key = tp_lock_take(lock);
  if (!TP_CONSTANT(pool->stride)) TP_LOADED(pool->tag, pool->origin);
  uint32_t top = tp_list_top(pool);
  uint32_t most = tp_slot_most(pool, quick);
  if (tp_list_names(top, most)) {
    tp_word_t *words = tp_list_words(pool, top);
    uint32_t slot = tp_list_slot(pool, top);
    uint32_t link = tp_list_link(pool, words, slot)[0];
    if (tp_list_leads(pool, link, most) &&
        (tp_tag_absent(quick) || tp_tag_issue(pool, slot))) {
      if (made) made->slot = slot;
      if (made) made->tag = pool->tag[slot];
      pool->tag[0] = link;
      /*@ assert place: \at(list_links(pool), Pre) ==>
            tp_place[top] == list_live(pool); */
      /*@ assert next: \at(list_links(pool), Pre) ==>
            list_top(pool) == list_after(pool, tp_place[top]); */
      //@ assert begins: \at(list_links(pool), Pre) ==> list_begins(pool);
      //@ assert live: \at(list_links(pool), Pre) ==> tags_live(pool);
      tp_lock_give(lock, key);
      tp_check_reissued(pool, words, site);
      tp_hook_event(TP_EVENT_ALLOC, words, site);
      if (!quick) tp_core_join(pool, lock, slot, tag);
      //@ assert word: pool->tag[0] == link;
      tp_hook_issued(pool, slot, site);
      tp_core_audit(pool, site);
      return words;
    }
  }
  bool refused = top == 0 && tp_list_refuses(pool);
  tp_lock_give(lock, key);
  if (refused) {
    tp_hook_full(pool->name, site);
    return NULL;
  }
  //@ assert asks: !issues_at_once(pool, most);
  //@ calls tp_pool_extend, tp_quick_extend, tp_claim_defer;
  return extend(pool, tag, tp_site(site));
}

// There is a slot on top that was not issued. The list was written over, or the
// slot is live: faults. Or its generation is worn out and starts again; or an
// interrupt freed it since; or the call knew of no ring. Unlocks.
/*@ requires list_top(pool) != 0; TP_IF_QUICK(quick, pool, tag);
    TP_ANSWERS(pool, tag); TP_GIVES_LOCK(lock, key); */
TP_INLINE void *tp_core_retry(const struct tp_pool *pool, bool quick,
                              uint32_t lock, uint32_t key, uint32_t *tag,
                              tp_site_t site)
{
  uint32_t word = pool->tag[0];
  bool sound = tp_list_is_sound(pool, word);
  uint32_t slot = sound ? tp_list_slot(pool, tp_list_top_of(word)) : 0;
  bool live = sound && tp_tag_rewind(pool, slot);
  tp_lock_give(lock, key);
  if (!sound) tp_list_broken(pool, word, site);
  if (live) tp_tag_raise(pool, slot, site);
  if (!sound || live) return NULL;
  if (tp_tag_closed(pool)) return tp_hardened_alloc(pool, tag, site);
  //@ assert ends: issues_at_once(pool, pool->capacity);
  return quick ? tp_pool_alloc(pool) : tp_pool_alloc_for(pool, tag, site);
}

// Counts the next slot that was never issued as issued. Returns it.
/*@ requires pool_memory(pool) && pool->state->fresh < pool->capacity;
    requires pool->age != \null ==> ring_sound(pool->age);
    assigns pool->state->fresh;
    ensures \result == pool->state->fresh == \old(pool->state->fresh) + 1;
    TP_ENSURES_RING_IF(pool->age != \null, pool->age); */
TP_INLINE uint32_t tp_core_next(const struct tp_pool *pool)
{
  return ++pool->state->fresh;
}

// Issues the next slot that was never issued. Unlocks.
/*@ requires left: list_top(pool) == 0 && pool->state->fresh < pool->capacity;
    TP_IF_QUICK(quick, pool, tag);
    TP_ANSWERS(pool, tag); TP_GIVES_LOCK(lock, key); */
TP_INLINE void *tp_core_fresh(const struct tp_pool *pool, bool quick,
                              uint32_t lock, uint32_t key, uint32_t *tag,
                              tp_site_t site)
{
  //@ assert full: list_live(pool) == pool->state->fresh;
  uint32_t slot = tp_core_next(pool);
  /*@ ghost tp_at[slot] = (int)slot;
            tp_place[slot] = (int)slot; */
  tp_list_grow(pool);
  tp_check_grown(pool, tp_slot_words(pool, slot));
  tp_lock_give(lock, key);
  tp_word_t *words = tp_slot_words(pool, slot);
  tp_slot_renew(pool, lock, slot);
  //@ assert counted: list_live(pool) == pool->state->fresh == slot;
  /*@ assert others: pool->age != \null ==> !is_aged(slot) &&
        \forall integer s; 1 <= s <= pool->capacity && s != slot ==>
          (is_aged(s) <==> is_live(pool, s)); */
  tp_check_first(pool, words);
  tp_hook_event(TP_EVENT_ALLOC, words, site);
  if (!quick) tp_core_join(pool, lock, slot, tag);
  tp_hook_issued(pool, slot, site);
  tp_core_audit(pool, site);
  return words;
}

// A pool whose list word was written over, and so counts wrong, is full once
// every slot was issued: the policy is asked, and no slot made up.
/*@ requires overflow == &ask_policy; TP_IF_QUICK(quick, pool, tag);
    TP_ALLOCATES(pool, tag); */
TP_INLINE void *tp_core_extend(const struct tp_pool *pool, bool quick,
                               uint32_t lock, tp_core_overflow *overflow,
                               uint32_t *tag, tp_site_t site)
{
  uint32_t key = tp_lock_take(lock);
  tp_hardened_recount(pool, lock, key, site);
  if (!TP_LIKELY(tp_hardened_full(pool))) {
    if (tp_list_top(pool)) {
      return tp_core_retry(pool, quick, lock, key, tag, site);
    }
    if (pool->state->fresh < pool->capacity) {
      return tp_core_fresh(pool, quick, lock, key, tag, site);
    }
  }
  pool->state->overflows++;
  /*@ check counted: pool->state->overflows ==
        (uint32_t)(\at(pool->state->overflows, Pre) + 1); */
  //@ assert full: list_live(pool) == pool->state->fresh;
  //@ assert sound: list_sound(pool) && tags_sound(pool) && pool_aged(pool);
  tp_lock_give(lock, key);
  void *object;
  //@ calls ask_policy;
  object = overflow(pool, lock, tag, site);
  if (!object) tp_hook_full(pool->name, site);
  return object;
}

/*@ requires quick ==> refuse == &tp_quick_foreign && slot_served(pool);
    requires !quick ==> refuse == &tp_pool_foreign; TP_FREES(pool, object); */
TP_INLINE void tp_core_free(const struct tp_pool *pool, bool quick,
                            uint32_t lock, tp_core_refuser *refuse,
                            void *object, tp_site_t site)
{
  tp_word_t *words = (tp_word_t *)object;
  struct tp_age_link *age = quick ? NULL : pool->age;
  uintptr_t slot = 1;
  tp_core_enter(pool, lock, site);
  if (quick) TP_SAVE_RETURN();
  if (tp_core_wants_slot(pool, quick)) slot = tp_slot_of(pool, object);
  uint32_t most = tp_slot_most(pool, quick);
  // From fast up 0 may pass: its tag, the list word, is never live.
  bool own = TP_CHECKS < TP_CHECKS_FAST ? slot - 1 < most : slot <= most;
  if (TP_LIKELY(own)) {
    bool doubt = age && tp_age_doubts(age, most, (uint32_t)slot);
    bool sound = true;
    uint32_t key = tp_lock_take(lock);
    if (tp_tag_absent(quick) || tp_tag_retire(pool, (uint32_t)slot)) {
      //@ assert retired: list_begins(pool);
      if (age) sound = tp_age_remove(age, most, (tp_slot_t)slot, doubt);
      //@ assert sound: list_sound(pool) && pool_aged(pool);
      if (sound) {
        tp_hook_freed(pool, words, site);
        key = tp_core_clean(pool, lock, words, key, site);
        tp_list_put(pool, words, slot);
        //@ assert put: same_tags_but{Pre, Here}(pool, slot);
      }
      tp_lock_give(lock, key);
      if (!sound) tp_pool_raise_ring(pool, (uint32_t)slot, site);
      tp_core_audit(pool, site);
      return;
    }
    tp_lock_give(lock, key);
  }
  //@ calls tp_pool_foreign, tp_quick_foreign;
  refuse(pool, object, tp_site(site));
}

#endif
