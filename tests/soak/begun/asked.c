// SPDX-License-Identifier: MIT
// Questions whose answers are as wrong as their names say, in place of those
// that the soak has.
#include "begun.h"
#include "tp_ask.c"
#include "tidepool.h"

static void fail(const struct tp_pool *pool, void *object)
{
  (void)pool, (void)object;
  tp_pool_free(&tp_ask_plain_pool, NULL);
}

static bool right(void)
{
  return true;
}

static bool wrong(void)
{
  (void)tp_pool_alloc(&tp_ask_plain_pool);
  return false;
}

static bool skips(void)
{
  tp_ask_skip();
  return true;
}

static bool skips_at_first(void)
{
  static uint32_t times;
  if (times++ % 2 == 0) tp_ask_skip();
  return true;
}

static bool faults(void)
{
  fail(NULL, NULL);
  return true;
}

static void do_nothing(const struct tp_pool *pool, void *object)
{
  (void)pool, (void)object;
}

static bool is_noisy(void)
{
  return tp_ask_fault(fail, NULL, NULL) == TP_FAULT_FOREIGN &&
         tp_ask_fault(do_nothing, NULL, NULL) == TP_FAULT_NONE;
}

static bool faults_behind_another(void)
{
  return is_noisy() && faults();
}

static const struct tp_question all[] = {
    {"right", right, TP_CHECKS_OFF},
    {"wrong", wrong, TP_CHECKS_OFF},
    {"skipped", skips, TP_CHECKS_OFF},
    {"fault", faults, TP_CHECKS_OFF},
    {"noisy", is_noisy, TP_CHECKS_OFF},
    {"higher", wrong, TP_CHECKS + 1},
    {"half", skips_at_first, TP_CHECKS_OFF},
    {"second_fault", faults_behind_another, TP_CHECKS_OFF},
};

void ask_only(const char *name)
{
  tp_fault_record.kind = TP_FAULT_SCENE;
  tp_fault_record.slot = 9;
  count = 0;
  for (uint32_t i = 0; i < sizeof all / sizeof *all; i++) {
    if (tp_soak_is_word(name, all[i].name)) questions[count++] = &all[i];
  }
}

bool is_left_as_it_was(void)
{
  return !tp_ask_asking && tp_pool_live(&tp_ask_plain_pool) == 0 &&
         tp_fault_record.kind == TP_FAULT_SCENE && tp_fault_record.slot == 9;
}
