// SPDX-License-Identifier: MIT
// watch_voices.c - voices: whether the oldest is the one that is stolen.
#include "audit.h"
#include "core/tp_core.h"
#include "interrupts.h"
#include "ledger.h"
#include "plant.h"
#include "tp_port.h"
#include "watch.h"

// When a voice was born: it was asked for when [after] others had been, and
// was numbered [number] when the game had it. None: none that we know.
struct birth {
  sounds_handle_t handle;
  uint32_t after, number;
};

static struct birth births[SOUNDS_COUNT + 1];  // By slot.
static uint32_t born;

static uint32_t slot_of(sounds_handle_t handle)
{
  return handle.bits & ((1u << sounds_pool.handle_bits) - 1);
}

static uint32_t slot_of_voice(const struct voice *voice)
{
  uintptr_t offset = (uintptr_t)voice - (uintptr_t)sounds_pool.storage;
  return (uint32_t)offset / sounds_pool.stride + 1;
}

enum site watch_voice_site(void)
{
  return interrupts_running ? SITE_INTERRUPT_VOICE : SITE_FRAME_VOICE;
}

uint32_t watch_voices_born(void)
{
  return born;
}

// Masked: the interrupt may steal what was just issued, or have it born first.
static void note_birth(sounds_handle_t handle, uint32_t after)
{
  uint32_t key = tp_port_lock();
  born++;
  if (sounds_get(handle)) {
    births[slot_of(handle)] = (struct birth){handle, after, born};
  }
  tp_port_unlock(key);
}

void watch_voice_asked(bool issued, sounds_handle_t handle,
                       uint32_t born_before)
{
  struct ledger *ledger = ledger_now(TP_ID_SOUNDS);
  ledger->refused += !issued;
  ledger->allocs += issued;
  if (issued) note_birth(handle, born_before);
}

void watch_voice_freeing(sounds_handle_t handle)
{
  if (sounds_get(handle)) births[slot_of(handle)].handle = SOUNDS_NO_HANDLE;
}

void watch_voice_freed(bool freed)
{
  ledger_now(TP_ID_SOUNDS)->frees += freed;
}

static bool is_known(const struct birth *birth)
{
  return !sounds_same(birth->handle, SOUNDS_NO_HANDLE);
}

// The interrupt may come while a voice is being stolen: it lives no longer, but
// its owner was not told yet.
static bool lives(const struct birth *birth)
{
  return is_known(birth) && sounds_get(birth->handle);
}

static tp_slot_t oldest_voice(void)
{
  uint32_t oldest = TP_NO_SLOT;
  for (uint32_t i = 1; i <= SOUNDS_COUNT; i++) {
    if (!lives(&births[i])) continue;
    if (oldest == TP_NO_SLOT || births[i].number < births[oldest].number) {
      oldest = i;
    }
  }
  return (tp_slot_t)oldest;
}

// Was any born before this one was even asked for?
static void judge_victim(const struct birth *victim)
{
  uint32_t oldest = oldest_voice();
  if (!is_known(victim) || oldest == TP_NO_SLOT) return;
  if (births[oldest].number > victim->after) return;
  audit_found(&sounds_pool, 0, "the victim was not the oldest");
}

void voice_stopped(struct voice *victim)
{
  struct birth *birth = &births[slot_of_voice(victim)];
  judge_victim(birth);
  birth->handle = SOUNDS_NO_HANDLE;
  if (plant_strikes(PLANT_SKIPPED_EVICT, &sounds_pool, victim)) return;
  ledger_now(TP_ID_SOUNDS)->steals++;
  game_voice_stopped(victim);
}

// The oldest voice is taken for the newest, so that another is stolen.
static void spare_oldest(tp_slot_t slot)
{
  const void *voice = tp_slot_words(&sounds_pool, slot);
  if (tp_age_oldest(sounds_pool.age) != slot) return;
  if (!plant_strikes(PLANT_WRONG_VICTIM, &sounds_pool, voice)) return;
  uint32_t key = tp_port_lock();
  tp_age_remove(sounds_pool.age, sounds_pool.capacity, slot, false);
  tp_age_push(sounds_pool.age, sounds_pool.capacity, slot);
  tp_port_unlock(key);
}

void watch_voices_frame(void)
{
  tp_slot_t slot = oldest_voice();
  if (slot == TP_NO_SLOT) return;
  spare_oldest(slot);
  struct voice *voice = (struct voice *)tp_slot_words(&sounds_pool, slot);
  if (!plant_strikes(PLANT_STALE_HANDLE, &sounds_pool, voice)) return;
  sounds_handle_t handle = sounds_handle(voice);
  watch_voice_freeing(handle);
  watch_voice_freed(sounds_free_handle(handle));
}
