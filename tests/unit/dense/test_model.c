// SPDX-License-Identifier: MIT
// Random steps beside a model so plain that it is the definition: a set of
// ids, each with the handle it was given.
#include "dense.h"

enum { STEPS = 200000, GONE = 64 };

static struct {
  uint32_t id;
  tp_handle_t handle;
} model[BULLETS];
static uint32_t count, ids;
static tp_handle_t gone[GONE];  // Handles of the last dead.

static void begin(uint32_t seed)
{
  forget(&bullets_dense);
  tp_test_seed(seed);
  count = 0;
  ids = 0;
  for (uint32_t i = 0; i < GONE; i++) gone[i] = TP_NO_HANDLE;
}

static void create(void)
{
  tp_handle_t handle;
  struct bullet *bullet = bullets_alloc(&handle);
  CHECK_EQ(bullet == NULL, count == BULLETS);
  if (!bullet) return;
  ids++;
  *bullet = (struct bullet){ids, {~ids, ids * 3}};
  model[count].id = ids;
  model[count].handle = handle;
  count++;
}

static void destroy(void)
{
  if (count == 0) return;
  uint32_t i = tp_test_random() % count;
  gone[model[i].id % GONE] = model[i].handle;
  bullets_free(model[i].handle);
  model[i] = model[--count];
}

static bool is_whole(const struct bullet *bullet, uint32_t id)
{
  return bullet && bullet->id == id && bullet->words[0] == ~id &&
         bullet->words[1] == id * 3;
}

// As many indices as members, each member below count, no two at the same.
static void the_range_is_the_set(void)
{
  uint64_t seen = 0;
  CHECK_EQ(bullets_count(), count);
  for (uint32_t i = 0; i < count; i++) {
    struct bullet *bullet = bullets_get(model[i].handle);
    CHECK(is_whole(bullet, model[i].id));
    uint32_t index = (uint32_t)(bullet - bullets_at(0));
    CHECK(index < count);
    CHECK_EQ(bullets_handle(index), model[i].handle);
    seen |= (uint64_t)1 << index;
  }
  CHECK(seen == ((uint64_t)1 << count) - 1);
}

static void nobody_who_is_gone_resolves(void)
{
  for (uint32_t i = 0; i < GONE; i++) CHECK(bullets_get(gone[i]) == NULL);
}

static void step(uint32_t number)
{
  uint32_t odds = number / 300 % 3;  // 0 fills, 1 churns, 2 drains.
  if (tp_test_random() % 8 < (odds == 0 ? 6u : odds == 1 ? 4u : 2u)) {
    create();
  } else {
    destroy();
  }
}

static void after_each_step_the_dense_range_is_exactly_the_set(void)
{
  begin(17);
  for (uint32_t i = 0; i < STEPS / 20; i++) {
    step(i);
    the_range_is_the_set();
    nobody_who_is_gone_resolves();
  }
}

static void every_handle_resolves_to_its_own_payload(void)
{
  begin(19);
  for (uint32_t i = 0; i < STEPS; i++) {
    step(i);
    if (count == 0) continue;
    uint32_t any = tp_test_random() % count;
    CHECK(is_whole(bullets_get(model[any].handle), model[any].id));
    CHECK(bullets_get(gone[i % GONE]) == NULL);
  }
}

static void bytes_past_count_are_poison_after_each_step(void)
{
  begin(23);
  for (uint32_t i = 0; i < STEPS / 20; i++) {
    step(i);
    const tp_word_t *word = bullets_dense.storage + 3 * count;
    const tp_word_t *end =
        bullets_dense.storage + 3 * bullets_dense.state->fresh;
    for (; word < end; word++) CHECK_EQ(*word, TP_POISON);
  }
}

static void every_invariant_holds_after_each_step(void)
{
  struct tp_stats stats;
  begin(29);
  for (uint32_t i = 0; i < STEPS / 20; i++) {
    step(i);
    CHECK(tp_dense_verify(&bullets_dense));
  }
  tp_dense_stats(&bullets_dense, &stats);
  CHECK_EQ(stats.allocs, ids);
  CHECK_EQ(stats.live, count);
  CHECK_EQ(stats.allocs, stats.frees + stats.live);
}

void suite_model(void)
{
  RUN(after_each_step_the_dense_range_is_exactly_the_set);
  RUN(every_handle_resolves_to_its_own_payload);
  RUN(every_invariant_holds_after_each_step);
  if (TP_CHECKS < TP_CHECKS_POISON) return;
  RUN(bytes_past_count_are_poison_after_each_step);
}
