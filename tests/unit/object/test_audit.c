// SPDX-License-Identifier: MIT
#include "object.h"

static struct spark *live[SPARKS];
static uint32_t count;

static bool is_member(const struct spark *spark)
{
  for (uint32_t i = 0; i < count; i++) {
    if (live[i] == spark) return true;
  }
  return false;
}

static void churn(void)
{
  if (tp_test_random() % 2 && count < SPARKS) {
    live[count++] = spark_of(1 + tp_test_random() % LEFT_MAX);
  } else if (count) {
    uint32_t i = tp_test_random() % count;
    live[i]->left = 0;
    sparks_destroy(live[i]);
    live[i] = live[--count];
  }
}

// tp_pool_verify() says that the free list holds the slots whose tag is dead,
// each once, and no other; the model and the predicate are asked here.
static void all_agree_for_every_slot(void)
{
  struct spark *slot = (struct spark *)sparks_pool.storage;
  CHECK(tp_pool_verify(&sparks_pool, NULL));
  for (uint32_t i = 0; i < sparks_pool.state->fresh; i++) {
    bool member = is_member(slot);
    CHECK_EQ(sparks_is_live(slot), member);
    CHECK_EQ(spark_in_use(slot), member);
    slot = (struct spark *)((char *)slot + sparks_pool.stride);
  }
}

static void after_each_random_step_tags_list_and_predicate_agree(void)
{
  forget(&sparks_objects);
  tp_test_seed(43);
  count = 0;
  for (uint32_t step = 0; step < 2000; step++) {
    churn();
    all_agree_for_every_slot();
    sparks_audit();
  }
}

static struct spark *naive_of(uint32_t left)
{
  struct spark *spark = naive_create(NULL);
  *spark = (struct spark){1, left, 0};
  return spark;
}

static void a_poisoned_frames_left_reads_as_alive_and_is_caught(void)
{
  forget(&naive_objects);
  naive_of(3);
  struct spark *spark = naive_of(3);
  naive_audit();
  spark->left = 0;
  naive_destroy(spark);
  CHECK(naive_in_use(spark));

  CHECK_FAULTS(TP_FAULT_IN_USE, naive_audit());

  CHECK(tp_fault_record.pool == &naive_pool);
  CHECK_EQ(tp_fault_record.slot, 2);
  CHECK(tp_fault_record.address == spark);
  CHECK_EQ(tp_fault_record.offset, 0);
  CHECK_EQ(tp_fault_record.found, 1);
  CHECK_EQ(tp_fault_record.expected, 0);
}

static void a_predicate_that_knows_poison_is_not_deceived(void)
{
  forget(&sparks_objects);
  struct spark *spark = spark_of(3);
  sparks_destroy(spark);
  CHECK_EQ(spark->left, TP_POISON);

  sparks_audit();

  CHECK(!spark_in_use(spark));
}

static void an_object_marked_dead_but_not_destroyed_is_named(void)
{
  forget(&sparks_objects);
  spark_of(3);
  spark_of(3)->left = 0;

  CHECK_FAULTS(TP_FAULT_IN_USE, sparks_audit());

  CHECK_EQ(tp_fault_record.slot, 2);
  CHECK_EQ(tp_fault_record.found, 0);
  CHECK_EQ(tp_fault_record.expected, 1);
}

static void an_object_destroyed_but_not_marked_dead_is_named(void)
{
  forget(&sparks_objects);
  spark_of(3);
  sparks_destroy(spark_of(3));

  CHECK_FAULTS(TP_FAULT_IN_USE, sparks_audit());

  CHECK_EQ(tp_fault_record.slot, 2);
  CHECK_EQ(tp_fault_record.found, 1);
}

static void each_slot_ever_issued_is_audited(void)
{
  for (uint32_t dead = 0; dead < 3; dead++) {
    forget(&sparks_objects);
    for (uint32_t i = 0; i < 3; i++) live[i] = spark_of(3);
    live[dead]->left = 0;

    CHECK_FAULTS(TP_FAULT_IN_USE, sparks_audit());

    CHECK(tp_fault_record.pool == &sparks_pool);
    CHECK_EQ(tp_fault_record.slot, dead + 1);
    CHECK(tp_fault_record.address == live[dead]);
    CHECK_EQ(tp_fault_record.offset, 0);
  }
}

// Of three sparks the one in the middle is all that the pool ever issued.
static void what_lies_beside_the_slots_ever_issued_is_not_audited(void)
{
  uint32_t tags[] = {0, 0x80000001u, 0};
  struct tp_pool_state state = {.fresh = 1};
  struct tp_pool middle = sparks_pool;
  const struct tp_objects objects = {.pool = &middle, .in_use = spark_in_use};
  forget(&sparks_objects);
  for (uint32_t i = 0; i < 3; i++) live[i] = spark_of(3);
  middle.tag = tags;
  middle.state = &state;
  middle.storage = (tp_word_t *)live[1];
  middle.origin = (uintptr_t)live[0];

  tp_object_audit(&objects);

  live[1]->left = 0;
  CHECK_FAULTS(TP_FAULT_IN_USE, tp_object_audit(&objects));
  CHECK_EQ(tp_fault_record.slot, 1);
}

static void without_a_predicate_there_is_nothing_to_audit(void)
{
  forget(&nodes_objects);
  nodes_create(NULL);

  nodes_audit();
}

static void at_off_an_audit_finds_nothing(void)
{
  forget(&sparks_objects);
  spark_of(3)->left = 0;

  sparks_audit();
}

void suite_audit(void)
{
  RUN(without_a_predicate_there_is_nothing_to_audit);
  RUN(after_each_random_step_tags_list_and_predicate_agree);
  if (TP_CHECKS == TP_CHECKS_OFF) RUN(at_off_an_audit_finds_nothing);
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  RUN(an_object_marked_dead_but_not_destroyed_is_named);
  RUN(each_slot_ever_issued_is_audited);
  RUN(what_lies_beside_the_slots_ever_issued_is_not_audited);
  if (TP_CHECKS == TP_CHECKS_FAST) {
    RUN(an_object_destroyed_but_not_marked_dead_is_named);
  }
  if (TP_CHECKS < TP_CHECKS_POISON) return;
  RUN(a_poisoned_frames_left_reads_as_alive_and_is_caught);
  RUN(a_predicate_that_knows_poison_is_not_deceived);
}
