// SPDX-License-Identifier: MIT
// level.c - memory with an order: a level on a stack, unpacked from one end of
// another to its other end; windows that open within windows; scratch paper.
#include "allocator/tp_nest.h"
#include "dungeon.h"

enum { LEVEL_FRAMES = 900, WINDOW_FRAMES = 240, ROW_WORDS = 8 };

static struct tp_mark entrance;
static uint32_t *rooms[8];

// A room of the level: read packed, written unpacked.
static uint32_t *unpack_room(void)
{
  struct tp_mark packed = unpack_mark(TP_LOW);
  struct tp_mark done = unpack_mark(TP_HIGH);
  uint32_t *from = unpack_alloc(TP_LOW, 64, 8);
  uint32_t *to = unpack_alloc(TP_HIGH, 256, 8);
  uint32_t *room = level_alloc(ROW_WORDS * sizeof(uint32_t), 4);
  for (uint32_t i = 0; from && to && room && i < ROW_WORDS; i++) {
    from[i] = dungeon_chance(256);
    to[i] = from[i] * 0x01010101u;
    room[i] = to[i];
  }
  unpack_release(TP_HIGH, done);
  unpack_release(TP_LOW, packed);
  return room;
}

static void enter(void)
{
  entrance = level_mark();
  for (uint32_t i = 0; i < 8; i++) rooms[i] = unpack_room();
}

// Notes that nobody needs for longer than it takes to write them.
static void scribble(void)
{
  TP_STACK_SCOPE until_the_end = {&level_stack, level_mark()};
  uint32_t *paper = scratch_alloc(4 + dungeon_chance(128), 4);
  uint32_t *sum = level_alloc(sizeof *sum, 4);
  uint8_t *note = level_alloc_block(16 + dungeon_chance(64), 4);
  uint8_t *margin = unpack_alloc_block(TP_HIGH, 24, 8);
  if (paper && sum) *sum = paper[0] = tp_clock_now;
  if (note) note[0] = 1;
  if (margin) unpack_free(TP_HIGH, margin);
  if (note) level_free(note);
}

void play_level(void)
{
  uint32_t frame = dungeon_frame() % LEVEL_FRAMES;
  if (frame == 0) enter();
  scribble();
  if (frame != LEVEL_FRAMES - 1) return;
  level_release(entrance);
  tp_dstack_reset(&unpack_dstack, TP_LOW);
  tp_dstack_reset(&unpack_dstack, TP_HIGH);
}

static struct tp_nest window, list, paint, icons;
static bool is_open, has_icons;

static const struct tp_build icon_row = {
    .size = 16,
    .count = 8,
    .align = 8,
    .refuses = 1,
    .policy = &tp_drop,
};

static void open_window(void)
{
  if (!tp_nest_open_dstack(&window, &house_nest, TP_HIGH, "window", 1024,
                           TP_FULL_DROP)) {
    return;
  }
  is_open = true;
  (void)tp_nest_open_stack(&list, &window, TP_LOW, "list", 256, TP_FULL_DROP);
  (void)tp_nest_open_frame(&paint, &window, TP_HIGH, "paint", 128, 2,
                           TP_FULL_DROP);
  has_icons = tp_nest_open_pool(&icons, &window, TP_HIGH, "icons", &icon_row);
}

static void count_bytes(const struct tp_nest_item *item, void *context)
{
  uint32_t *bytes = context;
  *bytes += item->bytes;
}

static void close_window(void)
{
  uint32_t bytes = 0;
  tp_nest_walk(&house_nest, count_bytes, &bytes);
  if (has_icons) tp_nest_close(&icons);
  tp_nest_close(&paint);
  tp_nest_close(&list);
  tp_nest_close(&window);
  is_open = false;
}

static void use_window(void)
{
  if (tp_dstack_room(tp_nest_dstack(&window)) < UINT32_MAX) {
    (void)tp_stack_alloc(tp_nest_stack(&list), 4, 4);
  }
  (void)tp_frame_alloc(tp_nest_frame(&paint), 32, 4);
  tp_frame_end(tp_nest_frame(&paint));
  void *icon = has_icons ? tp_pool_alloc(tp_nest_pool(&icons)) : 0;
  if (icon) tp_pool_free(tp_nest_pool(&icons), icon);
}

void play_windows(void)
{
  uint32_t frame = dungeon_frame() % WINDOW_FRAMES;
  if (frame == 0) open_window();
  if (is_open) use_window();
  if (frame == WINDOW_FRAMES / 2 && is_open) {
    tp_stack_reset(tp_nest_stack(&list));
  }
  if (frame == WINDOW_FRAMES - 1 && is_open) close_window();
}
