// SPDX-License-Identifier: MIT
// particle.h - what lies in the slots of frames.toml.
#ifndef PARTICLE_H
#define PARTICLE_H

#include <stdint.h>

struct particle {
  int32_t x, y;
  int32_t dx, dy;
  int32_t frames_left;
  int32_t rest[3];
};

#endif
