// SPDX-License-Identifier: MIT
// semihost_host.c - what semihost.h asks of an emulator, of this machine: the
// program's own arguments, its standard error and its end.
#include "semihost.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tidepool.h"

static int count;
static char **words;

// Of AddressSanitizer, in a program that is built with it.
__attribute__((weak)) void sanitizer_at_death(void (*say)(void)) __asm(
    "__sanitizer_set_death_callback");

// It ends a program without what stands in its buffers.
static void say_frame(void)
{
  fflush(stdout);
  fprintf(stderr, "tidepool: frame %u\n", (unsigned)tp_clock_now);
}

// Where main() has no arguments, a constructor still gets them.
__attribute__((constructor)) static void start(int argc, char **argv)
{
  count = argc;
  words = argv;
  if (sanitizer_at_death) {
    sanitizer_at_death(say_frame);
  }
}

void semihost_exit(int code)
{
  exit(code);
}

void semihost_print(const char *text)
{
  fputs(text, stderr);
}

int semihost_arguments(char *text, uint32_t size)
{
  uint32_t length = 0;
  for (int i = 1; i < count; i++) {
    uint32_t more = (uint32_t)strlen(words[i]) + 1;
    if (length + more > size) return 0;
    memcpy(text + length, words[i], more);
    length += more;
    text[length - 1] = ' ';
  }
  text[length ? length - 1 : 0] = 0;
  return 1;
}
