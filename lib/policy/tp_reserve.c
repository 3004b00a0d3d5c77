// SPDX-License-Identifier: MIT
#include "policy/tp_reserve.h"

#include "tp_port.h"

void *tp_reserve_overflow(const struct tp_pool *pool, uint32_t *tag,
                          tp_site_t site)
{
  const struct tp_spill *spill = tp_spill_of(pool);
  void *object = spill->then->overflow(pool, tag, site);
  if (object || !tp_chunk_has_room(spill->into)) return object;
  uint32_t key = tp_port_lock();
  pool->state->refused_by_rule++;
  tp_port_unlock(key);
  return NULL;
}
