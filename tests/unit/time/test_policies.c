// SPDX-License-Identifier: MIT
#include "tp_by_hand.h"
#include "object/tp_lent.h"
#include "policy/tp_spill.h"
#include "policy/tp_steal_least.h"
#include "policy/tp_watermark.h"
#include "time.h"

// Herds of 8, 16 and 32 at home, and as many again in a chunk of each.
#define HERD(name, count)                                        \
  TP_POOL_DEFINE(name##_field, 16, count, 8, .policy = &tp_drop, \
                 .refuses = 1);                                  \
  TEST_CHUNK(name##_field, .patience = 0);                       \
  TEST_SPILL(name, &name##_field##_chunk, tp_drop);              \
  TP_POOL_DEFINE_TAGGED(name, 16, count, 8, TEST_SPILLS(name));  \
  TEST_SPILL(name##_flock, NULL, tp_drop);                       \
  TP_POOL_DEFINE_TAGGED(name##_flock, 16, count, 8, TEST_SPILLS(name##_flock))
HERD(small, 8);
HERD(middling, 16);
HERD(large, 32);

struct herd {
  const struct tp_pool *spilling;
  const struct tp_chunk *field;
  const struct tp_pool *chunked;
};

static struct herd herd_of(uint32_t count)
{
  static const struct herd herds[] = {
      {&small_pool, &small_field_chunk, &small_flock_pool},
      {&middling_pool, &middling_field_chunk, &middling_flock_pool},
      {&large_pool, &large_field_chunk, &large_flock_pool}};
  const struct herd *herd = &herds[count / 16];
  tp_test_forget(herd->spilling);
  tp_test_forget(herd->field->pool);
  tp_test_forget(herd->chunked);
  *herd->field->state = (struct tp_chunk_state){0};
  *tp_spill_of(herd->spilling)->state = (struct tp_spill_state){0};
  *tp_spill_of(herd->chunked)->state = (struct tp_spill_state){0};
  return *herd;
}

// Full at home, half of the chunk lent.
static struct herd lend_to(uint32_t count)
{
  struct herd herd = herd_of(count);
  for (uint32_t i = 0; i < count + count / 2; i++) {
    objects[i] = tp_pool_alloc(herd.spilling);
  }
  return herd;
}

static uint32_t of_borrowing(uint32_t count)
{
  struct herd herd = lend_to(count);
  return COST(tp_pool_alloc(herd.spilling));
}

static uint32_t of_returning(uint32_t count)
{
  struct herd herd = lend_to(count);
  return COST(tp_pool_free(herd.spilling, objects[count + 1]));
}

static void borrowing_takes_as_long_whatever_is_lent(void)
{
  CHECK(is_constant(of_borrowing));
  CHECK(is_constant(of_returning));
}

// Half of as many again is lent, by handle.
#define CLAN(name, count)                                             \
  TP_POOL_DEFINE_TAGGED(name##_hut, 16, count, 8, .policy = &tp_drop, \
                        .refuses = 1);                                \
  TEST_CHUNK_OWNERS(name##_hut, count);                               \
  TEST_CHUNK(name##_hut, .patience = 0, .owner = name##_hut_owner);   \
  TEST_SPILL(name, &name##_hut##_chunk, tp_drop, .tagged = 1);        \
  TP_POOL_DEFINE_TAGGED(name, 16, count, 8, TEST_SPILLS(name))
CLAN(few, 8);
CLAN(some, 16);
CLAN(many, 32);

static tp_handle_t lent[2 * LARGEST];

static const struct tp_pool *name_lent(uint32_t count)
{
  static const struct tp_pool *const clans[] = {&few_pool, &some_pool,
                                                &many_pool};
  static struct tp_pool clan;
  clan = *clans[count / 16];
  clan.handle_bits++;
  const struct tp_chunk *hut = tp_spill_of(&clan)->into;
  tp_test_forget(&clan);
  tp_test_forget(hut->pool);
  *hut->state = (struct tp_chunk_state){0};
  *tp_spill_of(&clan)->state = (struct tp_spill_state){0};
  for (uint32_t i = 0; i < count + count / 2; i++) {
    objects[i] = tp_lent_alloc(&clan, UINT32_MAX, &lent[i]);
  }
  return &clan;
}

static uint32_t of_borrowing_by_handle(uint32_t count)
{
  const struct tp_pool *pool = name_lent(count);
  return COST(tp_lent_alloc(pool, UINT32_MAX, &lent[0]));
}

static uint32_t of_creating_away(uint32_t count)
{
  struct tp_objects things = {.pool = name_lent(count)};
  return COST(tp_lent_create(&things, NULL, UINT32_MAX, &lent[0]));
}

static uint32_t of_naming(uint32_t count)
{
  const struct tp_pool *pool = name_lent(count);
  return COST(tp_lent_of(pool, objects[count + 1]));
}

static uint32_t of_finding(uint32_t count)
{
  const struct tp_pool *pool = name_lent(count);
  return COST(tp_lent_get(pool, lent[count + 1]));
}

static uint32_t of_returning_by_handle(uint32_t count)
{
  const struct tp_pool *pool = name_lent(count);
  return COST(tp_lent_free(pool, lent[count + 1]));
}

static uint32_t of_holding(uint32_t count)
{
  const struct tp_pool *pool = name_lent(count);
  return COST(tp_lent_pin(pool, lent[count + 1]));
}

static void a_handle_of_what_is_lent_takes_as_long_whatever_is_lent(void)
{
  CHECK(is_constant(of_borrowing_by_handle));
  CHECK(is_constant(of_creating_away));
  CHECK(is_constant(of_naming));
  CHECK(is_constant(of_finding));
  CHECK(is_constant(of_returning_by_handle));
  CHECK(is_constant(of_holding));
}

static void what_is_lent_is_freed_by_handle_in_four_windows(void)
{
  const struct tp_pool *pool = name_lent(8);
  CHECK_EQ(WINDOWS(tp_lent_get(pool, lent[9])), 0);
  CHECK_EQ(WINDOWS(tp_lent_of(pool, objects[9])), 0);
  CHECK_EQ(WINDOWS(tp_lent_free(pool, lent[9])),
           TP_CHECKS >= TP_CHECKS_POISON ? 5 : 4);
}

// A region of [count] slots, all of them used, and idle.
static struct herd idle(uint32_t count)
{
  struct herd herd = herd_of(count);
  for (uint32_t i = 0; i < 2 * count; i++) {
    objects[i] = tp_pool_alloc(herd.spilling);
  }
  for (uint32_t i = count; i < 2 * count; i++) {
    tp_pool_free(herd.spilling, objects[i]);
  }
  return herd;
}

static uint32_t of_giving_back(uint32_t count)
{
  struct herd herd = idle(count);
  return COST(tp_chunk_release(herd.field));
}

static uint32_t of_taking_again(uint32_t count)
{
  struct herd herd = idle(count);
  tp_chunk_release(herd.field);
  return COST(tp_pool_alloc(herd.spilling));
}

static void a_region_is_given_back_and_taken_in_time_by_its_bytes(void)
{
  CHECK(is_by_bytes(of_giving_back));
  CHECK(is_linear(of_taking_again));
}

static void giving_back_locks_once(void)
{
  struct herd herd = idle(8);
  CHECK_EQ(WINDOWS(tp_chunk_release(herd.field)), 1);
}

static struct tp_chunk chunks[LARGEST + 1];
static struct tp_chunk_state states[LARGEST + 1];
static struct tp_pool pools[LARGEST + 1];
static _Alignas(8) tp_word_t places[LARGEST + 1][16];

// [count] chunks are attached, each below the next, and one more is not.
static const struct tp_pool *attach(uint32_t count)
{
  struct herd herd = herd_of(8);
  for (uint32_t i = 0; i <= count; i++) {
    chunks[i] = *herd.field;
    pools[i] = *herd.field->pool;
    pools[i].storage = places[i] + 4;
    pools[i].origin = (uintptr_t)pools[i].storage - pools[i].stride;
    tp_slot_open(&pools[i], 1);
    chunks[i].pool = &pools[i];
    chunks[i].state = &states[i];
    states[i] = (struct tp_chunk_state){0};
    if (i < count) tp_chunk_attach(herd.chunked, &chunks[i]);
  }
  return herd.chunked;
}

static uint32_t of_attaching(uint32_t count)
{
  const struct tp_pool *pool = attach(count);
  return COST(tp_chunk_attach(pool, &chunks[count]));
}

static uint32_t of_detaching(uint32_t count)
{
  const struct tp_pool *pool = attach(count);
  return COST(tp_chunk_detach(pool, &chunks[count - 1]));
}

static void a_chunk_is_attached_and_detached_in_time_by_those_attached(void)
{
  CHECK(is_linear(of_attaching));
  CHECK(is_linear(of_detaching));
}

static uint32_t of_resetting(uint32_t count)
{
  struct herd herd = herd_of(count);
  tp_chunk_attach(herd.chunked, herd.field);
  for (uint32_t i = 0; i < 2 * count; i++) tp_pool_alloc(herd.chunked);
  return COST(tp_spill_reset(herd.chunked));
}

static void chunks_are_reset_in_time_by_the_slots_ever_issued(void)
{
  CHECK(is_linear(of_resetting));
}

static uint32_t alike(const void *object)
{
  (void)object;
  return 7;
}

static const struct tp_steal_least least = {
    .policy = {.overflow = tp_least_overflow},
    .score = alike,
};

static struct tp_pool voices;
static void sing(uint32_t count)
{
  fill(&steals, count);
  voices = steals;
  voices.policy = &least.policy;
}

static uint32_t of_the_least(uint32_t count)
{
  sing(count);
  return COST(tp_pool_alloc(&voices));
}

static uint32_t of_a_scored_request(uint32_t count)
{
  sing(count);
  return COST(tp_least_alloc(&voices, 9));
}

static void the_least_is_stolen_in_time_by_those_who_live(void)
{
  CHECK(is_linear(of_the_least));
  CHECK(is_linear(of_a_scored_request));
}

static void a_scan_for_the_least_locks_as_often_for_8_objects_as_for_16(void)
{
  sing(8);
  uint32_t of_8 = WINDOWS(tp_pool_alloc(&voices));
  sing(16);
  CHECK_EQ(WINDOWS(tp_pool_alloc(&voices)), of_8);
}

TP_POOL_DEFINE(packets, 16, LARGEST, 8, .policy = &tp_drop, .refuses = 1);
TEST_WATERMARK(packets, 2, NULL, 4, NULL);

static void take_packets(uint32_t count)
{
  tp_test_forget(&packets_pool);
  *packets_watermark.state = (struct tp_watermark_state){0};
  for (uint32_t i = 0; i < count; i++) {
    objects[i] = tp_watermark_alloc(&packets_watermark);
  }
}

static uint32_t of_a_watched_alloc(uint32_t count)
{
  take_packets(count - 6);
  return COST(tp_watermark_alloc(&packets_watermark));
}

static uint32_t of_a_watched_free(uint32_t count)
{
  take_packets(count - 6);
  return COST(tp_watermark_free(&packets_watermark, objects[1]));
}

static uint32_t of_a_watched_reset(uint32_t count)
{
  take_packets(count - 6);
  return COST(tp_watermark_reset(&packets_watermark));
}

static void a_watched_pool_is_reset_in_time_by_the_slots_ever_issued(void)
{
  bool tagged = TP_CHECKS >= TP_CHECKS_FAST;
  CHECK((tagged ? is_linear : is_constant)(of_a_watched_reset));
}

static void a_watched_pool_takes_as_long_whatever_it_holds(void)
{
  CHECK(is_constant(of_a_watched_alloc));
  CHECK(is_constant(of_a_watched_free));
}

static void a_watched_pool_locks_once_more(void)
{
  take_packets(8);
  uint32_t of_alloc = WINDOWS(tp_pool_alloc(&packets_pool));
  uint32_t of_free = WINDOWS(tp_pool_free(&packets_pool, objects[0]));
  take_packets(8);
  CHECK_EQ(WINDOWS(tp_watermark_alloc(&packets_watermark)), of_alloc + 1);
  CHECK_EQ(WINDOWS(tp_watermark_free(&packets_watermark, objects[0])),
           of_free + 1);
}

void suite_policies(void)
{
  RUN(borrowing_takes_as_long_whatever_is_lent);
  RUN(a_handle_of_what_is_lent_takes_as_long_whatever_is_lent);
  RUN(what_is_lent_is_freed_by_handle_in_four_windows);
  RUN(a_region_is_given_back_and_taken_in_time_by_its_bytes);
  RUN(giving_back_locks_once);
  RUN(a_chunk_is_attached_and_detached_in_time_by_those_attached);
  RUN(chunks_are_reset_in_time_by_the_slots_ever_issued);
  RUN(the_least_is_stolen_in_time_by_those_who_live);
  RUN(a_scan_for_the_least_locks_as_often_for_8_objects_as_for_16);
  RUN(a_watched_pool_takes_as_long_whatever_it_holds);
  RUN(a_watched_pool_is_reset_in_time_by_the_slots_ever_issued);
  RUN(a_watched_pool_locks_once_more);
}
