// SPDX-License-Identifier: MIT
// game_loop - a fountain. Each frame creates sparks, lets all of them live for
// a frame, and draws them from memory that is given back as a whole.
#include "print.h"
#include "soaked.h"
#include "tp_pools.h"

enum { FRAMES = 120, SPARKS_A_FRAME = 2 };

static uint32_t born, refused, drawn;

// The table names it: what sparks_create() makes of a new slot.
bool spark_init(struct spark *spark, void *context)
{
  const uint32_t *number = context;
  *spark = (struct spark){
      .vx = (int16_t)(*number % 7 - 3), .vy = 20, .frames_left = SPARK_FRAMES};
  return true;
}

// And that: whom sparks_update() still moves. A slot that is free says no.
bool spark_flies(const struct spark *spark)
{
  return spark->frames_left - 1 < SPARK_FRAMES;
}

// A frame of one spark. After its last it is given back.
static bool move(void *object, void *context)
{
  struct spark *spark = object;
  (void)context;
  spark->x = (int16_t)(spark->x + spark->vx);
  spark->y = (int16_t)(spark->y + spark->vy--);
  return --spark->frames_left > 0;
}

// Puts a dot in front of the list that [context] points to.
static void draw(void *object, void *context)
{
  const struct spark *spark = object;
  struct dot **list = context;
  struct dot *dot = drawing_alloc(sizeof *dot, _Alignof(struct dot));
  if (!dot) return;  // A frame without this dot.
  *dot = (struct dot){*list, spark->x, spark->y};
  *list = dot;
}

static void show(const struct dot *dot)
{
  for (; dot; dot = dot->next) drawn++;
}

static void play_frame(void)
{
  for (int i = 0; i < SPARKS_A_FRAME; i++, born++) {
    if (!sparks_create(&born)) refused++;
  }
  sparks_update(move, NULL);
  struct dot *list = NULL;
  sparks_walk(draw, &list);
  show(list);
  drawing_end();
}

#if TIDEPOOL_SOAK
int main(void)
{
  tp_soak_begin(&soak);
  while (soak.frame < soak.frames) {
    play_frame();
    soak.hash = soak.hash * 31 + born + refused;
    tp_soak_frame(&soak);
  }
  tp_soak_end(&soak);
}
#else
int main(void)
{
  for (int frame = 0; frame < FRAMES; frame++) play_frame();
  print_number("", born, " sparks asked for, ");
  print_number("", refused, " refused, ");
  print_number("", drawn, " dots drawn\n");
  struct tp_stats drawing;
  tp_frame_stats(&drawing_frame, &drawing);
  print_number("most memory of a frame: ", drawing.peak, " bytes\n");
  return 0;
}
#endif
