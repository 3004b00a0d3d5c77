// SPDX-License-Identifier: MIT
#include "unit.h"

int main(void)
{
  suite_blocks();
  return tp_test_end();
}
