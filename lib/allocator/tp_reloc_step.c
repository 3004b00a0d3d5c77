// SPDX-License-Identifier: MIT
// Compaction. The cursor stands before the first block not yet looked at, on
// the hole before it if there is one.
#include "allocator/tp_reloc_block.h"
#include "core/tp_words.h"

static uint32_t least(uint32_t one, uint32_t other)
{
  return one < other ? one : other;
}

// Exchanges the hole at [at] and the block behind it.
static void slide(const struct tp_reloc *reloc, uint32_t at, tp_site_t site)
{
  uint32_t gap = tp_head_at(reloc, at)->units;
  uint32_t before = tp_head_at(reloc, at)->before;
  uint32_t from = at + gap;
  uint32_t units = tp_head_at(reloc, from)->units;
  uint32_t owner = tp_head_at(reloc, from)->owner;
  uint32_t end = at + units;
  uint32_t covered = at + least(gap, units + 1);
  tp_head_check_free(reloc, at + 1, covered, site);
  tp_hole_take(reloc, at);
  tp_copy_words(tp_head_block(reloc, at), tp_head_block(reloc, from),
                (units - 1) * (TP_RELOC_UNIT / 4));
  TP_PORT_UNPOISON(tp_head_block(reloc, at), (units - 1) * TP_RELOC_UNIT);
  tp_head_put(reloc, at, units, before, owner);
  tp_head_wipe(reloc, from > end ? from : end, from + units);
  tp_hole_open(reloc, end, gap, units);
  reloc->entry[owner].at = (uint16_t)at;
  reloc->state->cursor = (uint16_t)end;
  reloc->state->moves++;
  if (!reloc->on_move) return;
  tp_hook_evicting(tp_head_block(reloc, at));
  reloc->on_move(tp_head_block(reloc, at), tp_head_block(reloc, from),
                 tp_entry_handle(reloc, owner));
  tp_hook_evicted(tp_head_block(reloc, at));
}

// Looks at the next block and moves it if it can. Returns false when the rest
// of [bytes] is too little for it.
static bool advance(const struct tp_reloc *reloc, uint32_t bytes,
                    struct tp_reloc_moved *done, tp_site_t site)
{
  uint32_t at = reloc->state->cursor;
  tp_head_check(reloc, at, site);
  const struct tp_head *here = tp_head_at(reloc, at);
  bool hole = here->owner == 0;
  uint32_t block = hole ? at + here->units : at;
  tp_head_check_both(reloc, block, site);
  const struct tp_head *head = tp_head_at(reloc, block);
  uint32_t size = (head->units - 1u) * TP_RELOC_UNIT;
  if (!hole || reloc->entry[head->owner].locks != 0 || size > bytes) {
    reloc->state->cursor = (uint16_t)(block + head->units);
    return true;
  }
  if (done->bytes + size > bytes) return false;
  slide(reloc, at, site);
  done->moves++;
  done->bytes += size;
  return true;
}

TP_NOINLINE struct tp_reloc_moved tp_reloc_step(const struct tp_reloc *reloc,
                                                uint32_t moves, uint32_t bytes)
{
  struct tp_reloc_state *state = reloc->state;
  struct tp_reloc_moved done;
  tp_clear_words(&done, sizeof done);
  tp_reloc_check(reloc, tp_site(NULL));
  if (state->cursor >= state->top) state->cursor = 0;
  for (uint32_t looks = 0; looks < moves; looks++) {
    if (state->holes == 0 || state->cursor >= state->top) break;
    if (!advance(reloc, bytes, &done, tp_site(NULL))) break;
  }
  done.holes = state->holes;
  done.hole_bytes = state->hole_units * TP_RELOC_UNIT;
  return done;
}
