// SPDX-License-Identifier: MIT
#include "core/tp_slot.h"
#include "policies.h"
#include "tp_port.h"

static struct thing *borrowed[ATTIC];

static void borrow_all(void)
{
  forget_spill(&boxes_pool);
  tp_clock_now = 100;
  for (uint32_t i = 0; i < BOXES; i++) boxes_alloc();
  for (uint32_t i = 0; i < ATTIC; i++) borrowed[i] = boxes_alloc();
}

static void empty_attic(void)
{
  borrow_all();
  for (uint32_t i = 0; i < ATTIC; i++) boxes_free(borrowed[i]);
}

// The attic given back, its home still full.
static void give_attic_back(void)
{
  empty_attic();
  tp_clock_now += attic_chunk.patience;
  tp_chunk_release(&attic_chunk);
}

static struct thing *bales[HAY + BARN];

static void fill_barn(void)
{
  forget_spill(&hay_pool);
  lend_barn = true;
  for (uint32_t i = 0; i < HAY + BARN; i++) bales[i] = hay_alloc();
}

static void giving_back_fails_while_any_is_live_and_succeeds_with_the_last(void)
{
  fill_barn();
  CHECK(!tp_chunk_release(&barn_chunk));

  hay_free(bales[2]);
  CHECK(!tp_chunk_release(&barn_chunk));

  hay_free(bales[1]);
  CHECK(tp_chunk_release(&barn_chunk));
  CHECK_EQ(barn_chunk.state->releases, 1);
}

static void a_region_given_back_stays_so_when_given_back_again(void)
{
  fill_barn();
  hay_free(bales[2]);
  hay_free(bales[1]);

  CHECK(tp_chunk_release(&barn_chunk));
  CHECK(tp_chunk_release(&barn_chunk));

  CHECK_EQ(barn_chunk.state->releases, 1);
}

static void an_object_of_the_second_pool_s_own_holds_its_region(void)
{
  fill_barn();
  hay_free(bales[2]);
  hay_free(bales[1]);
  struct thing *own = barn_alloc();
  bool known = TP_CHECKS >= TP_CHECKS_FAST;
  if (!known) return;

  CHECK(!tp_chunk_release(&barn_chunk));

  barn_free(own);
  CHECK(tp_chunk_release(&barn_chunk));
}

static const uint32_t *attic_begin(void)
{
  return (const uint32_t *)attic_pool.storage - attic_pool.zone / 4;
}

static uint32_t attic_words(void)
{
  return (attic_pool.capacity * (uint32_t)attic_pool.stride + attic_pool.zone) /
         4;
}

static void after_it_the_region_holds_the_poison_pattern_everywhere(void)
{
  give_attic_back();
  if (TP_CHECKS < TP_CHECKS_POISON) return;

  for (uint32_t i = 0; i < attic_words(); i++) {
    CHECK_EQ(attic_begin()[i], TP_POISON);
  }
}

// Its red zones are of 16 bytes.
static void a_region_of_wide_slots_is_poison_from_its_first_word_to_its_last(
    void)
{
  forget_chunk(&sea_chunk);
  CHECK(tp_chunk_release(&sea_chunk));
  const tp_word_t *words = sea_pool.storage - sea_pool.zone / 4;
  uint32_t bytes = sea_pool.capacity * (uint32_t)sea_pool.stride;
  for (uint32_t i = 0; i < (bytes + sea_pool.zone) / 4; i++) {
    CHECK_EQ(words[i], TP_POISON);
  }
}

static void a_write_anywhere_into_it_is_detected_when_it_is_taken_again(void)
{
  if (TP_CHECKS < TP_CHECKS_POISON) return;
  for (uint32_t i = 0; i < attic_words(); i++) {
    give_attic_back();
    uint32_t *word = (uint32_t *)attic_pool.storage - attic_pool.zone / 4 + i;
    *word ^= 1u << i % 32;

    CHECK_FAULTS(TP_FAULT_POISON, boxes_alloc());

    CHECK(tp_fault_record.address == word);
    CHECK_EQ(tp_fault_record.expected, TP_POISON);
    CHECK_EQ(tp_fault_record.found, TP_POISON ^ 1u << i % 32);
  }
}

static void a_region_given_back_is_taken_again_at_the_next_need(void)
{
  give_attic_back();

  for (uint32_t i = 0; i < ATTIC; i++) CHECK(boxes_alloc() != NULL);
  CHECK(boxes_alloc() == NULL);

  CHECK_EQ(attic_chunk.state->reopens, 1);
  CHECK_EQ(attic_chunk.state->live, ATTIC);
  CHECK(tp_pool_verify(&attic_pool, NULL));
}

static void what_is_issued_after_that_was_checked_and_renewed(void)
{
  give_attic_back();
  if (TP_CHECKS < TP_CHECKS_POISON) return;

  for (uint32_t i = 0; i < ATTIC; i++) {
    CHECK_EQ(boxes_alloc()->word[0], TP_POISON_NEW);
  }
}

static void a_region_is_given_back_only_after_it_was_empty_for_its_patience(
    void)
{
  empty_attic();

  for (uint32_t i = 0; i < 10; i++) {
    CHECK(!tp_chunk_release(&attic_chunk));
    tp_clock_now++;
  }

  CHECK(tp_chunk_release(&attic_chunk));
}

static void patience_begins_anew_with_each_object_lent(void)
{
  empty_attic();
  tp_clock_now += 9;
  boxes_free(boxes_alloc());

  tp_clock_now += 9;
  CHECK(!tp_chunk_release(&attic_chunk));
  tp_clock_now++;
  CHECK(tp_chunk_release(&attic_chunk));
}

static void patience_begins_anew_with_each_request_that_found_nothing(void)
{
  struct thing *own[ATTIC];
  empty_attic();
  for (uint32_t i = 0; i < ATTIC; i++) own[i] = attic_alloc();
  tp_clock_now += 9;
  CHECK(!boxes_alloc());
  for (uint32_t i = 0; i < ATTIC; i++) attic_free(own[i]);

  tp_clock_now += 9;
  CHECK(!tp_chunk_release(&attic_chunk));
  tp_clock_now++;
  CHECK(tp_chunk_release(&attic_chunk));
}

static void what_the_second_pool_frees_of_its_own_needs_no_patience(void)
{
  empty_attic();
  struct thing *own = attic_alloc();
  tp_clock_now += 10;
  CHECK(TP_CHECKS < TP_CHECKS_FAST || !tp_chunk_release(&attic_chunk));
  attic_free(own);
  CHECK(tp_chunk_release(&attic_chunk));
}

static void a_chunk_notes_when_the_last_of_what_it_lent_came_back(void)
{
  borrow_all();
  tp_clock_now = 200;
  boxes_free(borrowed[0]);
  CHECK_EQ(attic_chunk.state->emptied, 0);
  boxes_free(borrowed[1]);
  CHECK_EQ(attic_chunk.state->emptied, 0);
  boxes_free(borrowed[2]);
  CHECK_EQ(attic_chunk.state->emptied, 200);
}

static void patience_survives_the_clock_s_wrap(void)
{
  empty_attic();
  tp_clock_now = UINT32_MAX - 3;
  boxes_free(boxes_alloc());

  tp_clock_now += 9;
  CHECK(!tp_chunk_release(&attic_chunk));
  tp_clock_now++;
  CHECK(tp_chunk_release(&attic_chunk));
}

// A load that steps over the boundary each frame, for [frames].
static uint32_t returns_under_thrash(const struct tp_pool *pool,
                                     const struct tp_chunk *chunk,
                                     uint32_t home, uint32_t frames)
{
  forget_spill(pool);
  for (uint32_t i = 0; i < home; i++) tp_pool_alloc(pool);
  for (uint32_t frame = 0; frame < frames; frame++) {
    tp_clock_now++;
    tp_pool_free(pool, tp_pool_alloc(pool));
    tp_chunk_release(chunk);
  }
  return chunk->state->releases;
}

static void a_load_at_the_boundary_thrashes_without_patience_only(void)
{
  lend_barn = true;
  CHECK_EQ(returns_under_thrash(&hay_pool, &barn_chunk, HAY, 1000), 1000);
  CHECK_EQ(barn_chunk.state->reopens, 999);

  CHECK_EQ(returns_under_thrash(&boxes_pool, &attic_chunk, BOXES, 1000), 0);
}

static void a_lent_region_is_the_borrower_s_until_borrow_says_yes(void)
{
  fill_barn();
  hay_free(bales[2]);
  hay_free(bales[1]);
  CHECK(tp_chunk_release(&barn_chunk));
  uint32_t *words = (uint32_t *)barn_pool.storage - barn_pool.zone / 4;
  uint32_t count =
      (barn_pool.capacity * (uint32_t)barn_pool.stride + barn_pool.zone) / 4;
  for (uint32_t i = 0; i < count; i++) words[i] = 0xf4a3e000 + i;
  lend_barn = false;

  CHECK(hay_alloc() == NULL);

  for (uint32_t i = 0; i < count; i++) CHECK_EQ(words[i], 0xf4a3e000 + i);
  lend_barn = true;
  for (uint32_t i = 0; i < BARN; i++) CHECK(hay_alloc() != NULL);
  CHECK(tp_pool_verify(&barn_pool, NULL));
}

static void generations_and_peak_survive_a_region_s_absence(void)
{
  struct tp_stats before, after;
  give_attic_back();
  tp_pool_stats(&attic_pool, &before);

  boxes_free(boxes_alloc());

  tp_pool_stats(&attic_pool, &after);
  CHECK_EQ(after.allocs - before.allocs, TP_CHECKS >= TP_CHECKS_FAST);
  CHECK_EQ(after.peak, ATTIC);
}

// An interrupt asks while a release, or a reopening, is under way.
static void while_a_region_is_given_back_nothing_is_borrowed_from_it(void)
{
  borrow_all();
  boxes_free(borrowed[0]);
  attic_chunk.state->phase = TP_CHUNK_BUSY;
  CHECK(boxes_alloc() == NULL);
  CHECK_EQ(attic_chunk.state->live, ATTIC - 1);
  CHECK(!tp_chunk_release(&attic_chunk));
  attic_chunk.state->phase = TP_CHUNK_OPEN;
  CHECK(boxes_alloc() == borrowed[0]);
}

static void after_a_reset_the_patience_of_a_chunk_begins_anew(void)
{
  forget_spill(&herd_pool);
  forget_chunk(&attic_chunk);
  tp_clock_now = 0;
  tp_chunk_attach(&herd_pool, &attic_chunk);
  while (herd_alloc()) {
  }
  tp_clock_now = 100;
  tp_spill_reset(&herd_pool);
  tp_clock_now += attic_chunk.patience - 1;
  CHECK(!tp_chunk_release(&attic_chunk));
  tp_clock_now++;
  CHECK(tp_chunk_release(&attic_chunk));
}

static struct thing *meanwhile;

static void borrow_meanwhile(void)
{
  meanwhile = hay_alloc();
}

static void who_asks_while_a_region_is_asked_for_finds_it_full(void)
{
  fill_barn();
  hay_free(bales[2]);
  hay_free(bales[1]);
  CHECK(tp_chunk_release(&barn_chunk));
  meanwhile = bales[0];
  when_barn_is_asked_for = borrow_meanwhile;
  CHECK(hay_alloc() != NULL);
  CHECK(meanwhile == NULL);
  CHECK_EQ(barn_chunk.state->reopens, 1);
}

// Past the last slot begins none, whatever lies there.
static void what_lies_behind_the_second_pool_is_foreign_to_the_first(void)
{
  borrow_all();
  void *behind = (char *)attic_pool.storage + ATTIC * attic_pool.stride;
  CHECK_FAULTS(TP_FAULT_FOREIGN, tp_pool_free(&boxes_pool, behind));
  CHECK(tp_fault_record.pool == &boxes_pool);
}

#if !defined __arm__ && !defined __riscv

static void borrow_a_box(void)
{
  meanwhile = boxes_alloc();
}

// The second edge is where the window ends in which it was seen to be empty.
static void an_interrupt_borrows_nothing_of_what_is_being_given_back(void)
{
  empty_attic();
  tp_clock_now += attic_chunk.patience;
  meanwhile = borrowed[0];
  tp_port_interrupt_after(2, borrow_a_box);
  CHECK(tp_chunk_release(&attic_chunk));
  CHECK_EQ(tp_port_due, 0);
  CHECK(meanwhile == NULL);
}

// How many of [things] lie in [pool].
static uint32_t lie_in(const struct tp_pool *pool, struct thing *const *things,
                       uint32_t count)
{
  uint32_t found = 0;
  for (uint32_t i = 0; i < count; i++) {
    found += things[i] && is_of(pool, things[i]);
  }
  return found;
}

static void nor_takes_it_again_who_finds_another_at_it(void)
{
  uint32_t edge = 0;
  do {
    give_attic_back();
    meanwhile = NULL;
    tp_port_interrupt_after(++edge, borrow_a_box);
    struct thing *things[] = {boxes_alloc(), NULL};
    things[1] = meanwhile;
    uint32_t away = lie_in(&attic_pool, things, 2);
    CHECK(away >= 1 && things[0] != things[1]);
    CHECK_EQ(attic_chunk.state->live, away);
    CHECK_EQ(attic_chunk.state->reopens, 1);
    CHECK(tp_pool_verify(&attic_pool, NULL));
  } while (tp_port_due == 0);
  tp_port_interrupt_after(0, NULL);
  CHECK(edge > 4);
}

static bool released;

static void release_attic(void)
{
  released = tp_chunk_release(&attic_chunk);
}

static void no_interrupt_finds_it_empty_before_its_patience_begins(void)
{
  uint32_t edge = 0;
  do {
    borrow_all();
    for (uint32_t i = 1; i < ATTIC; i++) boxes_free(borrowed[i]);
    tp_clock_now += attic_chunk.patience;
    released = false;
    tp_port_interrupt_after(++edge, release_attic);
    boxes_free(borrowed[0]);
    CHECK(!released);
  } while (tp_port_due == 0);
  tp_port_interrupt_after(0, NULL);
  CHECK(edge > 4);
}

static void borrow_rubble(void)
{
  meanwhile = yard_alloc();
}

// Who took a slot that is being given back is not said to have left it.
static void who_borrows_in_an_interrupt_is_noted_as_its_owner(void)
{
  struct thing *things[7];
  uint32_t edge = 0;
  do {
    forget_spill(&sparks_pool);
    forget_spill(&yard_pool);
    yard_alloc();
    for (uint32_t i = 0; i < 7; i++) things[i] = sparks_alloc();
    meanwhile = NULL;
    tp_port_interrupt_after(++edge, borrow_rubble);
    sparks_free(things[6]);
    uintptr_t slot =
        meanwhile == things[6] ? tp_slot_of(&rubble_pool, meanwhile) : 0;
    CHECK(!meanwhile || slot > 0);
    if (slot > 0) CHECK(rubble_chunk.owner[slot] == yard_spill.state);
  } while (tp_port_due == 0);
  tp_port_interrupt_after(0, NULL);
  CHECK(edge > 4);
}

static void what_was_masked_before_a_chunk_is_asked_stays_masked(void)
{
  borrow_all();
  tp_port_lock();
  boxes_free(borrowed[0]);
  boxes_alloc();
  CHECK(boxes_alloc() == NULL);
  CHECK(!tp_chunk_release(&attic_chunk));
  CHECK_EQ(tp_port_depth, 1);
  tp_port_unlock(0);
}

#endif

void suite_give_back(void)
{
  RUN(who_asks_while_a_region_is_asked_for_finds_it_full);
  RUN(what_lies_behind_the_second_pool_is_foreign_to_the_first);
#if !defined __arm__ && !defined __riscv
  RUN(an_interrupt_borrows_nothing_of_what_is_being_given_back);
  RUN(nor_takes_it_again_who_finds_another_at_it);
  RUN(no_interrupt_finds_it_empty_before_its_patience_begins);
  RUN(who_borrows_in_an_interrupt_is_noted_as_its_owner);
  RUN(what_was_masked_before_a_chunk_is_asked_stays_masked);
#endif
  RUN(giving_back_fails_while_any_is_live_and_succeeds_with_the_last);
  RUN(a_region_given_back_stays_so_when_given_back_again);
  RUN(an_object_of_the_second_pool_s_own_holds_its_region);
  RUN(after_it_the_region_holds_the_poison_pattern_everywhere);
  if (TP_CHECKS >= TP_CHECKS_POISON)
    RUN(a_region_of_wide_slots_is_poison_from_its_first_word_to_its_last);
  RUN(a_write_anywhere_into_it_is_detected_when_it_is_taken_again);
  RUN(a_region_given_back_is_taken_again_at_the_next_need);
  RUN(while_a_region_is_given_back_nothing_is_borrowed_from_it);
  RUN(what_is_issued_after_that_was_checked_and_renewed);
  RUN(a_region_is_given_back_only_after_it_was_empty_for_its_patience);
  RUN(patience_begins_anew_with_each_object_lent);
  RUN(patience_begins_anew_with_each_request_that_found_nothing);
  RUN(what_the_second_pool_frees_of_its_own_needs_no_patience);
  RUN(a_chunk_notes_when_the_last_of_what_it_lent_came_back);
  RUN(patience_survives_the_clock_s_wrap);
  RUN(after_a_reset_the_patience_of_a_chunk_begins_anew);
  RUN(a_load_at_the_boundary_thrashes_without_patience_only);
  RUN(a_lent_region_is_the_borrower_s_until_borrow_says_yes);
  RUN(generations_and_peak_survive_a_region_s_absence);
}
