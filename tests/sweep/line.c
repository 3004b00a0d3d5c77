// SPDX-License-Identifier: MIT
#include "line.h"

#include "tp_test_print.h"

enum { ROOM = 512 };

static char line[ROOM];
static uint32_t used;

void line_add(const char *text)
{
  while (*text && used < ROOM - 2) line[used++] = *text++;
  line[used] = 0;
}

void line_add_number(uint32_t value, uint32_t base)
{
  char digits[12];
  char *text = digits + sizeof digits - 1;
  *text = 0;
  do {
    *--text = "0123456789abcdef"[value % base];
    value /= base;
  } while (value);
  line_add(text);
}

const char *line_take(void)
{
  used = 0;
  return line;
}

void line_end(void)
{
  line[used++] = '\n';
  line[used] = 0;
  tp_test_print(line_take());
}

bool line_is_long(void)
{
  return used > ROOM - 200;
}
