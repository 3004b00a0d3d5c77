// SPDX-License-Identifier: MIT
// tp_object.h - the objects of a pool: who initialises them, what they let go
// of, whether they live.
//
// A pool knows slots. A `struct tp_objects` beside it knows what lies in them.
// Objects of such a pool are created and destroyed here, or by the typed calls;
// tp_pool_alloc() and tp_pool_free() know nothing of the hooks.
#ifndef TP_OBJECT_H
#define TP_OBJECT_H

#include "check/tp_level.h"
#include "object/tp_retain.h"
#include "tidepool.h"

#ifdef __cplusplus
extern "C" {
#endif

// What is known of the objects of a pool. Lives in flash; every hook may be
// NULL. No hook runs with anything locked, and each may use any pool, this one
// too.
struct tp_objects {
  const struct tp_pool *pool;  // Has tags at every level. Is not one that
                               // spills or is watched (tp_watermark.h): those
                               // have calls of their own.

  // Makes an object of [object]'s bytes, with the [context] of
  // tp_object_alloc(). Returns false when it cannot; it has then undone what
  // it did.
  bool (*init)(void *object, void *context);

  // [object] is about to die: it lets go of what it refers to.
  void (*deinit)(void *object);

  // Does [object] believe that it lives? For tp_object_update(), and for
  // tp_object_audit(), which asks dead slots too: TP_POISON from poison up,
  // below what the last life left, its first word written over. So it is a
  // field that death clears, and that poison does not set: `left - 1 <
  // LEFT_MAX`, not `left > 0`.
  bool (*in_use)(const void *object);

  // What an object keeps from life to life; NULL: nothing.
  const struct tp_retain *retain;

  // TP_OWNER_AT() of the object's `void **` that says where its owner keeps
  // the pointer to it: that pointer becomes NULL when the object dies. 0: none.
  uint16_t owner;

  // By slot less 1: for tp_object_update(). NULL: no such call.
  uint16_t *generations;
};

#define TP_OWNER_AT(offset) ((offset) + 1)

// Creates an object: issues a slot of the pool, clears its owner field, gives
// back what the slot retains, then calls init([object], [context]).
//
// Returns  the object. NULL iff tp_pool_alloc() gives none, or init returned
//          false: the slot then went back, without deinit.
// Faults   those of tp_pool_alloc(); RETAIN (fast).
// Time     O(1) and the hooks', plus O(bytes retained).
// Context  Any the pool's lock allows, as far as the hooks do.
void *tp_object_alloc(const struct tp_objects *objects, void *context);

// Destroys [object]: tp_object_retire(), then the pool takes its slot back.
//
// Faults   FOREIGN, INTERIOR, DOUBLE_FREE (fast), before any hook is called;
//          RED_ZONE (full).
// Time     O(1) and the hooks', plus O(bytes retained).
// Context  As above; one that nobody else destroys this object in.
void tp_object_free(const struct tp_objects *objects, void *object);

// Internal: the same in the name of who called at [site].
void tp_object_free_for(const struct tp_objects *objects, void *object,
                        tp_site_t site);

// What dying means to [object]: deinit([object]), then the owner's pointer to
// it becomes NULL, then what it retains is put aside. The slot stays live.
// This is for the evict of a pool that steals, so that theft does what freeing
// does: TP_OBJECTS_EVICT().
//
// Time     O(1) and the hooks', plus O(bytes retained).
// Context  As for tp_object_free().
void tp_object_retire(const struct tp_objects *objects, void *object);

// Returns  true iff a live object of the pool begins at [object].
// Time     O(1), nothing locked.
// Context  Any.
bool tp_object_is_live(const struct tp_objects *objects, const void *object);

// The first field that nobody has set: for a test, right after init.
//
// Returns  the offset of the first word of [object] that is still
//          TP_POISON_NEW, padding included; the pool's size iff there is none.
//          Below poison always the latter.
// Time     O(size).
// Context  Any.
uint32_t tp_object_unset(const struct tp_objects *objects, const void *object);

// The evict of pool [name] that steals: give it as .evict = name##_evict, and
// write this before TP_POOL_DEFINE(). C only, as the next.
#define TP_OBJECTS_EVICT(name)                   \
  extern const struct tp_objects name##_objects; \
  static void name##_evict(void *victim)         \
  {                                              \
    tp_object_retire(&name##_objects, victim);     \
  }                                              \
  _Static_assert(1, "")

// Defines what is known of the objects of pool [name] of [count] slots, defined
// above in the same file. It needs its tags at every level. The rest are
// initialisers of struct tp_objects. RAM: 2 * count bytes.
//
//   TP_POOL_DEFINE(sparks, sizeof(struct spark), 64, 4, TP_NO_BANK,
//                  TP_TAGS_ALWAYS, .policy = &tp_drop);
//   TP_OBJECTS_DEFINE(sparks, 64, .deinit = spark_died);
#define TP_OBJECTS_DEFINE(name, count, ...)                            \
  _Static_assert(sizeof name##_tag == 4 * (size_t)((count) + 1),       \
                 #name ": pools with tp_objects need TP_TAGS_ALWAYS"); \
  static uint16_t name##_generations[count];                                 \
  const struct tp_objects name##_objects = {                           \
      .pool = &name##_pool, .generations = name##_generations, __VA_ARGS__}

#ifdef __cplusplus
}
#endif

#endif
