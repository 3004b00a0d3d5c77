// SPDX-License-Identifier: MIT
#include "music.h"

#include "audit.h"
#include "counts.h"
#include "plant.h"
#include "random.h"
#include "scenario.h"
#include "site.h"
#include "tp_pools.h"

enum { MELODY = 4 };

static struct random chance;
static struct ledger ledger;
static struct note *notes[COUNT_music];  // Who plays; NULL: a free track.

void music_start(uint64_t seed)
{
  chance = random_stream(seed, 10);
}

uint32_t note_loudness(const struct note *note)
{
  return note->loudness;
}

// The pool takes [victim]'s slot: was anybody quieter whom it might have taken?
void note_stopped(struct note *victim)
{
  ledger.steals++;
  for (uint32_t i = 0; i < COUNT_music; i++) {
    if (!notes[i] || notes[i] == victim || notes[i]->pinned) continue;
    if (notes[i]->loudness >= victim->loudness) continue;
    audit_found(&music_pool, 0, "the victim was not the quietest");
  }
  notes[victim->track] = 0;
}

static uint16_t free_track(void)
{
  uint16_t track = 0;
  while (notes[track]) track++;
  return track;
}

static struct note *new_note(uint32_t score)
{
  bool open = site_begin(SITE_NOTE);
  struct note *note = open ? music_alloc_scored(score) : 0;
  site_end(SITE_NOTE);
  ledger.allocs += note != 0;
  ledger.drops += open && !note;
  return note;
}

static void play(void)
{
  uint16_t wanted = (uint16_t)random_between(&chance, 1, 100);
  struct note *note = new_note(wanted);
  if (!note) return;
  *note = (struct note){
      .loudness = wanted,
      .frames_left = (uint16_t)random_between(
          &chance, scenario.voice_frames_low, scenario.voice_frames_high),
      .track = free_track(),
      .pinned = random_below(&chance, MELODY) == 0,
  };
  notes[note->track] = note;
  if (note->pinned) music_pin(note);
}

// A melody may be stolen once it is half over.
static void let_go(struct note *note)
{
  if (!note->pinned || note->frames_left > 20) return;
  note->pinned = 0;
  music_unpin(note);
  if (plant_strikes(PLANT_UNBALANCED_PIN, &music_pool, note)) music_unpin(note);
}

static void sound(struct note *note, struct hash *hash)
{
  hash_add(hash, note->loudness);
  let_go(note);
  if (--note->frames_left > 0) return;
  notes[note->track] = 0;
  ledger.frees++;
  music_free(note);
}

void music_update(struct hash *hash)
{
  if (random_below(&chance, 16) < scenario_load()) play();
  for (uint32_t i = 0; i < COUNT_music; i++) {
    if (notes[i]) sound(notes[i], hash);
  }
}

struct ledger music_ledger(void)
{
  return ledger;
}

uint32_t music_held(void)
{
  uint32_t held = 0;
  for (uint32_t i = 0; i < COUNT_music; i++) held += notes[i] != 0;
  return held;
}
