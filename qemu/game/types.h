// SPDX-License-Identifier: MIT
// types.h - what lives in the game's pools. No pointers: a slot is as large on
// every board and on the host.
#ifndef TYPES_H
#define TYPES_H

#include <stdint.h>

#include "tidepool.h"

struct particle {
  int32_t x, y;         // 1/256 pixel.
  int16_t dx, dy;       // 1/256 pixel a frame.
  uint16_t last_frame;  // The low half of its number.
  uint16_t shade;       // From 0, dark, to 3.
  uint16_t emitter;
};

struct voice {
  uint32_t sample;
  uint32_t position;
  uint16_t channel;  // Which entry of the mixer's table holds the handle.
  uint16_t frames_left;
  uint16_t loudness;
  uint16_t pitch;
};

struct enemy {
  int32_t x, y;  // 1/256 pixel.
  int16_t dx, dy;
  uint16_t health;  // Frames. Never 0 while live.
  uint16_t kind;
  uint32_t frames_lived;
  bullets_handle_t bullet;  // Its last, which it steers while that flies.
};

struct bullet {
  int32_t x, y;  // 1/256 pixel.
  int16_t dx, dy;
  uint16_t frames_left;
  uint16_t is_shot;  // By the player; else an enemy fired it.
};

struct note {
  uint16_t loudness;  // What it is judged by.
  uint16_t frames_left;
  uint16_t track;
  uint16_t pinned;
};

struct piece {
  int32_t x, y;  // 1/256 pixel.
  int16_t dx;
  uint16_t frames_left;
};

struct prop {
  uint32_t x;
  uint32_t frames_left;
};

#endif
