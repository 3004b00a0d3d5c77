// SPDX-License-Identifier: MIT
// play.cpp - constructs, steals and destroys; ends with 0 if all was right, else
// with the number of what was not.
#include "tp_pools.h"

#include "birds_pools.h"
#include "core/tp_registry.h"

int game::Bullet::living;

uint32_t voice_loudness(const Voice *voice)
{
  return voice->loudness;
}

static bool theft_destroys_the_oldest()
{
  int told = -1;
  bullets_handle_t first, last;
  game::Bullet *bullet = bullets_create_handle(&first, 7, &told);
  if (!bullet || bullet->x() != 7 || bullets_get(first) != bullet) return false;
  for (int i = 0; i < game::BULLETS; i++)
    bullets_create_handle(&last, i, nullptr);
  if (told != 7 || bullets_get(first)) return false;
  return game::Bullet::living == game::BULLETS && bullets_get(last)->x() == 3;
}

static bool a_stale_handle_destroys_nothing()
{
  bullets_handle_t handle;
  bullets_create_handle(&handle, 1, nullptr);
  bool once = bullets_destroy_handle(handle);
  return once && !bullets_destroy_handle(handle) &&
         game::Bullet::living == game::BULLETS - 1;
}

static bool a_pinned_object_is_destroyed_by_its_handle()
{
  bullets_handle_t handle;
  bullets_clear();
  bullets_create_handle(&handle, 1, nullptr);
  bullets_pin_handle(handle);
  bool once = bullets_destroy_handle(handle);
  bool twice = bullets_destroy_handle(handle);
  bullets_create(1, nullptr);
  return once && !twice && game::Bullet::living == 1;
}

static bool clearing_destroys_all()
{
  bullets_clear();
  return game::Bullet::living == 0;
}

static bool a_forced_scene_destroys_what_it_takes_back()
{
  int told = 0;
  scenes_switch(TP_SCENE_STORM, nullptr);
  if (!crowd_create(5, &told) || scenes_current() != TP_SCENE_STORM)
    return false;
  scenes_force(TP_SCENE_CALM);
  return told == 5 && game::Bullet::living == 0;
}

static bool a_full_pool_constructs_nothing()
{
  game::Bullet *only = crowd_create(1, nullptr);
  if (!only || crowd_create(2, nullptr) || game::Bullet::living != 1)
    return false;
  crowd_destroy(only);
  return game::Bullet::living == 0;
}

static bool the_quietest_voice_is_destroyed()
{
  voices_handle_t loud, quiet, third;
  voices_create_scored(9, &loud, Voice{9});
  voices_create_scored(1, &quiet, Voice{1});
  voices_create_scored(5, &third, Voice{5});
  return voices_get(loud) && !voices_get(quiet) && voices_get(third);
}

static bool a_class_of_a_library_is_made_and_destroyed_too()
{
  int landed = 0;
  birds::Bird *bird = flock_create(landed);
  uint32_t flock = tp_registry_find(&tp_registry, "flock");
  if (!bird || tp_entry_live(tp_registry.entries[flock]) != 1) return false;
  flock_destroy(bird);
  return landed == 1;
}

using Owner = tidepool::owner<game::Bullet, crowd_objects>;

static bool an_owner_destroys_what_it_owns()
{
  {
    Owner bullet(crowd_create(4, nullptr));
    if (!bullet || bullet->x() != 4 || (*bullet).x() != 4) return false;
  }
  return game::Bullet::living == 0 && tp_pool_live(&crowd_pool) == 0;
}

static bool an_object_has_one_owner()
{
  int told = 0;
  Owner first(crowd_create(6, &told)), second;
  second = static_cast<Owner &&>(first);
  Owner third(static_cast<Owner &&>(second));
  if (first || second || !third || told != 0) return false;
  if (first.release()) return false;
  third.reset();
  return told == 6 && !third.get();
}

static bool an_owner_of_what_is_const_destroys_it_too()
{
  tidepool::owner<const game::Bullet, crowd_objects> bullet(
      crowd_create(4, nullptr));
  if (!bullet || bullet->x() != 4) return false;
  bullet.reset();
  return game::Bullet::living == 0 && tp_pool_live(&crowd_pool) == 0;
}

static bool a_released_object_is_the_callers()
{
  game::Bullet *bullet = Owner(crowd_create(1, nullptr)).release();
  if (game::Bullet::living != 1) return false;
  crowd_destroy(bullet);
  return sizeof(Owner) == sizeof bullet;
}

using Handle = tidepool::handle<bullets_handle_t>;

static bool a_handle_knows_when_its_object_is_gone()
{
  bullets_handle_t named;
  game::Bullet *bullet = bullets_create_handle(&named, 8, nullptr);
  Handle none, handle = named, same = bullets_handle(bullet);
  if (none || !handle || handle->x() != 8 || handle != same) return false;
  bullets_destroy_handle(handle.named());
  return !handle && !handle.get() && handle != none &&
         sizeof handle == sizeof(tp_handle_t);
}

#if defined TP_HAS_MEMORY_RESOURCE && defined __cpp_exceptions
#include <string>
#include <vector>

static bool containers_lie_in_blocks()
{
  tidepool::memory_resource blocks(strings_blocks);
  std::pmr::vector<int> numbers(&blocks);
  for (int i = 0; i < 16; i++) numbers.push_back(i);
  std::pmr::string text("longer than what a string holds in itself", &blocks);
  if (tp_pool_live(strings_blocks.classes[1].pool) != 2) return false;
  return numbers[15] == 15 &&
         numbers.get_allocator().resource()->is_equal(blocks);
}

static bool what_does_not_fit_is_bad_alloc()
{
  tidepool::memory_resource blocks(strings_blocks);
  std::pmr::vector<int> numbers(&blocks);
  try {
    numbers.reserve(1000);
  } catch (const std::bad_alloc &) {
    return tp_pool_live(strings_blocks.classes[1].pool) == 0;
  }
  return false;
}

static bool none_left_is_bad_alloc()
{
  tidepool::memory_resource blocks(strings_blocks);
  std::pmr::vector<int> numbers[5] = {
      std::pmr::vector<int>(&blocks), std::pmr::vector<int>(&blocks),
      std::pmr::vector<int>(&blocks), std::pmr::vector<int>(&blocks),
      std::pmr::vector<int>(&blocks)};
  for (int i = 0; i < 4; i++) numbers[i].reserve(16);
  try {
    numbers[4].reserve(16);
  } catch (const std::bad_alloc &) {
    return true;
  }
  return false;
}

struct Thrower {
  Thrower()
  {
    throw 1;
  }
};

static bool a_slot_goes_back_when_its_constructor_throws()
{
  try {
    tidepool::construct<Thrower>(bullets_pool, tp_pool_alloc(&bullets_pool));
  } catch (int) {
    return tp_pool_live(&bullets_pool) == 0;
  }
  return false;
}

// Whose pool an interrupt filled while it was constructed.
struct Overtaken {
  int x = 0;
  int *told = nullptr;

  Overtaken()
  {
    for (int i = 0; i < game::BULLETS; i++) bullets_create(i, nullptr);
    game::Bullet::living++;  // What theft destroyed was none yet.
    throw 1;
  }
};

static bool a_slot_stolen_from_a_constructor_is_the_thief_s()
{
  bullets_clear();
  try {
    tidepool::construct<Overtaken>(bullets_pool, tp_aged_alloc(&bullets_pool));
  } catch (int) {
    bool all = tp_pool_live(&bullets_pool) == game::BULLETS;
    bullets_clear();
    return all && game::Bullet::living == 0;
  }
  return false;
}
#endif

void (*game::Twin::others)() = nullptr;

static void two_others()
{
  game::Twin::others = nullptr;
  for (int i = 0; i < 2; i++) twins_create();
}

// The others take its own slot.
static bool what_its_constructor_was_robbed_of_is_nobodys()
{
  twins_handle_t told = {1};
  game::Twin::others = two_others;
  bool none = !twins_create();
  game::Twin::others = two_others;
  bool nor = !twins_create_handle(&told) && told.bits == 0;
  return none && nor && tp_pool_live(&twins_pool) == 2;
}

int main()
{
  bool (*const steps[])() = {theft_destroys_the_oldest,
                             a_stale_handle_destroys_nothing,
                             a_pinned_object_is_destroyed_by_its_handle,
                             clearing_destroys_all,
                             a_forced_scene_destroys_what_it_takes_back,
                             a_full_pool_constructs_nothing,
                             the_quietest_voice_is_destroyed,
                             a_class_of_a_library_is_made_and_destroyed_too,
                             an_owner_destroys_what_it_owns,
                             an_owner_of_what_is_const_destroys_it_too,
                             an_object_has_one_owner,
                             a_released_object_is_the_callers,
                             what_its_constructor_was_robbed_of_is_nobodys,
#if defined TP_HAS_MEMORY_RESOURCE && defined __cpp_exceptions
                             containers_lie_in_blocks,
                             what_does_not_fit_is_bad_alloc,
                             none_left_is_bad_alloc,
                             a_slot_goes_back_when_its_constructor_throws,
                             a_slot_stolen_from_a_constructor_is_the_thief_s,
#endif
                             a_handle_knows_when_its_object_is_gone};
  int number = 0;
  for (bool (*step)() : steps) {
    number++;
    if (!step()) return number;
  }
  return 0;
}
