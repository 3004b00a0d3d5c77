// SPDX-License-Identifier: MIT
#include "tidepool.h"

#include "policy/tp_steal.h"

/*@ requires pool_memory(pool) && pool_sound(pool) && pool->age != \null;
    requires pool_evicts(pool) && tp_clock < 0x7fffffffffffffff;
    requires tag_memory(pool, tag);
    assigns TP_CHANGES(pool), *tag;
    TP_ENSURES_SOUND(0 == 0, pool);
    ensures answers: answers(pool, \result, tag);
    ensures oldest: \result != \null ==> \exists integer s;
      object_words(\result) == slot_words(pool, s) && \old(oldest(s));
    ensures none: \result == \null ==> \old(guarded(pool)); */
static void *steal(const struct tp_pool *pool, uint32_t *tag, tp_site_t site)
{
  return tp_steal_core(pool, pool->lock, tag, site);
}

const struct tp_policy tp_steal_oldest = {.overflow = steal};
