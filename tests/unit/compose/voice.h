// SPDX-License-Identifier: MIT
#ifndef VOICE_H
#define VOICE_H

#include <stdint.h>

struct voice {
  uint32_t number;
  uint32_t loudness;
  uint32_t unused[2];
};

#endif
