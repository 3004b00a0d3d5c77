// SPDX-License-Identifier: MIT
// tp_soak_semihost.c - QEMU's arguments and its end, by semihosting.
#include "../semihost.h"
#include "tp_soak.h"
#include "tp_soak_size.h"

void tp_soak_exit(int code)
{
  semihost_exit(code);
}

// What begins [text] behind "[key]="; NULL iff it begins otherwise.
static const char *value_of(const char *text, const char *key)
{
  while (*key && *text == *key) text++, key++;
  return *key == 0 && *text == '=' ? text + 1 : NULL;
}

const char *tp_soak_argument(const char *key)
{
  static char text[TP_SOAK_ARGUMENTS];
  if (!text[0]) (void)semihost_arguments(text, sizeof text);
  for (const char *word = text; *word;) {
    const char *value = value_of(word, key);
    if (value) return value;
    while (*word && *word != ' ') word++;
    while (*word == ' ') word++;
  }
  return NULL;
}
