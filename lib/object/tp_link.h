// SPDX-License-Identifier: MIT
// tp_link.h - internal: objects that begin before the link of their slot,
// because the row of their pool says link = N. The library's slot is then what
// begins at the link; the typed calls of tp_pools.h go from one to the other
// by these, and a row that says nothing pays nothing.
#ifndef TP_LINK_H
#define TP_LINK_H

#include "object/tp_object.h"

#ifdef __cplusplus
extern "C" {
#endif

// The slot of [object].
static inline TP_CALL void *tp_link_slot(const void *object, uint32_t link)
{
  return (void *)((uintptr_t)object + link);
}

// The object of [slot].
static inline TP_CALL void *tp_link_object(const void *slot, uint32_t link)
{
  return (void *)((uintptr_t)slot - link);
}

// The same of what a call returned; NULL of NULL.
static inline TP_CALL void *tp_link_result(const void *slot, uint32_t link)
{
  return slot ? tp_link_object(slot, link) : NULL;
}

// A callback of the application's, and the context it gets.
struct tp_link_callback {
  bool (*step)(void *object, void *context);
  void (*visit)(void *object, void *context);
  void *context;
  uint32_t link;
};

static inline bool tp_link_step(void *slot, void *context)
{
  const struct tp_link_callback *at = (const struct tp_link_callback *)context;
  return at->step(tp_link_object(slot, at->link), at->context);
}

static inline void tp_link_visit(void *slot, void *context)
{
  const struct tp_link_callback *at = (const struct tp_link_callback *)context;
  at->visit(tp_link_object(slot, at->link), at->context);
}

// tp_object_update() and tp_object_walk() of these.
static inline TP_CALL void tp_link_update(const struct tp_objects *objects,
                                          uint32_t link,
                                          bool (*step)(void *, void *),
                                          void *context)
{
  struct tp_link_callback at = {step, NULL, context, link};
  tp_object_update(objects, tp_link_step, &at);
}

static inline TP_CALL void tp_link_walk(const struct tp_objects *objects,
                                        uint32_t link,
                                        void (*visit)(void *, void *),
                                        void *context)
{
  struct tp_link_callback at = {NULL, visit, context, link};
  tp_object_walk(objects, tp_link_visit, &at);
}

#ifdef __cplusplus
}
#endif

#endif
