// SPDX-License-Identifier: MIT
// folk.c - who goes elsewhere when it is crowded, and is known by name wherever
// that is.
#include "dungeon.h"
#include "tp_pools.h"

enum { KNOWN = 8 };  // More than there is room for.

void play_fairies(void)
{
  static fairies_handle_t known[KNOWN];
  fairies_handle_t *name = &known[dungeon_chance(KNOWN)];
  if (dungeon_chance(10) != 0) return;
  struct spirit *fairy = fairies_pin_handle(*name);
  if (!fairy) {
    fairy = fairies_alloc_handle(name);
    if (fairy) *fairy = (struct spirit){.strength = 1 + dungeon_chance(50)};
    return;
  }
  fairy->number++;
  *name = fairies_handle(fairy);
  (void)fairies_unpin_handle(*name);
  if (fairies_get(*name)->number > 9) (void)fairies_free_handle(*name);
}

// Of whom there have been more than a shorter name could tell apart.
void play_pixies(void)
{
  static pixies_handle_t known[KNOWN];
  pixies_handle_t *name = &known[dungeon_chance(KNOWN)];
  if (dungeon_chance(10) != 0) return;
  struct spirit *pixie = pixies_pin_handle(*name);
  if (!pixie) {
    pixie = pixies_alloc_handle(name);
    if (pixie) *pixie = (struct spirit){.strength = 1 + dungeon_chance(50)};
    return;
  }
  pixie->number++;
  *name = pixies_handle(pixie);
  (void)pixies_unpin_handle(*name);
  if (pixies_get(*name)->number > 9) (void)pixies_free_handle(*name);
}

static bool fade(void *object, void *context)
{
  struct elf *imp = object;
  (void)context;
  return --imp->frames_left > 0;
}

void play_imps(void)
{
  static imps_handle_t leader;
  uint32_t strength = 1 + dungeon_chance(50);
  if (dungeon_chance(50) == 0) (void)imps_create_handle(&strength, &leader);
  imps_update(fade, 0);
  struct elf *imp = imps_get(leader);
  if (imp && imp->strength < 5) imps_destroy(imp);
}
