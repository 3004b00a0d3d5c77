// SPDX-License-Identifier: MIT
// Which dead slot is covered, and what becomes of who meets it.
#include "tp_mpu_sample.h"

#include "core/tp_slot.h"
#include "tp_mpu_arch.h"
#include "tp_mpu_region.h"

enum { TRIES = 16 };  // Slots that are looked at for a dead one, masked.

static struct tp_mpu_sample *samples;

// Is [slot] the one that is issued next?
static bool is_top(const struct tp_pool *pool, uint32_t slot)
{
  uint32_t top = tp_list_top(pool);
  return top != 0 && tp_list_words(pool, top) == tp_slot_words(pool, slot);
}

static bool is_dead(const struct tp_pool *pool, uint32_t slot)
{
  return pool->tag[slot] < TP_LIVE;
}

static struct tp_mpu_region region_of(const struct tp_pool *pool, uint32_t slot)
{
  uint32_t begin = (uint32_t)tp_slot_address(pool, slot);
  return tp_mpu_cover(begin, begin + pool->stride);
}

static void cover(struct tp_mpu_sample *sample, uint32_t slot)
{
  static const struct tp_mpu_region none;
  sample->covered = slot;
  if (slot) {
    struct tp_mpu_region region = region_of(sample->pool, slot);
    tp_mpu_write(sample->region, &region);
  } else {
    tp_mpu_write(sample->region, &none);
  }
  tp_mpu_settle();
}

// Has tp_mpu_sample() let [sample] have a region?
static bool has_begun(const struct tp_mpu_sample *sample)
{
  return sample->stride == sample->pool->stride;
}

void tp_mpu_show(struct tp_mpu_sample *sample)
{
  if (!has_begun(sample)) return;
  uint32_t key = tp_port_lock();
  cover(sample, 0);
  tp_port_unlock(key);
}

void tp_mpu_rotate(struct tp_mpu_sample *sample)
{
  if (!has_begun(sample)) return;
  const struct tp_pool *pool = sample->pool;
  uint32_t key = tp_port_lock();
  uint32_t slot = sample->cursor, found = 0;
  for (uint32_t i = 0; i < TRIES && pool->state->fresh && !found; i++) {
    slot = slot < pool->state->fresh ? slot + 1 : 1;
    if (is_dead(pool, slot) && !is_top(pool, slot)) found = slot;
  }
  cover(sample, found);
  sample->cursor = slot;
  sample->left = sample->every;
  tp_port_unlock(key);
}

// The sample whose covered slot [address] lies in; NULL iff there is none.
static struct tp_mpu_sample *sample_at(uintptr_t address)
{
  struct tp_mpu_sample *sample = samples;
  while (sample) {
    uintptr_t begin = tp_slot_address(sample->pool, sample->covered);
    if (sample->covered && address - begin < sample->stride) break;
    sample = sample->next;
  }
  return sample;
}

// A pool looks at the first word of the slot that it is about to issue. If that
// was all, or the slot was issued without, it is covered no more.
static bool goes_on(uintptr_t address, struct tp_mpu_past *past)
{
  struct tp_mpu_sample *sample = sample_at(address);
  if (!sample) return false;
  uint32_t slot = sample->covered;
  const struct tp_pool *pool = sample->pool;
  bool links = address - tp_slot_address(pool, slot) < sizeof(tp_word_t);
  if (is_dead(pool, slot) && !(links && is_top(pool, slot))) {
    *past = sample->past[slot - 1];
    return false;
  }
  cover(sample, 0);
  return true;
}

// What lacks BASEPRI, ARMv6-M and Baseline, does not say what was refused: by
// that the pool itself would end.
static bool can_be_covered(const struct tp_pool *pool)
{
  if (!TP_PORT_HAS_BASEPRI) return false;
  if (!tp_tag_kept(pool) || pool->takes_foreign) return false;
  uintptr_t storage = (uintptr_t)pool->storage;
  if (!tp_mpu_is_data(storage, (uint32_t)pool->capacity * pool->stride))
    return false;
  for (uint32_t slot = 1; slot <= pool->capacity; slot++) {
    if (region_of(pool, slot).rest == 0) return false;
  }
  return true;
}

enum tp_mpu_answer tp_mpu_sample(struct tp_mpu_sample *sample)
{
  const struct tp_pool *pool = sample->pool;
  sample->stride = UINT32_MAX;  // What is noted until it begins is of slot 1.
  if (!tp_mpu_is_on()) return TP_MPU_ABSENT;
  if (!can_be_covered(pool)) return TP_MPU_EMPTY;
  if (!tp_mpu_take(&sample->region)) return TP_MPU_FEW;
  sample->left = sample->every;
  sample->stride = pool->stride;
  sample->storage = (uintptr_t)pool->storage;
  sample->next = samples;
  samples = sample;
  tp_mpu_goes_on = goes_on;
  return TP_MPU_ON;
}
