// SPDX-License-Identifier: MIT
// Rows of its own, whose slots lie side by side, as they may in a bank: those
// of one begin where the last of the other ends.
#define tp_owned_rows near_rows
#include "owner.h"

static struct tp_pool home;
static struct tp_owner notes[CRATES_COUNT];
static struct tp_owned near = {&home, notes, &crates_owned};
const struct tp_owned *const near_rows[] = {&near, NULL};

static void a_fault_of_no_slot_has_not_the_owner_of_the_one_before(void)
{
  FORGET(crates);
  void *last = NULL;
  for (uint32_t i = 0; i < CRATES_COUNT; i++) last = crates_alloc();
  home = crates_pool;
  home.origin = (uintptr_t)last;
  const struct tp_fault_record record = {.pool = &home, .slot = 0};

  CHECK(tp_owner_of(&near, last) != NULL);
  CHECK(tp_fault_owner_of(&record) == NULL);
}

void suite_near(void)
{
  RUN(a_fault_of_no_slot_has_not_the_owner_of_the_one_before);
}
