// SPDX-License-Identifier: MIT
// Every call of tp_pools.h that issues a slot or takes one back makes a note.
#include "owner.h"

// Asks by [call], and gives back by another, in functions of their own.
#define ASKS(name, call)              \
  static TP_NOINLINE void *name(void) \
  {                                   \
    void *object = call;              \
    TP_BARRIER();                     \
    return object;                    \
  }
#define GIVES(name, call)                    \
  static TP_NOINLINE void name(void *object) \
  {                                          \
    (void)object;                            \
    call;                                    \
    TP_BARRIER();                            \
  }

static sounds_handle_t sound;
static ticks_handle_t tick;
static voices_handle_t voice;
static seats_handle_t seat;
static desks_handle_t desk;

bool made(void *object, void *context)
{
  (void)object;
  return context == NULL;
}

uint32_t rank(const void *object)
{
  return *(const uint32_t *)object;
}

void casks_low(const struct tp_pool *pool, uint32_t free)
{
  (void)pool;
  (void)free;
}

ASKS(ask_sound, sounds_alloc_handle(&sound))
ASKS(ask_tick, ticks_alloc_handle(&tick))
ASKS(ask_scored, voices_alloc_scored(7, &voice))
ASKS(ask_made, voices_create(NULL))
ASKS(ask_made_handle, voices_create_handle(NULL, &voice))
ASKS(ask_made_scored, voices_create_scored(NULL, 7, &voice))
ASKS(ask_urgent, seats_alloc_urgent())
ASKS(ask_urgent_handle, seats_alloc_urgent_handle(&seat))
ASKS(ask_urgent_desk, desks_alloc_urgent_handle(&desk))
ASKS(ask_tide, tide_alloc())
ASKS(ask_wave, wave_alloc())
ASKS(ask_cask, casks_alloc())
ASKS(ask_inner, inner_alloc())
GIVES(give_sound, sounds_free_handle(sound))
GIVES(give_tick, ticks_free_handle(tick))
GIVES(give_voice, voices_free(object))
GIVES(give_made, voices_destroy(object))
GIVES(give_seat, seats_free(object))
GIVES(give_seat_handle, seats_free_handle(seat))
GIVES(give_desk_handle, desks_free_handle(desk))
GIVES(give_tide, tide_free(object))
GIVES(give_cask, casks_free(object))
GIVES(give_inner, inner_free(object))

#define NOTED(name, ask, give)                               \
  do {                                                       \
    FORGET(name);                                            \
    void *object = ask();                                    \
    CHECK(object &&name##_owner_of(object));                 \
    CHECK(LIES_IN(name##_owner_of(object)->asked, ask));     \
    give(object);                                            \
    CHECK(name##_owner_of(object));                          \
    CHECK(LIES_IN(name##_owner_of(object)->freed, give));    \
    CHECK(name##_owner_of(object)->context &TP_OWNER_FREED); \
  } while (0)

static void every_call_that_issues_or_takes_back_makes_a_note(void)
{
  NOTED(sounds, ask_sound, give_sound);
  NOTED(ticks, ask_tick, give_tick);
  NOTED(voices, ask_scored, give_voice);
  NOTED(voices, ask_made, give_made);
  NOTED(voices, ask_made_handle, give_made);
  NOTED(voices, ask_made_scored, give_made);
  NOTED(casks, ask_cask, give_cask);
  NOTED(inner, ask_inner, give_inner);
}

static void what_lies_in_the_reserve_is_noted_there(void)
{
  FORGET(seats_reserve);
  NOTED(seats, ask_urgent, give_seat);
  for (uint32_t i = 0; i < 2; i++) CHECK(seats_alloc());
  void *urgent = ask_urgent_handle();
  CHECK(LIES_IN(seats_reserve_owned.owners[0].asked, ask_urgent_handle));
  CHECK(seats_owner_of(urgent) == seats_reserve_owned.owners);
  give_seat_handle(NULL);
  CHECK(LIES_IN(seats_owner_of(urgent)->freed, give_seat_handle));
}

static void a_wide_handle_leads_to_the_reserve_too(void)
{
  FORGET(desks);
  FORGET(desks_reserve);
  for (uint32_t i = 0; i < 2; i++) CHECK(desks_alloc());
  void *urgent = ask_urgent_desk();
  CHECK(desks_owner_of(urgent) == desks_reserve_owned.owners);
  CHECK(LIES_IN(desks_owner_of(urgent)->asked, ask_urgent_desk));
  give_desk_handle(NULL);
  CHECK(LIES_IN(desks_owner_of(urgent)->freed, give_desk_handle));
}

static void what_is_lent_is_noted_where_it_lies(void)
{
  FORGET(bay);
  NOTED(tide, ask_tide, give_tide);
  CHECK(tide_alloc());
  void *lent = ask_tide();
  CHECK(bay_owner_of(lent) == tide_owner_of(lent));
  CHECK(LIES_IN(bay_owner_of(lent)->asked, ask_tide));
  give_tide(lent);
  CHECK(LIES_IN(bay_owner_of(lent)->freed, give_tide));
}

static void what_lies_where_nothing_is_noted_has_no_owner(void)
{
  FORGET(wave);
  CHECK(ask_wave());
  void *lent = ask_wave();
  CHECK(lent && wave_owner_of(lent) == NULL);
  wave_free(lent);
}

static void what_could_not_be_made_is_noted_nowhere(void)
{
  FORGET(voices);
  CHECK(voices_create(&voice) == NULL);
  CHECK(voices_create_handle(&voice, &voice) == NULL);
  CHECK(voices_owned.owners[0].asked == NULL);
}

static void a_thief_is_noted_in_place_of_who_it_stole_from(void)
{
  FORGET(ticks);
  FORGET(sounds);
  for (uint32_t i = 0; i < 2; i++) CHECK(sounds_alloc() && ticks_alloc());
  void *stolen = ask_sound();
  CHECK(LIES_IN(sounds_owner_of(stolen)->asked, ask_sound));
  CHECK_EQ(sounds_owner_of(stolen)->generation, 2);
  stolen = ask_tick();
  CHECK(LIES_IN(ticks_owner_of(stolen)->asked, ask_tick));
}

static void a_stale_handle_changes_no_note(void)
{
  FORGET(sounds);
  FORGET(ticks);
  ask_sound(), ask_tick();
  for (uint32_t i = 0; i < 2; i++) CHECK(sounds_alloc() && ticks_alloc());
  give_sound(NULL), give_tick(NULL);
  for (uint32_t i = 0; i < 2; i++) {
    CHECK(sounds_owned.owners[i].freed == NULL);
    CHECK(ticks_owned.owners[i].freed == NULL);
  }
  tp_handle64_t unborn = tick.bits & 0x7fffffffffffu;
  CHECK(tp_owner_give_handle64(&ticks_owned, unborn) == unborn);
  CHECK(tp_owner_give_handle(&sounds_owned, TP_NO_HANDLE) == TP_NO_HANDLE);
  tp_handle_t nowhere = 1u << sounds_pool.handle_bits | (SOUNDS_COUNT + 1);
  CHECK(tp_owner_give_handle(&sounds_owned, nowhere) == nowhere);
  CHECK(ticks_owned.owners[0].freed == NULL);
}

static void each_slot_of_a_handle_is_noted(void)
{
  void *made[3];
  seats_handle_t handles[3];
  FORGET(seats);
  FORGET(seats_reserve);
  for (uint32_t i = 0; i < 3; i++) {
    made[i] = seats_alloc_urgent_handle(&seat);
    handles[i] = seat;
    CHECK(seats_owner_of(made[i]) && seats_owner_of(made[i])->asked);
  }
  for (uint32_t i = 0; i < 3; i++) {
    seat = handles[i];
    give_seat_handle(NULL);
    CHECK(LIES_IN(seats_owner_of(made[i])->freed, give_seat_handle));
  }
  CHECK(seats_owner_of(made[2]) == seats_reserve_owned.owners);
}

// Of a slot that is dead: what such a handle claims agrees with its tag.
static void a_wide_handle_that_says_dead_changes_no_note(void)
{
  FORGET(ticks);
  void *object = ask_tick();
  tp_clock_now = 3;
  give_tick(NULL);
  tp_clock_now = 4;
  tp_handle64_t dead = tick.bits & 0x7fffffffffffu;
  CHECK(tp_owner_give_handle64(&ticks_owned, dead) == dead);
  CHECK_EQ(ticks_owner_of(object)->since, 3);
}

static void a_second_free_by_handle_leaves_the_note_of_the_first(void)
{
  FORGET(sounds);
  void *object = sounds_alloc_handle(&sound);
  tp_clock_now = 3;
  CHECK(sounds_free_handle(sound));
  tp_clock_now = 4;

  CHECK(tp_owner_give_handle(&sounds_owned, sound.bits) == sound.bits);
  CHECK(!sounds_free_handle(sound));

  CHECK_EQ(sounds_owner_of(object)->since, 3);
  CHECK_EQ(sounds_owner_of(object)->context & TP_OWNER_FREED, TP_OWNER_FREED);
}

static void a_handle_is_noted_though_its_slot_had_more_lives_than_it_counts(
    void)
{
  FORGET(sounds);
  void *object = sounds_alloc_handle(&sound);
  tp_test_set_tag(&sounds_pool, 1, TP_LIVE | 0x70000001);
  sound.bits = tp_handle_of(&sounds_pool, object);
  tp_clock_now = 6;

  CHECK(sounds_free_handle(sound));

  CHECK(sounds_owner_of(object));
  CHECK_EQ(sounds_owner_of(object)->since, 6);
}

void suite_calls(void)
{
  RUN(every_call_that_issues_or_takes_back_makes_a_note);
  RUN(what_lies_in_the_reserve_is_noted_there);
  RUN(a_wide_handle_leads_to_the_reserve_too);
  RUN(what_is_lent_is_noted_where_it_lies);
  RUN(what_lies_where_nothing_is_noted_has_no_owner);
  RUN(what_could_not_be_made_is_noted_nowhere);
  RUN(a_thief_is_noted_in_place_of_who_it_stole_from);
  RUN(a_stale_handle_changes_no_note);
  RUN(a_second_free_by_handle_leaves_the_note_of_the_first);
  RUN(a_handle_is_noted_though_its_slot_had_more_lives_than_it_counts);
  RUN(each_slot_of_a_handle_is_noted);
  RUN(a_wide_handle_that_says_dead_changes_no_note);
}
