// SPDX-License-Identifier: MIT
// random.h - the game's only source of chance: Marsaglia's xorshift32.
//
// Each part of the game draws from a stream of its own, so that what an
// interrupt draws never changes what the frame draws next.
#ifndef RANDOM_H
#define RANDOM_H

#include <stdint.h>

struct random {
  uint32_t state;  // Never 0.
};

enum stream {
  STREAM_SPARKS,
  STREAM_ENEMIES,
  STREAM_VOICES,
  STREAM_VOICES_OF_INTERRUPT,
  STREAM_BULLETS,
  STREAM_SCRIPTS,
  STREAM_MESHES,
  STREAM_NOTES,
  STREAM_DEBRIS,
  STREAM_PROPS,
  STREAM_PLAYER,
  STREAM_N
};

extern struct random streams[STREAM_N];

// The stream numbered [number] of [seed].
static inline struct random random_stream(uint64_t seed, uint32_t number)
{
  uint32_t state = (uint32_t)seed ^ (uint32_t)(seed >> 32) * 0x9e3779b1u;
  state = (state ^ number * 0x85ebca6bu) * 0xc2b2ae35u;
  state ^= state >> 15;
  return (struct random){state ? state : 1};
}

static inline uint32_t random_next(struct random *random)
{
  uint32_t state = random->state;
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return random->state = state;
}

// Between 0 and [bound] - 1; [bound] is at most 65536.
static inline uint32_t random_below(struct random *random, uint32_t bound)
{
  return (random_next(random) >> 16) * bound >> 16;
}

// Between [low] and [high], both included.
static inline uint32_t random_between(struct random *random, uint32_t low,
                                      uint32_t high)
{
  return low + random_below(random, high - low + 1);
}

// How often something happens whose chance is [percent]: above 100, more than
// once.
static inline uint32_t random_times(struct random *random, uint32_t percent)
{
  return (random_below(random, 100) + percent) / 100;
}

#endif
