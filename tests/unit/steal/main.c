// SPDX-License-Identifier: MIT
#include "steal.h"

#include "config/tp_define.h"

enum { FEW = 4, MANY = 33, GRACE = 3 };

struct thefts thefts;
uint32_t changes_left;
bool garbles_links;

static void note_theft(void *object)
{
  void (*then)(void) = thefts.during;
  thefts.count++;
  thefts.victim = object;
  thefts.number = thefts.victim->number;
  thefts.during = NULL;
  if (then) then();
}

static uint32_t loudness(const void *object)
{
  return ((const struct voice *)object)->loudness;
}

static const struct tp_steal_least quietest = {
    .policy = {.overflow = tp_least_overflow},
    .score = loudness,
    .refuses_below = 1,
};

static struct tp_age_link voices_age[FEW + 1];
TP_POOL_DEFINE_TAGGED(voices, sizeof(struct voice), FEW, 8,
                      .policy = &quietest.policy, .age = voices_age,
                      .evict = note_theft);

static struct tp_age_link choir_age[MANY + 1];
TP_POOL_DEFINE_TAGGED(choir, sizeof(struct voice), MANY, 8,
                      .policy = &quietest.policy, .age = choir_age,
                      .evict = note_theft);

static struct tp_age_link echoes_age[FEW + 1];
static uint32_t echoes_born[FEW + 1];
TP_POOL_DEFINE_TAGGED(echoes, sizeof(struct voice), FEW, 8,
                      .policy = &tp_steal_oldest, .age = echoes_age,
                      .born = echoes_born, .min_age = GRACE,
                      .evict = note_theft);

static struct tp_age_link rounds_age[FEW + 1];
TP_POOL_DEFINE_TAGGED(rounds, sizeof(struct voice), FEW, 8,
                      .policy = &tp_steal_oldest, .age = rounds_age);

static struct tp_age_link single_age[2];
TP_POOL_DEFINE_TAGGED(single, sizeof(struct voice), 1, 8,
                      .policy = &tp_steal_oldest, .age = single_age);

// Stands for an interrupt that frees what is looked at, and takes it again or
// goes on writing to it.
static uint32_t looked_at(const void *object)
{
  if (changes_left == 0) return 0;
  changes_left--;
  struct voice *freed = (struct voice *)(uintptr_t)object;
  tp_pool_free(&crowd_pool, freed);
  if (garbles_links) {
    freed->loudness = 0;
  } else {
    tp_pool_alloc(&crowd_pool);
  }
  return 0;
}

static const struct tp_steal_least any = {
    .policy = {.overflow = tp_least_overflow},
    .score = looked_at,
};

static struct tp_age_link crowd_age[FEW + 1];
TP_POOL_DEFINE_TAGGED(crowd, sizeof(struct voice), FEW, 8,
                      .policy = &any.policy, .age = crowd_age);

void (*shy_does)(void *object);

static uint32_t looked_at_once(const void *object)
{
  void (*does)(void *) = shy_does;
  shy_does = NULL;
  if (does) does((void *)(uintptr_t)object);
  return 0;
}

static const struct tp_steal_least eldest = {
    .policy = {.overflow = tp_least_overflow},
    .score = looked_at_once,
};

static struct tp_age_link shy_age[FEW + 1];
static uint32_t shy_born[FEW + 1];
TP_POOL_DEFINE_TAGGED(shy, sizeof(struct voice), FEW, 8,
                      .policy = &eldest.policy, .age = shy_age,
                      .born = shy_born, .min_age = 4);

TP_POOL_DEFINE(stones, sizeof(struct voice), 2, 8, .policy = &tp_drop,
               .refuses = 1);

TP_POOL_DEFINE_TAGGED(pebbles, sizeof(struct voice), 2, 8, .policy = &tp_drop);

void steal_start(void)
{
  tp_test_forget(&pebbles_pool);
  tp_test_forget(&voices_pool);
  tp_test_forget(&choir_pool);
  tp_test_forget(&echoes_pool);
  tp_test_forget(&rounds_pool);
  tp_test_forget(&single_pool);
  tp_test_forget(&crowd_pool);
  tp_test_forget(&shy_pool);
  shy_does = NULL;
  thefts = (struct thefts){0};
  changes_left = 0;
  garbles_links = false;
  tp_clock_now = 0;
}

bool steal_tells_of(const struct tp_pool *pool, uint32_t slot)
{
  bool audited = TP_CHECKS >= TP_CHECKS_FULL && TP_AUDIT;
  return tp_fault_record.pool == pool &&
         tp_fault_record.found == TP_BROKEN_AGE &&
         tp_fault_record.expected == TP_SOUND && tp_fault_record.offset == 0 &&
         (audited || tp_fault_record.slot == slot);
}

int main(void)
{
  suite_least();
  suite_least_history();
  suite_pins();
  suite_ages();
  suite_ring();
  suite_turn();
  return tp_test_end();
}
