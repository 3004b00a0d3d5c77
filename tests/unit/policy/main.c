// SPDX-License-Identifier: MIT
#include "policies.h"

int main(void)
{
  suite_spill();
  suite_give_back();
  return tp_test_end();
}
