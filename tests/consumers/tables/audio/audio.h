// SPDX-License-Identifier: MIT
#ifndef AUDIO_H
#define AUDIO_H

#include <stdint.h>

struct voice {
  uint32_t note[8];
};

// Plays a note. Returns where its voice lies.
const void *audio_play(uint32_t note);

#endif
