// SPDX-License-Identifier: MIT
#include "player.h"

#include "draw.h"
#include "particles.h"
#include "random.h"
#include "sounds.h"

enum { SHIP = 24 * PIXEL, RANGE = WIDTH - SHIP, SPARKS = 4, HIT_SAMPLE = 8 };

static struct random *const chance = &streams[STREAM_PLAYER];
static int32_t x = RANGE / 2, goal = RANGE / 2;
static uint32_t hits;

// A few pixels nearer to where it wants to be; there, it wants to be elsewhere.
void player_update(void)
{
  int32_t way = goal - x;
  int32_t step = way / 16;
  x += step;
  if (step == 0) goal = (int32_t)random_below(chance, RANGE / 2) * 2;
  draw(x, PLAYER_TOP, COLOUR_CYAN, SHAPE_SHIP);
}

int32_t player_x(void)
{
  return x;
}

bool player_is_hit(int32_t at_x, int32_t at_y)
{
  if (at_y < PLAYER_TOP || at_x < x || at_x >= x + SHIP) return false;
  hits++;
  particles_burst(at_x, at_y, SPARKS);
  sounds_play(20, HIT_SAMPLE);
  return true;
}

uint32_t player_hits(void)
{
  return hits;
}
