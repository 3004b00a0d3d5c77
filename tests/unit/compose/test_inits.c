// SPDX-License-Identifier: MIT
// Objects of one pool that are made in several ways: init = { ... }.
#include "compose.h"

static void each_init_has_a_call_of_its_own(void)
{
  foes_handle_t handle;
  compose_start();
  struct voice *grunt = foes_create_grunt(NULL);
  struct voice *boss = foes_create_boss_handle(NULL, &handle);

  CHECK_EQ(grunt->number, 1);
  CHECK_EQ(boss->number, 2);
  CHECK(foes_get(handle) == boss);
  CHECK(foes_is_live(grunt) && foes_is_live(boss));
}

static void all_end_by_the_same_deinit(void)
{
  compose_start();
  struct voice *grunt = foes_create_grunt(NULL);
  foes_create_boss(NULL);

  foes_destroy(grunt);

  CHECK(hooks.died == grunt);
  foes_clear();
  CHECK_EQ(hooks.deinits, 2);
  CHECK_EQ(tp_pool_live(&foes_pool), 0);
}

static void an_init_that_fails_gives_the_slot_back(void)
{
  uint32_t context;
  compose_start();
  CHECK(!foes_create_boss(&context));
  CHECK(!foes_create_grunt(&context));
  CHECK_EQ(tp_pool_live(&foes_pool), 0);
  CHECK_EQ(hooks.deinits, 0);
}

void suite_inits(void)
{
  RUN(each_init_has_a_call_of_its_own);
  RUN(all_end_by_the_same_deinit);
  RUN(an_init_that_fails_gives_the_slot_back);
}
