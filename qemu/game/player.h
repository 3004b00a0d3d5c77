// SPDX-License-Identifier: MIT
// player.h - the ship at the lower edge that bullets are meant for.
#ifndef PLAYER_H
#define PLAYER_H

#include <stdbool.h>
#include <stdint.h>

#include "screen.h"

enum { PLAYER_TOP = 224 * PIXEL };

// Flies on; it cannot be shot down.
void player_update(void);

// Where it is, in 1/256 pixel from the left.
int32_t player_x(void);

// Whether what is at a place hits it. A hit is seen, heard and counted.
bool player_is_hit(int32_t x, int32_t y);

uint32_t player_hits(void);

#endif
