// SPDX-License-Identifier: MIT
// main.c - the game as a firmware: a simulated minute of it, then its score.
#include "board.h"
#include "game.h"
#include "semihost.h"
#include "tidepool.h"

enum { FRAMES = 60 * FRAMES_PER_SECOND, SEED = 7 };

void board_handler(void)
{
  game_interrupt();
}

// What a pool that found a mistake calls last.
void tp_fault(const struct tp_fault_record *record)
{
  semihost_print(tp_fault_name(record->kind));
  semihost_exit(1);
}

static void print_number(uint32_t number)
{
  char text[12];
  char *digit = &text[sizeof text - 1];
  *digit = 0;
  *--digit = '\n';
  do *--digit = (char)('0' + number % 10);
  while ((number /= 10) > 0);
  semihost_print(digit);
}

int main(void)
{
  game_start(SEED);
  for (tp_clock_now = 0; tp_clock_now < FRAMES; tp_clock_now++) {
    board_pend();
    game_frame();
  }
  semihost_print("score ");
  print_number(game_score());
  return 0;
}
