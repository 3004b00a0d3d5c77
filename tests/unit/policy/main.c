// SPDX-License-Identifier: MIT
#include "policies.h"

int main(void)
{
  suite_spill();
  suite_give_back();
  suite_chains();
  suite_chunks();
  suite_reserve();
  suite_watermark();
  suite_own_policy();
  suite_generated();
  return tp_test_end();
}
