// SPDX-License-Identifier: MIT
#include "draw.h"

#include "plant.h"
#include "site.h"
#include "tp_pools.h"

// No pointer in it: it is as large on every machine.
struct order {
  uint32_t next;  // Where it lies, in bytes from the storage's begin.
  int32_t x, y;
  uint32_t kind;
};

// A list, newest first, and what its orders add up to.
struct list {
  uint32_t head, count, sum;
};

static struct list now, shown;
static uint32_t spoilt;   // Lists that changed before they were shown.
static uint32_t drifted;  // Frames that used more than was drawn.
static uint32_t padding;  // Bytes that a planted bug adds to each frame.

static struct order *order_at(uint32_t offset)
{
  return (struct order *)(void *)(draw_frame.region.storage + offset / 4);
}

static uint32_t sum_of(const struct order *order)
{
  return (uint32_t)(order->x * 31 + order->y) * 31 + order->kind;
}

void draw(int32_t x, int32_t y, uint32_t kind)
{
  struct order *order = 0;
  if (site_begin(SITE_DRAW)) {
    order = draw_alloc(sizeof *order, _Alignof(struct order));
  }
  site_end(SITE_DRAW);
  if (!order) return;
  *order = (struct order){now.head, x, y, kind};
  now.head =
      (uint32_t)((uintptr_t)order - (uintptr_t)draw_frame.region.storage);
  now.count++;
  now.sum += sum_of(order);
}

static void show(const struct list *list)
{
  uint32_t sum = 0;
  for (uint32_t i = 0, at = list->head; i < list->count; i++) {
    sum += sum_of(order_at(at));
    at = order_at(at)->next;
  }
  spoilt += sum != list->sum;
}

// A scratch buffer that somebody lets grow by a byte every frame.
static void drift(void)
{
  if (!plant_strikes(PLANT_FRAME_DRIFT, 0, 0)) return;
  (void)draw_alloc(++padding, 1);
}

void draw_show(struct hash *hash)
{
  show(&shown);
  hash_add(hash, shown.sum);
  drift();
  struct tp_stats stats;
  tp_frame_stats(&draw_frame, &stats);
  drifted += stats.live != now.count * sizeof(struct order);
  shown = now;
  now = (struct list){0, 0, 0};
  site_begin(SITE_DRAW_END);
  draw_end();
  site_end(SITE_DRAW_END);
}

const char *draw_audit(void)
{
  if (spoilt) return "draw: a list changed before it was shown";
  return drifted ? "draw: a frame used more than was drawn" : 0;
}
