// SPDX-License-Identifier: MIT
// audio - the main loop starts sounds, an interrupt mixes and ends them. Both
// hold handles: a voice that ended or was stolen resolves to NULL.
#include "board.h"
#include "print.h"
#include "tp_pools.h"

enum { SAMPLES = 64 };  // What an interrupt mixes.

static voices_handle_t playing[8];  // What the mixer looks at.
static uint32_t started, mixed, ended;

// From the main loop. Returns what the caller may ask about later.
static voices_handle_t play(uint32_t step, uint32_t samples)
{
  voices_handle_t handle;
  struct voice *voice = voices_alloc_handle(&handle);
  if (!voice) return VOICES_NO_HANDLE;  // Never: the oldest makes room.
  *voice = (struct voice){.step = step, .samples_left = samples};
  playing[started++ % 8] = handle;
  return handle;
}

static void mix(struct voice *voice)
{
  voice->phase += voice->step * SAMPLES;
  voice->samples_left -= SAMPLES;
  mixed += SAMPLES;
}

// The interrupt of the sample buffer.
void board_handler(void)
{
  for (int i = 0; i < 8; i++) {
    struct voice *voice = voices_get(playing[i]);
    if (!voice) continue;
    mix(voice);
    if (!voice->samples_left && voices_free_handle(playing[i])) ended++;
  }
}

static void report(const char *name, voices_handle_t voice)
{
  print(name);
  print(voices_get(voice) ? ": plays\n" : ": is gone\n");
}

int main(void)
{
  voices_handle_t music = play(440, 100 * SAMPLES);
  voices_handle_t shot = play(880, 1 * SAMPLES);
  board_pend();
  report("music", music);
  report("shot, over", shot);
  for (int i = 0; i < 4; i++) play(220, 50 * SAMPLES);
  report("music, the oldest of five", music);
  board_pend();
  print_number("", mixed, " samples mixed, ");
  print_number("", ended, " voice ended by the interrupt\n");
  return 0;
}
