// SPDX-License-Identifier: MIT
// monsters.c - objects with a beginning and an end: monsters that wander until
// they die, and torches that leave their soot to the next.
#include "dungeon.h"
#include "object/tp_retain.h"

static monsters_handle_t hunted;

bool monster_init(struct monster *monster, void *context)
{
  const uint32_t *place = context;
  *monster =
      (struct monster){.health = 10 + dungeon_chance(200), .place = *place};
  bool is_whole =
      tp_object_unset(&monsters_objects, monster) >= sizeof *monster;
  return is_whole && dungeon_chance(20) > 0;  // Some are stillborn.
}

void monster_died(struct monster *monster)
{
  monster->health = 0;
}

bool monster_lives(const struct monster *monster)
{
  return monster->health - 1 < 300;
}

// Returns false when it has wandered enough. Where it meets another, a third is
// born, which does not wander before the next frame.
static bool wander(void *object, void *context)
{
  struct monster *monster = object;
  (void)context;
  monster->place += dungeon_chance(3);
  if (dungeon_chance(900) == 0) (void)monsters_create(&monster->place);
  return --monster->health > 0;
}

static void look_at(void *object, void *context)
{
  const struct monster *monster = object;
  uint32_t *nearest = context;
  if (monster->place < *nearest) *nearest = monster->place;
}

static void hunt(void)
{
  struct monster *prey = monsters_get(hunted);
  if (prey && dungeon_chance(30) == 0) monsters_destroy(prey);
  if (dungeon_chance(90) == 0) (void)monsters_destroy_handle(hunted);
}

void play_monsters(void)
{
  uint32_t place = dungeon_chance(100), nearest = UINT32_MAX;
  if (dungeon_chance(6) == 0) (void)monsters_create(&place);
  if (dungeon_chance(60) == 0) (void)monsters_create_handle(&place, &hunted);
  monsters_update(wander, 0);
  monsters_walk(look_at, &nearest);
  hunt();
  if (dungeon_chance(600) == 0) monsters_audit();
  if (dungeon_chance(3600) == 0) monsters_clear();
}

bool torch_init(struct torch *torch, void *context)
{
  (void)context;
  torch->frames_left = 1 + dungeon_chance(400);
  torch->place = dungeon_chance(100);
  torch->soot[0]++;
  torch->soot[1]--;
  return dungeon_chance(30) > 0;  // Some are damp.
}

void torch_out(struct torch *torch)
{
  torch->frames_left = 0;
}

bool torch_burns(const struct torch *torch)
{
  return torch->frames_left - 1 < 400;
}

bool soot_is_good(void *part)
{
  const uint32_t *soot = part;
  return soot[0] + soot[1] + soot[2] + soot[3] == 0;
}

void soot_gone(void *part)
{
  uint32_t *soot = part;
  soot[0] = soot[1] = soot[2] = soot[3] = 0;
}

static bool burn(void *object, void *context)
{
  struct torch *torch = object;
  (void)context;
  return --torch->frames_left > 0;
}

// More at once than there are: those just lit are spared.
static void feast(void)
{
  for (uint32_t i = 0; i <= TORCHES_COUNT; i++) (void)torches_create(0);
}

// One is carried, until a gust puts it out, if it burns still.
static void carry(void)
{
  static torches_handle_t carried;
  if (dungeon_chance(60) == 0) (void)torches_create_handle(0, &carried);
  if (dungeon_chance(90) == 0) (void)torches_destroy_handle(carried);
}

void play_torches(void)
{
  if (dungeon_chance(12) == 0) (void)torches_create(0);
  carry();
  if (dungeon_chance(5400) == 0) feast();
  torches_update(burn, 0);
  if (dungeon_chance(1800) == 0) torches_audit();
  if (dungeon_chance(3600) == 0) torches_clear();
  if (dungeon_chance(7200) == 0) tp_retain_close(&torches_objects);
}

bool elf_init(struct elf *elf, void *context)
{
  const uint32_t *strength = context;
  *elf = (struct elf){.strength = *strength,
                      .frames_left = 1 + dungeon_chance(300)};
  return true;
}

void elf_leaves(struct elf *elf)
{
  elf->strength = elf->frames_left = 0;
}

bool elf_lives(const struct elf *elf)
{
  return elf->frames_left - 1 < 300;
}

uint32_t elf_strength(const struct elf *elf)
{
  return elf->strength;
}

static void look_at_elf(void *object, void *context)
{
  const struct elf *elf = object;
  uint32_t *weakest = context;
  if (elf->strength < *weakest) *weakest = elf->strength;
}

static bool grow_old(void *object, void *context)
{
  struct elf *elf = object;
  (void)context;
  return --elf->frames_left > 0;
}

// A moth that is born may take the place of this one.
static bool flutter(void *object, void *context)
{
  uint32_t strength = 1;
  if (dungeon_chance(600) != 0) return grow_old(object, context);
  moths_handle_t own = moths_handle(object);
  (void)moths_create(&strength);
  return !moths_get(own) || grow_old(object, context);
}

// One in the nook that is none of theirs goes on as it is.
void play_moths(void)
{
  static struct elf *stranger;
  static moths_handle_t brightest;
  uint32_t strength = 1 + dungeon_chance(50), nearest = UINT32_MAX;
  if (dungeon_chance(25) == 0)
    (void)moths_create_scored(&strength, strength, &brightest);
  if (dungeon_chance(90) == 0) {
    struct elf *moth = moths_create(&strength);
    if (moth && moths_is_live(moth) && strength < 5) moths_destroy(moth);
  }
  if (dungeon_chance(300) == 0) {
    if (stranger) nook_free(stranger);
    stranger = nook_alloc();
  }
  moths_update(flutter, 0);
  moths_walk(look_at_elf, &nearest);
  if (dungeon_chance(1200) == 0) moths_audit();
  if (dungeon_chance(3600) == 0) moths_clear();
}

void play_elves(void)
{
  static elves_handle_t hero;
  uint32_t strength = 1 + dungeon_chance(50);
  if (dungeon_chance(40) == 0) {
    (void)elves_create_scored(&strength, strength, &hero);
  }
  if (dungeon_chance(80) == 0) (void)elves_create_handle(&strength, &hero);
  if (elves_get(hero) && elves_pin_handle(hero)) {
    (void)elves_unpin_handle(hero);
  }
  if (dungeon_chance(120) == 0) (void)elves_destroy_handle(hero);
  if (dungeon_chance(50) == 0) (void)dwarfs_create_scored(&strength, strength);
  elves_update(grow_old, 0);
  dwarfs_update(grow_old, 0);
}
