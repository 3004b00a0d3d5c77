// SPDX-License-Identifier: MIT
// tp_head.h - internal: the header before every block and every hole, and
// one behind the last.
//
// A header knows the units up to the next one and down to the one before, so
// that neighbours are found either way without a walk. It is the red zone of
// the block below: an overrun shows in the guard, whatever it writes, zeros
// too.
#ifndef TP_HEAD_H
#define TP_HEAD_H

#include "check/tp_misuse.h"
#include "allocator/tp_reloc.h"

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
  tp_misuse_fill(tp_head_words(reloc, at), (end - at) * (TP_RELOC_UNIT / 4),
                 TP_POISON);
}

// Faults, at [caller], if the header at [at] was written over. Returns false
// if it did and tp_fault() came back.
bool tp_head_check(const struct tp_reloc *reloc, uint32_t at,
                   const void *caller);

// The same for the header of a block and the one behind it.
bool tp_head_check_both(const struct tp_reloc *reloc, uint32_t at,
                        const void *caller);

// Faults, at [caller], if units [at] to [end] - 1, which belong to nobody,
// were written to. Returns false if it did and tp_fault() came back.
bool tp_head_check_free(const struct tp_reloc *reloc, uint32_t at, uint32_t end,
                        const void *caller);

#endif
