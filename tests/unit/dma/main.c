// SPDX-License-Identifier: MIT
#include "dma.h"

int main(void)
{
  suite_bugs();
  suite_orders();
  suite_calls();
  suite_ends();
  return tp_test_end();
}
