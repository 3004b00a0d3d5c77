// SPDX-License-Identifier: MIT
// Objects whose link does not take their first word: link = N.
#include "compose.h"

static struct spark *first_of(const struct tp_pool *pool)
{
  return (struct spark *)((uintptr_t)pool->storage - 4);
}

static void an_object_begins_before_its_link(void)
{
  compose_start();
  struct spark *spark = sparks_create(NULL);

  CHECK(spark == first_of(&sparks_pool));
  CHECK_EQ((uintptr_t)spark % 4, 0);
  CHECK(sparks_is_live(spark));
  CHECK(!sparks_is_live((struct spark *)&spark->number));
  sparks_destroy(spark);
  CHECK(!sparks_is_live(spark));
}

static void a_dead_object_s_first_word_says_so(void)
{
  struct spark *spark[4];
  compose_start();
  for (uint32_t i = 0; i < 4; i++) spark[i] = sparks_create(NULL);
  for (uint32_t i = 0; i < 4; i += 2) sparks_destroy(spark[i]);

  CHECK_EQ(spark[0]->left, 0);
  CHECK_EQ(spark[1]->left, 3);
  CHECK_EQ(spark[2]->left, 0);
  sparks_audit();
  CHECK(tp_pool_verify(&sparks_pool, NULL));
}

static void hooks_get_the_object_and_not_its_link(void)
{
  compose_start();
  struct spark *spark = sparks_create(NULL);
  CHECK_EQ(spark->left, 3);
  CHECK_EQ(spark->number, 1);

  sparks_destroy(spark);

  CHECK(hooks.died == spark);
  CHECK_EQ(hooks.loudness, 3);
}

static void what_is_retained_is_found_again(void)
{
  uint32_t kept = 77;
  compose_start();
  struct spark *spark = sparks_create(&kept);
  sparks_destroy(spark);

  CHECK(sparks_create(NULL) == spark);
  CHECK_EQ(spark->kept, 77);
}

static bool burn(void *object, void *context)
{
  struct spark *spark = (struct spark *)object;
  *(uint32_t *)context += spark->number;
  return --spark->left > 0;
}

static void add_number(void *object, void *context)
{
  *(uint32_t *)context += ((struct spark *)object)->number;
}

static void updates_and_walks_meet_the_objects(void)
{
  uint32_t sum = 0;
  compose_start();
  for (uint32_t i = 0; i < 3; i++) sparks_create(NULL);

  sparks_walk(add_number, &sum);
  CHECK_EQ(sum, 6);
  for (uint32_t i = 0; i < 3; i++) sparks_update(burn, &sum);
  CHECK_EQ(sum, 24);
  sparks_update(burn, &sum);
  CHECK_EQ(sum, 24);
  CHECK_EQ(hooks.deinits, 3);
}

static void a_full_pool_gives_null_and_not_an_address_before_it(void)
{
  compose_start();
  for (uint32_t i = 0; i < 4; i++) CHECK(sparks_alloc());
  CHECK(sparks_alloc() == NULL);
  CHECK(sparks_create(NULL) == NULL);
}

static void handles_pins_and_theft_speak_of_the_object(void)
{
  fuses_handle_t first, handle;
  compose_start();
  struct spark *oldest = fuses_alloc_handle(&first);
  struct spark *next = fuses_alloc();
  fuses_alloc();
  next->left = 9;
  CHECK(fuses_get(first) == oldest);
  CHECK(fuses_same(fuses_handle(oldest), first));
  fuses_pin(oldest);

  CHECK(fuses_alloc_handle(&handle) == next);

  CHECK(hooks.died == next);
  CHECK_EQ(hooks.loudness, 9);
  fuses_unpin(oldest);
  CHECK(fuses_pin_handle(handle) == next);
  CHECK(fuses_unpin_handle(handle));
  CHECK(fuses_free_handle(first));
  CHECK(fuses_get(first) == NULL);
  fuses_free(next);
}

static void lent_slots_have_their_link_there_too(void)
{
  struct spark *spark[5];
  compose_start();
  for (uint32_t i = 0; i < 5; i++) {
    spark[i] = pails_alloc();
    if (spark[i]) *spark[i] = (struct spark){i, i, i, i};
  }
  CHECK(spark[3] && !spark[4]);
  for (uint32_t i = 0; i < 4; i++) {
    CHECK_EQ(spark[i]->left + spark[i]->last, 2 * i);
    pails_free(spark[i]);
  }
  CHECK(tp_pool_verify(&pits_pool, NULL));
  CHECK(tp_chunk_release(&pits_chunk));
  for (uint32_t i = 0; i < 2; i++) CHECK(pails_alloc());
  CHECK(pails_alloc() == spark[2]);
}

static void a_reserve_has_its_link_there_too(void)
{
  compose_start();
  CHECK(seats_alloc() && seats_alloc());
  CHECK(!seats_alloc());
  struct spark *urgent = seats_alloc_urgent();
  CHECK(urgent);
  urgent->left = 7;
  CHECK(!seats_alloc_urgent());
  seats_free(urgent);
  CHECK_EQ(urgent->left, 7);
  CHECK(seats_alloc_urgent() == urgent);
}

static void code_of_its_own_knows_the_link_too(void)
{
  uint32_t *object[3];
  compose_start();
  for (uint32_t i = 0; i < 3; i++) {
    object[i] = lone_alloc();
    CHECK_EQ((uintptr_t)object[i] % 16, 0);
    object[i][0] = i;
  }
  CHECK(!lone_alloc());
  for (uint32_t i = 0; i < 3; i++) lone_free(object[i]);
  for (uint32_t i = 0; i < 3; i++) CHECK_EQ(object[i][0], i);
  CHECK(lone_alloc() == object[2]);
}

static void a_broken_link_is_found_where_it_is(void)
{
  compose_start();
  struct spark *spark = sparks_create(NULL);
  sparks_create(NULL);
  sparks_destroy(spark);
  spark->left = 5;
  CHECK(tp_pool_verify(&sparks_pool, NULL));

  spark->number ^= 0x10000;

  CHECK_FAULTS(TP_FAULT_LINK, sparks_alloc());
  CHECK(tp_fault_record.address == &spark->number);
}

static void wrong_pointers_fault(void)
{
  compose_start();
  struct spark *spark = fuses_alloc();
  void *behind = (char *)spark + 3 * fuses_pool.stride;
  CHECK_FAULTS(TP_FAULT_INTERIOR, fuses_free((struct spark *)&spark->number));
  CHECK_FAULTS(TP_FAULT_FOREIGN, fuses_free(NULL));
  CHECK_FAULTS(TP_FAULT_FOREIGN, fuses_free(spark - 1));
  CHECK_FAULTS(TP_FAULT_FOREIGN, fuses_free(behind));
  fuses_free(spark);
  CHECK_FAULTS(TP_FAULT_DOUBLE_FREE, fuses_free(spark));
}

static void a_dead_object_is_poison_behind_its_link(void)
{
  for (uint32_t i = 0; i < 2; i++) {
    compose_start();
    struct spark *spark = fuses_alloc();
    *spark = (struct spark){1, 2, 3, 4};
    fuses_free(spark);
    CHECK_EQ(spark->left, 1);
    CHECK_EQ(spark->number, 2);
    CHECK_EQ(spark->last, TP_POISON);
    if (i) tp_pool_scrub(&fuses_pool, 3);
    spark->last ^= 1;
    if (i) CHECK_FAULTS(TP_FAULT_POISON, tp_pool_scrub(&fuses_pool, 3));
    if (!i) CHECK_FAULTS(TP_FAULT_POISON, fuses_alloc());
    CHECK_EQ(tp_fault_record.slot, 1);
    CHECK_EQ(tp_fault_record.offset, 4);
  }
}

// Beyond each end of each object.
static void writes_beside_an_object_are_found(void)
{
  for (uint32_t slot = 0; slot < 4; slot++) {
    for (uint32_t side = 0; side < 2; side++) {
      struct spark *spark[4];
      compose_start();
      for (uint32_t i = 0; i < 4; i++) spark[i] = sparks_create(NULL);
      tp_word_t *beside = (tp_word_t *)spark[slot] + (side ? 4 : -1);
      *beside ^= 1;
      CHECK_FAULTS(TP_FAULT_RED_ZONE, sparks_destroy(spark[slot]));
      CHECK_EQ(
          (uint32_t)(uintptr_t)tp_fault_record.address + tp_fault_record.offset,
          (uintptr_t)beside);
    }
  }
}

void suite_link(void)
{
  RUN(an_object_begins_before_its_link);
  RUN(a_dead_object_s_first_word_says_so);
  RUN(hooks_get_the_object_and_not_its_link);
  RUN(what_is_retained_is_found_again);
  RUN(updates_and_walks_meet_the_objects);
  RUN(a_full_pool_gives_null_and_not_an_address_before_it);
  RUN(handles_pins_and_theft_speak_of_the_object);
  RUN(lent_slots_have_their_link_there_too);
  RUN(a_reserve_has_its_link_there_too);
  RUN(code_of_its_own_knows_the_link_too);
  if (TP_CHECKS >= TP_CHECKS_FAST) {
    RUN(a_broken_link_is_found_where_it_is);
    RUN(wrong_pointers_fault);
  }
  if (TP_CHECKS >= TP_CHECKS_POISON) {
    RUN(a_dead_object_is_poison_behind_its_link);
  }
  if (TP_CHECKS >= TP_CHECKS_FULL) RUN(writes_beside_an_object_are_found);
}
