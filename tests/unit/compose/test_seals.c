// SPDX-License-Identifier: MIT
// Descriptors that scenes write, one bit of them changed.
#include "compose.h"

#include "core/tp_registry.h"

// What the application calls of each part.
static void use_beams(void)
{
  beams_free(beams_alloc());
}

static void use_lamps(void)
{
  lamps_destroy(lamps_create(NULL));
}

static void use_deck(void)
{
  deck_release(deck_mark());
}

static void use_rope(void)
{
  (void)rope_alloc(TP_LOW, 4, 4);
}

static void use_foam(void)
{
  foam_end();
}

static void use_mail(void)
{
  (void)mail_alloc(32);
}

static void use_ants(void)
{
  ants_reset();
}

static void use_bees(void)
{
  (void)bees_first(&(bees_handle_t){0});
}

static const struct use {
  const char *part;
  void (*call)(void);
} uses[] = {
    {"beams", use_beams},  {"lamps", use_lamps}, {"deck", use_deck},
    {"rope", use_rope},    {"foam", use_foam},   {"mail_16", use_mail},
    {"mail_32", use_mail}, {"ants", use_ants},   {"bees", use_bees},
};
enum { USES = sizeof uses / sizeof uses[0] };

static const struct tp_seal *seal_of(const char *name)
{
  uint32_t i = tp_registry_find(&tp_registry, name);
  return tp_registry.entries[i]->seal;
}

// CHECK_FAULTS() goes back to where these must be as they were.
static struct {
  const struct use *use;
  const struct tp_seal *seal;
  uint32_t *word;
  uint32_t bit, right;
} now;

// Changes one bit of a descriptor, or makes it right again.
static void change(void)
{
  *now.word ^= 1u << now.bit % 32;
}

static void aim(const struct use *use, uint32_t bit)
{
  now.use = use;
  now.seal = seal_of(use->part);
  now.bit = bit;
  now.word = (uint32_t *)(uintptr_t)now.seal->descriptor + bit / 32;
  now.right = *now.seal->word;
}

static void a_bit_that_changes_in_a_descriptor_is_a_fault_of_its_calls(void)
{
  scenes_force(TP_SCENE_NIGHT);
  for (now.use = uses; now.use < uses + USES; now.use++) {
    for (aim(now.use, 0); now.bit < 32 * now.seal->count; now.bit++) {
      aim(now.use, now.bit);
      change();
      CHECK_FAULTS(TP_FAULT_INVARIANT, now.use->call());
      change();
      CHECK_RECORD(now.seal->name, now.seal->descriptor,
                   now.right ^ 1u << now.bit % 32, now.right);
    }
    now.use->call();
  }
}

static void no_scene_is_left_by_it(void)
{
  scenes_force(TP_SCENE_DAY);
  for (now.use = uses; now.use < uses + USES; now.use++) {
    aim(now.use, 7);
    change();
    CHECK_FAULTS(TP_FAULT_INVARIANT, scenes_force(TP_SCENE_NIGHT));
    CHECK_FAULTS(TP_FAULT_INVARIANT, (void)scenes_switch(TP_SCENE_DAY, NULL));
    change();
  }
  CHECK_EQ(scenes_current(), TP_SCENE_DAY);
  CHECK_EQ(scenes_switch(TP_SCENE_NIGHT, NULL), 0);
}

static void verify_denies_it_and_scrub_does_not_look(void)
{
  scenes_force(TP_SCENE_DAY);
  for (now.use = uses; now.use < uses + USES; now.use++) {
    const struct tp_entry *const *entries = tp_registry.entries;
    uint32_t i = tp_registry_find(&tp_registry, now.use->part);
    struct tp_finding finding;
    aim(now.use, 40);
    CHECK(tp_entry_verify(entries[i], &finding));
    change();
    finding.slot = 1;
    CHECK(!tp_entry_verify(entries[i], &finding));
    CHECK_FAULTS(TP_FAULT_INVARIANT, tp_entry_scrub(entries[i], 0));
    change();
    CHECK_EQ(finding.broken, TP_BROKEN_OTHER);
    CHECK_EQ(finding.slot, 0);
    tp_entry_scrub(entries[i], 0);
  }
}

static void a_descriptor_has_its_seal_from_the_first_call_on(void)
{
  scenes_force(TP_SCENE_DAY);
  aim(&uses[0], 3);
  *now.seal->word = 0;  // As at boot.
  use_beams();
  CHECK_EQ(*now.seal->word, now.right);
  change();
  CHECK_FAULTS(TP_FAULT_INVARIANT, use_beams());
  change();
}

static void who_interrupts_what_writes_a_descriptor_compares_nothing(void)
{
  scenes_force(TP_SCENE_DAY);
  aim(&uses[0], 32 * (now.seal->count - 1));
  tp_seal_off(now.seal);
  change();
  tp_seal_check(now.seal);
  tp_seal_check_for(now.seal, NULL);
  CHECK(tp_seal_verify(now.seal));
  change();
  CHECK_EQ(*now.seal->word, 1);
  tp_seal_on(now.seal);
  CHECK_EQ(*now.seal->word, now.right);
}

// As those of a microcontroller are, some of an odd number of words.
static void each_bit_counts_of_however_many_words(void)
{
  for (uint32_t count = 2; count <= 5; count++) {
    uint32_t words[6] = {1, 2, 3, 5, 8, 13}, word = 0;
    const struct tp_seal seal = {words, &word, "words", count};
    CHECK(tp_seal_verify(&seal));
    for (uint32_t bit = 0; bit < 32 * 6; bit++) {
      words[bit / 32] ^= 1u << bit % 32;
      CHECK_EQ(tp_seal_verify(&seal), bit / 32 >= count);
      words[bit / 32] ^= 1u << bit % 32;
    }
    CHECK(tp_seal_verify(&seal));
  }
}

static void of_a_part_without_a_seal_none_is_made(void)
{
  struct tp_scene_state state = {0};
  struct tp_scenes one = scenes_scenes;
  struct tp_scene_part part = scenes_scenes.parts[0];
  scenes_force(TP_SCENE_DAY);
  aim(&uses[0], 0);
  CHECK(part.allocator == &beams_pool);
  part.seal = NULL;
  one.parts = &part;
  one.part_count = 1;
  one.state = &state;

  tp_scene_force(&one, TP_SCENE_NIGHT);

  CHECK_EQ(beams_pool.capacity, 1);
  CHECK_EQ(*now.seal->word, now.right);
  CHECK(!tp_seal_verify(now.seal));
  tp_seal_off(now.seal);
  tp_seal_on(now.seal);
}

static void at_off_nothing_is_compared(void)
{
  scenes_force(TP_SCENE_DAY);
  aim(&uses[1], 0);
  tp_seal_check(now.seal);
  CHECK_EQ(*now.seal->word, 0);
  *now.seal->word = 99;
  tp_seal_check(now.seal);
  tp_seal_check_for(now.seal, NULL);
  CHECK(tp_seal_verify(now.seal));
  for (uint32_t i = 0; i < USES; i++) {
    aim(&uses[i], 0);
    tp_seal_off(now.seal);
    tp_seal_on(now.seal);
    CHECK(*now.seal->word > 1);
    *now.seal->word = 0;
  }
}

void suite_seals(void)
{
  if (TP_CHECKS < TP_CHECKS_FAST) {
    RUN(at_off_nothing_is_compared);
    return;
  }
  RUN(a_bit_that_changes_in_a_descriptor_is_a_fault_of_its_calls);
  RUN(each_bit_counts_of_however_many_words);
  RUN(no_scene_is_left_by_it);
  RUN(verify_denies_it_and_scrub_does_not_look);
  RUN(a_descriptor_has_its_seal_from_the_first_call_on);
  RUN(who_interrupts_what_writes_a_descriptor_compares_nothing);
  RUN(of_a_part_without_a_seal_none_is_made);
}
