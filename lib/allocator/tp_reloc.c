// SPDX-License-Identifier: MIT
#include "allocator/tp_reloc.h"

#include "allocator/tp_reloc_block.h"

#define NOWHERE 0xffffu

// Where the lowest hole of [units] or more begins; NOWHERE iff there is none.
static uint32_t first_fit(const struct tp_reloc *reloc, uint32_t units,
                          tp_site_t site)
{
  const struct tp_reloc_state *state = reloc->state;
  if (state->hole_units < units) return NOWHERE;
  for (uint32_t at = 0; at < state->top;) {
    tp_head_check(reloc, at, site);
    const struct tp_head *head = tp_head_at(reloc, at);
    if (head->owner == 0 && head->units >= units) return at;
    at += head->units;
  }
  return NOWHERE;
}

// Puts a block of [units] at the top, which there is room for.
static void take_top(const struct tp_reloc *reloc, uint32_t units,
                     uint32_t owner, tp_site_t site)
{
  struct tp_reloc_state *state = reloc->state;
  uint32_t at = state->top;
  uint32_t end = at + units;
  uint32_t known = state->touched <= end ? state->touched : end + 1;
  if (state->touched) tp_head_check(reloc, at, site);
  tp_head_check_free(reloc, at + 1, known, site);
  uint32_t before = at ? tp_head_at(reloc, at)->before : 0;
  tp_head_put(reloc, at, units, before, owner);
  tp_head_put(reloc, end, 0, units, 0);
  state->top = (uint16_t)end;
  if (state->touched <= end) state->touched = (uint16_t)(end + 1);
}

// Puts a block of [units] into the hole at [at], which is large enough.
static void take_hole(const struct tp_reloc *reloc, uint32_t at, uint32_t units,
                      uint32_t owner, tp_site_t site)
{
  const struct tp_head *head = tp_head_at(reloc, at);
  uint32_t before = head->before;
  uint32_t left = head->units - units;
  uint32_t known = at + units + (left != 0);
  tp_head_check_both(reloc, at, site);
  tp_head_check_free(reloc, at + 1, known, site);
  tp_hole_take(reloc, at);
  tp_head_put(reloc, at, units, before, owner);
  if (left) tp_hole_open(reloc, at + units, left, units);
}

static tp_handle_t refuse(const struct tp_reloc *reloc, size_t size,
                          tp_site_t site)
{
  reloc->state->refused++;
  tp_hook_full(reloc->name, site);
  if (reloc->full) {
    tp_raise_misuse(TP_FAULT_FULL, reloc->name, NULL, (uint32_t)size,
                    reloc->handles, site);
  }
  return TP_NO_HANDLE;
}

// Places [units] for the next index. Returns its handle; TP_NO_HANDLE iff
// there is no place.
static tp_handle_t place(const struct tp_reloc *reloc, uint32_t units,
                         size_t size, tp_site_t site)
{
  const struct tp_reloc_state *state = reloc->state;
  uint32_t at = state->top;
  uint32_t index = tp_entry_next(reloc);
  if (index == 0) return refuse(reloc, size, site);
  if (at + units > reloc->units) at = first_fit(reloc, units, site);
  if (at == NOWHERE) return refuse(reloc, size, site);
  if (at == state->top) {
    take_top(reloc, units, index, site);
  } else {
    take_hole(reloc, at, units, index, site);
  }
  tp_fill_words(tp_head_block(reloc, at), (units - 1) * (TP_RELOC_UNIT / 4),
                TP_POISON_NEW);
  return tp_entry_issue(reloc, index, at);
}

TP_NOINLINE tp_handle_t tp_reloc_alloc(const struct tp_reloc *reloc,
                                       size_t size)
{
  uint32_t most = (reloc->units - 1u) * TP_RELOC_UNIT;
  if (TP_MISUSE(size == 0)) {
    tp_raise_misuse(TP_FAULT_SIZE, reloc->name, NULL, 0, 1, tp_site(NULL));
  }
  if (size > most) {
    if (TP_MISUSE(true)) {
      tp_raise_misuse(TP_FAULT_LARGE, reloc->name, NULL, (uint32_t)size, most,
                      tp_site(NULL));
    }
    return refuse(reloc, size, tp_site(NULL));
  }
  if (tp_hook_refuses(reloc->name, NULL)) return TP_NO_HANDLE;
  tp_reloc_check(reloc, tp_site(NULL));
  uint32_t units = ((uint32_t)size + TP_RELOC_UNIT - 1) / TP_RELOC_UNIT + 1;
  return place(reloc, units, size, tp_site(NULL));
}

// [handle], which is that of no live block: faults unless it was once. Only the
// generations before the entry's own were given out, and ended; all of them,
// once one may have wrapped.
static void check_stale(const struct tp_reloc *reloc, tp_handle_t handle,
                        tp_site_t site)
{
  uint32_t index = tp_entry_index(reloc, handle);
  bool known = index >= 1 && index <= reloc->state->fresh;
  uint32_t expected = known ? tp_entry_handle(reloc, index) : TP_NO_HANDLE;
  uint32_t ago = (expected - handle) >> reloc->handle_bits;
  bool wrapped = reloc->entry[0].locks != 0;
  bool given =
      known && (wrapped || ago - 1 < reloc->entry[index].generation >> 1);
  if (!TP_MISUSE(!given && handle != TP_NO_HANDLE)) return;
  tp_raise_misuse(TP_FAULT_HANDLE_POOL, reloc->name, NULL, handle, expected,
                  site);
}

TP_NORETURN static void raise_lock(const struct tp_reloc *reloc,
                                   const struct tp_reloc_entry *entry,
                                   tp_site_t site)
{
  tp_raise_misuse(TP_FAULT_LOCK, reloc->name, tp_head_block(reloc, entry->at),
                  entry->locks, 0, site);
}

// Does a hole end where the block at [at] begins?
static bool follows_hole(const struct tp_reloc *reloc, uint32_t at)
{
  uint32_t before = tp_head_at(reloc, at)->before;
  return before != 0 && tp_head_at(reloc, at - before)->owner == 0;
}

// The next step begins no higher than at [at].
static void resume_at(const struct tp_reloc *reloc, uint32_t at)
{
  if (reloc->state->cursor > at) reloc->state->cursor = (uint16_t)at;
}

TP_NOINLINE bool tp_reloc_free(const struct tp_reloc *reloc, tp_handle_t handle)
{
  tp_hook_frees(reloc->name, NULL);
  tp_reloc_check(reloc, tp_site(NULL));
  struct tp_reloc_entry *entry = tp_entry_find(reloc, handle);
  if (!entry) {
    check_stale(reloc, handle, tp_site(NULL));
    return false;
  }
  if (TP_MISUSE(entry->locks != 0)) raise_lock(reloc, entry, tp_site(NULL));
  uint32_t at = tp_entry_place(reloc, entry, tp_site(NULL));
  uint32_t units = tp_head_at(reloc, at)->units;
  uint32_t before = tp_head_at(reloc, at)->before;
  tp_head_check(reloc, at - before, tp_site(NULL));
  bool merges = follows_hole(reloc, at);
  tp_entry_retire(reloc, handle);
  tp_head_wipe(reloc, at, at + units);
  if (merges) {
    at -= before;
    before = tp_head_at(reloc, at)->before;
    units += tp_hole_take(reloc, at);
  }
  tp_hole_open(reloc, at, units, before);
  resume_at(reloc, at);
  return true;
}

TP_NOINLINE void *tp_reloc_lock(const struct tp_reloc *reloc,
                                tp_handle_t handle)
{
  tp_reloc_check(reloc, tp_site(NULL));
  struct tp_reloc_entry *entry = tp_entry_find(reloc, handle);
  if (!entry) return NULL;
  if (TP_MISUSE(entry->locks == UINT16_MAX)) {
    raise_lock(reloc, entry, tp_site(NULL));
  }
  uint32_t at = tp_entry_place(reloc, entry, tp_site(NULL));
  entry->locks++;
  return tp_head_block(reloc, at);
}

TP_NOINLINE bool tp_reloc_unlock(const struct tp_reloc *reloc,
                                 tp_handle_t handle)
{
  tp_reloc_check(reloc, tp_site(NULL));
  struct tp_reloc_entry *entry = tp_entry_find(reloc, handle);
  if (!entry) {
    check_stale(reloc, handle, tp_site(NULL));
    return false;
  }
  if (TP_MISUSE(entry->locks == 0)) raise_lock(reloc, entry, tp_site(NULL));
  uint32_t at = tp_entry_place(reloc, entry, tp_site(NULL));
  entry->locks--;
  if (entry->locks != 0 || !follows_hole(reloc, at)) return true;
  resume_at(reloc, at - tp_head_at(reloc, at)->before);
  return true;
}
