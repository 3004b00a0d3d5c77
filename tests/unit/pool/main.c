// SPDX-License-Identifier: MIT
#include "unit.h"

int main(void)
{
  suite_alloc_and_free();
  suite_policies();
  suite_handles();
  suite_every_handle();
  suite_gate();
  suite_misuse();
  suite_exclusive();
  suite_locks();
  suite_rare();
  suite_poison();
  suite_verify();
  suite_stats();
  suite_totals();
  suite_reset();
  suite_build();
  suite_history();
  suite_not_zeroed();
  suite_words();
  suite_looked_at();
  return tp_test_end();
}
