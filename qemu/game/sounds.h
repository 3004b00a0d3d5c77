// SPDX-License-Identifier: MIT
// sounds.h - voices with lengths and loudness, started by the frame and by an
// interrupt in the middle of it, ended by the interrupt or by theft.
#ifndef SOUNDS_H
#define SOUNDS_H

#include <stdint.h>

// From the frame: starts a voice that lasts [frames], at least 1.
void sounds_play(uint16_t frames, uint16_t sample);

// From the interrupt: ends the voices whose time is up, starts a few.
void sounds_interrupt(void);

// From the frame: how loud it is, as a bar on the screen.
void sounds_mix(void);

// How many channels play. No interrupt may be under way.
uint32_t sounds_playing(void);

#endif
