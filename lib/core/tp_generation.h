// SPDX-License-Identifier: MIT
// tp_generation.h - internal: is a life that somebody remembers still going on?
#ifndef TP_GENERATION_H
#define TP_GENERATION_H

#include "core/tp_pin.h"
#include "tp_port.h"

// Wants the pool locked, for what follows to be true, and its tags kept.
/*@ requires \valid_read(pool) && \valid_read(generation);
    requires \valid_read(pool->tag + generation->slot);
    assigns \nothing;
    ensures \result <==> generation_holds(pool, generation); */
TP_INLINE bool tp_generation_holds(const struct tp_pool *pool,
                                   const struct tp_generation *generation)
{
  return ((pool->tag[generation->slot] ^ generation->tag) & generation->mask) ==
         0;
}

#endif
