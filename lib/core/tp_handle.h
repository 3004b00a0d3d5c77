// SPDX-License-Identifier: MIT
// tp_handle.h - internal: the handle of a slot that was just issued.
#ifndef TP_HANDLE_H
#define TP_HANDLE_H

#include "tidepool.h"

#ifdef __cplusplus
extern "C" {
#endif

// The handle of the life that [tag], told by a call that issued [object], says.
//
// Returns  the handle; TP_NO_HANDLE iff [object] is NULL.
// Time     O(1), nothing locked.
// Context  Any.
tp_handle_t tp_handle_by_tag(const struct tp_pool *pool, const void *object,
                             uint32_t tag);
tp_handle64_t tp_handle64_by_tag(const struct tp_pool *pool, const void *object,
                                 uint32_t tag);

#ifdef __cplusplus
}
#endif

#endif
