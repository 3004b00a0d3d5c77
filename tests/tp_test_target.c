// SPDX-License-Identifier: MIT
#include "semihost.h"
#include "tp_test_print.h"

enum { LONGEST = 160 };

// QEMU was given "only=" and the name of a case, or was not.
const char *tp_test_only(void)
{
  static char arguments[LONGEST];
  const char *key = "only=";
  const char *text = arguments;
  if (!*arguments) (void)semihost_arguments(arguments, sizeof arguments);
  while (*key && *text == *key) text++, key++;
  return *key ? "" : text;
}

void tp_test_print(const char *text)
{
  semihost_print(text);
}

void tp_test_stop(int code)
{
  semihost_exit(code);
}
