// SPDX-License-Identifier: MIT
#include "draw.h"

#include "screen.h"
#include "tp_pools.h"

struct order {
  union {
    struct order *next;
    uint64_t room;  // For a pointer of any machine.
  };
  int16_t column, row;  // 1/16 pixel.
  uint32_t shade;
};

static struct order *orders;  // What this frame wrote, the newest first.
static struct order *shown;   // What the frame before wrote.

void draw(int32_t x, int32_t y, uint32_t shade)
{
  struct order *order = draw_alloc(sizeof *order, _Alignof(struct order));
  if (!order) return;
  *order = (struct order){.next = orders,
                          .column = (int16_t)(x / 16),
                          .row = (int16_t)(y / 16),
                          .shade = shade};
  orders = order;
}

void draw_show(void)
{
  for (const struct order *order = shown; order; order = order->next) {
    screen_dot(order->column * 16, order->row * 16, order->shade);
  }
  shown = orders;
  orders = 0;
  draw_end();
}
