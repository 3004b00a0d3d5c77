// SPDX-License-Identifier: MIT
// tp_entry.h - internal: from a handle to the place of its block.
//
// A handle is the index of an entry and the number of the life it was issued
// for. An index is used again at once; the life makes the old handle stale.
#ifndef TP_ENTRY_H
#define TP_ENTRY_H

#include "allocator/tp_reloc.h"
#include "tp_port.h"

TP_INLINE uint32_t tp_entry_index(const struct tp_reloc *reloc,
                                  tp_handle_t handle)
{
  return handle & ((1u << reloc->handle_bits) - 1);
}

// The handle of the life of [index] that goes on, or was the last.
TP_INLINE tp_handle_t tp_entry_handle(const struct tp_reloc *reloc,
                                      uint32_t index)
{
  return reloc->entry[index].generation >> 1 << reloc->handle_bits | index;
}

// The live entry that [handle] means; NULL iff it is stale or none.
TP_INLINE struct tp_reloc_entry *tp_entry_find(const struct tp_reloc *reloc,
                                               tp_handle_t handle)
{
  uint32_t index = tp_entry_index(reloc, handle);
  if (index == 0 || index > reloc->handles) return NULL;
  struct tp_reloc_entry *entry = &reloc->entry[index];
  bool live = entry->generation % 2 == 1;
  return live && tp_entry_handle(reloc, index) == handle ? entry : NULL;
}

// The index that is issued next; 0 iff all are live.
TP_INLINE uint32_t tp_entry_next(const struct tp_reloc *reloc)
{
  const struct tp_reloc_state *state = reloc->state;
  if (state->free_index != 0) return state->free_index;
  return state->fresh < reloc->handles ? state->fresh + 1u : 0;
}

// Begins a life of [index], the next, for the block at [at]. Returns its
// handle.
TP_INLINE tp_handle_t tp_entry_issue(const struct tp_reloc *reloc,
                                     uint32_t index, uint32_t at)
{
  struct tp_reloc_state *state = reloc->state;
  struct tp_reloc_entry *entry = &reloc->entry[index];
  if (state->free_index == 0) {
    state->fresh++;
  } else {
    state->free_index = entry->at;
  }
  state->live++;
  entry->generation++;
  entry->at = (uint16_t)at;
  return tp_entry_handle(reloc, index);
}

// Ends the life that [handle] means.
TP_INLINE void tp_entry_retire(const struct tp_reloc *reloc, tp_handle_t handle)
{
  struct tp_reloc_state *state = reloc->state;
  uint32_t index = tp_entry_index(reloc, handle);
  reloc->entry[index].generation++;
  reloc->entry[index].at = state->free_index;
  state->free_index = (uint16_t)index;
  state->live--;
}

#endif
