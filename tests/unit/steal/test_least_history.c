// SPDX-License-Identifier: MIT
// A million random steps beside a model that holds creation order and scores:
// each theft must be the model's choice.
#include "steal.h"

enum { SLOTS = 33, STEPS = 1000000 };

struct entry {
  struct voice *voice;
  tp_handle_t handle;
  uint32_t loudness;
  bool pinned;
};

static struct entry live[SLOTS];  // Oldest first.
static uint32_t count;
static uint32_t allocs, frees, steals, refusals;
static tp_handle_t last_stolen;

static void model_remove(uint32_t index)
{
  count--;
  for (uint32_t i = index; i < count; i++) live[i] = live[i + 1];
}

static void model_append(struct entry entry)
{
  live[count++] = entry;
}

// The first of the quietest that is not pinned; SLOTS if all are.
static uint32_t model_victim(void)
{
  uint32_t best = SLOTS;
  for (uint32_t i = 0; i < count; i++) {
    if (live[i].pinned) continue;
    if (best == SLOTS || live[i].loudness < live[best].loudness) best = i;
  }
  return best;
}

static void model_theft(uint32_t victim, struct voice *voice)
{
  CHECK(voice == live[victim].voice);
  CHECK(thefts.victim == voice);
  CHECK(choir_get(live[victim].handle) == NULL);
  last_stolen = live[victim].handle;
  model_remove(victim);
  steals++;
}

static void alloc_step(void)
{
  uint32_t score = tp_test_random() % 16;
  uint32_t before = thefts.count;
  bool full = count == SLOTS;
  uint32_t victim = full ? model_victim() : SLOTS;
  bool refused = full && (victim == SLOTS || score < live[victim].loudness);

  struct voice *voice = choir_alloc_scored(score);

  CHECK_EQ(thefts.count, before + (full && !refused));
  CHECK((voice == NULL) == refused);
  refusals += refused;
  if (refused) return;
  if (full) model_theft(victim, voice);
  *voice = (struct voice){.loudness = score};
  model_append((struct entry){voice, choir_handle(voice), score, false});
  allocs++;
}

static void free_step(uint32_t index)
{
  CHECK(choir_get(live[index].handle) == live[index].voice);
  choir_free(live[index].voice);
  model_remove(index);
  frees++;
}

// Unpinning makes the newest.
static void pin_step(uint32_t index)
{
  struct entry entry = live[index];
  if (!entry.pinned) {
    choir_pin(entry.voice);
    live[index].pinned = true;
    return;
  }
  choir_unpin(entry.voice);
  entry.pinned = false;
  model_remove(index);
  model_append(entry);
}

static void step(uint32_t number)
{
  uint32_t odds = number / 300 % 3;  // 0 fills, 1 churns, 2 drains.
  uint32_t dice = tp_test_random() % 16;
  uint32_t index = count ? tp_test_random() % count : 0;
  if (dice < 2 && count) {
    pin_step(index);
  } else if (dice < (odds == 0 ? 13u : odds == 1 ? 9u : 5u)) {
    alloc_step();
  } else if (count) {
    free_step(index);
  }
}

static void start(void)
{
  steal_start();
  tp_test_seed(11);
  count = allocs = frees = steals = refusals = 0;
}

static void each_of_a_million_steps_steals_exactly_the_model_s_choice(void)
{
  start();
  for (uint32_t i = 0; i < STEPS; i++) {
    step(i);
    if (i % 1000 == 0) CHECK(tp_pool_verify(&choir_pool, NULL));
    if (i % 1000 == 0) CHECK(choir_get(last_stolen) == NULL);
  }
  CHECK(steals > STEPS / 100);
  CHECK(refusals > STEPS / 1000);
}

static void allocs_are_frees_and_live_and_steals(void)
{
  struct tp_stats stats;
  start();
  for (uint32_t i = 0; i < STEPS / 100; i++) step(i);
  CHECK(steals > STEPS / 10000);
  tp_pool_stats(&choir_pool, &stats);
  CHECK_EQ(stats.allocs, allocs);
  CHECK_EQ(stats.steals, steals);
  CHECK_EQ(stats.frees, frees);
  CHECK_EQ(stats.live, count);
  CHECK_EQ(choir_pool.state->refused_by_rule, refusals);
  CHECK_EQ(stats.refused, refusals);
  CHECK_EQ(allocs, frees + count + steals);
  CHECK_EQ(thefts.count, steals);
}

void suite_least_history(void)
{
  RUN(each_of_a_million_steps_steals_exactly_the_model_s_choice);
  RUN(allocs_are_frees_and_live_and_steals);
}
