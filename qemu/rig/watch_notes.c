// SPDX-License-Identifier: MIT
// watch_notes.c - notes: whether the quietest is the one that is stolen.
#include "audit.h"
#include "core/tp_slot.h"
#include "ledger.h"
#include "watch.h"

// What we know of the note in each slot.
static struct {
  bool live, pinned;
} notes[MUSIC_COUNT];

static uint32_t index_of(const struct note *note)
{
  uintptr_t offset = (uintptr_t)note - (uintptr_t)music_pool.storage;
  return (uint32_t)offset / music_pool.stride;
}

static const struct note *note_at(uint32_t index)
{
  return (const struct note *)tp_slot_words(&music_pool, index + 1);
}

void watch_note_asked(const struct note *note)
{
  struct ledger *ledger = ledger_now(TP_ID_MUSIC);
  ledger->allocs += note != 0;
  ledger->refused += !note;
  if (note) notes[index_of(note)].live = true;
}

static void forget(const struct note *note)
{
  notes[index_of(note)].live = notes[index_of(note)].pinned = false;
}

void watch_note_freed(const struct note *note)
{
  ledger_now(TP_ID_MUSIC)->frees++;
  forget(note);
}

void watch_note_pinned(const struct note *note)
{
  notes[index_of(note)].pinned = true;
}

void watch_note_unpinned(const struct note *note)
{
  notes[index_of(note)].pinned = false;
}

// Was anybody quieter whom the pool might have taken?
static void judge_victim(const struct note *victim)
{
  for (uint32_t i = 0; i < MUSIC_COUNT; i++) {
    if (!notes[i].live || notes[i].pinned) continue;
    if (note_loudness(note_at(i)) >= note_loudness(victim)) continue;
    audit_found(&music_pool, 0, "the victim was not the quietest");
  }
}

void note_stopped(struct note *victim)
{
  judge_victim(victim);
  forget(victim);
  ledger_now(TP_ID_MUSIC)->steals++;
  game_note_stopped(victim);
}
