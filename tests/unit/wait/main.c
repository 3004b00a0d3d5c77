// SPDX-License-Identifier: MIT
#include "tasks.h"

int main(void)
{
  suite_wait();
  suite_races();
  return tp_test_end();
}
