// SPDX-License-Identifier: MIT
// Random steps beside a model: who holds which block, how large, and where it
// was when it was locked. Bytes are checked by a sum kept outside the arena.
#include "unit.h"

// Where each call looks at the whole arena, a tenth of them.
enum { STEPS = AUDITED ? 3000 : 30000, LAYOUTS = AUDITED ? 100 : 1000 };

static struct holding {
  tp_handle_t handle;
  uint32_t size;
  uint32_t sum;
  const void *pinned;  // Where, while locked.
} held[HEAP_HANDLES];
static uint32_t count;

static uint32_t sum_of(const unsigned char *bytes, uint32_t size)
{
  uint32_t sum = 2166136261u;
  for (uint32_t i = 0; i < size; i++) sum = (sum ^ bytes[i]) * 16777619u;
  return sum;
}

static bool sum_holds(const struct holding *of)
{
  const unsigned char *bytes = heap_lock(of->handle);
  bool same = bytes && sum_of(bytes, of->size) == of->sum;
  heap_unlock(of->handle);
  return same;
}

static void take(uint32_t size)
{
  tp_handle_t handle = heap_alloc(size);
  if (handle == TP_NO_HANDLE) return;
  unsigned char *bytes = heap_lock(handle);
  for (uint32_t i = 0; i < size; i++)
    bytes[i] = (unsigned char)tp_test_random();
  held[count++] = (struct holding){handle, size, sum_of(bytes, size), NULL};
  heap_unlock(handle);
}

static void give_back(uint32_t i)
{
  CHECK(sum_holds(&held[i]));
  if (held[i].pinned) heap_unlock(held[i].handle);
  heap_free(held[i].handle);
  held[i] = held[--count];
}

static void toggle_lock(uint32_t i)
{
  if (held[i].pinned) {
    heap_unlock(held[i].handle);
    held[i].pinned = NULL;
  } else {
    held[i].pinned = heap_lock(held[i].handle);
  }
}

static bool overlap(const struct holding *one, const struct holding *other)
{
  uintptr_t first = place_of(one->handle), second = place_of(other->handle);
  return first < second + other->size && second < first + one->size;
}

static void no_two_overlap(void)
{
  for (uint32_t i = 0; i < count; i++) {
    for (uint32_t j = 0; j < i; j++) CHECK(!overlap(&held[i], &held[j]));
  }
}

static void all_is_as_it_was(void)
{
  for (uint32_t i = 0; i < count; i++) {
    CHECK(sum_holds(&held[i]));
    if (held[i].pinned) {
      CHECK_EQ((uintptr_t)held[i].pinned, place_of(held[i].handle));
    }
  }
}

static void compact(uint32_t moves, uint32_t bytes)
{
  struct tp_reloc_figures before = figures(&heap_reloc);
  uint32_t told = moved.count;
  struct tp_reloc_moved done = tp_reloc_step(&heap_reloc, moves, bytes);
  struct tp_reloc_figures after = figures(&heap_reloc);
  CHECK(done.moves <= moves);
  CHECK(done.bytes <= bytes);
  CHECK_EQ(done.moves, moved.count - told);
  CHECK(after.hole_bytes <= before.hole_bytes);
  CHECK(after.holes <= before.holes);
  CHECK(after.largest >= before.largest);
  CHECK_EQ(done.holes, after.holes);
  CHECK_EQ(done.hole_bytes, after.hole_bytes);
}

// One random call that is not a step. Fills, then drains, in turns.
static void disturb(uint32_t round)
{
  uint32_t chance = tp_test_random();
  uint32_t odds = round / 500 % 2 ? 3 : 5;
  if (count == 0 || (chance % 8 < odds && count < HEAP_HANDLES)) {
    take(1 + (chance >> 8) % (chance & 0x80 ? 150 : 20));
  } else if (chance & 0x800) {
    toggle_lock((chance >> 16) % count);
  } else {
    give_back((chance >> 16) % count);
  }
}

static void begin(uint32_t seed)
{
  forget(&heap_reloc);
  tp_test_seed(seed);
  count = 0;
}

static void after_any_number_of_steps_contents_and_locked_places_hold(void)
{
  begin(21);
  for (uint32_t round = 0; round < STEPS; round++) {
    disturb(round);
    if (round % 3 != 0) continue;
    compact(tp_test_random() % 6, tp_test_random() % 400);
    all_is_as_it_was();
    if (round % 64 == 0) no_two_overlap();
    if (round % 16 == 0) CHECK(tp_reloc_verify(&heap_reloc));
  }
  CHECK(figures(&heap_reloc).moves > STEPS / 20);
}

static void unlock_all(void)
{
  for (uint32_t i = 0; i < count; i++) {
    if (held[i].pinned) toggle_lock(i);
  }
}

// Steps in the midst of traffic, then none: the promise counts from there.
static void from_any_state_n_blocks_are_compact_after_n_over_k_steps(void)
{
  begin(22);
  for (uint32_t layout = 0; layout < LAYOUTS; layout++) {
    for (uint32_t i = 0; i < 16; i++) {
      disturb(layout * 16 + i);
      if (i % 5 == 0) compact(2, HEAP_BYTES);
    }
    unlock_all();
    uint32_t moves = 1 + tp_test_random() % 5;
    for (uint32_t left = (count + moves - 1) / moves; left > 0; left--) {
      compact(moves, HEAP_BYTES);
    }
    CHECK_EQ(figures(&heap_reloc).hole_bytes, 0);
    CHECK(tp_reloc_verify(&heap_reloc));
  }
}

static void with_some_locked_the_same_steps_move_all_that_can(void)
{
  begin(23);
  for (uint32_t layout = 0; layout < LAYOUTS; layout++) {
    for (uint32_t i = 0; i < 16; i++) disturb(layout * 16 + i);
    for (uint32_t left = (count + 2) / 3; left > 0; left--) {
      compact(3, HEAP_BYTES);
    }
    uint32_t so_far = moved.count;
    for (uint32_t i = 0; i < 2; i++) compact(HEAP_HANDLES, HEAP_BYTES);
    CHECK_EQ(moved.count, so_far);
    all_is_as_it_was();
  }
}

void suite_history(void)
{
  RUN(after_any_number_of_steps_contents_and_locked_places_hold);
  RUN(from_any_state_n_blocks_are_compact_after_n_over_k_steps);
  RUN(with_some_locked_the_same_steps_move_all_that_can);
}
