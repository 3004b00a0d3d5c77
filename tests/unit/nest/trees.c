// SPDX-License-Identifier: MIT
#include "nest.h"

void forget_nest(const struct tp_nest *nest)
{
  *nest->state = (struct tp_nest_state){{NULL, NULL}};
  *nest->as.dstack.state = (struct tp_dstack_state){0};
}

struct tp_build drop_row(uint16_t count)
{
  return (struct tp_build){
      .size = 12,
      .count = count,
      .align = 4,
      .refuses = 1,
      .policy = &tp_drop,
  };
}

uint32_t used_of(const struct tp_nest *nest)
{
  struct tp_stats low, high = {0};
  if (nest->kind == TP_NEST_STACK) {
    tp_stack_stats(&nest->as.stack, &low);
  } else {
    tp_dstack_stats(&nest->as.dstack, TP_LOW, &low);
    tp_dstack_stats(&nest->as.dstack, TP_HIGH, &high);
  }
  return low.live + high.live;
}
