// SPDX-License-Identifier: MIT
// tp_walk.h - all live objects of a pool, one after the other.
//
// Objects come in the order of their slots. Whatever a callback does, it may
// create and destroy objects of the same pool: itself, the next, any. Nobody
// is met twice, nobody after his death.
//
// Who lives is read off the tags, which at off are kept only where .tagged is 1
// (TP_TAGS_ALWAYS); TP_OBJECTS_DEFINE() insists on it.
#ifndef TP_WALK_H
#define TP_WALK_H

#include "object/tp_object.h"

#ifdef __cplusplus
extern "C" {
#endif

// One frame of the life of all objects: step([object], [context]) for each,
// and each whose step returns false has died and is destroyed, as by
// tp_object_free(), once. One that in_use already denies when its turn comes,
// because it was born dead (a lifetime of 0) or told to die, is destroyed
// without a step.
//
// Those born during the walk, in whatever slot, are first met by the next. (Of
// those whom an interrupt creates, the ones that come after the first step. A
// slot's lives within one walk are told apart up to 32767.) A step that
// destroys its own object returns true. Walks of a pool do not nest.
//
// Faults   DOUBLE_FREE (fast): a step destroyed its own object and returned
//          false; and those of tp_object_free().
// Time     O(slots ever issued) and the steps'. Nothing is locked meanwhile.
// Context  One that no destroyer or thief of this pool's objects interrupts;
//          creators may.
void tp_object_update(const struct tp_objects *objects,
                      bool (*step)(void *object, void *context), void *context);

// Calls visit([object], [context]) for each live object. One that is born
// during the walk is met iff its slot lies ahead.
//
// Time     O(slots ever issued) and the visits'. Nothing is locked meanwhile.
// Context  As for tp_object_update().
void tp_object_walk(const struct tp_objects *objects,
                    void (*visit)(void *object, void *context), void *context);

// Destroys every live object, as by tp_object_free(), as when a level ends or a
// pool dies: no owner's pointer to one is left, and no handle resolves. Unlike
// tp_pool_reset(), everybody is told. Those born meanwhile live on, if their
// slot lies behind.
//
// Faults   those of tp_object_free().
// Time     O(slots ever issued) and the hooks'.
// Context  As for tp_object_update().
void tp_object_clear(const struct tp_objects *objects);

// Internal: the same in the name of who called at [site].
void tp_object_clear_for(const struct tp_objects *objects, tp_site_t site);

// Asks in_use of every slot ever issued and compares with the pool. Without
// in_use there is nothing to ask.
//
// Faults   IN_USE (fast), with the slot: [found] what in_use says, [expected]
//          what the pool does. A live object that denies it was marked dead and
//          never destroyed; a dead slot that claims it was destroyed without
//          being marked, or in_use takes TP_POISON for a sign of life.
// Time     O(slots ever issued) and in_use's. Nothing is locked.
// Context  One that no user of the pool interrupts.
void tp_object_audit(const struct tp_objects *objects);

#ifdef __cplusplus
}
#endif

#endif
