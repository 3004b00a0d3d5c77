// SPDX-License-Identifier: MIT
#include "scratch.h"

int main(void)
{
  suite_stack();
  suite_stack_misuse();
  suite_stack_history();
  suite_free();
  suite_dstack();
  suite_dstack_scripts();
  suite_frame();
  suite_again();
  suite_verify();
  return tp_test_end();
}
