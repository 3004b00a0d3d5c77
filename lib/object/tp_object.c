// SPDX-License-Identifier: MIT
#include "object/tp_object.h"

#include "check/tp_check.h"
#include "check/tp_misuse.h"
#include "check/tp_check.h"
#include "core/tp_tag.h"
#include "core/tp_core.h"
#include "core/tp_slot.h"

// A pointer, and a place where its owner keeps one, as memory of any type.
typedef void *__attribute__((may_alias)) any_pointer;
typedef any_pointer *__attribute__((may_alias)) any_place;

static any_place *owner_of(const struct tp_objects *objects, void *object)
{
  return (any_place *)((uintptr_t)object + objects->owner - TP_OWNER_AT(0));
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

// Half an object: init undid its own half.
static void *abandon(const struct tp_objects *objects, void *object,
                     tp_site_t site)
{
  save(objects, object);
  tp_pool_free_for(objects->pool, object, site);
  return NULL;
}

TP_NOINLINE void *tp_object_alloc(const struct tp_objects *objects,
                                  void *context)
{
  tp_site_t site = tp_site(NULL);
  void *object = tp_pool_alloc_for(objects->pool, NULL, site);
  if (!object) return NULL;
  if (objects->owner) *owner_of(objects, object) = NULL;
  if (objects->retain) objects->retain->restore(objects, object, site);
  if (!objects->init || objects->init(object, context)) return object;
  return abandon(objects, object, site);
}

void tp_object_retire(const struct tp_objects *objects, void *object)
{
  if (objects->deinit) objects->deinit(object);
  if (objects->owner) disown(objects, object);
  save(objects, object);
}

void tp_object_free_for(const struct tp_objects *objects, void *object,
                        tp_site_t site)
{
  if (TP_MISUSE(!tp_object_is_live(objects, object))) {
    tp_raise_free(objects->pool, object, site);
    return;
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
  uintptr_t slot = tp_slot_of(objects->pool, object);
  return slot >= 1 && slot <= objects->pool->capacity &&
         objects->pool->tag[slot] >= TP_LIVE;
}

uint32_t tp_object_unset(const struct tp_objects *objects, const void *object)
{
  const tp_word_t *word = (const tp_word_t *)object;
  uint32_t size = objects->pool->size;
  uint32_t set = tp_misuse_others(word, size / 4, TP_POISON_NEW);
  return set == size / 4 ? size : set * 4;
}
