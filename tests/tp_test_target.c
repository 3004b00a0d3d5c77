// SPDX-License-Identifier: MIT
#include "semihost.h"
#include "tp_test_print.h"

void tp_test_print(const char *text)
{
  semihost_print(text);
}

void tp_test_stop(int code)
{
  semihost_exit(code);
}
