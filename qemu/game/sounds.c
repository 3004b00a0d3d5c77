// SPDX-License-Identifier: MIT
#include "sounds.h"

#include "random.h"
#include "scenario.h"
#include "screen.h"
#include "tp_pools.h"
#include "tp_port.h"

enum {
  HALF = SOUNDS_COUNT + 1,  // One more than there are voices.
  CHANNELS = 2 * HALF,
  MUSIC_SAMPLE = 9
};

// Who starts a voice.
enum context { FRAME, INTERRUPT };

static struct random *const chance[2] = {&streams[STREAM_VOICES],
                                         &streams[STREAM_VOICES_OF_INTERRUPT]};

// The handles of playing voices. Each context fills entries of its own half
// only; either may clear any, which is a single store.
static volatile sounds_handle_t channels[CHANNELS];

static bool plays(uint32_t channel)
{
  return channels[channel].bits != TP_NO_HANDLE;
}

static void silence(uint32_t channel)
{
  channels[channel].bits = TP_NO_HANDLE;
}

// A channel of this context that plays nothing. There is one: it has more
// channels than there are voices.
static uint16_t free_channel(enum context context)
{
  uint16_t channel = context == FRAME ? 0 : HALF;
  while (plays(channel)) channel++;
  return channel;
}

// Most channels are silent, and need not be looked up.
static struct voice *voice_of(sounds_handle_t handle)
{
  return sounds_same(handle, SOUNDS_NO_HANDLE) ? 0 : sounds_get(handle);
}

static sounds_handle_t handle_in(uint32_t channel)
{
  return (sounds_handle_t){channels[channel].bits};
}

// The pool takes [victim]'s slot: its channel falls silent. A voice that was
// stolen before it was tuned has none, and whatever its bytes say: a channel
// whose handle still resolves is another's.
void voice_stopped(struct voice *victim)
{
  uint32_t channel = victim->channel;
  if (channel >= CHANNELS || voice_of(handle_in(channel))) return;
  silence(channel);
}

// Writes a voice and lets the mixer have it: masked, for an interrupt may steal
// it at any time, and what was written then would be another's.
static void tune(sounds_handle_t handle, const struct voice *wanted)
{
  uint32_t key = tp_port_lock();
  struct voice *voice = sounds_get(handle);
  if (voice) {
    *voice = *wanted;
    channels[wanted->channel].bits = handle.bits;
  }
  tp_port_unlock(key);
}

static void play(enum context context, uint16_t frames, uint16_t sample)
{
  struct voice voice = {
      .sample = sample,
      .frames_left = frames,
      .loudness = (uint16_t)random_between(chance[context], 1, 100),
      .pitch = (uint16_t)random_between(chance[context], 200, 4000),
  };
  sounds_handle_t handle;
  if (!sounds_alloc_handle(&handle)) return;
  voice.channel = free_channel(context);
  tune(handle, &voice);
}

void sounds_play(uint16_t frames, uint16_t sample)
{
  play(FRAME, frames, sample);
}

static void age_voice(uint32_t channel)
{
  sounds_handle_t handle = handle_in(channel);
  struct voice *voice = voice_of(handle);
  if (!voice) return;
  voice->position += voice->pitch;
  if (--voice->frames_left > 0) return;
  silence(channel);
  sounds_free_handle(handle);
}

// Mostly none, often one, now and then a volley that steals.
static uint32_t draw_starts(void)
{
  struct random *dice = chance[INTERRUPT];
  uint32_t volley = random_below(dice, scenario.volley_interrupts);
  uint32_t single = random_below(dice, 100) < scenario.voice_percent;
  uint32_t many = random_below(dice, scenario.volley_voices + 1);
  return (volley == 0 ? many : single) * scenario_load();
}

static uint16_t draw_length(void)
{
  return (uint16_t)random_between(chance[INTERRUPT], scenario.voice_frames_low,
                                  scenario.voice_frames_high);
}

void sounds_interrupt(void)
{
  for (uint32_t i = 0; i < CHANNELS; i++) age_voice(i);
  for (uint32_t starts = draw_starts(); starts > 0; starts--) {
    play(INTERRUPT, draw_length(), MUSIC_SAMPLE);
  }
}

// What was read counts only if the handle still holds afterwards: the
// interrupt may end the voice between any two instructions.
static uint32_t heard(sounds_handle_t handle)
{
  const struct voice *voice = voice_of(handle);
  if (!voice) return 0;
  uint32_t level = voice->loudness + (voice->position + voice->sample) % 16;
  return sounds_get(handle) == voice ? level : 0;
}

void sounds_mix(void)
{
  uint32_t level = 0;
  for (uint32_t i = 0; i < CHANNELS; i++) level += heard(handle_in(i));
  screen_bar(0, level / 64, COLOUR_VIOLET);
}

uint32_t sounds_playing(void)
{
  uint32_t playing = 0;
  for (uint32_t i = 0; i < CHANNELS; i++) playing += plays(i);
  return playing;
}
