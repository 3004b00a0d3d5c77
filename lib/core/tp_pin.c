// SPDX-License-Identifier: MIT
#include "tidepool.h"

#include "check/tp_check.h"
#include "core/tp_calls.h"
#include "core/tp_core.h"

// May tp_tag_doubted() be so?
enum { DOUBTS_CALLERS = TP_AUDITED || TP_CORES_NUMBERED };

// Takes [slot] out and makes it a ring of its own, where nobody finds it who
// looks for the oldest; tp_age_remove() then changes nothing.
/*@ requires last == tp_slots;
    TP_LEAVES_RING(age, slot);
    ensures \result && is_pinned(slot); */
TP_INLINE bool tp_age_pin(struct tp_age_link *age, uint32_t last,
                          tp_slot_t slot, bool doubt)
{
  if (!tp_age_remove(age, last, slot, doubt)) return false;
  age[slot].older = slot;
  age[slot].newer = slot;
  //@ ghost tp_ringed[slot] = 2;
  return true;
}

// Makes a pinned slot the newest again.
/*@ requires pool_memory(pool) && pool->age != \null && ring_sound(pool->age);
    requires tp_clock < 0x7fffffffffffffff;
    requires age == pool->age && last == pool->capacity && is_pinned(slot);
    assigns pool->age[0 .. pool->capacity], pool->born[slot], tp_ringed[slot],
      tp_birth[slot], tp_clock;
    ensures newest: on_ring(slot) && pool->age[0].older == slot;
    check ensures born: pool->born != \null ==>
      pool->born[slot] == tp_clock_now;
    ensures \result;
    TP_ENSURES_RING(pool->age); */
TP_INLINE bool rejoin(const struct tp_pool *pool, struct tp_age_link *age,
                      uint32_t last, tp_slot_t slot)
{
  if (pool->born) pool->born[slot] = tp_clock_now;
  return tp_age_push(age, last, slot);
}

// Is [slot] not yet what it is to be?
/*@ requires ring_memory(age) && ring_sound(age) && is_aged(slot);
    assigns \nothing;
    ensures \result <==> (pin ? on_ring(slot) : is_pinned(slot)); */
TP_INLINE bool turns(const struct tp_age_link *age, tp_slot_t slot, bool pin)
{
  return pin ? !tp_age_pinned(age, slot) : tp_age_pinned(age, slot);
}

// Without tags there is nothing to compare.
/*@ requires \valid_read(pool) && \valid_read(generation);
    requires \valid_read(pool->tag + generation->slot);
    assigns \nothing;
    ensures \result <==> generation_holds(pool, generation); */
static bool leads(const struct tp_pool *pool,
                  const struct tp_generation *generation)
{
  return !tp_tag_kept(pool) || tp_generation_holds(pool, generation);
}

//@ TP_TURNS_PIN(pool, generation, pin);
enum tp_pin_outcome tp_pin_turn(const struct tp_pool *pool,
                                struct tp_generation generation, bool pin,
                                tp_site_t site)
{
  enum tp_pin_outcome outcome = TP_PIN_STALE;
  struct tp_age_link *age = pool->age;
  uint32_t lock = pool->lock, last = pool->capacity;
  tp_slot_t slot = (tp_slot_t)generation.slot;
  //@ assert same: slot == generation.slot;
  bool doubt = pin && tp_age_doubts(age, last, slot), sound = true;
  if (DOUBTS_CALLERS) {  // Else it is not even linked.
    if (tp_tag_doubted(pool, lock)) tp_pool_check_caller(pool, site);
  }
  uint32_t key = tp_lock_take(lock);
  if (leads(pool, &generation)) {
    outcome = TP_PIN_ALREADY;
    if (turns(age, slot, pin)) {
      sound = pin ? tp_age_pin(age, last, slot, doubt)
                  : rejoin(pool, age, last, slot);
      outcome = TP_PIN_DONE;
    }
  }
  tp_lock_give(lock, key);
  if (!sound) tp_pool_raise_ring(pool, pin ? slot : 0, site);
  return outcome;
}

// [object] is no live slot of [pool]. One that another pool lent is never
// stolen.
/*@ requires slot_memory(pool) && slot_divides(pool) && has_address(object);
    assigns tp_raised;
    ensures raises: !lent(pool, object) ==> tp_raised == \old(tp_raised) + 1;
    ensures lent: lent(pool, object) ==> tp_raised == \old(tp_raised); */
static void raise_stale(const struct tp_pool *pool, void *object,
                        tp_site_t site)
{
  uintptr_t slot = tp_slot_of(pool, object);
  //@ assert own: 1 <= slot <= pool->capacity ==> stands_at(pool, object, slot);
  if (slot - 1 >= pool->capacity && pool->takes_foreign) return;
  tp_raise_free(pool, object, site);
}

// Any generation of the slot at [object] will do, as long as it is live.
//@ TP_PINS(pool, object, pin);
static void change(const struct tp_pool *pool, void *object, bool pin,
                   tp_site_t site)
{
  uintptr_t slot = tp_slot_of(pool, object);
  enum tp_pin_outcome outcome = TP_PIN_STALE;
  if (!pool->age) return;
  if (slot - 1 < pool->capacity) {
    struct tp_generation generation = {(uint32_t)slot, TP_LIVE, TP_LIVE};
    outcome = tp_pin_turn(pool, generation, pin, site);
  }
  if (TP_MISUSE(outcome == TP_PIN_STALE)) raise_stale(pool, object, site);
  if (TP_MISUSE(outcome == TP_PIN_ALREADY)) {
    tp_raise_slot(TP_FAULT_PIN, pool, (uint32_t)slot, 0, pin, !pin, site);
  }
}

//@ TP_PINS(pool, object, 1);
TP_NOINLINE void tp_pool_pin(const struct tp_pool *pool, void *object)
{
  change(pool, object, true, tp_site(NULL));
}

//@ TP_PINS(pool, object, 0);
TP_NOINLINE void tp_pool_unpin(const struct tp_pool *pool, void *object)
{
  change(pool, object, false, tp_site(NULL));
}
