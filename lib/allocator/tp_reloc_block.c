// SPDX-License-Identifier: MIT
#include "allocator/tp_reloc_block.h"

TP_NORETURN TP_NOINLINE static void raise_head(const struct tp_reloc *reloc,
                                               uint32_t at, tp_site_t site)
{
  const struct tp_head *head = tp_head_at(reloc, at);
  tp_raise_misuse(TP_FAULT_RED_ZONE, reloc->name, head, head->guard,
                  tp_head_guard(head), site);
}

// In line, as the first of two.
TP_INLINE void check_head(const struct tp_reloc *reloc, uint32_t at,
                          tp_site_t site)
{
  if (TP_MISUSE(!tp_head_sound(reloc, at))) raise_head(reloc, at, site);
}

// [word] of the pool's own was written over: it holds [found], [most] at most.
TP_NORETURN static void raise_word(const struct tp_reloc *reloc,
                                   const void *word, uint32_t found,
                                   uint32_t most, tp_site_t site)
{
  tp_raise_misuse(TP_FAULT_INVARIANT, reloc->name, word, found, most, site);
}

static void bound(const struct tp_reloc *reloc, const uint16_t *word,
                  uint32_t most, tp_site_t site)
{
  if (TP_MISUSE(*word > most)) raise_word(reloc, word, *word, most, site);
}

// The highest index that may be issued next: none if the one that would be is
// live.
static uint32_t most_free(const struct tp_reloc *reloc)
{
  const struct tp_reloc_state *state = reloc->state;
  if (state->free_index > state->fresh) return state->fresh;
  uint32_t generation = reloc->entry[state->free_index].generation;
  return generation % 2 ? 0 : state->fresh;
}

// What lies behind the header at [at] up to [end], if that is nobody's.
TP_INLINE void audit_behind(const struct tp_reloc *reloc, uint32_t at,
                            uint32_t end, tp_site_t site)
{
  if (tp_head_at(reloc, at)->owner) return;
  tp_head_check_free(reloc, at + 1, end, site);
}

// Where each call looks at all: whose header, poison or place was written over
// that says, of all else only that it is wrong. Once the words that the call
// itself looks at lead nowhere else.
TP_INLINE void audit(const struct tp_reloc *reloc, tp_site_t site)
{
  const struct tp_reloc_state *state = reloc->state;
  for (uint32_t at = 0, end; at < state->top; at = end) {
    tp_head_check(reloc, at, site);
    end = at + tp_head_at(reloc, at)->units;
    audit_behind(reloc, at, end, site);
  }
  if (state->touched) {
    tp_head_check(reloc, state->top, site);
    audit_behind(reloc, state->top, state->touched, site);
  }
  for (uint32_t i = 1; i <= state->fresh; i++) {
    const struct tp_reloc_entry *entry = &reloc->entry[i];
    if (entry->generation % 2 == 1) tp_entry_place(reloc, entry, site);
  }
  if (tp_reloc_verify(reloc)) return;
  tp_raise_misuse(TP_FAULT_INVARIANT, reloc->name, state, TP_BROKEN_OTHER,
                  TP_SOUND, site);
}

void tp_reloc_check(const struct tp_reloc *reloc, tp_site_t site)
{
  const struct tp_reloc_state *state = reloc->state;
  bound(reloc, &state->touched, reloc->units + 1u, site);
  bound(reloc, &state->top, state->touched ? state->touched - 1u : 0, site);
  bound(reloc, &state->cursor, state->top, site);
  bound(reloc, &state->fresh, reloc->handles, site);
  bound(reloc, &state->free_index, most_free(reloc), site);
  if (TP_AUDITED) audit(reloc, site);
}

uint32_t tp_entry_place(const struct tp_reloc *reloc,
                        const struct tp_reloc_entry *entry, tp_site_t site)
{
  uint32_t index = (uint32_t)(entry - reloc->entry);
  uint32_t at = entry->at;
  bound(reloc, &entry->at, reloc->state->top, site);
  tp_head_check_both(reloc, at, site);
  if (TP_MISUSE(tp_head_at(reloc, at)->owner != index)) {
    raise_word(reloc, &entry->at, at, index, site);
  }
  return at;
}

void tp_head_check(const struct tp_reloc *reloc, uint32_t at, tp_site_t site)
{
  check_head(reloc, at, site);
}

void tp_head_check_both(const struct tp_reloc *reloc, uint32_t at,
                        tp_site_t site)
{
  check_head(reloc, at, site);
  tp_head_check(reloc, at + tp_head_at(reloc, at)->units, site);
}

void tp_head_check_free(const struct tp_reloc *reloc, uint32_t at, uint32_t end,
                        tp_site_t site)
{
  if (at >= end) return;
  const tp_word_t *words = tp_head_words(reloc, at);
  uint32_t count = (end - at) * (TP_RELOC_UNIT / 4);
  uint32_t intact = tp_intact_words(words, count, TP_POISON);
  if (intact == count) return;
  tp_raise_misuse(TP_FAULT_POISON, reloc->name, words + intact, words[intact],
                  TP_POISON, site);
}

uint32_t tp_hole_take(const struct tp_reloc *reloc, uint32_t at)
{
  uint32_t units = tp_head_at(reloc, at)->units;
  reloc->state->holes--;
  reloc->state->hole_units = (uint16_t)(reloc->state->hole_units - units);
  return units;
}

// Everything from [at] to the top is nobody's: that is the new top.
static void lower_top(const struct tp_reloc *reloc, uint32_t at,
                      uint32_t before)
{
  uint32_t top = reloc->state->top;
  reloc->state->top = (uint16_t)at;
  tp_head_wipe(reloc, top, top + 1);
  tp_head_put(reloc, at, 0, before, 0);
}

void tp_hole_open(const struct tp_reloc *reloc, uint32_t at, uint32_t units,
                  uint32_t before)
{
  struct tp_reloc_state *state = reloc->state;
  uint32_t end = at + units;
  if (end == state->top) {
    lower_top(reloc, at, before);
    return;
  }
  if (tp_head_at(reloc, end)->owner == 0) {
    units += tp_hole_take(reloc, end);
    tp_head_wipe(reloc, end, end + 1);
  }
  tp_head_put(reloc, at, units, before, 0);
  tp_head_relink(reloc, at + units, units);
  state->holes++;
  state->hole_units = (uint16_t)(state->hole_units + units);
}
