// SPDX-License-Identifier: MIT
#include "tidepool.h"

#include "check/tp_check.h"
#include "core/tp_calls.h"
#include "core/tp_core.h"

/*@ requires pool_memory(pool) && pool->age != \null && ring_sound(pool->age);
    requires tp_clock < 0x7fffffffffffffff;
    requires is_aged(slot) && (pin ==> on_ring(slot)) &&
      (!pin ==> is_pinned(slot));
    assigns pool->age[0 .. pool->capacity], pool->born[slot], tp_ringed[slot],
      tp_birth[slot], tp_clock;
    ensures turned: pin ==> is_pinned(slot);
    ensures newest: !pin ==> on_ring(slot) && pool->age[0].older == slot;
    TP_ENSURES_RING(pool->age); */
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
/*@ requires \valid_read(pool) && \valid_read(generation);
    requires \valid_read(pool->tag + generation->slot);
    assigns \nothing;
    ensures \result <==> generation_holds(pool, generation); */
static bool leads(const struct tp_pool *pool,
                  const struct tp_generation *generation)
{
  return !tp_tag_kept(pool) || tp_generation_holds(pool, generation);
}

/*@ requires pool_memory(pool) && pool->age != \null && pool_sound(pool);
    requires tp_clock < 0x7fffffffffffffff && \valid_read(generation);
    requires 1 <= generation->slot <= pool->capacity;
    requires generation_holds(pool, generation) ==>
      is_live(pool, generation->slot);
    assigns pool->age[0 .. pool->capacity], pool->born[0 .. pool->capacity],
      tp_ringed[0 .. 0x7fff], tp_birth[0 .. 0x7fff], tp_clock;
    TP_ENSURES_SOUND(pool);
    ensures stale: \result == TP_PIN_STALE <==>
      !\old(generation_holds(pool, generation));
    ensures already: \result == TP_PIN_ALREADY <==>
      \old(generation_holds(pool, generation)) &&
      (pin ? \old(is_pinned(generation->slot))
           : \old(on_ring(generation->slot)));
    ensures held: \old(generation_holds(pool, generation)) ==>
      (pin ? is_pinned(\old(generation->slot))
           : on_ring(\old(generation->slot)));
    ensures others: \forall integer s; s != \old(generation->slot) ==>
      tp_ringed[s] == \old(tp_ringed[s]); */
enum tp_pin_outcome tp_pin_turn(const struct tp_pool *pool,
                                const struct tp_generation *generation,
                                bool pin)
{
  enum tp_pin_outcome outcome = TP_PIN_STALE;
  tp_slot_t slot = (tp_slot_t)generation->slot;
  uint32_t key = tp_lock_take(pool->lock);
  if (leads(pool, generation)) {
    bool already = tp_age_pinned(pool->age, slot) == pin;
    if (!already) turn(pool, slot, pin);
    outcome = already ? TP_PIN_ALREADY : TP_PIN_DONE;
  }
  tp_lock_give(pool->lock, key);
  return outcome;
}

// [object] is no live slot of [pool]. One that another pool lent is never
// stolen.
static void raise_stale(const struct tp_pool *pool, void *object,
                        tp_site_t site)
{
  bool lent = tp_slot_of(pool, object) - 1 >= pool->capacity;
  if (lent && pool->takes_foreign) return;
  tp_raise_free(pool, object, site);
}

// Any generation of the slot at [object] will do, as long as it is live.
static void change(const struct tp_pool *pool, void *object, bool pin,
                   tp_site_t site)
{
  uintptr_t slot = tp_slot_of(pool, object);
  enum tp_pin_outcome outcome = TP_PIN_STALE;
  if (!pool->age) return;
  if (slot - 1 < pool->capacity) {
    struct tp_generation generation = {(uint32_t)slot, TP_LIVE, TP_LIVE};
    outcome = tp_pin_turn(pool, &generation, pin);
  }
  if (TP_MISUSE(outcome == TP_PIN_STALE)) raise_stale(pool, object, site);
  if (TP_MISUSE(outcome == TP_PIN_ALREADY)) {
    tp_raise_slot(TP_FAULT_PIN, pool, (uint32_t)slot, 0, pin, !pin, site);
  }
}

TP_NOINLINE void tp_pool_pin(const struct tp_pool *pool, void *object)
{
  change(pool, object, true, tp_site(NULL));
}

TP_NOINLINE void tp_pool_unpin(const struct tp_pool *pool, void *object)
{
  change(pool, object, false, tp_site(NULL));
}
