// SPDX-License-Identifier: MIT
#include "object/tp_object.h"

#include "check/tp_check.h"
#include "core/tp_calls.h"
#include "core/tp_claim.h"
#include "core/tp_core.h"
#include "core/tp_sound.h"
#include "core/tp_words.h"
#include "object/tp_object_slots.h"
#include "object/tp_update.h"

// A pointer, and a place where its owner keeps one, as memory of any type.
typedef void *__attribute__((may_alias)) any_pointer;
typedef any_pointer *__attribute__((may_alias)) any_place;

static any_place *owner_of(const struct tp_objects *objects, void *object)
{
  return (any_place *)((uintptr_t)object + objects->owner - 1);
}

static void disown(const struct tp_objects *objects, void *object)
{
  any_place *owner = owner_of(objects, object);
  if (*owner) **owner = NULL;
}

static void save(const struct tp_objects *objects, void *object)
{
  if (objects->retain) objects->retain->save(objects, object);
}

// In a pool that steals: pins [object], whoever pinned it before, so that what
// a hook makes takes not its slot. False iff its tag is not [tag] in [mask].
static TP_NOINLINE bool hold(const struct tp_pool *pool, const void *object,
                             uint32_t tag, uint32_t mask, tp_site_t site)
{
  uintptr_t slot = tp_slot_of(pool, object);
  struct tp_generation claim = {(uint32_t)slot, tag, mask};
  return !tp_claim_slot(pool, slot) ||
         tp_pin_turn(pool, claim, true, site) != TP_PIN_STALE;
}

// Gives back what init could not make an object of, unless it was stolen since.
static void *abandon(const struct tp_objects *objects, void *object,
                     const uint32_t *tag, tp_site_t site)
{
  const struct tp_pool *pool = objects->pool;
  bool stays = !tag || !pool->age || hold(pool, object, *tag, UINT32_MAX, site);
  if (!stays) return NULL;
  save(objects, object);
  tp_pool_free_for(pool, object, site);
  return NULL;
}

// [object], which init has made; NULL iff it was stolen since, so that its slot
// is another's: by what init itself created, or by an interrupt.
static TP_NOINLINE void *unless_stolen(const struct tp_pool *pool, void *object,
                                       uint32_t tag)
{
  uintptr_t slot = tp_object_slot(pool, object);
  bool stays = slot == 0 || tp_object_tag(pool, slot) == tag;
  return stays ? object : NULL;
}

TP_INLINE void *alloc(const struct tp_objects *objects, void *context,
                      uint32_t *tag, tp_site_t site)
{
  void *object = tp_pool_alloc_for(objects->pool, tag, site);
  if (!tp_update_born(objects, object)) return NULL;
  if (objects->owner) *owner_of(objects, object) = NULL;
  if (objects->retain) objects->retain->restore(objects, object, site);
  if (!objects->init) return object;
  if (!objects->init(object, context)) {
    return abandon(objects, object, tag, site);
  }
  bool stays = !tag || !objects->pool->age;
  return stays ? object : unless_stolen(objects->pool, object, *tag);
}

void *tp_object_alloc_for(const struct tp_objects *objects, void *context,
                          uint32_t *tag, tp_site_t site)
{
  return alloc(objects, context, tag, site);
}

// In a pool that steals: a tag tells whether the slot is stolen since.
static TP_NOINLINE void *alloc_aged(const struct tp_objects *objects,
                                    void *context, tp_site_t site)
{
  uint32_t tag = 0;  // As of the highest score.
  bool told = objects->lender ? tp_spill_of(objects->pool)->tagged
                              : !objects->pool->takes_foreign;
  return alloc(objects, context, told ? &tag : NULL, site);
}

TP_NOINLINE void *tp_object_alloc(const struct tp_objects *objects,
                                  void *context)
{
  tp_site_t site = tp_site(NULL);
  return objects->pool->age ? alloc_aged(objects, context, site)
                            : alloc(objects, context, NULL, site);
}

TP_NOINLINE void *tp_object_alloc_scored(const struct tp_objects *objects,
                                         void *context, uint32_t score)
{
  uint32_t tag = ~score;
  return alloc(objects, context, &tag, tp_site(NULL));
}

TP_NOINLINE void *tp_object_alloc_handle(const struct tp_objects *objects,
                                         void *context, uint32_t score,
                                         tp_handle_t *handle)
{
  uint32_t tag = ~score;
  void *object = alloc(objects, context, &tag, tp_site(NULL));
  *handle = tp_handle_by_tag(objects->pool, object, tag);
  return object;
}

TP_NOINLINE void *tp_object_alloc_handle64(const struct tp_objects *objects,
                                           void *context, uint32_t score,
                                           tp_handle64_t *handle)
{
  uint32_t tag = ~score;
  void *object = alloc(objects, context, &tag, tp_site(NULL));
  *handle = tp_handle64_by_tag(objects->pool, object, tag);
  return object;
}

void tp_object_retire(const struct tp_objects *objects, void *object)
{
  if (objects->deinit) objects->deinit(object);
  if (objects->owner) disown(objects, object);
  save(objects, object);
}

// [object], which does not live: names the lender, if it died there.
static void raise_free(const struct tp_objects *objects, void *object,
                       tp_site_t site)
{
  const struct tp_chunk *lender = objects->lender;
  uintptr_t slot = lender ? tp_object_slot(lender->pool, object) : 0;
  bool away = slot != 0 && lender->pool->tag[slot] < TP_LIVE;
  tp_raise_free(away ? lender->pool : objects->pool, object, site);
}

// Ends [object], which lives and which nobody steals meanwhile.
static void end(const struct tp_objects *objects, void *object, tp_site_t site)
{
  tp_object_retire(objects, object);
  tp_pool_free_for(objects->pool, object, site);
}

void tp_object_free_for(const struct tp_objects *objects, void *object,
                        tp_site_t site)
{
  if (TP_MISUSE(!tp_object_is_live(objects, object))) {
    raise_free(objects, object, site);
  }
  const struct tp_pool *pool = objects->pool;
  if (pool->age) (void)hold(pool, object, TP_LIVE, TP_LIVE, site);
  end(objects, object, site);
}

TP_NOINLINE void tp_object_free(const struct tp_objects *objects, void *object)
{
  tp_object_free_for(objects, object, tp_site(NULL));
}

bool tp_object_free_generation(const struct tp_objects *objects,
                               struct tp_generation claim, tp_site_t site)
{
  const struct tp_pool *pool = objects->pool;
  if (claim.slot == 0) return false;
  if (tp_pin_turn(pool, claim, true, site) == TP_PIN_STALE) return false;
  end(objects, tp_slot_words(pool, claim.slot), site);
  return true;
}

TP_NOINLINE bool tp_object_free_handle(const struct tp_objects *objects,
                                       tp_handle_t handle)
{
  struct tp_generation claim = tp_claim_narrow(objects->pool, handle);
  return tp_object_free_generation(objects, claim, tp_site(NULL));
}

TP_NOINLINE bool tp_object_free_handle64(const struct tp_objects *objects,
                                         tp_handle64_t handle)
{
  struct tp_generation claim = tp_claim_wide(objects->pool, handle);
  return tp_object_free_generation(objects, claim, tp_site(NULL));
}

bool tp_object_is_live(const struct tp_objects *objects, const void *object)
{
  uintptr_t slot = tp_object_slot(objects->pool, object);
  if (slot != 0) return objects->pool->tag[slot] >= TP_LIVE;
  if (!objects->lender) return false;
  slot = tp_object_slot(objects->lender->pool, object);
  return slot != 0 && tp_object_is_lent(objects, slot);
}

uint32_t tp_object_unset(const struct tp_objects *objects, const void *object)
{
  const tp_word_t *word = (const tp_word_t *)object;
  uint32_t size = objects->pool->size;
  uint32_t set = tp_other_words(word, size / 4, TP_POISON_NEW);
  return set == size / 4 ? size : set * 4;
}

// The next live object behind [*slot], which it leaves there: at home, then, by
// slots that go on counting, at the lender. NULL: there is none.
static void *live_after(const struct tp_objects *objects, uint32_t *slot,
                        tp_site_t site)
{
  const struct tp_pool *home = objects->pool;
  uint32_t last = tp_sound_fresh(home, site);
  while (*slot < last) {
    uint32_t tag = tp_object_tag(home, ++*slot);
    if (tag >= TP_LIVE) return tp_slot_words(home, *slot);
  }
  if (!objects->lender) return NULL;
  const struct tp_pool *away = objects->lender->pool;
  if (*slot < home->capacity) *slot = home->capacity;
  last = home->capacity + tp_sound_fresh(away, site);
  while (*slot < last) {
    uint32_t lent = ++*slot - home->capacity;
    if (tp_object_is_lent(objects, lent)) return tp_slot_words(away, lent);
  }
  return NULL;
}

TP_NOINLINE void tp_object_walk(const struct tp_objects *objects,
                                void (*visit)(void *object, void *context),
                                void *context)
{
  tp_site_t site = tp_site(NULL);
  void *object;
  for (uint32_t slot = 0; (object = live_after(objects, &slot, site));) {
    visit(object, context);
  }
}

void tp_object_clear_for(const struct tp_objects *objects, tp_site_t site)
{
  void *object;
  for (uint32_t slot = 0; (object = live_after(objects, &slot, site));) {
    tp_object_free_for(objects, object, site);
  }
}

TP_NOINLINE void tp_object_clear(const struct tp_objects *objects)
{
  tp_object_clear_for(objects, tp_site(NULL));
}

static void audit(const struct tp_objects *objects, const struct tp_pool *pool,
                  uint32_t slot, tp_site_t site)
{
  bool live = tp_object_tag(pool, slot) >= TP_LIVE;
  TP_PORT_UNPOISON(tp_slot_words(pool, slot), pool->size);
  // Nobody may have it, and yet it is looked at.
  tp_hook_evicting(tp_slot_words(pool, slot));
  bool in_use = objects->in_use(tp_slot_words(pool, slot));
  tp_hook_evicted(tp_slot_words(pool, slot));
  tp_check_shut(tp_slot_words(pool, slot), live ? 0 : pool->size);
  if (!TP_MISUSE(in_use != live)) return;
  tp_raise_slot(TP_FAULT_IN_USE, pool, slot, 0, in_use, live, site);
}

TP_NOINLINE void tp_object_audit(const struct tp_objects *objects)
{
  const struct tp_pool *home = objects->pool;
  tp_site_t site = tp_site(NULL);
  if (!objects->in_use) return;
  for (uint32_t slot = 1; slot <= tp_sound_fresh(home, site); slot++) {
    audit(objects, home, slot, site);
  }
  if (!objects->lender) return;
  const struct tp_pool *away = objects->lender->pool;
  for (uint32_t slot = 1; slot <= tp_sound_fresh(away, site); slot++) {
    if (tp_object_is_lent(objects, slot)) audit(objects, away, slot, site);
  }
}
