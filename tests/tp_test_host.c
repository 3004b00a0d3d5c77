// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>

#include "tp_test_print.h"

void tp_test_print(const char *text)
{
  fputs(text, stdout);
}

void tp_test_stop(int code)
{
  fflush(stdout);
  exit(code);
}
