// SPDX-License-Identifier: MIT
// tp_ask_free.c - what is given back and must be refused, by pools of the
// firmware's as well: a free that is refused changes nothing.
#include "core/tp_slot.h"
#include "tp_ask.h"

static tp_word_t outside[4];

// The pool of [entry], if a wrong free is the library's own affair.
static const struct tp_pool *askable(const struct tp_entry *entry)
{
  const struct tp_pool *pool = (const struct tp_pool *)entry->allocator;
  bool plain = entry->kind == &tp_pool_kind && !pool->takes_foreign;
  return plain && pool->capacity && tp_soak_is_ours(pool) ? pool : NULL;
}

const struct tp_pool *tp_ask_any_pool(void)
{
  uint32_t index = tp_ask_below(tp_ask_registry->count);
  const struct tp_pool *pool =
      tp_ask_registry->count ? askable(tp_ask_registry->entries[index]) : NULL;
  return pool ? pool : &tp_ask_plain_pool;
}

static bool refuses(const struct tp_pool *pool, void *object, uint32_t kind)
{
  return tp_ask_fault(tp_ask_do_free, pool, object) == kind;
}

// While all of its slots are live, so that any that is freed instead is missed.
static bool refuses_full(void *object, uint32_t kind)
{
  const struct tp_pool *pool = &tp_ask_plain_pool;
  void *objects[TP_ASK_SLOTS];
  for (uint32_t i = 0; i < TP_ASK_SLOTS; i++) objects[i] = tp_pool_alloc(pool);
  bool right = refuses(pool, object, kind);
  for (uint32_t i = 0; i < TP_ASK_SLOTS; i++) tp_pool_free(pool, objects[i]);
  return right;
}

static uintptr_t inside(const struct tp_pool *pool)
{
  uintptr_t slot = tp_slot_address(pool, 1 + tp_ask_below(pool->capacity));
  return slot + 1 + tp_ask_below(pool->stride - 1u);
}

// What a typed call of [pool] makes of [object]: where its link would be. Only
// of such an address is it asked whether it lies in the pool.
static uintptr_t given(const struct tp_pool *pool, const void *object)
{
  return (uintptr_t)object + tp_record_lead(pool);
}

static bool foreign(void)
{
  const struct tp_pool *pool = tp_ask_any_pool();
  uintptr_t end = tp_slot_address(pool, pool->capacity + 1u);
  uintptr_t other = given(pool, &outside[tp_ask_below(4)]);
  return refuses(pool, (void *)other, TP_FAULT_FOREIGN) &&
         refuses(pool, (void *)end, TP_FAULT_FOREIGN) &&
         refuses_full(&outside[tp_ask_below(4)], TP_FAULT_FOREIGN);
}

static bool nothing(void)
{
  return refuses(tp_ask_any_pool(), NULL, TP_FAULT_FOREIGN) &&
         refuses_full(NULL, TP_FAULT_FOREIGN);
}

static bool interior(void)
{
  const struct tp_pool *pool = tp_ask_any_pool();
  return refuses(pool, (void *)inside(pool), TP_FAULT_INTERIOR) &&
         refuses_full((void *)inside(&tp_ask_plain_pool), TP_FAULT_INTERIOR);
}

// The one that was freed last, of a pool of the firmware's; else one of ours.
static bool twice(void)
{
  const struct tp_pool *pool = tp_ask_any_pool();
  uint32_t top = tp_list_top(pool);
  if (top) {
    return refuses(pool, tp_list_words(pool, top), TP_FAULT_DOUBLE_FREE);
  }
  void *object = tp_pool_alloc(&tp_ask_plain_pool);
  tp_pool_free(&tp_ask_plain_pool, object);
  return refuses(&tp_ask_plain_pool, object, TP_FAULT_DOUBLE_FREE);
}

// After which the slot comes once, not twice.
static bool twice_in_a_row(void)
{
  const struct tp_pool *pool = &tp_ask_plain_pool;
  void *one = tp_pool_alloc(pool), *other = tp_pool_alloc(pool);
  tp_pool_free(pool, one);
  tp_pool_free(pool, other);
  bool right = refuses(pool, one, TP_FAULT_DOUBLE_FREE);
  return right && tp_pool_live(pool) == 0 && tp_pool_verify(pool, NULL);
}

const struct tp_question tp_ask_free[] = {
    {"a foreign pointer is refused", foreign, TP_CHECKS_FAST},
    {"NULL is refused", nothing, TP_CHECKS_FAST},
    {"a pointer into a slot is refused", interior, TP_CHECKS_FAST},
    {"a second free is refused", twice, TP_CHECKS_FAST},
    {"a second free is refused, others between", twice_in_a_row,
     TP_CHECKS_FAST},
    {0},
};
