// SPDX-License-Identifier: MIT
// An image that names nothing of this links nothing of it.
#define TP_HARDENED 1

#include "core/tp_core.h"
#include "core/tp_sound.h"
#include "core/tp_sum.h"
#include "policy/tp_steal.h"

static void *ask_policy(const struct tp_pool *pool, uint32_t lock,
                        uint32_t *tag, tp_site_t site)
{
  (void)lock;
  return pool->policy->overflow(pool, tag, site);
}

void *tp_hardened_extend(const struct tp_pool *pool, uint32_t *tag,
                         tp_site_t site)
{
  return tp_core_extend(pool, false, pool->lock, ask_policy, tag, site);
}

void *tp_hardened_alloc(const struct tp_pool *pool, uint32_t *tag,
                        tp_site_t site)
{
  return tp_core_alloc(pool, false, pool->lock, tp_hardened_extend, tag, NULL,
                       site);
}

static void hardened_free(const struct tp_pool *pool, void *object,
                          tp_site_t site)
{
  tp_core_free(pool, false, pool->lock, tp_hardened_foreign, object, site);
}

const struct tp_general tp_hardened_general = {tp_hardened_alloc,
                                               hardened_free};

static void *steal(const struct tp_pool *pool, uint32_t *tag, tp_site_t site)
{
  return tp_steal_core(pool, pool->lock, tag, site);
}

const struct tp_policy tp_hardened_oldest = {.overflow = steal};

// Faults.

// The word of the code that [tag] differs from in one bit; 0 if none does.
static uint32_t nearest(uint32_t tag)
{
  for (uint32_t bit = 0; bit < 32; bit++) {
    if (tp_code_has(tag ^ 1u << bit)) return tag ^ 1u << bit;
  }
  return 0;
}

void tp_hardened_raise_tag(const struct tp_pool *pool, uint32_t slot,
                           tp_site_t site)
{
  uint32_t tag = pool->tag[slot];
  tp_raise_slot(TP_FAULT_TAG, pool, slot, 0, tag, nearest(tag), site);
}

void tp_hardened_raise_link(const struct tp_pool *pool, uint32_t word,
                            tp_site_t site)
{
  tp_list_raise(pool, word, site);
}

void tp_hardened_raise_count(const struct tp_pool *pool, tp_site_t site)
{
  tp_raise_slot(TP_FAULT_INVARIANT, pool, 0, 0, pool->state->fresh,
                tp_list_live(pool), site);
}

void tp_hardened_stale(const struct tp_pool *pool, uint32_t slot,
                       tp_site_t site)
{
  if (!tp_code_has(pool->tag[slot])) tp_hardened_raise_tag(pool, slot, site);
}

void tp_hardened_foreign(const struct tp_pool *pool, void *object,
                         tp_site_t site)
{
  uintptr_t slot = tp_slot_of(pool, object);
  if (tp_tag_coded(pool) && slot - 1 < pool->capacity) {
    tp_hardened_stale(pool, (uint32_t)slot, site);
  }
  tp_pool_foreign(pool, object, site);
}

// What other calls would do wrong.

static void take_back_all(const struct tp_pool *pool, tp_site_t site)
{
  tp_sound_whole(pool, site);
  for (uint32_t slot = pool->state->fresh; slot > 0; slot--) {
    if (tp_tag_coded(pool)) tp_hardened_stale(pool, slot, site);
    if (pool->tag[slot] < TP_LIVE) continue;
    hardened_free(pool, tp_slot_words(pool, slot), site);
  }
}

void tp_hardened_reset(const struct tp_pool *pool, tp_site_t site)
{
  bool known = tp_tag_closed(pool) && tp_tag_kept(pool);
  if (known) take_back_all(pool, site);
  if (tp_links_outside(pool)) {
    tp_pool_forget(pool);  // The order of their addresses again, with no links.
  } else {
    tp_pool_reset_for(pool, site);
  }
}

void tp_hardened_stats(const struct tp_pool *pool, struct tp_stats *stats)
{
  if (!tp_tag_coded(pool)) {
    tp_pool_sum(pool, stats);
    return;
  }
  tp_sum_stats(pool, stats);
}
