// SPDX-License-Identifier: MIT
#include "nest.h"

#include "config/tp_define.h"

TP_NEST_DEFINE(root, 4096, 0, TP_NO_BANK, NULL, .full = TP_FULL_DROP);
TP_NEST_DEFINE(strict, 256, 0, TP_NO_BANK, NULL, .full = TP_FULL_ASSERT);

TP_FRAME_DEFINE(draw, 128, 2, TP_IN_NEST("ram", "town", "0low", "draw"),
                .full = TP_FULL_DROP);
TP_STACK_DEFINE(level, 256, TP_IN_NEST("ram", "town", "2high", "level"),
                .full = TP_FULL_DROP);
TP_POOL_DEFINE(guards, 8, 5, 8, TP_IN_NEST("ram", "town", "2high", "guards"),
               TP_TAGS_IF_CHECKED, .policy = &tp_drop, .refuses = 1);
static const struct tp_nest_row town_rows[] = {
    TP_NEST_ROW_FRAME(draw, TP_LOW),
    TP_NEST_ROW_STACK(level, TP_HIGH),
    TP_NEST_ROW_POOL(guards, TP_HIGH),
};
TP_NEST_DEFINE(town, 2048,
               TP_NEST_TAKES(draw) + TP_NEST_TAKES(level) +
                   TP_NEST_TAKES(guards),
               TP_IN_NEST("ram", "town", "1free", "town"), town_rows,
               .full = TP_FULL_DROP);

void forget_nest(const struct tp_nest *nest)
{
  *nest->state = (struct tp_nest_state){{NULL, NULL}};
  *nest->as.dstack.state = (struct tp_dstack_state){0};
}

struct tp_build drop_row(uint16_t count)
{
  return (struct tp_build){
      .size = 12, .count = count, .align = 4, .refuses = 1, .policy = &tp_drop};
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
