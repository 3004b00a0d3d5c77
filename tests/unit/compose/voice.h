// SPDX-License-Identifier: MIT
#ifndef VOICE_H
#define VOICE_H

#include <stdint.h>

struct voice {
  uint32_t number;
  uint32_t loudness;
  uint32_t unused[2];
};

// A particle whose first word is what makes it live.
struct spark {
  uint32_t left;
  uint32_t number;
  uint32_t kept;
  uint32_t last;
};

#endif
