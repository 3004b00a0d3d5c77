// SPDX-License-Identifier: MIT
#include "harden.h"

void forget(const struct kind *kind)
{
  tp_test_forget(kind->pool);
}

int main(void)
{
  suite_code();
  suite_alike();
  suite_faults();
  suite_damage();
  suite_outside();
  return tp_test_end();
}
