// SPDX-License-Identifier: MIT
// tp_reloc_block.h - internal: how a relocating pool finds its blocks: from a
// handle by its entry, and from a block to its neighbours by their headers.
#ifndef TP_RELOC_BLOCK_H
#define TP_RELOC_BLOCK_H

#include "allocator/tp_reloc.h"
#include "check/tp_check.h"
#include "core/tp_words.h"
#include "tp_port.h"

// The header before every block and every hole, and one behind the last.
//
// It knows the units up to the next one and down to the one before, so that
// neighbours are found either way without a walk. It is the red zone of the
// block below: an overrun shows in the guard, whatever it writes, zeros too.
struct __attribute__((may_alias)) tp_head {
  uint16_t units;   // To the next header, this one included. The last: 0.
  uint16_t before;  // Down to the one before. The first: 0.
  uint16_t owner;   // Index of the block's handle. A hole, and the last: 0.
  uint16_t guard;   // tp_head_guard(), but for damage.
};

TP_INLINE tp_word_t *tp_head_words(const struct tp_reloc *reloc, uint32_t at)
{
  return reloc->arena + at * (TP_RELOC_UNIT / sizeof(tp_word_t));
}

TP_INLINE struct tp_head *tp_head_at(const struct tp_reloc *reloc, uint32_t at)
{
  return (struct tp_head *)tp_head_words(reloc, at);
}

// The bytes that an owner may use.
TP_INLINE tp_word_t *tp_head_block(const struct tp_reloc *reloc, uint32_t at)
{
  return tp_head_words(reloc, at + 1);
}

// The upper half of a sum of products with odd numbers (those of xxHash): one
// change in 65 536 escapes it. A sum without products would let a pair of like
// neighbours be zeroed, since their units cancel out.
TP_INLINE uint16_t tp_head_guard(const struct tp_head *head)
{
  uint32_t mixed = (head->units | (uint32_t)head->before << 16) * 0x9e3779b1u +
                   (head->owner + 1u) * 0x85ebca77u;
  return (uint16_t)(mixed >> 16);
}

// Is the header at [at] as it was written, and within the arena?
TP_INLINE bool tp_head_sound(const struct tp_reloc *reloc, uint32_t at)
{
  const struct tp_head *head = tp_head_at(reloc, at);
  uint32_t top = reloc->state->top;
  return head->guard == tp_head_guard(head) && at + head->units <= top &&
         (head->units == 0) == (at == top);
}

TP_INLINE void tp_head_put(const struct tp_reloc *reloc, uint32_t at,
                           uint32_t units, uint32_t before, uint32_t owner)
{
  struct tp_head *head = tp_head_at(reloc, at);
  head->units = (uint16_t)units;
  head->before = (uint16_t)before;
  head->owner = (uint16_t)owner;
  head->guard = tp_head_guard(head);
}

// The one before the header at [at] is now [units] away. Damage that was there
// stays.
TP_INLINE void tp_head_relink(const struct tp_reloc *reloc, uint32_t at,
                              uint32_t units)
{
  struct tp_head *head = tp_head_at(reloc, at);
  uint16_t damage = head->guard ^ tp_head_guard(head);
  head->before = (uint16_t)units;
  head->guard = tp_head_guard(head) ^ damage;
}

// Units [at] to [end] - 1 belong to nobody. From poison up it shows.
TP_INLINE void tp_head_wipe(const struct tp_reloc *reloc, uint32_t at,
                            uint32_t end)
{
  tp_fill_words(tp_head_words(reloc, at), (end - at) * (TP_RELOC_UNIT / 4),
                TP_POISON);
}

// A handle is the index of an entry and the generation it was issued for. An
// index is used again at once; its next generation makes the old handle stale.
TP_INLINE uint32_t tp_entry_index(const struct tp_reloc *reloc,
                                  tp_handle_t handle)
{
  return handle & ((1u << reloc->handle_bits) - 1);
}

// The handle of the live block of [index], or of the one that comes next.
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

// Entry 0, which no handle means, counts the steps of all generations where
// each call looks at all: by one that was written over a handle is stale. Its
// locks are 1 and 2 by turns, each time that any of them has wrapped.
TP_INLINE void tp_entry_age(const struct tp_reloc *reloc, uint32_t index)
{
  reloc->entry[index].generation++;
  if (TP_AUDITED) reloc->entry[0].generation++;
}

// Gives [index], the next, to the block at [at]. Returns its handle.
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
  tp_entry_age(reloc, index);
  entry->at = (uint16_t)at;
  return tp_entry_handle(reloc, index);
}

// Each generation that wraps says 2^31 frees less: two of them none.
TP_INLINE void tp_entry_wrap(const struct tp_reloc *reloc)
{
  reloc->entry[0].locks = (uint16_t)(reloc->entry[0].locks % 2 + 1);
}

TP_INLINE uint32_t tp_entry_wrapped(const struct tp_reloc *reloc)
{
  return (uint32_t)reloc->entry[0].locks << 31;
}

// Takes back the index of [handle]: every handle of it is stale.
TP_INLINE void tp_entry_retire(const struct tp_reloc *reloc, tp_handle_t handle)
{
  struct tp_reloc_state *state = reloc->state;
  uint32_t index = tp_entry_index(reloc, handle);
  tp_entry_age(reloc, index);
  if (reloc->entry[index].generation == 0) tp_entry_wrap(reloc);
  reloc->entry[index].at = state->free_index;
  state->free_index = (uint16_t)index;
  state->live--;
}

// Faults, at [site], if a word of the pool's own leads out of the arena or of
// the entries: then nothing is moved or written by it.
void tp_reloc_check(const struct tp_reloc *reloc, tp_site_t site);

// The unit where the header of live [entry] stands. Faults, at [site], if it is
// not that of its block.
uint32_t tp_entry_place(const struct tp_reloc *reloc,
                        const struct tp_reloc_entry *entry, tp_site_t site);

// Faults, at [site], if the header at [at] was written over.
void tp_head_check(const struct tp_reloc *reloc, uint32_t at, tp_site_t site);

// The same for the header of a block and the one behind it.
void tp_head_check_both(const struct tp_reloc *reloc, uint32_t at,
                        tp_site_t site);

// Faults, at [site], if units [at] to [end] - 1, which belong to nobody,
// were written to.
void tp_head_check_free(const struct tp_reloc *reloc, uint32_t at, uint32_t end,
                        tp_site_t site);

// The hole at [at] is no longer one. Returns its units, which its header still
// says; whoever takes it writes them anew.
uint32_t tp_hole_take(const struct tp_reloc *reloc, uint32_t at);

// Makes a hole of the [units] at [at], which are nobody's and whose lower
// neighbour is a block, [before] units down: one hole with the one behind it,
// none if it reaches the top, which then comes down to it. O(1).
void tp_hole_open(const struct tp_reloc *reloc, uint32_t at, uint32_t units,
                  uint32_t before);

#endif
