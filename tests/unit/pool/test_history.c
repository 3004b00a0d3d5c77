// SPDX-License-Identifier: MIT
// A million random steps of each policy, beside the version without a free
// list: a slot is in use or not, and whoever wants one looks at them all. It is
// so plain that it can be read as the definition.
#include "unit.h"

enum { SLOTS = 33, STEPS = 1000000 };

struct place {
  void *object;    // NULL: not in use.
  uint32_t stamp;  // What the object's bytes say: larger, the later its birth.
};

static struct place places[SLOTS];
static uint32_t stamps;
static uint32_t allocs, frees, steals, refused;

// The first place not in use; NULL iff there is none.
static struct place *scan_free(void)
{
  for (uint32_t i = 0; i < SLOTS; i++) {
    if (!places[i].object) return &places[i];
  }
  return NULL;
}

// The place in use for longest; NULL iff none is.
static struct place *scan_oldest(void)
{
  struct place *oldest = NULL;
  for (uint32_t i = 0; i < SLOTS; i++) {
    if (!places[i].object) continue;
    if (!oldest || places[i].stamp < oldest->stamp) oldest = &places[i];
  }
  return oldest;
}

static bool scan_holds(const void *object)
{
  for (uint32_t i = 0; i < SLOTS; i++) {
    if (places[i].object == object) return true;
  }
  return false;
}

static uint32_t scan_live(void)
{
  uint32_t live = 0;
  for (uint32_t i = 0; i < SLOTS; i++) live += places[i].object != NULL;
  return live;
}

static void occupy(struct place *place, void *object)
{
  *place = (struct place){object, ++stamps};
  *(tp_word_t *)object = stamps;
  allocs++;
}

static void counters_agree(const struct tp_pool *pool)
{
  struct tp_stats stats;
  tp_pool_stats(pool, &stats);
  CHECK_EQ(stats.steals, steals);
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  CHECK_EQ(stats.refused, refused);
  CHECK_EQ(stats.live, scan_live());
  CHECK_EQ(stats.allocs, allocs);
  CHECK_EQ(stats.frees, frees);
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
  for (uint32_t i = 0; i < SLOTS; i++) places[i].object = NULL;
  allocs = frees = steals = refused = 0;
  evictions = 0;
  evicted = NULL;
  during_eviction = NULL;
}

static void free_one(const struct tp_pool *pool)
{
  struct place *place = &places[tp_test_random() % SLOTS];
  if (!place->object) return;
  CHECK_EQ(*(tp_word_t *)place->object, place->stamp);
  tp_pool_free(pool, place->object);
  place->object = NULL;
  frees++;
}

static void drop_step(void)
{
  struct place *place = scan_free();
  void *object = heap_alloc();
  CHECK_EQ(object == NULL, place == NULL);
  if (!place) {
    refused++;
    return;
  }
  CHECK(!scan_holds(object));
  occupy(place, object);
}

static void a_million_random_steps_drop_exactly_when_a_linear_scan_would(void)
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
  CHECK(refused > STEPS / 100);
}

static void steal_step(void)
{
  struct place *place = scan_free();
  struct place *oldest = scan_oldest();
  uint32_t before = evictions;
  void *object = crowd_alloc();
  CHECK(object != NULL);
  CHECK_EQ(evictions, before + !place);
  if (!place) {
    CHECK(evicted == oldest->object);
    CHECK(object == oldest->object);
    oldest->object = NULL;
    place = oldest;
    steals++;
  }
  CHECK(!scan_holds(object));
  occupy(place, object);
}

static void a_million_random_steps_steal_exactly_the_scan_s_victim(void)
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
  CHECK_EQ(evictions, steals);
  CHECK(steals > STEPS / 100);
}

void suite_history(void)
{
  RUN(a_million_random_steps_drop_exactly_when_a_linear_scan_would);
  RUN(a_million_random_steps_steal_exactly_the_scan_s_victim);
}
