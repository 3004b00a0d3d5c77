// SPDX-License-Identifier: MIT
// sounds.h - voices with lengths and loudness, started by the frame and by an
// interrupt in the middle of it, ended by the interrupt or by theft.
#ifndef SOUNDS_H
#define SOUNDS_H

#include <stdint.h>

#include "hash.h"
#include "ledger.h"
#include "tidepool.h"

void sounds_start(uint64_t seed);

// From the frame: starts a voice that lasts [frames], at least 1.
void sounds_play(uint16_t frames, uint16_t sample);

// From the interrupt: ends the voices whose time is up, starts a few.
void sounds_interrupt(void);

// From the frame: adds what is audible to [hash].
void sounds_mix(struct hash *hash);

// Both contexts' books. The frame asks; no interrupt may be under way.
struct ledger sounds_ledger(void);

// How many handles of voices are kept. As sounds_ledger().
uint32_t sounds_held(void);

// The slot of the voice that began first, by the console's own books;
// TP_NO_SLOT iff none plays.
tp_slot_t sounds_oldest(void);

#endif
