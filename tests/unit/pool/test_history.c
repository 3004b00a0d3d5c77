// SPDX-License-Identifier: MIT
// A million random steps of each policy, beside a model so plain that it can
// be read as the definition: a list of who is live, in order of birth.
#include "unit.h"

enum { SLOTS = 33, STEPS = 1000000 };

struct model {
  uint32_t count;
  void *live[SLOTS];       // Oldest first.
  uint32_t stamp[SLOTS];   // What that object's bytes say.
  uint32_t allocs, frees, steals, drops;
};

static struct model model;
static uint32_t stamps;

static void model_remove(uint32_t index)
{
  model.count--;
  for (uint32_t i = index; i < model.count; i++) {
    model.live[i] = model.live[i + 1];
    model.stamp[i] = model.stamp[i + 1];
  }
}

static void model_append(void *object)
{
  model.live[model.count] = object;
  model.stamp[model.count] = ++stamps;
  model.count++;
  model.allocs++;
  *(tp_word_t *)object = stamps;
}

static bool model_holds(const void *object)
{
  for (uint32_t i = 0; i < model.count; i++) {
    if (model.live[i] == object) return true;
  }
  return false;
}

static void counters_agree(const struct tp_pool *pool)
{
  struct tp_pool_stats stats;
  tp_pool_stats(pool, &stats);
  CHECK_EQ(stats.steals, model.steals);
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  CHECK_EQ(stats.drops, model.drops);
  CHECK_EQ(stats.live, model.count);
  CHECK_EQ(stats.allocs, model.allocs);
  CHECK_EQ(stats.frees, model.frees);
  CHECK_EQ(stats.allocs, stats.frees + stats.steals + stats.live);
}

// The load swings from empty to full and back: a few hundred steps of each.
static bool wants_alloc(uint32_t step)
{
  uint32_t odds = step / 300 % 3;  // 0 fills, 1 churns, 2 drains.
  return tp_test_random() % 8 < (odds == 0 ? 6u : odds == 1 ? 4u : 2u);
}

static void begin(const struct tp_pool *pool, uint32_t seed)
{
  tp_test_forget(pool);
  tp_test_seed(seed);
  model = (struct model){0};
  evictions = 0;
  evicted = NULL;
  during_eviction = NULL;
}

static void free_one(const struct tp_pool *pool)
{
  if (model.count == 0) return;
  uint32_t index = tp_test_random() % model.count;
  void *object = model.live[index];
  CHECK_EQ(*(tp_word_t *)object, model.stamp[index]);
  tp_pool_free(pool, object);
  model_remove(index);
  model.frees++;
}

static void drop_step(void)
{
  void *object = heap_alloc();
  if (model.count == SLOTS) {
    CHECK(object == NULL);
    model.drops++;
    return;
  }
  CHECK(object != NULL);
  CHECK(!model_holds(object));
  model_append(object);
}

static void a_million_random_steps_drop_exactly_when_the_model_is_full(void)
{
  begin(&heap_pool, 3);
  for (uint32_t step = 0; step < STEPS; step++) {
    if (wants_alloc(step)) {
      drop_step();
    } else {
      free_one(&heap_pool);
    }
    if (step % 1000 == 0) CHECK(tp_pool_verify(&heap_pool, NULL));
  }
  counters_agree(&heap_pool);
  CHECK(model.drops > STEPS / 100);
}

static void steal_step(void)
{
  void *oldest = model.live[0];
  bool full = model.count == SLOTS;
  uint32_t before = evictions;
  void *object = crowd_alloc();
  CHECK_EQ(evictions, before + full);
  if (full) {
    CHECK(evicted == oldest);
    CHECK(object == oldest);
    model_remove(0);
    model.steals++;
  }
  CHECK(object != NULL);
  CHECK(!model_holds(object));
  model_append(object);
}

static void a_million_random_steps_steal_exactly_the_model_s_victim(void)
{
  begin(&crowd_pool, 5);
  for (uint32_t step = 0; step < STEPS; step++) {
    if (wants_alloc(step)) {
      steal_step();
    } else {
      free_one(&crowd_pool);
    }
    if (step % 1000 == 0) CHECK(tp_pool_verify(&crowd_pool, NULL));
  }
  counters_agree(&crowd_pool);
  CHECK_EQ(evictions, model.steals);
  CHECK(model.steals > STEPS / 100);
}

void suite_history(void)
{
  RUN(a_million_random_steps_drop_exactly_when_the_model_is_full);
  RUN(a_million_random_steps_steal_exactly_the_model_s_victim);
}
