// SPDX-License-Identifier: MIT
#include "object/tp_retain.h"

#include "check/tp_check.h"
#include "object/tp_object.h"
#include "core/tp_words.h"
#include "core/tp_sound.h"
#include "core/tp_slot.h"

static uint32_t words_of(const struct tp_retain *retain)
{
  return retain->size / 4u;
}

static tp_word_t *kept_at(const struct tp_retain *retain, uint32_t slot)
{
  return retain->kept + (slot - 1) * words_of(retain);
}

static tp_word_t *part_of(const struct tp_retain *retain, void *object)
{
  return (tp_word_t *)((uintptr_t)object + retain->offset);
}

static bool is_open(const struct tp_retain *retain, const tp_word_t *part)
{
  uint32_t any = 0;
  for (uint32_t i = 0; i < words_of(retain); i++) any |= part[i];
  return any != 0;
}

static void close_part(const struct tp_retain *retain, tp_word_t *part)
{
  if (retain->close) retain->close(part);
  tp_clear_words(part, retain->size);
}

static void check_sum(const struct tp_objects *objects, uint32_t slot,
                      tp_site_t site)
{
  const struct tp_retain *retain = objects->retain;
  uint32_t expected = retain->sum[slot - 1];
  uint32_t found = tp_sum_words(kept_at(retain, slot), words_of(retain));
  if (!TP_MISUSE(found != expected)) return;
  tp_raise_slot(TP_FAULT_RETAIN, objects->pool, slot, retain->offset, found,
                expected, site);
}

void tp_retain_save(const struct tp_objects *objects, void *object)
{
  const struct tp_retain *retain = objects->retain;
  uint32_t slot = (uint32_t)tp_slot_of(objects->pool, object);
  tp_word_t *kept = kept_at(retain, slot);
  tp_copy_words(kept, part_of(retain, object), words_of(retain));
  retain->sum[slot - 1] = tp_sum_words(kept, words_of(retain));
}

void tp_retain_restore(const struct tp_objects *objects, void *object,
                       tp_site_t site)
{
  const struct tp_retain *retain = objects->retain;
  uint32_t slot = (uint32_t)tp_slot_of(objects->pool, object);
  tp_word_t *part = part_of(retain, object);
  check_sum(objects, slot, site);
  tp_copy_words(part, kept_at(retain, slot), words_of(retain));
  if (!retain->validate || !is_open(retain, part)) return;
  if (retain->validate(part)) return;
  // Nor does the next object find it, if this one ends and puts nothing aside.
  tp_clear_words(kept_at(retain, slot), retain->size);
  retain->sum[slot - 1] = 0;
  close_part(retain, part);
}

// What a live object has is what it was given of its slot. While its part is
// closed the slot has a wrong sum, for whoever is issued it meanwhile.
static void close_slot(const struct tp_objects *objects, uint32_t slot,
                       tp_site_t site)
{
  const struct tp_retain *retain = objects->retain;
  if (objects->pool->tag[slot] >= TP_LIVE) return;
  check_sum(objects, slot, site);
  tp_word_t *kept = kept_at(retain, slot);
  retain->sum[slot - 1]++;
  if (is_open(retain, kept)) close_part(retain, kept);
  retain->sum[slot - 1] = 0;
}

// Slots that ever had an object: since they were counted from none again, as
// in another scene, there may be fewer.
static uint32_t ever_issued(const struct tp_objects *objects, tp_site_t site)
{
  const struct tp_pool *pool = objects->pool;
  uint32_t fresh = pool->state->fresh;  // A walk has just gone by it.
  uint32_t reached =
      tp_sound_count(pool, pool->state->reached, objects->slots, site);
  return fresh > reached ? fresh : reached;
}

TP_NOINLINE void tp_retain_close(const struct tp_objects *objects)
{
  tp_site_t site = tp_site(NULL);
  tp_object_clear_for(objects, site);
  uint32_t slots = ever_issued(objects, site);
  for (uint32_t slot = 1; slot <= slots; slot++) {
    close_slot(objects, slot, site);
  }
}
