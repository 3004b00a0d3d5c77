// SPDX-License-Identifier: MIT
// tp_object.h - the objects of a pool: who initialises them, what they let go
// of, whether they live; and all of them, one after the other.
//
// A pool knows slots. A `struct tp_objects` beside it knows what lies in them.
// Objects of such a pool are issued and freed here, or by the typed calls that
// create and destroy; those that alloc and free, as tp_pool_alloc() and
// tp_pool_free(), know nothing of the hooks.
#ifndef TP_OBJECT_H
#define TP_OBJECT_H

#include "check/tp_level.h"
#include "object/tp_retain.h"
#include "policy/tp_spill.h"
#include "tidepool.h"

#ifdef __cplusplus
extern "C" {
#endif

// What an update must know of those created meanwhile. Zero at boot. A pointer
// says whether there are any: steps seldom write one, so compilers know that
// their own stores do not change it.
struct tp_births {
  const struct tp_births *any;  // NULL, or itself.
  bool counted;                 // An update is under way.
};

// What is known of the objects of a pool. Lives in flash; every hook may be
// NULL. No hook runs with anything locked, and each may use any pool, this one
// too.
struct tp_objects {
  const struct tp_pool *pool;  // With tags at every level. Not one that is
                               // watched (tp_watermark.h): that has its own
                               // calls.

  // Where [pool] spills: objects there are met after those at home. It has an
  // owner and tags at every level, does not spill in turn, and has no objects
  // of its own; and [retain] is NULL. NULL: it does not spill.
  const struct tp_chunk *lender;

  // Makes an object of [object]'s bytes, with the [context] of
  // tp_object_alloc(). Returns false when it cannot; it has then undone what
  // it did, and in_use is false of what it leaves, whatever lay there before.
  bool (*init)(void *object, void *context);

  // [object] is about to be freed or stolen: it lets go of what it refers to.
  // Unless it is stolen it still lives, and a walk meets it. So nothing is
  // called here that would end it again, as an update of its pool may and
  // tp_object_clear() does; nor is it unpinned, or what is created here takes
  // its slot.
  void (*deinit)(void *object);

  // Do the fields of [object] say that it is live? For tp_object_update(), and
  // for tp_object_audit(), which asks dead slots too: those hold TP_POISON from
  // poison up, else what the last object left, with its first word written
  // over. So what it looks at is not the first word, and poison must not look
  // like an object: `left - 1 < LEFT_MAX`, not `left > 0`. Where the row says
  // link = N, what stands before that stays as the last object left it.
  bool (*in_use)(const void *object);

  // What a slot keeps from one object to the next; NULL: nothing.
  const struct tp_retain *retain;

  // 1 + the offset of the object's `void **` that says where its owner keeps
  // the pointer to it: that pointer becomes NULL when the object ends. 0: none.
  uint16_t owner;

  // How many slots there are at most, in whatever scene, those of the lender
  // included; for tp_retain_close() and, with what must be known of births, for
  // tp_object_update(). NULL: no such call.
  // [newborn] is a byte for each slot: 1 if its object was created meanwhile.
  uint16_t slots;
  struct tp_births *births;
  uint32_t *newborn;
};

// Issues a slot of the pool, clears its owner field, gives it what the slot
// retains, then calls init([object], [context]).
//
// Returns  the object. NULL iff tp_pool_alloc() gives none, or it was stolen
//          while init was at it, or init returned false: the slot then went
//          back, without deinit.
// Faults   those of tp_pool_alloc(); RETAIN (fast).
// Time     O(1) and the hooks', plus O(bytes retained).
// Context  Any the pool's lock allows, as far as the hooks do. Of what is
//          stolen while init is at it, deinit is told, too. No interrupt may
//          steal it before that, or deinit and owner go by what the last object
//          there left: so none creates as many objects as are not pinned; and
//          where the least are stolen not even one, for the score goes by that,
//          too, unless min_age spares who was just issued.
void *tp_object_alloc(const struct tp_objects *objects, void *context);

// The same for an object whose [score] is known, as tp_least_alloc(), and with
// its handle in [handle]; TP_NO_HANDLE iff NULL is returned. In pools that do
// not steal the least every score is as good, UINT32_MAX say.
//
// Returns, Faults, Time, Context  as tp_object_alloc().
void *tp_object_alloc_scored(const struct tp_objects *objects, void *context,
                             uint32_t score);
void *tp_object_alloc_handle(const struct tp_objects *objects, void *context,
                             uint32_t score, tp_handle_t *handle);
void *tp_object_alloc_handle64(const struct tp_objects *objects, void *context,
                               uint32_t score, tp_handle64_t *handle);

// Internal: the same in the name of who called at [site], with the [tag] of
// struct tp_policy.
void *tp_object_alloc_for(const struct tp_objects *objects, void *context,
                          uint32_t *tag, tp_site_t site);

// Takes [object] back: tp_object_retire(), then tp_pool_free(). Where the pool
// steals, what a hook creates meanwhile takes another's slot.
//
// Faults   FOREIGN, INTERIOR, DOUBLE_FREE (fast), before any hook is called;
//          RED_ZONE (full).
// Time     O(1) and the hooks', plus O(bytes retained).
// Context  As above; nobody else may free this object meanwhile. Where the pool
//          steals it is pinned until it is dead, and nobody else may pin it or
//          unpin it meanwhile: an interrupt neither, by handle neither.
void tp_object_free(const struct tp_objects *objects, void *object);

// Internal: the same in the name of who called at [site].
void tp_object_free_for(const struct tp_objects *objects, void *object,
                        tp_site_t site);

// tp_object_free() of what [handle] refers to, of a pool that steals: pinned or
// not, nobody steals it meanwhile.
//
// Returns  true; false iff it is gone already, or lent by another pool: nothing
//          changed.
// Faults   those of tp_object_free().
// Time     that of tp_object_free(), in as many locked windows.
// Context  As above.
bool tp_object_free_handle(const struct tp_objects *objects,
                           tp_handle_t handle);
bool tp_object_free_handle64(const struct tp_objects *objects,
                             tp_handle64_t handle);

// What happens to an object before its slot is another's: deinit([object]),
// then its owner's pointer to it becomes NULL, then what the slot retains is
// put aside. The slot stays live. It is called by the evict of a pool that
// steals, so that a stolen object ends as a freed one does.
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
//          TP_POISON_NEW, padding included: the bytes of an object or more iff
//          there is none. Below poison always the pool's size.
// Time     O(size).
// Context  Any.
uint32_t tp_object_unset(const struct tp_objects *objects, const void *object);

// All of them ----------------------------------------------------------------

// The next calls meet the objects in the order of their slots. Whatever a
// callback does, it may create and destroy objects of the same pool: its own,
// the next, any. No object is met twice, and none after its end.

// A frame for all objects: calls step([object], [context]) for each, and frees
// it as by tp_object_free() if that returns false. One for which in_use returns
// false when its turn comes, because it began with a lifetime of 0 or was told
// to end, is freed without a step. A step that freed its own object, or lost it
// to a theft of its own making, returns true.
//
// Objects created meanwhile, in whatever slot, are first met by the next call;
// NAME_update() knows those of interrupts if its row says isr. Calls for one
// pool do not nest.
//
// Faults   DOUBLE_FREE (fast): a step whose object is gone returned false;
//          INVARIANT: more slots were issued than there are, say the pool's
//          words (fast), or what is noted of births was written over (full);
//          and those of tp_object_free().
// Time     O(slots ever issued) and the steps'. Nothing is locked meanwhile.
// Context  One that nobody interrupts who frees or steals an object of this
//          pool; who creates one may.
void tp_object_update(const struct tp_objects *objects,
                      bool (*step)(void *object, void *context), void *context);

// Calls visit([object], [context]) for each live object. One that is created
// meanwhile is met iff its slot lies ahead.
//
// Faults   INVARIANT (fast): more slots were issued than there are, say the
//          words of the pool, or of the lender.
// Time     O(slots ever issued) and the visits'. Nothing is locked meanwhile.
// Context  As for tp_object_update().
void tp_object_walk(const struct tp_objects *objects,
                    void (*visit)(void *object, void *context), void *context);

// Frees every live object as by tp_object_free(), as when a level ends: no
// owner's pointer to one is left, and no handle resolves. tp_pool_reset() tells
// nobody; this does. Objects created meanwhile stay, if their slot lies behind.
//
// Faults   those of tp_object_walk(); those of tp_object_free().
// Time     O(slots ever issued) and the hooks'.
// Context  As for tp_object_update().
void tp_object_clear(const struct tp_objects *objects);

// Internal: the same in the name of who called at [site].
void tp_object_clear_for(const struct tp_objects *objects, tp_site_t site);

// Asks in_use of every slot ever issued and compares with the pool. Without
// in_use there is nothing to ask.
//
// Faults   IN_USE (fast), with the slot: [found] what in_use says, [expected]
//          whether it is live. Live and not in use: it was marked dead and
//          never freed. In use and not live: it was freed without being marked,
//          or in_use takes TP_POISON for an object. Those of tp_object_walk().
// Time     O(slots ever issued) and in_use's. Nothing is locked.
// Context  One that no user of the pool interrupts.
void tp_object_audit(const struct tp_objects *objects);

// Defining them --------------------------------------------------------------

#ifdef __cplusplus
}
#endif

#endif
