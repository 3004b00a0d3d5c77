// SPDX-License-Identifier: MIT
// music.h - notes of a few tracks: a full pool gives up the quietest. A melody
// is pinned while it begins.
#ifndef MUSIC_H
#define MUSIC_H

#include <stdint.h>

// Plays on, with the level as a bar on the screen.
void music_update(void);

uint32_t music_playing(void);

#endif
