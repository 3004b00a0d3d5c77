// SPDX-License-Identifier: MIT
// tp_update.h - internal: tp_object_update() as part of its caller, where the
// compiler sees the step. The typed calls of tp_pools.h are made of it, but for
// objects that may be lent or begin before the link of their slot.
#ifndef TP_UPDATE_H
#define TP_UPDATE_H

#include "core/tp_shape.h"
#include "object/tp_object.h"

#ifdef __cplusplus
extern "C" {
#endif

// Notes that [object] was created in an update, which is under way. Returns it.
void *tp_update_note(const struct tp_objects *objects, void *object);

// Notes that [object] was created, unless it is NULL. Returns it.
static inline TP_CALL void *tp_update_born(const struct tp_objects *objects,
                                           void *object)
{
  const struct tp_births *births = objects->births;
  if (!object || !births || !births->counted) return object;
  return tp_update_note(objects, object);
}

// Begins an update, which forgets one that was left half done. Returns how many
// slots were ever issued. Faults as tp_object_update(), called at [site].
uint32_t tp_update_begin(const struct tp_objects *objects, tp_site_t site);

// Ends it. What was created meanwhile is one like any other from now on.
void tp_update_end(const struct tp_objects *objects);

// Goes on with it behind [slot], now that births must be looked for, and ends
// it. It was called by who called at [site].
void tp_update_go_on(const struct tp_objects *objects, uint32_t slot,
                     bool (*step)(void *object, void *context), void *context,
                     tp_site_t site);

// Frees the object in [slot], which its step has done with; [tag] is what that
// of the slot was before. Faults iff the slot has it no more.
void tp_update_free(const struct tp_objects *objects,
                    const struct tp_pool *pool, uint32_t slot, uint32_t tag,
                    tp_site_t site);

// Where an update has come to.
struct tp_update {
  const uint32_t *tag;   // Of the object at hand,
  const uint32_t *last;  // and of the last one.
  uintptr_t object;
  uint32_t then;  // What the tag was before the step.
};

// Was anything created since the update began? An interrupt may do so anywhere,
// a step nowhere but in a call, across which no compiler keeps what it read.
static inline TP_CALL bool tp_update_births(const struct tp_objects *objects,
                                            bool interrupts)
{
  const struct tp_births *births = objects->births;
  if (!interrupts) return births->any != NULL;
  return *(const struct tp_births *const volatile *)&births->any != NULL;
}

// Goes from object to object, [stride] bytes apart, until one is done with,
// true; or none is left or births must be looked for, false.
static inline TP_CALL bool tp_update_run(const struct tp_objects *objects,
                                         struct tp_update *at, uint32_t stride,
                                         bool interrupts,
                                         bool (*in_use)(const void *),
                                         bool (*step)(void *, void *),
                                         void *context)
{
  while (at->tag < at->last) {
    at->object += stride;
    __asm__("" : "+r"(at->object));  // Or each step costs one more.
    at->then = *++at->tag;
    if (at->then < TP_LIVE) continue;
    void *object = (void *)at->object;
    if (interrupts && tp_update_births(objects, true)) {
      at->tag--;
      return false;
    }
    if (in_use && !in_use(object)) return true;
    if (!__builtin_expect(step(object, context), 1)) return true;
    if (!interrupts && tp_update_births(objects, false)) return false;
  }
  return false;
}

// tp_object_update() of a [pool] that borrows nothing. [interrupts]: do they
// create objects of it? [in_use]: that of [objects]. The stride is read, for it
// depends on the level, and who calls this may be compiled at another.
static inline TP_CALL void tp_update_objects(const struct tp_objects *objects,
                                             const struct tp_pool *pool,
                                             bool interrupts,
                                             bool (*in_use)(const void *),
                                             bool (*step)(void *, void *),
                                             void *context)
{
  const uint32_t *list = pool->tag;
  uint32_t stride = pool->stride;
  struct tp_update at = {list, list + tp_update_begin(objects, NULL),
                         pool->origin, 0};
  while (
      !tp_update_births(objects, interrupts) &&
      tp_update_run(objects, &at, stride, interrupts, in_use, step, context)) {
    tp_update_free(objects, pool, (uint32_t)(at.tag - list), at.then, NULL);
  }
  if (at.tag == at.last) {
    tp_update_end(objects);
  } else {
    tp_update_go_on(objects, (uint32_t)(at.tag - list), step, context, NULL);
  }
}

#ifdef __cplusplus
}
#endif

#endif
