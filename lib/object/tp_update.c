// SPDX-License-Identifier: MIT
#include "object/tp_update.h"

#include "check/tp_check.h"
#include "core/tp_calls.h"
#include "core/tp_sound.h"
#include "core/tp_words.h"
#include "object/tp_object_slots.h"

void *tp_update_note(const struct tp_objects *objects, void *object)
{
  struct tp_births *births = objects->births;
  *tp_object_newborn(objects, tp_object_slot_of_all(objects, object)) = 1;
  births->any = births;
  return object;
}

void tp_update_end(const struct tp_objects *objects)
{
  objects->births->counted = false;
  TP_BARRIER();
  if (!objects->births->any) return;
  objects->births->any = NULL;
  tp_clear_words(objects->newborn, (objects->slots + 3u) / 4 * 4);
}

// Between updates nobody is newborn, unless one was left half done.
static void audit_newborn(const struct tp_objects *objects, tp_site_t site)
{
  const uint32_t *notes = objects->newborn;
  uint32_t words = (objects->slots + 3u) / 4;
  uint32_t at = TP_AUDITED ? tp_intact_words(notes, words, 0) : words;
  if (at == words || objects->births->any) return;
  tp_raise_misuse(TP_FAULT_INVARIANT, objects->pool->name, notes + at,
                  notes[at], 0, site);
}

TP_NOINLINE uint32_t tp_update_begin(const struct tp_objects *objects,
                                     tp_site_t site)
{
  site = tp_site(site);
  uint32_t fresh = tp_sound_fresh(objects->pool, site);
  audit_newborn(objects, site);
  tp_update_end(objects);
  objects->births->counted = true;
  TP_BARRIER();
  return fresh;
}

static bool is_newborn(const struct tp_objects *objects, uintptr_t slot)
{
  return tp_update_births(objects, true) && *tp_object_newborn(objects, slot);
}

void tp_update_free(const struct tp_objects *objects,
                    const struct tp_pool *pool, uint32_t slot, uint32_t tag,
                    tp_site_t site)
{
  void *object = tp_slot_words(pool, slot);
  if (TP_MISUSE(tp_object_tag(pool, slot) != tag)) {
    tp_raise_free(pool, object, tp_site(site));
  }
  tp_object_free_for(objects, object, tp_site(site));
}

// A frame of the object in [slot], which is live.
static void update(const struct tp_objects *objects, const struct tp_pool *pool,
                   uint32_t slot, bool (*step)(void *, void *), void *context,
                   tp_site_t site)
{
  uint32_t tag = tp_object_tag(pool, slot);
  void *object = tp_slot_words(pool, slot);
  bool over = objects->in_use && !objects->in_use(object);
  if (!over && step(object, context)) return;
  tp_update_free(objects, pool, slot, tag, site);
}

TP_NOINLINE void tp_update_go_on(const struct tp_objects *objects,
                                 uint32_t slot, bool (*step)(void *, void *),
                                 void *context, tp_site_t site)
{
  const struct tp_pool *home = objects->pool;
  const struct tp_chunk *lender = objects->lender;
  site = tp_site(site);
  uint32_t last = tp_sound_fresh(home, site);  // What comes on is newborn.
  while (slot++ < last) {
    if (tp_object_tag(home, slot) < TP_LIVE) continue;
    if (is_newborn(objects, slot)) continue;
    update(objects, home, slot, step, context, site);
  }
  last = lender ? tp_sound_fresh(lender->pool, site) : 0;
  for (slot = 1; slot <= last; slot++) {
    if (!tp_object_is_lent(objects, slot)) continue;
    if (is_newborn(objects, home->capacity + slot)) continue;
    update(objects, lender->pool, slot, step, context, site);
  }
  tp_update_end(objects);
}

TP_NOINLINE void tp_object_update(const struct tp_objects *objects,
                                  bool (*step)(void *object, void *context),
                                  void *context)
{
  tp_site_t site = tp_site(NULL);
  (void)tp_update_begin(objects, site);
  tp_update_go_on(objects, 0, step, context, site);
}
