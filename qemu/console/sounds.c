// SPDX-License-Identifier: MIT
#include "sounds.h"

#include "audit.h"
#include "counts.h"
#include "plant.h"
#include "random.h"
#include "scenario.h"
#include "site.h"
#include "tp_pools.h"
#include "tp_port.h"

// Who keeps the handles of playing voices. Each context fills entries of its
// own half only; either may clear any, which is a single store.
enum { HALF = COUNT_sounds + 1, CHANNELS = 2 * HALF };

enum context { FRAME, INTERRUPT };

// When a voice was born: after the voice numbered [after] was tuned, before
// the one numbered [before] was.
struct birth {
  uint32_t after, before;
};

static volatile tp_handle_t channels[CHANNELS];
static struct birth births[CHANNELS];
static uint32_t tuned;
static struct random chance[2];
static struct ledger ledgers[2];
static volatile enum context context;  // Which of the two is running.

void sounds_start(uint64_t seed)
{
  chance[FRAME] = random_stream(seed, 3);
  chance[INTERRUPT] = random_stream(seed, 4);
}

// A channel of this context that plays nothing. There is one: it has more
// channels than there are voices.
static uint16_t free_channel(void)
{
  uint16_t channel = context == FRAME ? 0 : HALF;
  while (channels[channel] != TP_NO_HANDLE) channel++;
  return channel;
}

// Most channels are silent, and need not be looked up.
static struct voice *voice_of(tp_handle_t handle)
{
  return handle == TP_NO_HANDLE ? 0 : sounds_get(handle);
}

// The channel of the voice that the console's own books say is the oldest;
// CHANNELS iff none plays.
static uint32_t oldest_channel(void)
{
  uint32_t oldest = CHANNELS;
  for (uint32_t i = 0; i < CHANNELS; i++) {
    if (!voice_of(channels[i])) continue;
    if (oldest == CHANNELS || births[i].before < births[oldest].before) {
      oldest = i;
    }
  }
  return oldest;
}

// The pool takes the slot of the voice on [channel]: was any tuned before this
// one was even asked for?
static void judge_victim(uint32_t channel)
{
  uint32_t oldest = oldest_channel();
  if (oldest == CHANNELS || births[oldest].before > births[channel].after) {
    return;
  }
  audit_found(&sounds_pool, 0, "the victim was not the oldest");
}

// The pool takes [victim]'s slot: its channel falls silent. A voice that was
// stolen before it was tuned has none, and whatever its bytes say: a channel
// whose handle still resolves is another's.
void voice_stopped(struct voice *victim)
{
  uint32_t channel = victim->channel;
  if (plant_strikes(PLANT_SKIPPED_EVICT, &sounds_pool, victim)) return;
  ledgers[context].steals++;
  if (channel >= CHANNELS || sounds_get(channels[channel])) return;
  if (channels[channel] == TP_NO_HANDLE) return;
  judge_victim(channel);
  channels[channel] = TP_NO_HANDLE;
}

// Writes a voice that was asked for after [after] were tuned and lets the
// mixer have it: masked, for an interrupt may steal it at any time, and what
// was written then would be another's.
static void tune(tp_handle_t handle, const struct voice *wanted, uint32_t after)
{
  uint32_t key = tp_port_lock();
  struct voice *voice = sounds_get(handle);
  if (voice) {
    *voice = *wanted;
    channels[wanted->channel] = handle;
    births[wanted->channel] = (struct birth){after, ++tuned};
  }
  tp_port_unlock(key);
}

static void play(uint16_t frames, uint16_t sample)
{
  struct random *dice = &chance[context];
  uint32_t after = tuned;
  tp_handle_t handle;
  enum site site = context == FRAME ? SITE_FRAME_VOICE : SITE_INTERRUPT_VOICE;
  bool open = site_begin(site);
  bool issued = open && sounds_alloc_handle(&handle);
  site_end(site);
  ledgers[context].drops += open && !issued;
  if (!issued) return;
  ledgers[context].allocs++;
  const struct voice voice = {
      .sample = sample,
      .channel = free_channel(),
      .frames_left = frames,
      .loudness = (uint16_t)random_between(dice, 1, 100),
      .pitch = (uint16_t)random_between(dice, 200, 4000),
  };
  tune(handle, &voice, after);
}

void sounds_play(uint16_t frames, uint16_t sample)
{
  play(frames, sample);
}

static void age_voice(uint32_t channel)
{
  tp_handle_t handle = channels[channel];
  struct voice *voice = voice_of(handle);
  if (!voice || --voice->frames_left > 0) return;
  if (!plant_strikes(PLANT_STALE_HANDLE, &sounds_pool, voice)) {
    channels[channel] = TP_NO_HANDLE;
  }
  site_begin(SITE_VOICE_FREE);
  ledgers[INTERRUPT].frees += sounds_free_handle(handle);
  site_end(SITE_VOICE_FREE);
}

// Mostly none, often one, now and then a volley that steals.
static uint32_t draw_starts(void)
{
  struct random *dice = &chance[INTERRUPT];
  uint32_t volley = random_below(dice, scenario.volley_interrupts);
  uint32_t single = random_below(dice, 100) < scenario.voice_percent;
  uint32_t many = random_below(dice, COUNT_sounds + 1);
  return (volley == 0 ? many : single) * scenario_load();
}

static uint16_t draw_length(void)
{
  return (uint16_t)random_between(&chance[INTERRUPT], scenario.voice_frames_low,
                                  scenario.voice_frames_high);
}

void sounds_interrupt(void)
{
  enum context interrupted = context;
  context = INTERRUPT;
  for (uint32_t i = 0; i < CHANNELS; i++) age_voice(i);
  for (uint32_t starts = draw_starts(); starts > 0; starts--) {
    play(draw_length(), 9);
  }
  context = interrupted;
}

// What was read counts only if the handle still holds afterwards: the
// interrupt may end the voice between any two instructions.
void sounds_mix(struct hash *hash)
{
  for (uint32_t i = 0; i < CHANNELS; i++) {
    tp_handle_t handle = channels[i];
    const struct voice *voice = voice_of(handle);
    if (!voice) continue;
    uint32_t heard = (uint32_t)voice->loudness << 16 | voice->pitch;
    if (sounds_get(handle) == voice) hash_add(hash, heard);
  }
}

struct ledger sounds_ledger(void)
{
  return ledger_sum(&ledgers[FRAME], &ledgers[INTERRUPT]);
}

uint32_t sounds_held(void)
{
  uint32_t held = 0;
  for (uint32_t i = 0; i < CHANNELS; i++) held += channels[i] != TP_NO_HANDLE;
  return held;
}

tp_slot_t sounds_oldest(void)
{
  uint32_t channel = oldest_channel();
  if (channel == CHANNELS) return TP_NO_SLOT;
  return (tp_slot_t)(channels[channel] & ((1u << sounds_pool.handle_bits) - 1));
}
