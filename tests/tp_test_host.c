// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>

#include "tp_test_print.h"

static const char *only = "";

// An image is run with the name of a case, or with none. main() has no
// arguments; a constructor gets them all the same.
__attribute__((constructor)) static void keep_name(int argc, char **argv)
{
  if (argc > 1) only = argv[1];
}

const char *tp_test_only(void)
{
  return only;
}

void tp_test_print(const char *text)
{
  fputs(text, stdout);
}

void tp_test_stop(int code)
{
  fflush(stdout);
  exit(code);
}
