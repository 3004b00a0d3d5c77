// SPDX-License-Identifier: MIT
// What only tests, reports and the doubtful ask: walks over all blocks.
#include "allocator/tp_reloc_block.h"

void tp_reloc_stats(const struct tp_reloc *reloc, struct tp_stats *stats)
{
  const struct tp_reloc_state *state = reloc->state;
  uint32_t frees = tp_entry_wrapped(reloc);
  uint32_t most = state->fresh;
  if (most > reloc->handles) most = reloc->handles;
  for (uint32_t i = 1; i <= most; i++) {
    frees += reloc->entry[i].generation >> 1;
  }
  tp_clear_words(stats, sizeof *stats);
  stats->live = state->live;
  stats->peak = state->fresh;
  stats->allocs = frees + state->live;
  stats->frees = frees;
  stats->refused = state->refused;
}

static void count_block(const struct tp_reloc *reloc,
                        const struct tp_head *head,
                        struct tp_reloc_figures *layout)
{
  layout->live_bytes += (head->units - 1u) * TP_RELOC_UNIT;
  layout->locked += reloc->entry[head->owner].locks != 0;
}

static void count_hole(const struct tp_head *head,
                       struct tp_reloc_figures *layout)
{
  uint32_t bytes = (head->units - 1u) * TP_RELOC_UNIT;
  if (bytes > layout->largest) layout->largest = bytes;
}

// The largest block that an arena of [units], all free, serves.
static uint32_t bytes_in(uint32_t units)
{
  return units == 0 ? 0 : (units - 1) * TP_RELOC_UNIT;
}

void tp_reloc_layout(const struct tp_reloc *reloc,
                     struct tp_reloc_figures *layout)
{
  const struct tp_reloc_state *state = reloc->state;
  uint32_t top_bytes = bytes_in(reloc->units - (uint32_t)state->top);
  tp_clear_words(layout, sizeof *layout);
  layout->top_bytes = top_bytes;
  layout->holes = state->holes;
  layout->hole_bytes = state->hole_units * TP_RELOC_UNIT;
  layout->largest = top_bytes;
  layout->peak_bytes = bytes_in(state->touched);
  layout->moves = state->moves;
  for (uint32_t at = 0; at < state->top;) {
    const struct tp_head *head = tp_head_at(reloc, at);
    if (head->units == 0 || head->owner > reloc->handles) break;
    if (head->owner) {
      count_block(reloc, head, layout);
    } else {
      count_hole(head, layout);
    }
    at += head->units;
  }
  if (tp_entry_next(reloc) == 0) layout->largest = 0;
}

// What a walk has found so far.
struct walk {
  uint32_t before;  // Units of what came last.
  uint32_t live;
  uint32_t holes;
  uint32_t hole_units;
  bool after_hole;
};

static bool is_poison(const struct tp_reloc *reloc, uint32_t at, uint32_t end)
{
  uint32_t words = (end - at) * (TP_RELOC_UNIT / 4);
  return tp_intact_words(tp_head_words(reloc, at), words, TP_POISON) == words;
}

static bool verify_hole(const struct tp_reloc *reloc, uint32_t at,
                        struct walk *walk)
{
  uint32_t units = tp_head_at(reloc, at)->units;
  bool first = !walk->after_hole;
  walk->after_hole = true;
  walk->holes++;
  walk->hole_units += units;
  return first && at + units < reloc->state->top &&
         is_poison(reloc, at + 1, at + units);
}

static bool verify_block(const struct tp_reloc *reloc, uint32_t at,
                         struct walk *walk)
{
  uint32_t owner = tp_head_at(reloc, at)->owner;
  walk->after_hole = false;
  walk->live++;
  return owner <= reloc->state->fresh && reloc->entry[owner].at == at &&
         reloc->entry[owner].generation % 2 == 1;
}

static bool verify_next(const struct tp_reloc *reloc, uint32_t at,
                        struct walk *walk)
{
  const struct tp_head *head = tp_head_at(reloc, at);
  if (!tp_head_sound(reloc, at)) return false;
  if (head->before != walk->before) return false;
  walk->before = head->units;
  return head->owner ? verify_block(reloc, at, walk)
                     : verify_hole(reloc, at, walk);
}

static bool verify_top(const struct tp_reloc *reloc, const struct walk *walk)
{
  const struct tp_reloc_state *state = reloc->state;
  if (state->touched == 0) return state->top == 0;
  if (state->touched > reloc->units + 1u) return false;
  const struct tp_head *head = tp_head_at(reloc, state->top);
  return tp_head_sound(reloc, state->top) && head->owner == 0 &&
         head->before == walk->before &&
         is_poison(reloc, state->top + 1u, state->touched);
}

// Does entry 0 agree, where it counts?
static bool steps_add_up(const struct tp_reloc *reloc, uint32_t steps)
{
  if (!TP_AUDITED) return true;
  return steps == reloc->entry[0].generation;
}

// As many entries are live as blocks were found, and the others are on the
// list of free indices.
static bool verify_entries(const struct tp_reloc *reloc, uint32_t live)
{
  const struct tp_reloc_state *state = reloc->state;
  uint32_t odd = 0, listed = 0, steps = 0;
  for (uint32_t i = 1; i <= state->fresh; i++) {
    odd += reloc->entry[i].generation % 2;
    steps += reloc->entry[i].generation;
  }
  if (!steps_add_up(reloc, steps)) return false;
  uint32_t index = state->free_index;
  while (index != 0 && listed <= state->fresh) {
    if (index > state->fresh) return false;
    if (reloc->entry[index].generation % 2 == 1) return false;
    index = reloc->entry[index].at;
    listed++;
  }
  return odd == live && state->live == live && live + listed == state->fresh;
}

bool tp_reloc_verify(const struct tp_reloc *reloc)
{
  const struct tp_reloc_state *state = reloc->state;
  struct walk walk;
  bool cursor_found = state->cursor == state->top;
  tp_clear_words(&walk, sizeof walk);
  if (state->top > reloc->units || state->fresh > reloc->handles) return false;
  for (uint32_t at = 0; at < state->top; at += walk.before) {
    cursor_found |= at == state->cursor;
    if (!verify_next(reloc, at, &walk)) return false;
  }
  return cursor_found && verify_top(reloc, &walk) &&
         walk.holes == state->holes && walk.hole_units == state->hole_units &&
         verify_entries(reloc, walk.live);
}
