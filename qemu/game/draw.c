// SPDX-License-Identifier: MIT
#include "draw.h"

#include "tp_pools.h"

static struct draw_list *lists;  // What this frame wrote, the newest first.
static struct draw_list *shown;  // What the frame before wrote.

struct draw_list *draw_begin(uint32_t most)
{
  size_t bytes = sizeof(struct draw_list) + most * sizeof(struct sprite);
  struct draw_list *list =
      draw_alloc((bytes + 7u) & ~7u, _Alignof(struct draw_list));
  if (!list) return 0;
  list->next = lists;
  list->count = 0;
  return lists = list;
}

void draw(int32_t x, int32_t y, uint32_t colour, uint32_t shape)
{
  draw_add(draw_begin(1), x, y, colour, shape);
}

static void paint(const struct sprite *sprite)
{
  uint32_t bits = sprite->shape;
  for (uint32_t cell = 0; bits > 0; cell++, bits >>= 1) {
    if (bits & 1) {
      screen_cell(sprite->column + cell % 4, sprite->row + cell / 4,
                  sprite->colour);
    }
  }
}

void draw_show(void)
{
  for (const struct draw_list *list = shown; list; list = list->next) {
    for (uint32_t i = 0; i < list->count; i++) paint(&list->sprites[i]);
  }
  shown = lists;
  lists = 0;
  draw_end();
}
