// SPDX-License-Identifier: MIT
#include "music.h"

#include "random.h"
#include "scenario.h"
#include "screen.h"
#include "tp_pools.h"

enum { MELODY = 4, LET_GO = 20 };

static struct random *const chance = &streams[STREAM_NOTES];
static struct note *notes[MUSIC_COUNT];  // Who plays; NULL: a free track.

uint32_t note_loudness(const struct note *note)
{
  return note->loudness;
}

// The pool takes [victim]'s slot.
void note_stopped(struct note *victim)
{
  notes[victim->track] = 0;
}

static uint16_t free_track(void)
{
  uint16_t track = 0;
  while (notes[track]) track++;
  return track;
}

static void play(void)
{
  struct note begun = {
      .loudness = (uint16_t)random_between(chance, 1, 100),
      .frames_left = (uint16_t)random_between(chance, scenario.voice_frames_low,
                                              scenario.voice_frames_high),
      .pinned = random_below(chance, MELODY) == 0,
  };
  struct note *note = music_alloc_scored(begun.loudness);
  if (!note) return;
  begun.track = free_track();
  *note = begun;
  notes[note->track] = note;
  if (note->pinned) music_pin(note);
}

// A melody may be stolen once it is nearly over.
static void let_go(struct note *note)
{
  if (!note->pinned || note->frames_left > LET_GO) return;
  note->pinned = 0;
  music_unpin(note);
}

static uint32_t sound(struct note *note)
{
  uint32_t level = note->loudness;
  let_go(note);
  if (--note->frames_left > 0) return level;
  notes[note->track] = 0;
  music_free(note);
  return level;
}

void music_update(void)
{
  uint32_t level = 0;
  uint32_t percent = scenario.note_percent * scenario_load();
  for (uint32_t n = random_times(chance, percent); n > 0; n--) play();
  for (uint32_t i = 0; i < MUSIC_COUNT; i++) {
    if (notes[i]) level += sound(notes[i]);
  }
  screen_bar(1, level / 16, COLOUR_BLUE);
}

uint32_t music_playing(void)
{
  uint32_t playing = 0;
  for (uint32_t i = 0; i < MUSIC_COUNT; i++) playing += notes[i] != 0;
  return playing;
}
