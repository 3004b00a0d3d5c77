// SPDX-License-Identifier: MIT
// tp_family.h - internal: who is whose in a nest.
#ifndef TP_FAMILY_H
#define TP_FAMILY_H

#include "allocator/tp_nest.h"
#include "tp_port.h"

// The newest child at the low end, else the newest at the high. NULL: none.
TP_INLINE const struct tp_nest *tp_family_child(const struct tp_nest *nest)
{
  const struct tp_nest_state *state = nest->state;
  if (!state) return NULL;
  return state->newest[TP_LOW] ? state->newest[TP_LOW] : state->newest[TP_HIGH];
}

// The sibling that comes after [nest]: older ones first, then the other end.
// NULL: none.
TP_INLINE const struct tp_nest *tp_family_sibling(const struct tp_nest *nest)
{
  if (nest->older || nest->end == TP_HIGH) return nest->older;
  return nest->parent->state->newest[TP_HIGH];
}

#endif
