// SPDX-License-Identifier: MIT
// list - what a shell would print of the memory: every allocator of the table,
// whatever its kind, over the UART. It reads tp_registry, so it goes on to be
// right when rows come and go.
#include "board.h"
#include "core/tp_registry.h"
#include "tp_pools.h"

static uint32_t put_text(const char *text)
{
  uint32_t length = 0;
  while (text[length]) board_put((uint8_t)text[length++]);
  return length;
}

// In a column of [width].
static void put_word(const char *word, uint32_t width)
{
  for (uint32_t i = put_text(word); i < width; i++) board_put(' ');
}

static void put_number(uint32_t number, uint32_t width)
{
  char digits[11], *first = digits + sizeof digits - 1;
  *first = 0;
  do {
    *--first = (char)('0' + number % 10);
    number /= 10;
  } while (number);
  uint32_t length = (uint32_t)(digits + sizeof digits - 1 - first);
  for (uint32_t i = length; i < width; i++) board_put(' ');
  put_text(first);
}

static void put_entry(const struct tp_entry *entry)
{
  struct tp_finding finding;
  struct tp_stats stats;
  tp_entry_stats(entry, &stats);
  put_word(entry->name, 10);
  put_word(entry->kind->name, 8);
  put_word(entry->policy, 7);
  put_number(stats.live, 5);
  put_number(stats.peak, 6);
  put_number(tp_entry_capacity(entry), 6);
  put_number(stats.refused, 9);
  board_put(' ');
  put_word(entry->kind->unit, 7);
  put_text(tp_entry_verify(entry, &finding) ? "sound\n" : "BROKEN\n");
}

static void list(void)
{
  put_text("name      kind    full    live  peak   all  refused\n");
  for (uint32_t i = 0; i < tp_registry.count; i++) {
    put_entry(tp_registry.entries[i]);
  }
}

int main(void)
{
  struct timer *timer = timers_alloc();
  *timer = (struct timer){.due = 60, .period = 60};
  for (int i = 0; i < 9; i++) packets_alloc();
  for (int i = 0; i < 6; i++) names_alloc(5);
  start_up_alloc(100, 8);
  replies_alloc(48, 4);
  replies_end();
  list();
  return 0;
}
