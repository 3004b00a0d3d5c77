// SPDX-License-Identifier: MIT
#include "core/tp_pin.h"

#include "check/tp_misuse.h"
#include "core/tp_tag.h"
#include "core/tp_ring.h"
#include "core/tp_life.h"
#include "core/tp_slot.h"

/*@ requires pool_memory(pool) && pool->age != \null && ring_sound(pool->age);
    requires tp_clock < 0x7fffffffffffffff;
    requires is_aged(slot) && (pin ==> on_ring(slot)) &&
      (!pin ==> is_pinned(slot));
    assigns pool->age[0 .. pool->capacity], pool->born[slot], tp_ringed[slot],
      tp_birth[slot], tp_clock;
    ensures turned: pin ==> is_pinned(slot);
    ensures newest: !pin ==> on_ring(slot) && pool->age[0].older == slot;
    TP_ENSURES_RING(0 == 0, pool->age); */
static void turn(const struct tp_pool *pool, tp_slot_t slot, bool pin)
{
  if (pin) {
    tp_age_pin(pool->age, slot);
    return;
  }
  if (pool->born) pool->born[slot] = tp_clock_now;
  tp_age_push(pool->age, slot);
}

// Without tags there is nothing to compare.
/*@ requires \valid_read(pool) && \valid_read(life);
    requires \valid_read(pool->tag + life->slot);
    assigns \nothing;
    ensures \result <==> life_held(pool, life); */
static bool leads(const struct tp_pool *pool, const struct tp_life *life)
{
  return !tp_tag_kept(pool) || tp_life_held(pool, life);
}

/*@ requires pool_memory(pool) && pool->age != \null && pool_sound(pool);
    requires tp_clock < 0x7fffffffffffffff && \valid_read(life);
    requires 1 <= life->slot <= pool->capacity;
    requires life_held(pool, life) ==> is_live(pool, life->slot);
    assigns pool->age[0 .. pool->capacity], pool->born[0 .. pool->capacity],
      tp_ringed[0 .. 0x7fff], tp_birth[0 .. 0x7fff], tp_clock;
    TP_ENSURES_SOUND(0 == 0, pool);
    ensures stale: \result == TP_PIN_STALE <==> !\old(life_held(pool, life));
    ensures already: \result == TP_PIN_ALREADY <==>
      \old(life_held(pool, life)) &&
      (pin ? \old(is_pinned(life->slot)) : \old(on_ring(life->slot)));
    ensures held: \old(life_held(pool, life)) ==>
      (pin ? is_pinned(\old(life->slot)) : on_ring(\old(life->slot)));
    ensures others: \forall integer s; s != \old(life->slot) ==>
      tp_ringed[s] == \old(tp_ringed[s]); */
enum tp_pin_outcome tp_pin_turn(const struct tp_pool *pool,
                                const struct tp_life *life, bool pin)
{
  enum tp_pin_outcome outcome = TP_PIN_STALE;
  tp_slot_t slot = (tp_slot_t)life->slot;
  uint32_t key = tp_lock_take(pool->lock);
  if (leads(pool, life)) {
    bool already = tp_age_pinned(pool->age, slot) == pin;
    if (!already) turn(pool, slot, pin);
    outcome = already ? TP_PIN_ALREADY : TP_PIN_DONE;
  }
  tp_lock_give(pool->lock, key);
  return outcome;
}

// Any life of the slot at [object] will do, as long as it is one.
static void change(const struct tp_pool *pool, void *object, bool pin,
                   const void *caller)
{
  uintptr_t slot = tp_slot_of(pool, object);
  enum tp_pin_outcome outcome = TP_PIN_STALE;
  if (!pool->age) return;
  if (slot - 1 < pool->capacity) {
    struct tp_life life = {(uint32_t)slot, TP_LIVE, TP_LIVE};
    outcome = tp_pin_turn(pool, &life, pin);
  }
  if (TP_MISUSE(outcome == TP_PIN_STALE)) tp_blame_free(pool, object);
  if (TP_MISUSE(outcome == TP_PIN_ALREADY)) {
    tp_blame_slot(TP_FAULT_PIN, pool, (uint32_t)slot, 0, pin, !pin, caller);
  }
}

void tp_pool_pin(const struct tp_pool *pool, void *object)
{
  change(pool, object, true, TP_CALLER);
}

void tp_pool_unpin(const struct tp_pool *pool, void *object)
{
  change(pool, object, false, TP_CALLER);
}
