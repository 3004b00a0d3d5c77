// SPDX-License-Identifier: MIT
// types.h - what lives in the dungeon.
#ifndef TYPES_H
#define TYPES_H

#include <stdbool.h>
#include <stdint.h>

#include "tidepool.h"

struct monster {
  uint32_t health;  // Never 0 while live.
  uint32_t place;
};

struct torch {
  uint32_t frames_left;  // Never 0 while it burns.
  uint32_t place;
  uint32_t soot[4];  // Stays from one torch to the next; its sum is 0.
};

struct sound {
  uint32_t frames_left;
  struct sound *next;
};

struct coin {
  uint32_t worth;
};

struct potion {
  uint32_t strength, frames_left;
};

struct spirit {
  uint32_t strength, number;
};

struct elf {
  uint32_t strength, frames_left;
};

struct entry {
  uint32_t frame, what;
};

struct bat {
  struct bat *next;
  uint32_t frames_left;
};

struct mote {
  uint32_t frames_left, colour;
};

#endif
