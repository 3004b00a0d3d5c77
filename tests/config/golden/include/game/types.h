// SPDX-License-Identifier: MIT
// types.h - the C types that the golden tables of pools name.
#ifndef GAME_TYPES_H
#define GAME_TYPES_H

#include <stdint.h>

#define ENEMIES 12

struct particle {
  int32_t x, y, dx, dy;
  uint32_t colour;
};

struct enemy {
  uint32_t mind[20];
};

struct voice {
  uint32_t phase, step;
};

#endif
