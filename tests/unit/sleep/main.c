// SPDX-License-Identifier: MIT
// A bank whose memory loses its power: what lies in it is full meanwhile, and
// nobody looks there.
#include "core/tp_registry.h"
#include "tp_pools.h"
#include "tp_test.h"

#define NOISE 0xa5a5a5a5u

// What has a name there: jobs, sounds, mine, deck, rope, foam, two classes of
// mail, ants.
enum { PARTS = 9 };

// The memory of the bank, which is nobody's while it sleeps.
#ifdef __SANITIZE_ADDRESS__
__attribute__((no_sanitize_address))
#endif
static void
lose_power(void)
{
  tp_word_t *words = psram_scenes.arena;
  for (uint32_t i = 0; i < psram_scenes.bytes / 4; i++) words[i] = NOISE + i;
}

#ifdef __SANITIZE_ADDRESS__
__attribute__((no_sanitize_address))
#endif
static bool
nobody_was_there(void)
{
  const tp_word_t *words = psram_scenes.arena;
  for (uint32_t i = 0; i < psram_scenes.bytes / 4; i++) {
    if (words[i] != NOISE + i) return false;
  }
  return true;
}

// All that was issued, by whoever asks for it first.
static struct {
  void *jobs[3], *sounds[2], *mine[2], *mail[3], *ants[3];
  jobs_handle_t job;
  struct tp_mark deck, low, high;
} had;

static bool is_text(const char *a, const char *b)
{
  while (*a && *a == *b) a++, b++;
  return *a == *b;
}

static bool all_distinct(void *const objects[], uint32_t count)
{
  for (uint32_t i = 0; i < count; i++) {
    if (!objects[i]) return false;
    for (uint32_t j = 0; j < i; j++) {
      if (objects[i] == objects[j]) return false;
    }
  }
  return true;
}

// Takes all of the bank; false unless all of it is there.
static bool take_all(void)
{
  had.jobs[0] = jobs_alloc_handle(&had.job);
  for (uint32_t i = 1; i < 3; i++) had.jobs[i] = jobs_alloc();
  for (uint32_t i = 0; i < 2; i++) had.sounds[i] = sounds_alloc();
  for (uint32_t i = 0; i < 2; i++) had.mine[i] = mine_alloc();
  for (uint32_t i = 0; i < 3; i++) had.ants[i] = ants_alloc(NULL);
  had.mail[0] = mail_alloc(16);
  had.mail[1] = mail_alloc(16);
  had.mail[2] = mail_alloc(32);
  had.deck = deck_mark();
  had.low = rope_mark(TP_LOW);
  had.high = rope_mark(TP_HIGH);
  bool ends = rope_alloc(TP_LOW, 32, 4) && rope_alloc(TP_HIGH, 32, 4);
  return all_distinct(had.jobs, 3) && all_distinct(had.sounds, 2) &&
         all_distinct(had.mine, 2) && all_distinct(had.mail, 3) &&
         all_distinct(had.ants, 3) && deck_alloc(64, 4) && ends &&
         foam_alloc(32, 4);
}

static void give_all(void)
{
  for (uint32_t i = 0; i < 3; i++) jobs_free(had.jobs[i]);
  for (uint32_t i = 0; i < 2; i++) sounds_free(had.sounds[i]);
  for (uint32_t i = 0; i < 2; i++) mine_free(had.mine[i]);
  for (uint32_t i = 0; i < 3; i++) mail_free(had.mail[i]);
  ants_reset();
  deck_release(had.deck);
  rope_release(TP_LOW, had.low);
  rope_release(TP_HIGH, had.high);
  for (uint32_t i = 0; i < 2; i++) foam_end();
}

// Is there nothing to be had?
static bool all_full(void)
{
  bool pools = jobs_alloc() || sounds_alloc() || mine_alloc() || mail_alloc(8);
  bool rest = ants_alloc(NULL) || deck_alloc(4, 4) || foam_alloc(4, 4) ||
              rope_alloc(TP_LOW, 4, 4) || rope_alloc(TP_HIGH, 4, 4);
  return !pools && !rest;
}

static bool all_sound(void)
{
  struct tp_finding finding;
  for (uint32_t i = 0; i < tp_registry.count; i++) {
    if (!tp_entry_verify(tp_registry.entries[i], &finding)) return false;
  }
  return true;
}

static void at_boot_a_bank_that_sleeps_is_asleep_and_all_of_it_full(void)
{
  CHECK(!psram_is_awake());
  CHECK(all_full());
  void *object = awake_alloc();
  CHECK(object);
  awake_free(object);
}

static void woken_all_of_it_is_there(void)
{
  psram_wake();
  CHECK(psram_is_awake());
  CHECK(take_all());
  CHECK(all_sound());
  give_all();
  CHECK_EQ(psram_sleep(NULL), 0);
  CHECK(!psram_is_awake());
}

static void while_anything_in_it_lives_it_does_not_sleep_and_says_what(void)
{
  struct tp_scene_holder holders[PARTS];
  psram_wake();
  void *block = mail_alloc(32);
  void *job = jobs_alloc();

  CHECK_EQ(psram_sleep(holders), 2);

  CHECK(is_text(holders[0].name, "jobs"));
  CHECK_EQ(holders[0].live, 1);
  CHECK(is_text(holders[1].name, "mail_32"));
  CHECK(psram_is_awake());
  void *other = jobs_alloc();
  CHECK(other && other != job);
  jobs_free(other);
  jobs_free(job);
  mail_free(block);
  CHECK_EQ(psram_sleep(holders), 0);
}

static void asleep_nobody_looks_at_its_memory(void)
{
  psram_wake();
  CHECK(take_all());
  give_all();
  CHECK_EQ(psram_sleep(NULL), 0);
  lose_power();

  CHECK(all_full());
  CHECK(all_sound());
  CHECK(!jobs_get(had.job));
  CHECK_EQ(psram_sleep(NULL), 0);

  CHECK(nobody_was_there());
}

static void what_was_there_before_it_slept_is_no_fault_afterwards(void)
{
  for (uint32_t round = 0; round < 3; round++) {
    psram_wake();
    CHECK(take_all());
    CHECK(all_sound());
    give_all();
    CHECK_EQ(psram_sleep(NULL), 0);
    lose_power();
  }
}

// What the sleep is for: who is awake when the power goes has his lists gone.
static void without_sleep_what_power_loss_leaves_is_a_fault(void)
{
  psram_wake();
  CHECK(take_all());
  give_all();
  lose_power();
  if (TP_CHECKS >= TP_CHECKS_FAST) CHECK_FAULTS(TP_FAULT_LINK, jobs_alloc());
}

static void a_handle_from_before_it_slept_is_stale(void)
{
  psram_wake();
  CHECK(take_all());
  jobs_handle_t before = had.job;
  CHECK(jobs_get(before));
  give_all();
  CHECK_EQ(psram_sleep(NULL), 0);
  psram_wake();
  CHECK(take_all());
  CHECK(!jobs_get(before));
  CHECK(jobs_get(had.job));
  give_all();
  CHECK_EQ(psram_sleep(NULL), 0);
}

static void to_wake_what_is_awake_and_used_changes_nothing(void)
{
  psram_wake();
  CHECK(take_all());
  psram_wake();
  CHECK(!jobs_alloc());
  CHECK(jobs_get(had.job) == had.jobs[0]);
  CHECK(all_sound());
  give_all();
  CHECK_EQ(psram_sleep(NULL), 0);
}

int main(void)
{
  RUN(at_boot_a_bank_that_sleeps_is_asleep_and_all_of_it_full);
  RUN(woken_all_of_it_is_there);
  RUN(while_anything_in_it_lives_it_does_not_sleep_and_says_what);
  RUN(asleep_nobody_looks_at_its_memory);
  RUN(what_was_there_before_it_slept_is_no_fault_afterwards);
  RUN(a_handle_from_before_it_slept_is_stale);
  RUN(to_wake_what_is_awake_and_used_changes_nothing);
  RUN(without_sleep_what_power_loss_leaves_is_a_fault);
  return tp_test_end();
}
