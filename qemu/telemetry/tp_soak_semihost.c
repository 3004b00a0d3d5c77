// SPDX-License-Identifier: MIT
// tp_soak_semihost.c - QEMU's arguments and its end, by semihosting.
#include "../semihost.h"
#include "tp_soak.h"

void tp_soak_exit(int code)
{
  semihost_exit(code);
}

// The number behind "[key]=" in [text]; [otherwise] iff that is not there.
static uint64_t number(const char *text, const char *key, uint64_t otherwise)
{
  for (; *text; text++) {
    uint32_t i = 0;
    while (key[i] && text[i] == key[i]) i++;
    if (key[i] || text[i] != '=') continue;
    uint64_t value = 0;
    for (text += i + 1; *text >= '0' && *text <= '9'; text++) {
      value = value * 10 + (uint64_t)(*text - '0');
    }
    return value;
  }
  return otherwise;
}

void tp_soak_arguments(struct tp_soak *soak)
{
  static char text[256];
  (void)semihost_arguments(text, sizeof text);
  soak->seed = number(text, "seed", 1);
  soak->frames = (uint32_t)number(text, "frames", 3600);
  soak->picture_every = (uint32_t)number(text, "picture_every", 0);
}
