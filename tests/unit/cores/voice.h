// SPDX-License-Identifier: MIT
// voice.h - what is stolen when it is the quietest.
#ifndef VOICE_H
#define VOICE_H

#include <stdint.h>

struct voice {
  uint32_t loudness;
};

#endif
