// SPDX-License-Identifier: MIT
// things.c - what is heard and found: sounds with a reserve for what must be
// heard, loot that becomes rare before there is no room, spirits that fade.
#include "dungeon.h"

static struct sound *playing;
static void *found[LOOT_COUNT];
static uint32_t found_count;
static bool rare;  // While loot is short.
static spirits_handle_t friend;
static struct entry *last_print;

static void play(struct sound *sound)
{
  if (!sound) return;
  *sound =
      (struct sound){.frames_left = 20 + dungeon_chance(100), .next = playing};
  playing = sound;
}

void play_sounds(void)
{
  if (dungeon_chance(7) == 0) play(sounds_alloc());
  if (dungeon_chance(90) == 0) play(sounds_alloc_urgent());  // A scream.
  for (struct sound **link = &playing; *link;) {
    struct sound *sound = *link;
    if (--sound->frames_left > 0) {
      link = &sound->next;
    } else {
      *link = sound->next;
      sounds_free(sound);
    }
  }
}

void knock(void)
{
  struct sound *sound = sounds_alloc();
  if (!sound) return;
  sound->frames_left = 1;
  sounds_free(sound);
}

void loot_low(const struct tp_pool *pool, uint32_t free)
{
  rare = pool == &loot_pool && free < LOOT_COUNT;
}

void loot_again(const struct tp_pool *pool, uint32_t free)
{
  rare = pool != &loot_pool || free == 0;
}

void print_fades(struct entry *victim)
{
  if (victim == last_print) last_print = NULL;
}

// Left at every eighth step; now and then the last is wiped away.
void leave_prints(void)
{
  static uint32_t steps;
  if (++steps % 8 != 0) return;
  if (last_print && steps % 24 == 0) prints_free(last_print);
  last_print = prints_alloc();
  if (last_print) last_print->frame = steps;
}

// Cut at every ninth step; now and then the last is scratched out, or all are.
void cut_runes(void)
{
  static runes_handle_t last, first;
  static uint32_t steps;
  if (++steps % 9 != 0) return;
  if (steps % 243 == 9) first = last;
  if (steps % 243 == 0 && !runes_get(first)) (void)runes_free_handle(first);
  if (steps % 27 == 0 && runes_get(last)) (void)runes_free_handle(last);
  if (steps % 9000 == 0) tp_pool_reset(&runes_pool);
  if (runes_alloc_handle(&last)) runes_get(last)->frame = steps;
}

static void find(void)
{
  void *thing = loot_alloc();
  if (!thing) return;
  if (dungeon_chance(2) == 0) {
    *(struct coin *)thing = (struct coin){.worth = dungeon_chance(9)};
  } else {
    *(struct potion *)thing = (struct potion){.strength = dungeon_chance(9)};
  }
  found[found_count++] = thing;
}

static void use(void)
{
  if (found_count == 0) return;
  loot_free(found[--found_count]);
}

static void lose_all(void)
{
  loot_reset();
  found_count = 0;
}

void play_loot(void)
{
  bool low = tp_watermark_is_low(&loot_watermark);
  if (dungeon_chance(rare || low ? 40 : 12) == 0) find();
  if (dungeon_chance(20) == 0) use();
  if (dungeon_chance(3600) == 0) lose_all();
}

void play_gems(void)
{
  static gems_handle_t gems[GEMS_COUNT];
  gems_handle_t *gem = &gems[dungeon_chance(GEMS_COUNT)];
  if (gems_get(*gem)) {
    if (dungeon_chance(30) == 0) (void)gems_free_handle(*gem);
  } else if (dungeon_chance(9) == 0 && gems_alloc_handle(gem)) {
    gems_get(*gem)->worth = dungeon_chance(99);
  }
  if (dungeon_chance(7200) == 0) tp_pool_reset(&gems_pool);
}

// Each door has a key, while one is left.
void play_keys(void)
{
  static keys_handle_t doors[KEYS_COUNT + 1];
  keys_handle_t *key = &doors[dungeon_chance(KEYS_COUNT + 1)];
  if (dungeon_chance(9) > 0 || keys_free_handle(*key)) return;
  struct coin *made = keys_alloc_handle(key);
  if (made) made->worth = dungeon_chance(99);
}

uint32_t spirit_strength(const struct spirit *spirit)
{
  return spirit->strength;
}

void spirit_fades(struct spirit *victim)
{
  victim->strength = 0;
}

static void appear(void)
{
  spirits_handle_t handle;
  uint32_t strength = 1 + dungeon_chance(100);
  struct spirit *spirit = spirits_alloc_scored(strength, &handle);
  if (!spirit) return;
  *spirit = (struct spirit){.strength = strength, .number = tp_clock_now};
  if (spirits_get(friend)) return;
  friend = handle;  // Stays for a while.
  spirits_pin(spirit);
}

// A last word, in which nobody else may take its place.
static void part(void)
{
  struct spirit *spirit = spirits_get(friend);
  if (!spirit) return;
  spirits_unpin(spirit);
  spirit = spirits_pin_handle(friend);
  if (!spirit) return;
  spirit->number = 0;
  (void)spirits_unpin_handle(friend);
  (void)spirits_free_handle(spirits_handle(spirit));
}

void play_spirits(void)
{
  if (dungeon_chance(30) == 0) appear();
  if (dungeon_chance(300) == 0) part();
}

// The newest is followed; one that nobody follows goes out.
void play_wisps(void)
{
  static wisps_handle_t followed;
  uint32_t strength = 1 + dungeon_chance(20);
  if (dungeon_chance(45) > 0) return;
  struct spirit *wisp = strength == 20
                            ? wisps_alloc_handle(&followed)
                            : wisps_alloc_scored(strength, &followed);
  if (!wisp) return;
  *wisp = (struct spirit){.strength = strength};
  if (wisps_same(wisps_handle(wisp), followed) && dungeon_chance(3) == 0) {
    (void)wisps_free_handle(followed);
  }
}
