// SPDX-License-Identifier: MIT
// tp_dense64.h - handles of 64 bits for a dense pool, whose generations then
// outlast a mission however many objects it has.
//
// The low half of such a handle is the one of 32 bits; the high half counts how
// often the generation of its number has wrapped. The calls that neither take
// nor give a handle are those of tp_dense.h.
#ifndef TP_DENSE64_H
#define TP_DENSE64_H

#include "allocator/tp_dense.h"

#ifdef __cplusplus
extern "C" {
#endif

// A pool whose objects are issued and freed by the calls below alone.
struct tp_dense64 {
  const struct tp_dense *dense;
  uint16_t *wraps;  // By number; 0: of them all. Zero at boot.
};

// As the calls of tp_dense.h with these names, with the other handles.
//
// Returns, Faults, Context  as tp_dense_alloc().
// Time     that of tp_dense_alloc().
void *tp_dense64_alloc(const struct tp_dense64 *dense, tp_handle64_t *handle);

// Returns  true; false iff the handle is stale or TP_NO_HANDLE: nothing
//          changed.
// Faults   as tp_dense_free().
// Time     that of tp_dense_free().
// Context  One.
bool tp_dense64_free(const struct tp_dense64 *dense, tp_handle64_t handle);

// Time     O(count), from poison up O(their bytes).
// Context  One.
void tp_dense64_reset(const struct tp_dense64 *dense);

// Internal: the same in the name of who called at [site].
void tp_dense64_reset_for(const struct tp_dense64 *dense, tp_site_t site);

// Returns  the object [handle] refers to; NULL iff it is stale or no handle.
// Time     O(1).
// Context  One.
void *tp_dense64_get(const struct tp_dense64 *dense, tp_handle64_t handle);

// Returns  the handle of the object at [index].
// Faults   as tp_dense_handle().
// Time     O(1).
// Context  One.
tp_handle64_t tp_dense64_handle(const struct tp_dense64 *dense, uint32_t index);

// Returns  the handle whose low half [handle] is, such as on_move() is told;
//          TP_NO_HANDLE iff [handle] is.
// Time     O(1).
// Context  One.
tp_handle64_t tp_dense64_of(const struct tp_dense64 *dense, tp_handle_t handle);

// Returns, Context  as tp_dense_first() and tp_dense_next().
// Time     O(1).
void *tp_dense64_first(const struct tp_dense64 *dense, tp_handle64_t *handle);
void *tp_dense64_next(const struct tp_dense64 *dense, tp_handle64_t *handle);

#ifdef __cplusplus
}
#endif

#endif
