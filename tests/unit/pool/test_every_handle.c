// SPDX-License-Identifier: MIT
// Every handle ever issued, beside a model of who lives.
#include "unit.h"

enum { STEPS = 150 };

struct issued {
  ticks_handle_t handle;
  struct note *note;
  bool live;
};

static struct issued issued[STEPS];
static uint32_t count;

// The model of a theft or a free: whoever had [note] has it no longer.
static void end_life(const struct note *note)
{
  for (uint32_t i = 0; i < count; i++) {
    if (issued[i].note == note) issued[i].live = false;
  }
}

static void step(void)
{
  uint32_t chosen = count ? tp_test_random() % count : 0;
  if (tp_test_random() % 3 == 0 && count && issued[chosen].live) {
    ticks_free_handle(issued[chosen].handle);
    end_life(issued[chosen].note);
    return;
  }
  ticks_handle_t handle;
  struct note *note = ticks_alloc_handle(&handle);
  end_life(note);
  issued[count++] = (struct issued){handle, note, true};
}

static void each_handle_resolves_iff_the_model_says_its_object_lives(void)
{
  tp_test_forget(&ticks_pool);
  tp_test_seed(13);
  count = 0;
  while (count < STEPS) {
    step();
    for (uint32_t i = 0; i < count; i++) {
      struct note *wanted = issued[i].live ? issued[i].note : NULL;
      CHECK(ticks_get(issued[i].handle) == wanted);
    }
  }
}

// As [ticks], but with 2 bits left for the generation.
static struct tp_pool with_two_bits(void)
{
  struct tp_pool pool = ticks_pool;
  pool.handle_bits = 30;
  return pool;
}

static void with_2_bits_a_handle_is_stale_for_three_lives_and_no_longer(void)
{
  const struct tp_pool pool = with_two_bits();
  tp_handle_t ancient, handle;
  tp_test_forget(&pool);
  tp_pool_free(&pool, tp_handle_alloc(&pool, &ancient));
  for (uint32_t life = 1; life < 4; life++) {
    void *object = tp_handle_alloc(&pool, &handle);
    CHECK(tp_handle_get(&pool, ancient) == NULL);
    CHECK(tp_handle_get(&pool, handle) == object);
    tp_pool_free(&pool, object);
  }
  void *object = tp_handle_alloc(&pool, &handle);
  CHECK(tp_handle_get(&pool, ancient) == object);
  tp_pool_free(&pool, object);
}

void suite_every_handle(void)
{
  RUN(each_handle_resolves_iff_the_model_says_its_object_lives);
  RUN(with_2_bits_a_handle_is_stale_for_three_lives_and_no_longer);
}
