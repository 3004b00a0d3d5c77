// SPDX-License-Identifier: MIT
// dungeon.h - the parts of the dungeon. Each is played once a frame.
#ifndef DUNGEON_H
#define DUNGEON_H

#include <stdbool.h>
#include <stdint.h>

#include "tp_pools.h"

// Between 0 and [bound] - 1.
uint32_t dungeon_chance(uint32_t bound);

// Frames since it opened. What comes at every so many counts by these, since
// the clock may wrap.
uint32_t dungeon_frame(void);

// From hall to cave and back: what they cut of one memory is gone.
void play_places(void);
void play_baggage(void);
// Forgets all texts, which lie there, and frees them if [leave].
void drop_texts(bool leave);

// One level to the next: what lay in its memory is gone.
void play_level(void);
void play_windows(void);

void play_monsters(void);
void play_torches(void);
void play_sounds(void);
void knock(void);  // From an interrupt.
void play_loot(void);
void leave_prints(void);
void cut_runes(void);
void play_spirits(void);
void play_wisps(void);
void play_elves(void);
void play_moths(void);
void play_fairies(void);
void play_pixies(void);
void play_imps(void);
void play_gems(void);
void play_keys(void);
void play_bats(void);
void play_motes(void);
void play_sparks(void);
void play_maps(void);
void play_rats(void);
void play_texts(void);

// What was written down before a reset is kept, if it proves valid.
void journal_open(void);
void play_journal(void);

#endif
