// SPDX-License-Identifier: MIT
// A pool in memory that a reset leaves alone; here the test plays the reset.
#include "config/tp_define.h"
#include "tp_test.h"
#include "tp_declare.h"
#include "object/tp_build.h"
#include "tp_port.h"

enum { SLOTS = 9, ONE_CONFIG = 0x1111, ANOTHER = 0x2222 };

// Everything lies in .bss: the test decides what is kept.
static uint32_t notes_seal;
static struct tp_age_link notes_age[SLOTS + 1];
TP_POOL_DEFINE_TAGGED(notes, 12, SLOTS, 4, .policy = &tp_steal_oldest,
                      .age = notes_age);
const struct tp_noinit notes_noinit = {
    .pool = &notes_pool,
    .seal = &notes_seal,
    .config = ONE_CONFIG,
    .tags = SLOTS + 1,
};
TP_POOL_DECLARE(notes, void);
TP_POOL_DECLARE_HANDLES(notes, void, 32);
TP_NOINIT_DECLARE(notes);

static const struct tp_noinit other_firmware = {
    .pool = &notes_pool,
    .seal = &notes_seal,
    .config = ANOTHER,
    .tags = SLOTS + 1,
};

static void garble(void *memory, uint32_t bytes)
{
  uint8_t *byte = memory;
  for (uint32_t i = 0; i < bytes; i++) byte[i] = (uint8_t)tp_test_random();
}

static void switch_power_off(void)
{
  garble(notes_tag, sizeof notes_tag);
  garble(&notes_state, sizeof notes_state);
  garble(notes_age, sizeof notes_age);
  garble(notes_storage, sizeof notes_storage);
  garble(&notes_seal, sizeof notes_seal);
}

static uint32_t live(void)
{
  struct tp_stats stats;
  tp_pool_stats(&notes_pool, &stats);
  return stats.live;
}

static void use(void)
{
  void *first = notes_alloc();
  for (uint32_t i = 0; i < 4; i++) notes_alloc();
  notes_free(first);
}

static void after_power_was_off_the_pool_is_empty(void)
{
  for (uint32_t i = 0; i < 100; i++) {
    switch_power_off();

    CHECK(!notes_validate());

    CHECK(tp_pool_verify(&notes_pool, NULL));
    CHECK_EQ(live(), 0);
    for (uint32_t n = 0; n < 3 * SLOTS; n++) CHECK(notes_alloc() != NULL);
  }
}

static void after_a_reset_objects_are_there_and_handles_resolve(void)
{
  switch_power_off();
  notes_validate();
  use();
  tp_handle_t handle;
  uint32_t *object = notes_alloc_handle(&handle);
  *object = 77;

  CHECK(notes_validate());

  CHECK_EQ(live(), 5);
  CHECK(notes_get(handle) == object);
  CHECK_EQ(*object, 77);
  CHECK(notes_free_handle(handle));
  CHECK(tp_pool_verify(&notes_pool, NULL));
}

static void memory_of_another_firmware_is_not_valid(void)
{
  switch_power_off();
  notes_validate();
  use();

  CHECK(!tp_noinit_validate(&other_firmware));
  CHECK_EQ(live(), 0);
  use();
  CHECK(!notes_validate());
  CHECK_EQ(live(), 0);
}

// The notes, were their births kept.
static struct tp_pool timed;
static uint32_t born[SLOTS + 1], timed_seal;
static const struct tp_noinit timed_noinit = {
    .pool = &timed,
    .seal = &timed_seal,
    .config = ONE_CONFIG,
    .tags = SLOTS + 1,
};
static void *timed_objects[SLOTS];

static void fill_timed(uint32_t clock)
{
  timed = notes_pool;
  timed.born = born;
  tp_test_forget(&timed);
  tp_noinit_validate(&timed_noinit);
  tp_clock_now = clock;
  for (uint32_t i = 0; i < SLOTS; i++) {
    timed_objects[i] = tp_pool_alloc(&timed);
    CHECK(timed_objects[i]);
  }
}

static void end_timed(void)
{
  tp_clock_now = 0;
  tp_test_forget(&timed);
}

// Whose min_age is three.
static void who_outlived_a_clock_is_as_old_as_the_next_one(void)
{
  fill_timed(1000);
  timed.min_age = 3;
  born[1] = UINT32_MAX - 4;  // Who was first is as old as a clock can tell.
  tp_clock_now = 2;

  CHECK(tp_noinit_validate(&timed_noinit));

  CHECK_EQ(tp_pool_oldest_age(&timed), 7);
  CHECK(tp_pool_alloc(&timed));
  CHECK(!tp_pool_alloc(&timed));
  tp_clock_now = 5;
  CHECK_EQ(tp_pool_oldest_age(&timed), 3);
  CHECK(tp_noinit_validate(&timed_noinit));
  CHECK(tp_pool_alloc(&timed));
  end_timed();
}

static void every_birth_that_a_clock_has_not_come_to_is_now(void)
{
  fill_timed(1000);
  tp_clock_now = 2;

  CHECK(tp_noinit_validate(&timed_noinit));

  for (uint32_t slot = 1; slot <= SLOTS; slot++) CHECK_EQ(born[slot], 2);
  end_timed();
}

static void who_is_as_old_as_half_a_clock_keeps_its_birth(void)
{
  fill_timed(0);
  tp_clock_now = 9;
  born[1] = 9u - INT32_MAX;
  born[2] = 9u - INT32_MAX - 1u;

  CHECK(tp_noinit_validate(&timed_noinit));

  CHECK_EQ(born[1], 9u - INT32_MAX);
  CHECK_EQ(born[2], 9);
  end_timed();
}

// Stands for a reset between two stores of a call.
static void metadata_that_does_not_add_up_is_not_valid(void)
{
  switch_power_off();
  notes_validate();
  use();
  notes_tag[0] += 0x10000;

  CHECK(!notes_validate());

  CHECK_EQ(live(), 0);
  CHECK(notes_validate());
}

// Statistics would go on behind the tags.
static void a_peak_beyond_the_slots_there_are_is_not_valid(void)
{
  struct tp_stats stats;
  switch_power_off();
  notes_validate();
  use();
  notes_state.reached = SLOTS;
  CHECK(notes_validate());
  notes_state.reached = SLOTS + 1;

  CHECK(!notes_validate());

  tp_pool_stats(&notes_pool, &stats);
  CHECK_EQ(stats.peak, 0);
}

static void whatever_the_memory_holds_nothing_faults(void)
{
  for (uint32_t i = 0; i < 300; i++) {
    uint32_t kept = notes_seal;
    switch_power_off();
    notes_state.fresh = (tp_slot_t)(tp_test_random() % (SLOTS + 2));
    notes_seal = kept;

    bool valid = notes_validate();

    CHECK(tp_pool_verify(&notes_pool, NULL));
    CHECK(valid || live() == 0);
  }
}

static void memory_of_another_pool_is_not_validated(void)
{
  static tp_word_t storage[SLOTS * 3];
  struct tp_pool other = notes_pool;
  struct tp_noinit same_shape = notes_noinit;
  other.storage = storage;
  other.origin = (uintptr_t)storage - other.stride;
  same_shape.pool = &other;
  switch_power_off();
  CHECK(!tp_noinit_validate(&notes_noinit));
  while (live() < SLOTS) tp_pool_alloc(&notes_pool);

  CHECK(!tp_noinit_validate(&same_shape));

  CHECK_EQ(live(), 0);
}

// Does memory that has the seal of the notes get another one, as what is said
// here?
static bool is_another_s(const struct tp_pool *pool, uint32_t config,
                         uint32_t tags)
{
  struct tp_noinit another = {pool, &notes_seal, config, tags};
  switch_power_off();
  if (notes_validate()) return false;
  uint32_t seal = notes_seal;
  bool valid = tp_noinit_validate(&another);
  return !valid && notes_seal != seal;
}

static void each_bit_of_what_a_seal_is_made_of_counts(void)
{
  for (uint32_t bit = 0; bit < 32; bit++) {
    CHECK(is_another_s(&notes_pool, ONE_CONFIG ^ 1u << bit, SLOTS + 1));
  }
  for (uint32_t bit = 0; bit < 16; bit++) {
    struct tp_pool other = notes_pool;
    other.stride = (uint16_t)(other.stride ^ 1u << bit);
    CHECK(is_another_s(&other, ONE_CONFIG, SLOTS + 1));
  }
  CHECK(is_another_s(&notes_pool, ONE_CONFIG, SLOTS));
}

// A pool whose tags and ring have a word behind them, that is another's.
static uint32_t more_tags[SLOTS + 2];
static struct tp_age_link more_age[SLOTS + 2];

static void what_is_emptied_is_zero_and_nothing_behind_it(void)
{
  struct tp_pool pool = notes_pool;
  const struct tp_noinit noinit = {&pool, &notes_seal, ONE_CONFIG, SLOTS + 1};
  const uint32_t *age = (const uint32_t *)(const void *)more_age;
  const uint32_t words = sizeof *more_age / 4;
  pool.tag = more_tags;
  pool.age = more_age;
  switch_power_off();
  for (uint32_t i = 0; i < SLOTS + 2; i++) {
    more_tags[i] = ~0u;
    more_age[i] = (struct tp_age_link){0xffff, 0xffff};
  }

  CHECK(!tp_noinit_validate(&noinit));

  for (uint32_t i = 0; i <= SLOTS; i++) CHECK_EQ(more_tags[i], 0);
  for (uint32_t i = 0; i < (SLOTS + 1) * words; i++) CHECK_EQ(age[i], 0);
  CHECK_EQ(more_tags[SLOTS + 1], ~0u);
  CHECK_EQ(age[(SLOTS + 1) * words], ~0u);
  CHECK_EQ(notes_state.overflows + notes_state.steals + notes_state.fresh, 0);
}

static uint32_t plain_seal;
TP_POOL_DEFINE_TAGGED(plain, 12, SLOTS, 4, .policy = &tp_drop, .refuses = 1);
static const struct tp_noinit plain_noinit = {
    .pool = &plain_pool,
    .seal = &plain_seal,
    .config = ONE_CONFIG,
    .tags = SLOTS + 1,
};

static void a_pool_without_a_ring_is_emptied_too(void)
{
  garble(plain_tag, sizeof plain_tag);
  garble(&plain_state, sizeof plain_state);
  CHECK(!tp_noinit_validate(&plain_noinit));
  CHECK(tp_pool_verify(&plain_pool, NULL));
  for (uint32_t i = 0; i < SLOTS; i++) CHECK(tp_pool_alloc(&plain_pool));
  CHECK(!tp_pool_alloc(&plain_pool));
  CHECK(tp_noinit_validate(&plain_noinit));
}

// Its tags are counted by its level: at off it has none.
static uint32_t bare_seal;
TP_POOL_DEFINE(bare, 12, SLOTS, 4, .policy = &tp_drop, .refuses = 1);
static const struct tp_noinit bare_noinit = {
    .pool = &bare_pool,
    .seal = &bare_seal,
    .config = ONE_CONFIG,
    .tags = sizeof bare_tag / sizeof *bare_tag,
};

static void what_was_issued_after_a_reset_of_the_pool_is_there_too(void)
{
  CHECK(!tp_noinit_validate(&bare_noinit));
  for (uint32_t i = 0; i < SLOTS; i++) CHECK(tp_pool_alloc(&bare_pool));
  tp_pool_reset(&bare_pool);
  void *kept = tp_pool_alloc(&bare_pool);

  CHECK(tp_noinit_validate(&bare_noinit));

  CHECK(kept);
  for (uint32_t i = 1; i < SLOTS; i++) CHECK(tp_pool_alloc(&bare_pool) != kept);
  CHECK(!tp_pool_alloc(&bare_pool));
}

static void who_was_pinned_before_a_reset_is_unpinned(void)
{
  void **objects = timed_objects;
  fill_timed(0);
  for (uint32_t i = 0; i < SLOTS; i += 2) tp_pool_pin(&timed, objects[i]);
  tp_pool_free(&timed, objects[4]);
  tp_pool_free(&timed, objects[5]);
  tp_clock_now = 5;

  CHECK(tp_noinit_validate(&timed_noinit));

  CHECK(tp_pool_verify(&timed, NULL));
  CHECK_EQ(tp_pool_live(&timed), SLOTS - 2);
  CHECK_EQ(born[1], 5);
  CHECK_EQ(born[2], 0);
  tp_pool_pin(&timed, objects[8]);  // No fault.
  CHECK(tp_pool_alloc(&timed) == objects[5]);
  CHECK(tp_pool_alloc(&timed) == objects[4]);
  static const uint8_t order[] = {1, 3, 7, 0, 2, 6, 5, 4, 1};
  for (uint32_t i = 0; i < sizeof order; i++) {
    CHECK(tp_pool_alloc(&timed) == objects[order[i]]);
  }
  end_timed();
}

static void so_is_who_was_where_no_births_are_kept(void)
{
  tp_test_forget(&notes_pool);
  notes_validate();
  void *object = notes_alloc();
  tp_pool_pin(&notes_pool, object);

  CHECK(notes_validate());

  for (uint32_t i = 0; i < SLOTS; i++) CHECK(notes_alloc());
  tp_pool_pin(&notes_pool, object);  // Its slot was stolen: no fault.
  CHECK_EQ(live(), SLOTS);
}

#if !defined __arm__ && !defined __riscv
static jmp_buf reset;

static void reset_the_chip(void)
{
  longjmp(reset, 1);
}

// A slot that is just being issued is on no ring yet, and its links are those
// of its last life.
static void who_a_reset_kept_from_the_ring_is_not_pinned_by_nobody(void)
{
  for (volatile uint32_t edge = 1; edge < 12; edge++) {
    tp_test_forget(&notes_pool);
    notes_validate();
    tp_test_forget(&notes_pool);
    void *volatile object = notes_alloc();
    tp_pool_pin(&notes_pool, object);
    tp_pool_free(&notes_pool, object);
    if (setjmp(reset) == 0) {
      tp_port_interrupt_after(edge, reset_the_chip);
      notes_alloc();
    }
    tp_port_interrupt_after(0, NULL);
    tp_port_depth = 0;
    tp_port_runs = 0;
    if (!notes_validate()) continue;
    bool found = false;
    for (uint32_t i = 0; i < 2 * SLOTS; i++) found |= notes_alloc() == object;
    CHECK(found);
  }
}
#endif

int main(void)
{
  tp_test_seed(1);
  RUN(after_power_was_off_the_pool_is_empty);
  RUN(after_a_reset_objects_are_there_and_handles_resolve);
  RUN(who_outlived_a_clock_is_as_old_as_the_next_one);
  RUN(every_birth_that_a_clock_has_not_come_to_is_now);
  RUN(who_is_as_old_as_half_a_clock_keeps_its_birth);
  RUN(memory_of_another_firmware_is_not_valid);
  RUN(memory_of_another_pool_is_not_validated);
  RUN(each_bit_of_what_a_seal_is_made_of_counts);
  RUN(what_is_emptied_is_zero_and_nothing_behind_it);
  RUN(metadata_that_does_not_add_up_is_not_valid);
  RUN(a_peak_beyond_the_slots_there_are_is_not_valid);
  RUN(whatever_the_memory_holds_nothing_faults);
  RUN(a_pool_without_a_ring_is_emptied_too);
  RUN(what_was_issued_after_a_reset_of_the_pool_is_there_too);
  RUN(who_was_pinned_before_a_reset_is_unpinned);
  RUN(so_is_who_was_where_no_births_are_kept);
#if !defined __arm__ && !defined __riscv
  RUN(who_a_reset_kept_from_the_ring_is_not_pinned_by_nobody);
#endif
  return tp_test_end();
}
