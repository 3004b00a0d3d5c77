// SPDX-License-Identifier: MIT
#include "steal.h"
#include "tp_port.h"

static struct voice *taken[4];

static struct voice *sing(uint32_t loudness, uint32_t number)
{
  struct voice *voice = voices_alloc();
  *voice = (struct voice){.loudness = loudness, .number = number};
  return voice;
}

static void fill(const uint32_t loudness[4])
{
  steal_start();
  for (uint32_t i = 0; i < 4; i++) taken[i] = sing(loudness[i], i);
}

static void the_quietest_voice_is_stolen(void)
{
  fill((uint32_t[]){40, 30, 10, 20});

  CHECK(voices_alloc() == taken[2]);

  CHECK(thefts.victim == taken[2]);
  CHECK_EQ(thefts.number, 2);
  CHECK_EQ(thefts.count, 1);
}

static void of_equally_quiet_voices_the_oldest_is_stolen(void)
{
  fill((uint32_t[]){40, 7, 7, 7});

  CHECK(voices_alloc() == taken[1]);
}

static void a_stolen_slot_is_the_newest_among_equals(void)
{
  fill((uint32_t[]){7, 7, 7, 7});

  for (uint32_t i = 0; i < 12; i++) CHECK(sing(7, i) == taken[i % 4]);
}

static void a_newcomer_below_all_is_refused(void)
{
  fill((uint32_t[]){40, 30, 10, 20});

  CHECK(voices_alloc_scored(9) == NULL);

  CHECK_EQ(thefts.count, 0);
  CHECK_EQ(voices_pool.state->refused_by_rule, 1);
  for (uint32_t i = 0; i < 4; i++) CHECK_EQ(taken[i]->number, i);
}

static void a_newcomer_as_quiet_as_the_quietest_takes_its_place(void)
{
  fill((uint32_t[]){40, 30, 10, 20});

  CHECK(voices_alloc_scored(10) == taken[2]);
}

static void a_newcomer_is_welcome_while_a_slot_is_free(void)
{
  fill((uint32_t[]){40, 30, 10, 20});
  voices_free(taken[0]);

  CHECK(voices_alloc_scored(0) == taken[0]);
  CHECK_EQ(thefts.count, 0);
}

static tp_handle_t victims;
static bool stale_when_told;

static void look(void)
{
  stale_when_told = voices_get(victims) == NULL;
}

static void the_victims_handle_is_stale_before_it_is_told(void)
{
  fill((uint32_t[]){40, 30, 10, 20});
  victims = voices_handle(taken[2]);
  thefts.during = look;

  voices_alloc();

  CHECK(stale_when_told);
  CHECK(voices_get(victims) == NULL);
  CHECK(!voices_free_handle(victims));
}

static struct voice *nested;

static void steal_another(void)
{
  nested = voices_alloc();
}

static void a_victim_being_told_is_not_stolen_again(void)
{
  fill((uint32_t[]){40, 30, 10, 20});
  thefts.during = steal_another;

  CHECK(voices_alloc() == taken[2]);

  CHECK(nested == taken[3]);
  CHECK_EQ(thefts.count, 2);
  CHECK(tp_pool_verify(&voices_pool, NULL));
}

static void a_scored_request_gives_the_handle_too(void)
{
  tp_handle_t handle = TP_NO_HANDLE;
  fill((uint32_t[]){40, 30, 10, 20});

  struct voice *voice = tp_least_alloc_handle(&voices_pool, 99, &handle);

  CHECK(voice == taken[2]);
  CHECK_EQ(handle, voices_handle(voice));
}

static void a_scored_request_gives_a_handle_of_64_bits_too(void)
{
  tp_handle64_t handle;
  fill((uint32_t[]){40, 30, 10, 20});
  struct voice *voice = tp_least_alloc_handle64(&voices_pool, 99, &handle);
  CHECK(voice == taken[2]);
  CHECK(tp_handle64_get(&voices_pool, handle) == voice);
}

// Unlike one that says how loud it is.
static void a_request_without_a_score_is_the_loudest_there_is(void)
{
  tp_handle_t handle;
  tp_handle64_t wide;
  uint32_t loud = UINT32_MAX;
  fill((uint32_t[]){loud, loud, loud, loud});
  CHECK(voices_alloc_scored(loud - 1) == NULL);
  CHECK(tp_handle_alloc(&voices_pool, &handle) == taken[0]);
  taken[0]->loudness = loud;
  CHECK(tp_handle64_alloc(&voices_pool, &wide) == taken[1]);
  taken[1]->loudness = loud;
  CHECK(voices_alloc() == taken[2]);
}

static void told_voices_still_hold_their_bytes(void)
{
  fill((uint32_t[]){40, 30, 10, 20});

  voices_alloc();

  CHECK_EQ(thefts.number, 2);
  bool renewed = TP_CHECKS >= TP_CHECKS_POISON;
  CHECK_EQ(taken[2]->number, renewed ? TP_POISON_NEW : 2);
}

static void when_all_are_pinned_the_least_is_not_stolen_either(void)
{
  tp_handle_t handle = 77;
  fill((uint32_t[]){40, 30, 10, 20});
  for (uint32_t i = 0; i < 4; i++) tp_pool_pin(&voices_pool, taken[i]);

  CHECK(tp_pool_alloc(&voices_pool) == NULL);
  CHECK(tp_least_alloc(&voices_pool, 99) == NULL);
  CHECK(tp_least_alloc_handle(&voices_pool, 99, &handle) == NULL);

  CHECK_EQ(handle, TP_NO_HANDLE);
}

static void a_pool_that_changes_in_each_of_four_scans_refuses(void)
{
  steal_start();
  for (uint32_t i = 0; i < 4; i++) tp_pool_alloc(&crowd_pool);

  changes_left = 4;
  CHECK(tp_pool_alloc(&crowd_pool) == NULL);
  CHECK_EQ(crowd_pool.state->refused_by_rule, 1);
  CHECK_EQ(crowd_pool.state->overflows, 1);

  changes_left = 3;
  CHECK(tp_pool_alloc(&crowd_pool) != NULL);
  CHECK_EQ(changes_left, 0);
  CHECK(tp_pool_verify(&crowd_pool, NULL));
}

static void an_overwritten_link_faults_for_a_scored_request_too(void)
{
  fill((uint32_t[]){40, 30, 10, 20});
  tp_pool_free(&voices_pool, taken[1]);
  taken[1]->loudness = 0;
  CHECK_FAULTS(TP_FAULT_LINK, tp_least_alloc(&voices_pool, 99));
}

static void a_voice_that_wrote_past_its_end_is_not_stolen_quietly(void)
{
  fill((uint32_t[]){40, 30, 10, 20});
  (&taken[2]->unused[1])[1] = 0;
  CHECK_FAULTS(TP_FAULT_RED_ZONE, tp_least_alloc(&voices_pool, 99));
}

static void a_link_overwritten_during_the_scan_faults(void)
{
  steal_start();
  for (uint32_t i = 0; i < 4; i++) tp_pool_alloc(&crowd_pool);

  changes_left = 1;
  garbles_links = true;
  CHECK_FAULTS(TP_FAULT_LINK, tp_pool_alloc(&crowd_pool));
  CHECK_EQ(tp_fault_record.slot, 1);
}

// What another context does to the victim between its choice and its theft.
static void pin_first(void *object)
{
  tp_pool_pin(&shy_pool, object);
}

static void free_first(void *object)
{
  tp_pool_free(&shy_pool, object);
}

static void a_victim_that_was_pinned_meanwhile_is_not_taken(void)
{
  steal_start();
  struct voice *shy[4];
  for (uint32_t i = 0; i < 4; i++) shy[i] = tp_pool_alloc(&shy_pool);
  tp_clock_now = 100;
  shy_does = pin_first;
  struct voice *got = tp_pool_alloc(&shy_pool);
  CHECK(got == shy[1]);
  CHECK_EQ(shy_pool.state->steals, 1);
  CHECK(tp_pool_verify(&shy_pool, NULL));
}

static void a_slot_freed_during_the_choice_is_taken_and_nobody_stolen(void)
{
  steal_start();
  struct voice *shy[4];
  for (uint32_t i = 0; i < 4; i++) shy[i] = tp_pool_alloc(&shy_pool);
  tp_clock_now = 100;
  shy_does = free_first;
  CHECK(tp_pool_alloc(&shy_pool) == shy[0]);
  CHECK_EQ(shy_pool.state->steals, 0);
  CHECK_EQ(shy_pool.state->overflows, 0);
  CHECK(tp_pool_verify(&shy_pool, NULL));
}

static struct voice *next;

static void free_next(void *object)
{
  (void)object;
  tp_pool_free(&shy_pool, next);
}

static void a_choice_goes_on_behind_who_was_freed_before_it_came_there(void)
{
  steal_start();
  struct voice *shy[4];
  for (uint32_t i = 0; i < 4; i++) shy[i] = tp_pool_alloc(&shy_pool);
  tp_clock_now = 100;
  next = shy[1];
  shy_does = free_next;
  CHECK(tp_pool_alloc(&shy_pool) == shy[0]);
  CHECK_EQ(shy_pool.state->steals, 1);
  CHECK(tp_pool_alloc(&shy_pool) == shy[1]);
  CHECK_EQ(shy_pool.state->steals, 1);
  CHECK(tp_pool_verify(&shy_pool, NULL));
}

static void free_at_second_look(void *object)
{
  (void)object;
  shy_does = free_first;
}

// Though the first was the least so far.
static void once_a_slot_was_freed_nobody_is_stolen_who_was_seen_before(void)
{
  steal_start();
  struct voice *shy[4];
  for (uint32_t i = 0; i < 4; i++) shy[i] = tp_pool_alloc(&shy_pool);
  tp_clock_now = 100;
  shy_does = free_at_second_look;
  CHECK(tp_pool_alloc(&shy_pool) == shy[1]);
  CHECK_EQ(shy_pool.state->steals, 0);
}

static void a_pool_of_one_context_takes_what_was_freed_during_the_choice(void)
{
  struct tp_pool alone = shy_pool;
  alone.lock = TP_LOCK_NONE;
  steal_start();
  struct voice *shy[4];
  for (uint32_t i = 0; i < 4; i++) shy[i] = tp_pool_alloc(&shy_pool);
  tp_clock_now = 100;
  shy_does = free_first;
  CHECK(tp_pool_alloc(&alone) == shy[0]);
  CHECK_EQ(shy_pool.state->steals, 0);
}

#if !defined __arm__ && !defined __riscv

static void what_was_masked_before_a_choice_stays_masked(void)
{
  fill((uint32_t[]){40, 30, 10, 20});
  for (uint32_t i = 0; i < 4; i++) tp_pool_alloc(&crowd_pool);
  for (uint32_t i = 0; i < 4; i++) tp_pool_alloc(&shy_pool);
  tp_clock_now = 100;
  tp_port_lock();
  CHECK(voices_alloc() == taken[2]);
  CHECK_EQ(tp_port_depth, 1);
  CHECK(voices_alloc_scored(0) == NULL);
  CHECK_EQ(tp_port_depth, 1);
  changes_left = 4;
  CHECK(tp_pool_alloc(&crowd_pool) == NULL);
  CHECK_EQ(tp_port_depth, 1);
  shy_does = free_first;
  CHECK(tp_pool_alloc(&shy_pool));
  CHECK_EQ(tp_port_depth, 1);
  tp_port_unlock(0);
}

#endif

static void whoever_is_too_young_is_not_the_least(void)
{
  steal_start();
  struct voice *shy[4];
  for (uint32_t i = 0; i < 4; i++) {
    tp_clock_now = i;
    shy[i] = tp_pool_alloc(&shy_pool);
  }
  CHECK(tp_pool_alloc(&shy_pool) == NULL);
  CHECK_EQ(shy_pool.state->refused_by_rule, 1);
  tp_clock_now = 4;
  CHECK(tp_pool_alloc(&shy_pool) == shy[0]);
  CHECK(tp_pool_alloc(&shy_pool) == NULL);
}

static void *chosen;

static void pin_chosen(void *object)
{
  (void)object;
  tp_pool_pin(&shy_pool, chosen);
}

static void then_pin_the_chosen(void *object)
{
  chosen = object;
  shy_does = pin_chosen;
}

static void a_victim_pinned_after_it_was_chosen_is_not_taken(void)
{
  steal_start();
  struct voice *shy[4];
  for (uint32_t i = 0; i < 4; i++) shy[i] = tp_pool_alloc(&shy_pool);
  tp_clock_now = 100;
  shy_does = then_pin_the_chosen;
  CHECK(tp_pool_alloc(&shy_pool) == shy[1]);
  CHECK(chosen == shy[0]);
  CHECK_EQ(shy_pool.state->steals, 1);
  CHECK(tp_pool_verify(&shy_pool, NULL));
}

static void free_worn_out(void *object)
{
  tp_pool_free(&shy_pool, object);
  tp_test_set_tag(&shy_pool, 1, 0x7fffffffu);
}

static void a_worn_out_slot_freed_during_the_choice_is_left_for_the_next(void)
{
  steal_start();
  struct voice *shy[4];
  for (uint32_t i = 0; i < 4; i++) shy[i] = tp_pool_alloc(&shy_pool);
  tp_clock_now = 100;
  shy_does = free_worn_out;
  CHECK(tp_pool_alloc(&shy_pool) == shy[1]);
  CHECK(tp_pool_alloc(&shy_pool) == shy[0]);
  CHECK_EQ(shy_pool.tag[1], 0x80000001u);
  CHECK(tp_pool_verify(&shy_pool, NULL));
}

#if !defined __arm__ && !defined __riscv

static struct voice *eldest;
static uint32_t eldest_tag;

// What makes the oldest as young as can be: its slot is another's, or it was
// pinned for a moment.
static void renew_the_oldest(void)
{
  if (shy_pool.tag[1] != eldest_tag) return;
  tp_pool_free(&shy_pool, eldest);
  tp_pool_alloc(&shy_pool);
}

static void pin_the_oldest_for_a_moment(void)
{
  if (shy_pool.tag[1] != eldest_tag) return;
  tp_pool_pin(&shy_pool, eldest);
  tp_pool_unpin(&shy_pool, eldest);
}

// A full pool, whose objects are all old enough, is asked for one more.
static void choose_while(void (*interrupt)(void))
{
  for (uint32_t edge = 1; edge < 32; edge++) {
    steal_start();
    eldest = tp_pool_alloc(&shy_pool);
    for (uint32_t i = 1; i < 4; i++) tp_pool_alloc(&shy_pool);
    eldest_tag = shy_pool.tag[1];
    tp_clock_now = 100;
    tp_port_interrupt_after(edge, interrupt);
    CHECK(tp_pool_alloc(&shy_pool) != NULL);
    tp_port_interrupt_after(0, NULL);
    CHECK_EQ(shy_pool.state->refused_by_rule, 0);
    CHECK(tp_pool_verify(&shy_pool, NULL));
  }
}

static void who_is_young_since_the_choice_began_spares_nobody_older(void)
{
  choose_while(renew_the_oldest);
  choose_while(pin_the_oldest_for_a_moment);
}

#endif

void suite_least(void)
{
  RUN(the_quietest_voice_is_stolen);
  RUN(of_equally_quiet_voices_the_oldest_is_stolen);
  RUN(a_stolen_slot_is_the_newest_among_equals);
  RUN(a_newcomer_below_all_is_refused);
  RUN(a_newcomer_as_quiet_as_the_quietest_takes_its_place);
  RUN(a_newcomer_is_welcome_while_a_slot_is_free);
  RUN(the_victims_handle_is_stale_before_it_is_told);
  RUN(a_victim_being_told_is_not_stolen_again);
  RUN(a_scored_request_gives_the_handle_too);
  RUN(a_scored_request_gives_a_handle_of_64_bits_too);
  RUN(a_request_without_a_score_is_the_loudest_there_is);
  RUN(when_all_are_pinned_the_least_is_not_stolen_either);
  RUN(a_pool_that_changes_in_each_of_four_scans_refuses);
  RUN(a_victim_pinned_after_it_was_chosen_is_not_taken);
  RUN(a_worn_out_slot_freed_during_the_choice_is_left_for_the_next);
  RUN(a_victim_that_was_pinned_meanwhile_is_not_taken);
  RUN(a_slot_freed_during_the_choice_is_taken_and_nobody_stolen);
  RUN(a_choice_goes_on_behind_who_was_freed_before_it_came_there);
  RUN(once_a_slot_was_freed_nobody_is_stolen_who_was_seen_before);
  RUN(a_pool_of_one_context_takes_what_was_freed_during_the_choice);
#if !defined __arm__ && !defined __riscv
  RUN(what_was_masked_before_a_choice_stays_masked);
  RUN(who_is_young_since_the_choice_began_spares_nobody_older);
#endif
  RUN(whoever_is_too_young_is_not_the_least);
  if (TP_CHECKS >= TP_CHECKS_FAST) {
    RUN(an_overwritten_link_faults_for_a_scored_request_too);
    RUN(a_link_overwritten_during_the_scan_faults);
  }
  if (TP_CHECKS >= TP_CHECKS_FULL)
    RUN(a_voice_that_wrote_past_its_end_is_not_stolen_quietly);
  RUN(told_voices_still_hold_their_bytes);
}
