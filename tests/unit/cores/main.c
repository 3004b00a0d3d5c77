// SPDX-License-Identifier: MIT
// Pools of two cores, whose lock another core may have; and pools of one, which
// refuse the other. Two cores at once: tests/sweep/cores.
#include "tp_port.h"
#include "tp_cores_port.h"
#include "magazine.h"
#include "tp_pools.h"
#include "tp_test.h"

uint32_t cores_number, cores_taken, cores_waits, cores_windows;
bool cores_held;
static bool wrong;  // Taken twice, given back untaken, or not masked.

bool tp_cores_port_take(void)
{
  wrong |= cores_held || tp_port_depth == 0;
  if (cores_taken > 0) {
    cores_taken--;
    cores_waits++;
    return false;
  }
  cores_windows++;
  return cores_held = true;
}

void tp_cores_port_give(void)
{
  wrong |= !cores_held || tp_port_depth == 0;
  cores_held = false;
}

static void await(uint32_t attempts)
{
  cores_taken = attempts;
  cores_waits = 0;
  cores_windows = 0;
  wrong = false;
}

// Each window began once the other core had given it back.
#define CHECK_WAITED(attempts)       \
  do {                               \
    CHECK_EQ(cores_waits, attempts); \
    CHECK(cores_windows > 0);        \
    CHECK(!cores_held && !wrong);    \
  } while (0)

static void a_pool_of_two_cores_waits_until_the_other_gives_the_lock_back(void)
{
  await(3);
  void *packet = packets_alloc();
  CHECK(packet != NULL);
  CHECK_WAITED(3);
  await(2);
  packets_free(packet);
  CHECK_WAITED(2);
  await(1);
  CHECK(packets_alloc() == packet);
  CHECK_WAITED(1);
  packets_free(packet);
  CHECK(tp_pool_verify(&packets_pool, NULL));
}

static void while_it_waits_interrupts_come_as_ever(void)
{
  await(3);
  uint32_t before = tp_port_windows;
  packets_free(packets_alloc());
  CHECK(tp_port_windows - before > 3);
  CHECK_EQ(tp_port_depth, 0);
}

static void a_handle_of_two_cores_waits_too(void)
{
  jobs_handle_t job;
  await(2);
  CHECK(jobs_alloc_handle(&job) != NULL);
  CHECK_WAITED(2);
  await(2);
  CHECK(jobs_free_handle(job));
  CHECK_WAITED(2);
  CHECK(!jobs_free_handle(job));
  CHECK(!wrong);
}

static void so_do_pins_and_theft(void)
{
  sounds_handle_t sound[3];
  void *first = sounds_alloc_handle(&sound[0]);
  sounds_alloc_handle(&sound[1]);
  await(1);
  CHECK(sounds_pin_handle(sound[1]) != NULL);
  CHECK_WAITED(1);
  await(1);
  CHECK(sounds_alloc_handle(&sound[2]) == first);
  CHECK_WAITED(1);
  CHECK(sounds_get(sound[0]) == NULL);
  CHECK(sounds_free_handle(sound[1]) && sounds_free_handle(sound[2]));
  CHECK(!wrong);
}

uint32_t loudness(const struct voice *voice)
{
  return voice->loudness;
}

// Of pools in tables that is refused: a core alone sees an interrupt of its own
// between two looks. By hand, each step of the search has the lock.
static void a_search_for_the_least_has_the_lock_at_each_step(void)
{
  struct tp_pool both = quiet_pool;
  const uint32_t loud[] = {7, 5, 2, 9};
  struct voice *voice[4];
  both.lock = TP_LOCK_CORES;
  for (uint32_t i = 0; i < 4; i++) {
    voice[i] = tp_cores_alloc(&both);
    voice[i]->loudness = loud[i];
  }
  await(2);
  CHECK(tp_cores_alloc(&both) == voice[2]);
  CHECK_WAITED(2);
  CHECK(cores_windows >= 4);
  voice[2]->loudness = 8;
  CHECK(tp_cores_alloc(&both) == voice[1]);
  CHECK(!cores_held && !wrong);
  tp_test_forget(&both);
}

static void what_is_refused_is_refused_with_nothing_locked(void)
{
  void *packet[4];
  await(0);
  for (uint32_t i = 0; i < 4; i++) packet[i] = packets_alloc();
  CHECK(packet[2] && !packet[3]);
  CHECK(!cores_held && !wrong);
  for (uint32_t i = 0; i < 3; i++) packets_free(packet[i]);
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  CHECK_FAULTS(TP_FAULT_DOUBLE_FREE, packets_free(packet[1]));
  CHECK(!cores_held && !wrong);
}

enum { REFUSES = TP_CHECKS >= TP_CHECKS_FAST };

// Which of [core]'s calls of a pool is refused: none, or each from fast up.
static bool refuses(uint32_t core, const struct tp_pool *pool)
{
  void *volatile object = NULL;
  volatile bool refused = true;
  cores_number = core;
  if (setjmp(tp_test_resume) == 0) {
    tp_test_expect_fault();
    object = tp_pool_alloc(pool);
    refused = false;
  }
  if (object) tp_pool_free(pool, object);
  cores_number = 0;
  return refused && tp_fault_record.kind == TP_FAULT_CONTEXT &&
         tp_fault_record.pool == pool && tp_fault_record.found == 4;
}

static void a_pool_is_of_the_core_whose_call_was_the_first(void)
{
  const struct tp_pool *pools[] = {&mine_pool, &alone_pool};
  for (uint32_t i = 0; i < 2; i++) {
    for (uint32_t core = 0; core < 2; core++) {
      tp_test_forget(pools[i]);
      CHECK(!refuses(core, pools[i]));
      CHECK(!refuses(core, pools[i]));
      CHECK(refuses(!core, pools[i]) == REFUSES);
      CHECK(!refuses(core, pools[i]));
    }
  }
}

// One of each kind, an object of each, and its handle.
static void *own[6];
static known_handle_t known;
static wide_handle_t wide;
static broad_handle_t broad;

enum { CALLS = 18 };

static void make_call(uint32_t which)
{
  known_handle_t other;
  wide_handle_t another;
  broad_handle_t third;
  if (which == 0) (void)mine_alloc();
  if (which == 1) mine_free(own[0]);
  if (which == 2) (void)alone_alloc();
  if (which == 3) alone_free(own[1]);
  if (which == 4) (void)hot_alloc();
  if (which == 5) hot_free(own[2]);
  if (which == 6) (void)bare_alloc();
  if (which == 7) bare_free(own[3]);
  if (which == 8) (void)known_alloc_handle(&other);
  if (which == 9) (void)known_free_handle(known);
  if (which == 10) (void)wide_alloc_handle(&another);
  if (which == 11) (void)wide_pin_handle(wide);
  if (which == 12) wide_unpin(own[4]);
  if (which == 13) (void)wide_free_handle(wide);
  if (which == 14) (void)broad_alloc_handle(&third);
  if (which == 15) (void)broad_free_handle(broad);
  if (which == 16) buffers_lend(own[5], TP_DMA_TX);
  if (which == 17) buffers_take(own[5]);
}

static void issue_one_of_each(void)
{
  const struct tp_pool *pools[] = {&mine_pool,  &alone_pool,  &hot_pool,
                                   &bare_pool,  &known_pool,  &wide_pool,
                                   &broad_pool, &buffers_pool};
  for (uint32_t i = 0; i < 8; i++) tp_test_forget(pools[i]);
  own[0] = mine_alloc();
  own[1] = alone_alloc();
  own[2] = hot_alloc();
  own[3] = bare_alloc();
  (void)known_alloc_handle(&known);
  own[4] = wide_alloc_handle(&wide);
  (void)broad_alloc_handle(&broad);
  own[5] = buffers_alloc();
}

static void from_fast_up_any_call_of_the_other_core_is_refused(void)
{
  issue_one_of_each();
  for (uint32_t i = 0; i < CALLS; i++) {
    cores_number = 1;
    if (!REFUSES) make_call(i);
    if (!REFUSES) continue;
    CHECK_FAULTS(TP_FAULT_CONTEXT, make_call(i));
    CHECK_EQ(tp_fault_record.found, 4);
    CHECK(!cores_held && tp_port_depth == 0);
  }
  cores_number = 0;
  CHECK_EQ(wide_free_handle(wide), REFUSES);
  CHECK_EQ(known_free_handle(known), REFUSES);
  CHECK_EQ(broad_free_handle(broad), REFUSES);
  buffers_lend(own[5], TP_DMA_TX);
  buffers_take(own[5]);
}

static void below_full_it_is_asked_for_no_more_than_its_number(void)
{
  if (TP_CHECKS >= TP_CHECKS_FULL) return;
  issue_one_of_each();
  tp_port_outside = 1;
  for (uint32_t i = 0; i < CALLS; i++) make_call(i);
  tp_port_outside = 0;
  CHECK(!wide_free_handle(wide) && !known_free_handle(known));
  CHECK(!broad_free_handle(broad));
}

static void and_stays_so_when_all_is_taken_back(void)
{
  tp_test_forget(&mine_pool);
  CHECK(!refuses(1, &mine_pool));
  tp_pool_forget(&mine_pool);
  CHECK(refuses(0, &mine_pool) == REFUSES);
  CHECK(!refuses(1, &mine_pool));
}

static void pools_with_the_lock_of_cores_serve_both(void)
{
  CHECK(!refuses(0, &packets_pool));
  CHECK(!refuses(1, &packets_pool));
  CHECK(!refuses(0, &packets_pool));
}

static void a_pool_of_one_core_neither_takes_nor_gives_the_lock_of_both(void)
{
  tp_test_forget(&mine_pool);
  await(0);
  CHECK(!refuses(0, &mine_pool));
  CHECK_EQ(cores_windows, 0);
  CHECK(!cores_held && !wrong);
}

static void whose_pool_it_is_is_no_slot_that_was_scrubbed(void)
{
  tp_test_forget(&mine_pool);
  CHECK(!refuses(1, &mine_pool));
  for (uint32_t i = 0; i < 5; i++) {
    tp_pool_scrub(&mine_pool, 1);
    uint32_t looked = TP_CHECKS >= TP_CHECKS_POISON ? i % 3 + 1 : 0;
    CHECK_EQ(mine_pool.state->scrubbed & 0x7fff, looked);
    CHECK(!refuses(1, &mine_pool));
  }
  CHECK(refuses(0, &mine_pool) == REFUSES);
}

int main(void)
{
  RUN(a_pool_of_two_cores_waits_until_the_other_gives_the_lock_back);
  RUN(while_it_waits_interrupts_come_as_ever);
  RUN(a_handle_of_two_cores_waits_too);
  RUN(so_do_pins_and_theft);
  RUN(a_search_for_the_least_has_the_lock_at_each_step);
  RUN(what_is_refused_is_refused_with_nothing_locked);
  RUN(a_pool_is_of_the_core_whose_call_was_the_first);
  RUN(from_fast_up_any_call_of_the_other_core_is_refused);
  RUN(below_full_it_is_asked_for_no_more_than_its_number);
  RUN(and_stays_so_when_all_is_taken_back);
  RUN(pools_with_the_lock_of_cores_serve_both);
  RUN(a_pool_of_one_core_neither_takes_nor_gives_the_lock_of_both);
  RUN(whose_pool_it_is_is_no_slot_that_was_scrubbed);
  run_magazines();
  return tp_test_end();
}
