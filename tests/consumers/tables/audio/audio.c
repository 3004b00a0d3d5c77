// SPDX-License-Identifier: MIT
#include "audio.h"

#include "audio_pools.h"

const void *audio_play(uint32_t note)
{
  struct voice *voice = voices_alloc();
  if (voice) voice->note[0] = note;
  if (!mix_alloc(4, 4)) return NULL;
  mix_end();
  return voice;
}
