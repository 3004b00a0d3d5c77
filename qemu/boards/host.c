// SPDX-License-Identifier: MIT
// host.c - the console as a program, its UART on standard output. Its
// interrupts are calls, so only those the firmware pends itself can come.
#include "board.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "semihost.h"

void board_handler(void);

static int count;
static char **words;

// Where main() has no arguments, a constructor still gets them.
__attribute__((constructor)) static void keep_arguments(int argc, char **argv)
{
  count = argc;
  words = argv;
}

void board_init(void)
{
}

void board_put(uint8_t byte)
{
  putchar(byte);
}

void board_pend(void)
{
  board_handler();
}

void board_timer_after(uint32_t instructions)
{
  (void)instructions;
  semihost_print("host: there is no timer; interrupts=scheduled\n");
  semihost_exit(2);
}

void board_timer_stop(void)
{
}

void board_clock_start(void)
{
}

uint32_t board_clock(void)
{
  return 0;
}

uint32_t board_instructions(uint32_t ticks)
{
  return ticks;
}

void board_sleep(void)
{
  semihost_print("host: no interrupt will come any more\n");
  semihost_exit(2);
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
