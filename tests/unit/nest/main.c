// SPDX-License-Identifier: MIT
#include "nest.h"

int main(void)
{
  suite_open();
  suite_close();
  suite_closed();
  suite_tree();
  suite_report();
  suite_written_over();
  return tp_test_end();
}
