// SPDX-License-Identifier: MIT
// tp_ask_damage.c - damage that the soak does itself, to a pool of its own: it
// must be named by the next call that comes by, and by tp_pool_verify().
#define TP_HARDENED 1  // It knows such pools.

#include "config/tp_define.h"
#include "core/tp_core.h"
#include "tp_ask.h"

static struct tp_age_link ages[TP_ASK_SLOTS + 1];
TP_POOL_DEFINE_TAGGED(tp_ask_hurt, TP_ASK_BYTES, TP_ASK_SLOTS, 4,
                      .policy = &tp_drop, .refuses = 1, .age = ages);
static const struct tp_pool *const pool = &tp_ask_hurt_pool;

static uint32_t any_bit(uint32_t bits)
{
  return 1u << tp_ask_below(bits);
}

// Slots that were freed, all of them; the words of the last.
static tp_word_t *dead(void)
{
  static void *objects[TP_ASK_SLOTS];
  uint32_t most = 1 + tp_ask_below(TP_ASK_SLOTS);
  tp_ask_empty(pool);
  for (uint32_t i = 0; i < most; i++) objects[i] = tp_pool_alloc(pool);
  for (uint32_t i = 0; i < most; i++) tp_pool_free(pool, objects[i]);
  return (tp_word_t *)objects[most - 1];
}

static bool calls_it(const struct tp_pool *which, uint32_t broken)
{
  struct tp_finding finding;
  return !tp_pool_verify(which, &finding) && finding.broken == broken;
}

static bool is_called(uint32_t broken)
{
  return calls_it(pool, broken);
}

static bool alloc_faults(uint32_t kind)
{
  return tp_ask_fault(tp_ask_do_alloc, pool, NULL) == kind;
}

static void scrub(const struct tp_pool *which, void *object)
{
  (void)object;
  tp_pool_scrub(which, which->capacity);
}

// From bit 15 on: what it then leads to is no slot, or counts wrong.
static bool link_hurt(void)
{
  tp_ask_flip(dead(), 0x8000u << tp_ask_below(17));
  bool right = is_called(TP_BROKEN_LINK);
  return alloc_faults(TP_FAULT_LINK) && right;
}

// In a pool of the firmware's that is whole, while nobody can come by.
static bool any_link_hurt(void)
{
  const struct tp_pool *any = tp_ask_any_pool();
  uint32_t bit = 0x8000u << tp_ask_below(17), key = tp_port_lock();
  uint32_t top = tp_pool_verify(any, NULL) ? tp_list_top(any) : 0;
  tp_word_t *link =
      top ? tp_list_link(any, tp_list_words(any, top), tp_list_slot(any, top))
          : NULL;
  if (top) tp_ask_flip(link, bit);
  bool right = !top || calls_it(any, TP_BROKEN_LINK);
  if (top) tp_ask_flip(link, bit);
  tp_port_unlock(key);
  if (!top) tp_ask_skip();
  return right;
}

static bool tag_hurt(void)
{
  uint32_t slot = (uint32_t)tp_slot_of(pool, dead());
  pool->tag[slot] |= TP_LIVE;
  bool right = is_called(TP_BROKEN_LIST);
  return alloc_faults(TP_FAULT_TAG) && right;
}

static bool ring_hurt(void)
{
  (void)dead();
  (void)tp_pool_alloc(pool);
  ages[0].newer ^= (tp_slot_t)any_bit(16);
  return is_called(TP_BROKEN_AGE);
}

static bool bytes_hurt(void)
{
  tp_ask_flip(dead() + 1 + tp_ask_below(TP_ASK_BYTES / 4 - 1), any_bit(32));
  bool right = is_called(TP_BROKEN_POISON);
  right &= tp_ask_fault(scrub, pool, NULL) == TP_FAULT_POISON;
  return alloc_faults(TP_FAULT_POISON) && right;
}

static bool zone_hurt(void)
{
  tp_ask_empty(pool);
  void *object = tp_pool_alloc(pool);
  uint8_t *end = (uint8_t *)object + pool->size;
  uint8_t *hurt = tp_ask_below(2) ? end : end - pool->stride;
  tp_ask_flip(hurt, any_bit(32));
  bool right = is_called(TP_BROKEN_ZONE);
  right &= tp_ask_fault(tp_ask_do_free, pool, object) == TP_FAULT_RED_ZONE;
  return right;
}

static bool poisoned(void)
{
  const tp_word_t *words = dead();
  bool right = true;
  for (uint32_t i = 1; i < TP_ASK_BYTES / 4; i++) {
    right &= tp_ask_peek(words + i) == TP_POISON;
  }
  right &= tp_pool_alloc(pool) == words;
  for (uint32_t i = 0; i < TP_ASK_BYTES / 4; i++) {
    right &= tp_ask_peek(words + i) == TP_POISON_NEW;
  }
  return right;
}

const struct tp_question tp_ask_damage[] = {
    {"a damaged link is named", link_hurt, TP_CHECKS_FAST},
    {"a damaged link is named, in any pool", any_link_hurt, TP_CHECKS_FAST},
    {"a damaged tag is named", tag_hurt, TP_CHECKS_FAST},
    {"a damaged ring of ages is named", ring_hurt, TP_CHECKS_FAST},
    {"a write to a free slot is named", bytes_hurt, TP_CHECKS_POISON},
    {"a damaged red zone is named", zone_hurt, TP_CHECKS_FULL},
    {"what is free, and what is new, is poison", poisoned, TP_CHECKS_POISON},
    {0},
};
