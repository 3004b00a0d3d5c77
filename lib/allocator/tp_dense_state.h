// SPDX-License-Identifier: MIT
// tp_dense_state.h - internal: how the words of a dense pool are read, and its
// calls in the name of who called at a [site], for tp_dense.c, which moves
// objects, tp_dense_verify.c, which doubts them, and tp_dense64.c and
// tp_dense_scene.c, which call for others.
#ifndef TP_DENSE_STATE_H
#define TP_DENSE_STATE_H

#include "allocator/tp_dense.h"
#include "check/tp_check.h"
#include "core/tp_words.h"

TP_INLINE tp_word_t *tp_dense_words(const struct tp_dense *dense,
                                    uint32_t index)
{
  return dense->storage + index * (dense->stride / 4u);
}

// The bits of a place, or of a handle, that hold no generation.
TP_INLINE uint32_t tp_dense_low(const struct tp_dense *dense)
{
  return (1u << dense->bits) - 1;
}

TP_INLINE uint32_t tp_dense_index(const struct tp_dense *dense, uint32_t entry)
{
  return dense->place[entry] & tp_dense_low(dense);
}

TP_INLINE uint32_t tp_dense_entry(const struct tp_dense *dense,
                                  tp_handle_t handle)
{
  return handle & tp_dense_low(dense);
}

// Was [entry] ever taken, and is its object at [index]?
TP_INLINE bool tp_dense_leads_to(const struct tp_dense *dense, uint32_t entry,
                                 uint32_t index)
{
  return entry - 1 < dense->state->fresh &&
         tp_dense_index(dense, entry) == index;
}

// Most entries that scenes left had: entry 0, which nobody has, keeps it.
TP_INLINE uint32_t tp_dense_most_left(const struct tp_dense *dense)
{
  return TP_AUDITED ? dense->place[0] & 0xffff : dense->place[0];
}

// Most entries that any scene had, this one or another.
TP_INLINE uint32_t tp_dense_most(const struct tp_dense *dense)
{
  uint32_t fresh = dense->state->fresh, left = tp_dense_most_left(dense);
  return fresh > left ? fresh : left;
}

// Is the count what its copy says?
TP_INLINE bool tp_dense_count_agrees(const struct tp_dense *dense)
{
  return TP_AUDITED ? dense->place[0] >> 16 == dense->state->count : true;
}

// The calls of tp_dense.h with these names, called at [site].
void *tp_dense_alloc_for(const struct tp_dense *dense, tp_handle_t *handle,
                         tp_site_t site);
bool tp_dense_free_for(const struct tp_dense *dense, tp_handle_t handle,
                       tp_site_t site);
void tp_dense_reset_for(const struct tp_dense *dense, tp_site_t site);
void *tp_dense_get_for(const struct tp_dense *dense, tp_handle_t handle,
                       tp_site_t site);
tp_handle_t tp_dense_handle_for(const struct tp_dense *dense, uint32_t index,
                                tp_site_t site);
void *tp_dense_first_for(const struct tp_dense *dense, tp_handle_t *handle,
                         tp_site_t site);
void *tp_dense_next_for(const struct tp_dense *dense, tp_handle_t *handle,
                        tp_site_t site);

#endif
