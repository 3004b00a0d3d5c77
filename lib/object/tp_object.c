// SPDX-License-Identifier: MIT
#include "object/tp_object.h"

#include "check/tp_check.h"
#include "core/tp_slot.h"
#include "core/tp_core.h"
#include "core/tp_words.h"

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

// Gives back what init could not make an object of.
static void *abandon(const struct tp_objects *objects, void *object,
                     tp_site_t site)
{
  save(objects, object);
  tp_pool_free_for(objects->pool, object, site);
  return NULL;
}

TP_INLINE void *alloc(const struct tp_objects *objects, void *context,
                      uint32_t *tag, tp_site_t site)
{
  void *object = tp_pool_alloc_for(objects->pool, tag, site);
  if (!object) return NULL;
  if (objects->owner) *owner_of(objects, object) = NULL;
  if (objects->retain) objects->retain->restore(objects, object, site);
  if (!objects->init || objects->init(object, context)) return object;
  return abandon(objects, object, site);
}

void *tp_object_alloc_for(const struct tp_objects *objects, void *context,
                          uint32_t *tag, tp_site_t site)
{
  return alloc(objects, context, tag, site);
}

TP_NOINLINE void *tp_object_alloc(const struct tp_objects *objects,
                                  void *context)
{
  return alloc(objects, context, NULL, tp_site(NULL));
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

// Is [slot] of the lender's lent to these, and live?
static bool is_lent(const struct tp_objects *objects, uintptr_t slot)
{
  const struct tp_chunk *lender = objects->lender;
  const volatile uint32_t *tag = lender->pool->tag;
  return lender->owner[slot] == tp_spill_of(objects->pool)->state &&
         tag[slot] >= TP_LIVE;
}

// A slot that [pool] has; 0 iff [object] is none.
static uintptr_t slot_in(const struct tp_pool *pool, const void *object)
{
  uintptr_t slot = tp_slot_of(pool, object);
  return slot <= pool->capacity ? slot : 0;
}

// [object], which does not live: names the lender, if it died there.
static void raise_free(const struct tp_objects *objects, void *object,
                       tp_site_t site)
{
  const struct tp_chunk *lender = objects->lender;
  uintptr_t slot = lender ? slot_in(lender->pool, object) : 0;
  bool away = slot != 0 && lender->pool->tag[slot] < TP_LIVE;
  tp_raise_free(away ? lender->pool : objects->pool, object, site);
}

void tp_object_free_for(const struct tp_objects *objects, void *object,
                        tp_site_t site)
{
  if (TP_MISUSE(!tp_object_is_live(objects, object))) {
    raise_free(objects, object, site);
  }
  tp_object_retire(objects, object);
  tp_pool_free_for(objects->pool, object, site);
}

TP_NOINLINE void tp_object_free(const struct tp_objects *objects, void *object)
{
  tp_object_free_for(objects, object, tp_site(NULL));
}

bool tp_object_is_live(const struct tp_objects *objects, const void *object)
{
  uintptr_t slot = slot_in(objects->pool, object);
  if (slot != 0) return objects->pool->tag[slot] >= TP_LIVE;
  if (!objects->lender) return false;
  slot = slot_in(objects->lender->pool, object);
  return slot != 0 && is_lent(objects, slot);
}

uint32_t tp_object_unset(const struct tp_objects *objects, const void *object)
{
  const tp_word_t *word = (const tp_word_t *)object;
  uint32_t size = objects->pool->size;
  uint32_t set = tp_other_words(word, size / 4, TP_POISON_NEW);
  return set == size / 4 ? size : set * 4;
}

#define LIVE 0x8000u

// Whether a slot is live, and how often it was issued, in 15 bits. Interrupts
// may create objects, so each tag is read once, then and there.
static uint16_t generation_of(const struct tp_pool *pool, uint32_t slot)
{
  uint32_t tag = ((const volatile uint32_t *)pool->tag)[slot];
  return (uint16_t)((tag >> 16 & LIVE) | (tag & (LIVE - 1)));
}

// Returns how many slots it noted.
static uint32_t note_generations(const struct tp_objects *objects)
{
  uint32_t fresh = objects->pool->state->fresh;
  for (uint32_t slot = 1; slot <= fresh; slot++) {
    objects->generations[slot - 1] = generation_of(objects->pool, slot);
  }
  return fresh;
}

// Where those of the lender's slots are noted.
static uint16_t *generations_away(const struct tp_objects *objects)
{
  return objects->generations + objects->pool->capacity;
}

// The same of the lender.
static uint32_t note_lent(const struct tp_objects *objects)
{
  if (!objects->lender) return 0;
  const struct tp_pool *pool = objects->lender->pool;
  uint32_t fresh = pool->state->fresh;
  uint16_t *generations = generations_away(objects);
  for (uint32_t slot = 1; slot <= fresh; slot++) {
    generations[slot - 1] =
        is_lent(objects, slot) ? generation_of(pool, slot) : 0;
  }
  return fresh;
}

static bool is_over(const struct tp_objects *objects, const void *object)
{
  return objects->in_use && !objects->in_use(object);
}

// Does the slot still have the live object it had when the update began?
static bool goes_on(const struct tp_pool *pool, uint32_t slot, uint16_t then)
{
  return then >= LIVE && then == generation_of(pool, slot);
}

TP_INLINE void update(const struct tp_objects *objects,
                      const struct tp_pool *pool, uint32_t slot, uint16_t then,
                      bool (*step)(void *, void *), void *context,
                      tp_site_t site)
{
  if (!goes_on(pool, slot, then)) return;
  void *object = tp_slot_words(pool, slot);
  if (!is_over(objects, object) && step(object, context)) return;
  if (TP_MISUSE(!goes_on(pool, slot, then))) tp_raise_free(pool, object, site);
  tp_object_free_for(objects, object, site);
}

TP_NOINLINE void tp_object_update(const struct tp_objects *objects,
                                  bool (*step)(void *object, void *context),
                                  void *context)
{
  tp_site_t site = tp_site(NULL);
  uint32_t last = note_generations(objects);
  uint32_t last_away = note_lent(objects);
  for (uint32_t slot = 1; slot <= last; slot++) {
    update(objects, objects->pool, slot, objects->generations[slot - 1], step,
           context, site);
  }
  for (uint32_t slot = 1; slot <= last_away; slot++) {
    update(objects, objects->lender->pool, slot,
           generations_away(objects)[slot - 1], step, context, site);
  }
}

// The next live object behind [*slot], which it leaves there: at home, then, by
// slots that go on counting, at the lender. NULL: there is none.
static void *live_after(const struct tp_objects *objects, uint32_t *slot)
{
  const struct tp_pool *home = objects->pool;
  while (*slot < home->state->fresh) {
    if (generation_of(home, ++*slot) >= LIVE) return tp_slot_words(home, *slot);
  }
  if (!objects->lender) return NULL;
  const struct tp_pool *away = objects->lender->pool;
  if (*slot < home->capacity) *slot = home->capacity;
  while (*slot < home->capacity + away->state->fresh) {
    uint32_t lent = ++*slot - home->capacity;
    if (is_lent(objects, lent)) return tp_slot_words(away, lent);
  }
  return NULL;
}

void tp_object_walk(const struct tp_objects *objects,
                    void (*visit)(void *object, void *context), void *context)
{
  void *object;
  for (uint32_t slot = 0; (object = live_after(objects, &slot));) {
    visit(object, context);
  }
}

void tp_object_clear_for(const struct tp_objects *objects, tp_site_t site)
{
  void *object;
  for (uint32_t slot = 0; (object = live_after(objects, &slot));) {
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
  bool live = generation_of(pool, slot) >= LIVE;
  TP_PORT_UNPOISON(tp_slot_words(pool, slot), pool->size);
  bool in_use = objects->in_use(tp_slot_words(pool, slot));
  tp_check_shut(tp_slot_words(pool, slot), live ? 0 : pool->size);
  if (!TP_MISUSE(in_use != live)) return;
  tp_raise_slot(TP_FAULT_IN_USE, pool, slot, 0, in_use, live, site);
}

TP_NOINLINE void tp_object_audit(const struct tp_objects *objects)
{
  const struct tp_pool *home = objects->pool;
  if (!objects->in_use) return;
  for (uint32_t slot = 1; slot <= home->state->fresh; slot++) {
    audit(objects, home, slot, tp_site(NULL));
  }
  if (!objects->lender) return;
  const struct tp_pool *away = objects->lender->pool;
  for (uint32_t slot = 1; slot <= away->state->fresh; slot++) {
    if (is_lent(objects, slot)) audit(objects, away, slot, tp_site(NULL));
  }
}
