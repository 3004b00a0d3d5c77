// SPDX-License-Identifier: MIT
#include "debris.h"

#include "random.h"
#include "scenario.h"
#include "screen.h"
#include "tp_pools.h"

enum { FLICKER = 4 };

static struct random *const chance = &streams[STREAM_DEBRIS];
static struct piece *pieces[DEBRIS_COUNT + RUBBLE_COUNT];
static uint32_t count;

void debris_scatter(int32_t x, int32_t y, uint32_t wanted)
{
  for (uint32_t i = 0; i < wanted; i++) {
    const struct piece broken = {
        .x = x,
        .y = y,
        .dx = (int16_t)((int32_t)random_below(chance, 256) - 128),
        .frames_left = (uint16_t)random_between(
            chance, scenario.spark_frames_low, scenario.spark_frames_high)};
    struct piece *piece = debris_alloc();
    if (!piece) continue;
    *piece = broken;
    pieces[count++] = piece;
  }
}

static void vanish(uint32_t index)
{
  debris_free(pieces[index]);
  pieces[index] = pieces[--count];
}

// From the last to the first: who takes the place of a lost one has moved.
void debris_update(void)
{
  for (uint32_t i = count; i-- > 0;) {
    struct piece *piece = pieces[i];
    piece->x += piece->dx;
    if (piece->frames_left % FLICKER == 0) {
      screen_dot(piece->x, piece->y, COLOUR_GREY);
    }
    if (--piece->frames_left == 0) vanish(i);
  }
  (void)tp_chunk_release(&rubble_chunk);
}

uint32_t debris_pieces(void)
{
  return count;
}

const struct piece *debris_piece(uint32_t index)
{
  return pieces[index];
}
