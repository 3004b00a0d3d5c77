// SPDX-License-Identifier: MIT
// tp_life.h - internal: is a life that somebody remembers still going on?
#ifndef TP_LIFE_H
#define TP_LIFE_H

#include "core/tp_pin.h"
#include "tp_port.h"

// Wants the pool locked, for what follows to be true, and its tags kept.
/*@ requires \valid_read(pool) && \valid_read(life);
    requires \valid_read(pool->tag + life->slot);
    assigns \nothing;
    ensures \result <==> life_held(pool, life); */
TP_INLINE bool tp_life_held(const struct tp_pool *pool,
                            const struct tp_life *life)
{
  return ((pool->tag[life->slot] ^ life->tag) & life->mask) == 0;
}

#endif
