// SPDX-License-Identifier: MIT
// main.c - the game as a firmware: a simulated minute of it, then its score;
// or, if a pool found a mistake, a reset, and what there is to say of it.
#include "board.h"
#include "check/tp_crash.h"
#include "game.h"
#include "semihost.h"
#include "tidepool.h"

enum { FRAMES = 60 * FRAMES_PER_SECOND, SEED = 7 };

void board_handler(void)
{
  game_interrupt();
}

extern uint32_t stack_top[];

// What a pool that found a mistake calls last.
void tp_fault(const struct tp_fault_record *record)
{
  tp_crash_save(record, stack_top);
  board_reset();
}

static void print_character(char character)
{
  semihost_print((const char[]){character, 0});
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
  const struct tp_crash *crash = tp_crash_validate();
  if (crash) {
    tp_crash_print(crash, print_character);
    tp_crash_forget();
    return 1;
  }
  game_start(SEED);
  for (tp_clock_now = 0; tp_clock_now < FRAMES; tp_clock_now++) {
    board_pend();
    game_frame();
  }
  semihost_print("score ");
  print_number(game_score());
  return 0;
}
