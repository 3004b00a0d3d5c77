// SPDX-License-Identifier: MIT
#include "tasks.h"

int main(void)
{
  suite_wait();
  suite_races();
  suite_handles();
  return tp_test_end();
}
