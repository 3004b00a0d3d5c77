// SPDX-License-Identifier: MIT
// Scenes of a table: what they may cut, and how a life ends with one.
#include "compose.h"

#include "tp_port.h"

static bool interrupting;

void torch_release(struct voice *voice)
{
  voice->number = 1;
}

// By a theft in an interrupt it ends unreleased.
void torch_deinit(struct voice *voice)
{
  if (!interrupting && voice->number != 1) hooks.deinits++;
}

static void start(uint32_t scene)
{
  compose_start();
  scenes_force(scene);
  hooks = (struct hooks){0};
}

static void scenes_cut_pools_for_interrupts_and_with_code_of_their_own(void)
{
  struct voice *beam[4];
  start(TP_SCENE_DAY);
  for (uint32_t i = 0; i < 4; i++) CHECK((beam[i] = beams_alloc()) != NULL);
  CHECK(!beams_alloc());
  CHECK_EQ(scenes_switch(TP_SCENE_NIGHT, NULL), 1);
  CHECK(!beams_alloc());
  for (uint32_t i = 0; i < 4; i++) beams_free(beam[i]);

  CHECK_EQ(scenes_switch(TP_SCENE_NIGHT, NULL), 0);

  CHECK((beam[0] = beams_alloc()) != NULL);
  CHECK(!beams_alloc());
  beams_free(beam[0]);
}

static void a_forced_switch_ends_lives_and_closes_what_is_retained(void)
{
  start(TP_SCENE_NIGHT);
  for (uint32_t i = 0; i < 3; i++) {
    struct spark *lamp = lamps_create(NULL);
    *lamp = (struct spark){1, 2, 10 * (i + 1), 3};
    if (i == 2) lamps_destroy(lamp);
  }

  scenes_force(TP_SCENE_DAY);

  CHECK_EQ(hooks.deinits, 3);
  CHECK_EQ(hooks.closes, 60);
  struct spark *lamp = lamps_create(NULL);
  CHECK(lamp);
  CHECK_EQ(lamp->kept, 0);
  CHECK(!lamps_create(NULL));
  lamps_destroy(lamp);
}

static uint32_t served;

static void ask_for_a_lamp(void)
{
  if (served == 0 && lamps_create(NULL)) served = 1;
}

static void who_interrupts_a_forced_switch_finds_what_retains_full(void)
{
  start(TP_SCENE_NIGHT);
  for (uint32_t i = 0; i < 2; i++) lamps_create(NULL)->kept = 7;
  served = 0;
  hooks.closing = ask_for_a_lamp;

  scenes_force(TP_SCENE_DAY);

  CHECK_EQ(hooks.closes, 14);
  CHECK_EQ(served, 0);
  CHECK_EQ(lamps_create(NULL)->kept, 0);
}

static void what_is_created_while_a_scene_is_forced_out_ends_too(void)
{
  start(TP_SCENE_NIGHT);
  for (uint32_t i = 0; i < 3; i++) lamps_create(NULL)->kept = 7;
  served = 0;
  hooks.ending = ask_for_a_lamp;

  scenes_force(TP_SCENE_DAY);

  CHECK_EQ(served, 1);
  CHECK_EQ(hooks.deinits, 4);
  CHECK_EQ(hooks.closes, 21);
  CHECK_EQ(tp_pool_live(&lamps_pool), 0);
}

static uint32_t told;

static void tell(void *object)
{
  (void)object;
  told++;
}

static void of_what_retains_release_is_told_before_each_life_ends(void)
{
  static const struct tp_scene_part part = {
      .kind = &tp_scene_pool,
      .allocator = &lamps_pool,
      .beside = &lamps_objects,
      .release = tell,
      .seal = &lamps_scene_seal,
  };
  start(TP_SCENE_NIGHT);
  for (uint32_t i = 0; i < 2; i++) CHECK(lamps_create(NULL));
  told = 0;

  tp_retain_end_scene(&part, NULL);

  CHECK_EQ(told, 2);
  CHECK_EQ(hooks.deinits, 2);
}

static void no_slot_is_forced_out_behind_the_last_there_is(void)
{
  struct tp_pool_state *state = beams_pool.state;
  start(TP_SCENE_NIGHT);
  CHECK(beams_alloc());
  state->fresh = 9;
  CHECK_FAULTS(TP_FAULT_INVARIANT, scenes_force(TP_SCENE_DAY));
  CHECK(tp_fault_record.pool == &beams_pool);
  CHECK_EQ(tp_fault_record.found, 9);
  CHECK_EQ(scenes_switch(TP_SCENE_DAY, NULL), 1);
  state->fresh = 1;
  scenes_force(TP_SCENE_DAY);
}

static void what_no_tag_says_lives_is_not_waited_for(void)
{
  start(TP_SCENE_NIGHT);
  beams_free(beams_alloc());
  for (uint32_t bit = 16; bit < 19; bit++) {
    beams_pool.tag[0] ^= 1u << bit;
    struct tp_finding finding;
    CHECK(!tp_pool_verify(&beams_pool, &finding));
    CHECK(finding.slot != 0);
    CHECK_FAULTS(TP_FAULT_INVARIANT, scenes_switch(TP_SCENE_DAY, NULL));
    CHECK(tp_fault_record.pool == &beams_pool);
    CHECK_EQ(tp_fault_record.slot, finding.slot);
    CHECK_EQ(tp_fault_record.offset, 0);
    CHECK_EQ(tp_fault_record.found, finding.broken);
    CHECK_EQ(tp_fault_record.expected, TP_SOUND);
    CHECK_FAULTS(TP_FAULT_INVARIANT, scenes_force(TP_SCENE_DAY));
    beams_pool.tag[0] ^= 1u << bit;
  }
  scenes_force(TP_SCENE_NIGHT);
  lamps_destroy(lamps_create(NULL));
  lamps_pool.tag[0] ^= 0x10000u;
  CHECK_FAULTS(TP_FAULT_INVARIANT, scenes_force(TP_SCENE_DAY));
  CHECK(tp_fault_record.pool == &lamps_pool);
  lamps_pool.tag[0] ^= 0x10000u;
  scenes_force(TP_SCENE_DAY);
}

static void of_no_scene_that_there_is_not_anything_is_noted(void)
{
  struct tp_scene_state *state = scenes_scenes.state;
  start(TP_SCENE_DAY);
  for (uint32_t bit = 2; bit < 32; bit++) {
    state->entered ^= 1u << bit;
    CHECK_FAULTS(TP_FAULT_INVARIANT, scenes_switch(TP_SCENE_NIGHT, NULL));
    CHECK_RECORD(scenes_scenes.name, state, state->entered,
                 scenes_scenes.scene_count);
    CHECK_FAULTS(TP_FAULT_INVARIANT, scenes_force(TP_SCENE_NIGHT));
    state->entered ^= 1u << bit;
  }
  scenes_force(TP_SCENE_NIGHT);
  CHECK_EQ(scenes_current(), TP_SCENE_NIGHT);
}

static void a_write_behind_a_block_is_found_when_its_scene_is_forced_out(void)
{
  start(TP_SCENE_DAY);
  char *block = mail_alloc(32);
  CHECK(block);
  block[32] ^= 1;
  CHECK_FAULTS(TP_FAULT_RED_ZONE, scenes_force(TP_SCENE_NIGHT));
  CHECK(tp_fault_record.pool == mail_blocks.classes[1].pool);
  block[32] ^= 1;
  tp_test_forget(tp_fault_record.pool);  // The slot may be half way home.
}

static void a_switch_keeps_what_is_retained(void)
{
  start(TP_SCENE_DAY);
  struct spark *lamp = lamps_create(NULL);
  lamp->kept = 7;
  lamps_destroy(lamp);

  CHECK_EQ(scenes_switch(TP_SCENE_NIGHT, NULL), 0);

  lamp = lamps_create(NULL);
  CHECK_EQ(lamp->kept, 7);
  CHECK_EQ(hooks.closes, 0);
}

static void forget_the_bees(void)
{
  for (uint32_t i = 0; i <= 6; i++) bees_dense.place[i] = 0;
  *bees_dense.state = (struct tp_dense_state){0};
}

// As if number 3, the last that there ever was and which the night alone has,
// had been used for many days.
static void a_handle_of_64_bits_of_a_number_that_no_scene_has_now_is_stale(void)
{
  bees_handle_t handle;
  start(TP_SCENE_NIGHT);
  forget_the_bees();
  for (uint32_t i = 0; i < 3; i++) CHECK(bees_alloc(NULL));
  bees_dense64.wraps[0]++;
  bees_dense64.wraps[3]++;
  handle = bees_handle(2);
  CHECK(bees_get(handle));
  bees_reset();
  CHECK(!bees_free(handle));

  CHECK_EQ(scenes_switch(TP_SCENE_DAY, NULL), 0);

  CHECK(!bees_get(handle));
  CHECK(!bees_free(handle));
  bees_dense64.wraps[0]--;
  bees_dense64.wraps[3]--;
}

// By one that no scene before had; from then on each call looks at that, too.
static void a_wrap_of_a_number_that_is_new_in_a_scene_adds_up(void)
{
  bees_handle_t handle;
  start(TP_SCENE_NIGHT);
  forget_the_bees();
  CHECK_EQ(scenes_switch(TP_SCENE_DAY, NULL), 0);
  CHECK(bees_alloc(NULL));
  bees_reset();
  CHECK_EQ(scenes_switch(TP_SCENE_NIGHT, NULL), 0);
  for (uint32_t i = 0; i < 3; i++) CHECK(bees_alloc(NULL));
  bees_dense64.wraps[0]++;
  bees_dense64.wraps[3]++;
  handle = bees_handle(2);
  CHECK(bees_get(handle));
  CHECK(bees_free(handle));
  bees_dense64.wraps[0]--;
  bees_dense64.wraps[3]--;
}

#if !defined __arm__ && !defined __riscv
static struct voice *beam;
static struct spark *ant;
static ants_handle_t ant_handle;

static void take_a_beam_and_an_ant(void)
{
  beam = beams_alloc();
  ant = ants_alloc(&ant_handle);
}

static bool are_sound(void)
{
  struct tp_stats stats;
  tp_pool_stats(&beams_pool, &stats);
  if (stats.live != (beam != NULL) || ants_count() != (ant != NULL))
    return false;
  if (ant && ants_get(ant_handle) != ant) return false;
  return tp_pool_verify(&beams_pool, NULL) && tp_dense_verify(&ants_dense);
}

// Refused, or of the next scene: where the switch is, says which.
static void who_interrupts_a_switch_keeps_what_it_is_given(void)
{
  uint32_t edge = 0;
  do {
    start(TP_SCENE_DAY);
    beam = NULL;
    ant = NULL;
    tp_port_interrupt_after(++edge, take_a_beam_and_an_ant);
    scenes_switch(TP_SCENE_NIGHT, NULL);
    CHECK(are_sound());
  } while (tp_port_due == 0);
  tp_port_interrupt_after(0, NULL);
  CHECK(edge > 4);
}

static flares_handle_t flare[2];
static uint32_t doused;

static void douse_both(void)
{
  for (uint32_t i = 0; i < 2; i++) doused += flares_free_handle(flare[i]);
}

static void what_an_interrupt_frees_during_a_forced_switch_is_not_freed_again(
    void)
{
  struct tp_stats stats;
  uint32_t edge = 0, most = 0;
  do {
    start(TP_SCENE_NIGHT);
    for (uint32_t i = 0; i < 2; i++) CHECK(flares_alloc_handle(&flare[i]));
    doused = 0;
    tp_port_interrupt_after(++edge, douse_both);
    scenes_force(TP_SCENE_DAY);
    tp_pool_stats(&flares_pool, &stats);
    CHECK_EQ(stats.live, 0);
    CHECK_EQ(stats.frees, stats.allocs);
    CHECK(tp_pool_verify(&flares_pool, NULL));
    if (doused > most) most = doused;
  } while (tp_port_due == 0);
  tp_port_interrupt_after(0, NULL);
  CHECK_EQ(most, 2);
}

static void light_a_torch(void)
{
  interrupting = true;
  struct voice *torch = torches_create(NULL);
  if (torch) torch->number = 0;
  interrupting = false;
}

static void who_steals_during_a_forced_switch_is_released_too(void)
{
  uint32_t edge = 0;
  do {
    start(TP_SCENE_NIGHT);
    for (uint32_t i = 0; i < 2; i++) light_a_torch();
    tp_port_interrupt_after(++edge, light_a_torch);
    scenes_force(TP_SCENE_DAY);
    CHECK_EQ(hooks.deinits, 0);
  } while (tp_port_due == 0);
  tp_port_interrupt_after(0, NULL);
}

static void turn_a_bit_of_the_beams(void)
{
  beams_pool.tag[0] ^= 0x10000u;
}

static void break_the_beams(void)
{
  start(TP_SCENE_NIGHT);
  beams_free(beams_alloc());
  turn_a_bit_of_the_beams();
}

static void who_is_masked_while_it_finds_a_pool_broken_stays_so(void)
{
  break_the_beams();
  uint32_t key = tp_port_lock();
  CHECK_FAULTS(TP_FAULT_INVARIANT, scenes_switch(TP_SCENE_DAY, NULL));
  CHECK_EQ(tp_port_depth, 1);
  tp_port_unlock(key);
  turn_a_bit_of_the_beams();
}

// The last edge before the fault is where the lock was given back in which the
// pool was looked at again.
static void who_is_right_again_when_it_is_doubted_is_not_broken(void)
{
  break_the_beams();
  tp_port_interrupt_after(100, turn_a_bit_of_the_beams);
  CHECK_FAULTS(TP_FAULT_INVARIANT, scenes_switch(TP_SCENE_DAY, NULL));
  uint32_t last = 100 - tp_port_due;
  turn_a_bit_of_the_beams();
  CHECK(last > 2);
  for (uint32_t edge = 1; edge < last; edge++) {
    break_the_beams();
    tp_port_interrupt_after(edge, turn_a_bit_of_the_beams);
    CHECK_EQ(scenes_switch(TP_SCENE_DAY, NULL), 0);
    CHECK_EQ(tp_port_due, 0);
    CHECK_EQ(scenes_current(), TP_SCENE_DAY);
  }
  tp_port_interrupt_after(0, NULL);
}

static void suite_interrupts(void)
{
  if (TP_CHECKS >= TP_CHECKS_FAST) {
    RUN(who_is_masked_while_it_finds_a_pool_broken_stays_so);
    RUN(who_is_right_again_when_it_is_doubted_is_not_broken);
  }
  RUN(who_steals_during_a_forced_switch_is_released_too);
  RUN(what_an_interrupt_frees_during_a_forced_switch_is_not_freed_again);
  RUN(who_interrupts_a_switch_keeps_what_it_is_given);
}
#else
static void suite_interrupts(void)
{
}
#endif

void suite_scenes(void)
{
  RUN(scenes_cut_pools_for_interrupts_and_with_code_of_their_own);
  RUN(a_forced_switch_ends_lives_and_closes_what_is_retained);
  RUN(who_interrupts_a_forced_switch_finds_what_retains_full);
  RUN(what_is_created_while_a_scene_is_forced_out_ends_too);
  RUN(of_what_retains_release_is_told_before_each_life_ends);
  RUN(a_switch_keeps_what_is_retained);
  RUN(a_handle_of_64_bits_of_a_number_that_no_scene_has_now_is_stale);
  RUN(a_wrap_of_a_number_that_is_new_in_a_scene_adds_up);
  suite_interrupts();
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  RUN(no_slot_is_forced_out_behind_the_last_there_is);
  RUN(of_no_scene_that_there_is_not_anything_is_noted);
  RUN(what_no_tag_says_lives_is_not_waited_for);
  if (TP_CHECKS < TP_CHECKS_FULL) return;
  RUN(a_write_behind_a_block_is_found_when_its_scene_is_forced_out);
}
