// SPDX-License-Identifier: MIT
// main.c - a dungeon that plays itself, for qemu/soak run --elf.
#include "board.h"
#include "core/tp_totals.h"
#include "dungeon.h"
#include "tp_soak.h"

static struct tp_soak soak = TP_SOAK;
static struct tp_totals_row rows[TP_ALLOCATOR_N];
static const struct tp_totals totals = {&tp_registry, rows};
static uint32_t state;

static void (*const parts[])(void) = {
    play_places, play_level,   play_windows, play_monsters, play_torches,
    play_sounds, play_loot,    leave_prints, play_spirits,  play_wisps,
    play_elves,  play_moths,   play_fairies, play_pixies,   play_imps,
    play_gems,   play_keys,    play_bats,    play_motes,    play_sparks,
    play_maps,   play_baggage, play_rats,    play_texts,    play_journal,
    cut_runes,
};

void tp_soak_put(uint8_t byte)
{
  board_put(byte);
}

void tp_fault(const struct tp_fault_record *record)
{
  tp_soak_fault(record);
}

// A knock at the door, which comes with --interrupts timer only.
void board_handler(void)
{
  board_timer_stop();
  soak.interrupts++;
  knock();
}

uint32_t dungeon_chance(uint32_t bound)
{
  state = state * 1664525u + 1013904223u;
  return (state >> 16) % bound;
}

uint32_t dungeon_frame(void)
{
  return soak.frame;
}

// Once a minute the totals are added up, and their peaks start again.
static void add_up(void)
{
  tp_totals_note(&totals);
  if (soak.frame % 3600 != 0) return;
  tp_totals_update(&totals);
  soak.hash += tp_totals_find(&totals, "monsters")->allocs;
  tp_totals_restart(&totals);
}

int main(void)
{
  soak.timer = board_timer_after;
  tp_soak_begin(&soak);
  state = (uint32_t)soak.seed;
  journal_open();
  for (uint32_t i = 0; i < soak.frames; i++) {
    for (uint32_t part = 0; part < sizeof parts / sizeof parts[0]; part++) {
      parts[part]();
    }
    scratch_end();
    soak.hash = soak.hash * 31 + state;
    add_up();
    tp_soak_frame(&soak);
  }
  tp_soak_end(&soak);
}
