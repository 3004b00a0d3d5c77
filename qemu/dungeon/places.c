// SPDX-License-Identifier: MIT
// places.c - halls and caves, between which one walks or falls: the same memory
// has other things in each.
#include "dungeon.h"

enum { PLACE_FRAMES = 1700, PARTS = 12 };

// A walk leaves nothing behind.
static void clean_up(void)
{
  dwarfs_clear();
  torches_clear();
  tp_pool_reset(&gems_pool);
  tp_stack_reset(&baggage_stack);
  tp_dstack_reset(&unpack_dstack, TP_LOW);
  tp_dstack_reset(&unpack_dstack, TP_HIGH);
  scratch_end();
  drop_texts(true);
  motes_reset();
  sparks_reset();
}

static void walk(uint32_t place)
{
  struct tp_scene_holder holders[PARTS];
  uint32_t left = scenes_switch(place, holders);
  if (left > 0 && holders[0].live > 0) clean_up();
  if (left > 0) (void)scenes_switch(place, NULL);
}

// A fall takes all that there is.
static void fall(uint32_t place)
{
  drop_texts(false);
  scenes_force(place);
}

void play_places(void)
{
  uint32_t place =
      scenes_current() == TP_SCENE_HALL ? TP_SCENE_CAVE : TP_SCENE_HALL;
  if (dungeon_frame() % PLACE_FRAMES != 0) return;
  if (dungeon_chance(2) == 0) {
    walk(place);
  } else {
    fall(place);
  }
}

void play_baggage(void)
{
  uint32_t *thing = baggage_alloc(4 + dungeon_chance(60), 4);
  if (thing) *thing = tp_clock_now;
  if (!thing && dungeon_chance(9) == 0) tp_stack_reset(&baggage_stack);
}
