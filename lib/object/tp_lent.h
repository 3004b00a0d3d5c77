// SPDX-License-Identifier: MIT
// tp_lent.h - handles of pools that spill (policy/tp_spill.h), or that have a
// reserve: of objects at home, and of those that another pool lent.
//
// They number the slots at home first, then those of the chunk: 1 to the sum of
// both capacities, which handle_bits holds. So each handle says where its
// object lies, and nobody searches. The generation is that of the slot,
// wherever it is.
//
// The chunk has .owner and tags at every level, and does not spill in turn; the
// pool's spill says .tagged = 1, and has an .into and nothing attached. What is
// lent is never stolen, so to pin it changes nothing.
#ifndef TP_LENT_H
#define TP_LENT_H

#include "object/tp_object.h"

#ifdef __cplusplus
extern "C" {
#endif

// tp_least_alloc_handle(), wherever the object lies then. Where the least are
// not stolen every score is as good, UINT32_MAX say.
//
// Returns  the object; NULL, and TP_NO_HANDLE in [handle], iff tp_pool_alloc()
//          would return NULL, or the score is too low.
// Faults   those of tp_pool_alloc().
// Time     O(1), the locked windows of tp_pool_alloc().
// Context  Any that the locks of both pools allow, here and below.
void *tp_lent_alloc(const struct tp_pool *pool, uint32_t score,
                    tp_handle_t *handle);
void *tp_lent64_alloc(const struct tp_pool *pool, uint32_t score,
                      tp_handle64_t *handle);

// tp_object_alloc_handle(), wherever the object lies then.
//
// Returns, Faults, Time  as tp_object_alloc_handle().
void *tp_lent_create(const struct tp_objects *objects, void *context,
                     uint32_t score, tp_handle_t *handle);
void *tp_lent64_create(const struct tp_objects *objects, void *context,
                       uint32_t score, tp_handle64_t *handle);

// Returns  the handle of [object]; TP_NO_HANDLE iff it is not a live object of
//          [pool], wherever it lies, which is also the answer for NULL.
// Time     O(1), nothing locked.
tp_handle_t tp_lent_of(const struct tp_pool *pool, const void *object);
tp_handle64_t tp_lent64_of(const struct tp_pool *pool, const void *object);

// Returns  the object [handle] refers to; NULL iff it is stale or no handle, or
//          a free that this call interrupts is taking the lent object back.
// Faults   HANDLE_POOL (full): it refers to what another pool borrowed, or the
//          owner at the fault's address was written over.
// Time     O(1), nothing locked.
void *tp_lent_get(const struct tp_pool *pool, tp_handle_t handle);
void *tp_lent64_get(const struct tp_pool *pool, tp_handle64_t handle);

// Takes back the object [handle] refers to: of several that do so at a time,
// one wins.
//
// Returns  true; false iff tp_lent_get() would return NULL: nothing changed.
// Faults   RED_ZONE (full). HANDLE_POOL (full), as tp_lent_get().
// Time     that of tp_handle_free(); of a lent object O(1), with four locked
//          windows, five from poison up.
bool tp_lent_free(const struct tp_pool *pool, tp_handle_t handle);
bool tp_lent64_free(const struct tp_pool *pool, tp_handle64_t handle);

// tp_handle_pin() and tp_handle_unpin() of an object at home, if [then] steals;
// else nothing changes. One that is lent can be used as if it were pinned,
// until it is freed.
//
// Returns  the object, or true; NULL or false iff tp_lent_get() would return
//          NULL.
// Faults   PIN (fast), of objects at home. HANDLE_POOL (full), as
//          tp_lent_get().
// Time     O(1), one locked window.
void *tp_lent_pin(const struct tp_pool *pool, tp_handle_t handle);
void *tp_lent64_pin(const struct tp_pool *pool, tp_handle64_t handle);
bool tp_lent_unpin(const struct tp_pool *pool, tp_handle_t handle);
bool tp_lent64_unpin(const struct tp_pool *pool, tp_handle64_t handle);

#ifdef __cplusplus
}
#endif

#endif
