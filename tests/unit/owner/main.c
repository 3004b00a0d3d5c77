// SPDX-License-Identifier: MIT
#include "owner.h"

int main(void)
{
  suite_notes();
  suite_calls();
  suite_races();
  suite_near();
  return tp_test_end();
}
