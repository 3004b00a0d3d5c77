// SPDX-License-Identifier: MIT
// A relocating pool.
#include <string.h>

#include "allocator/tp_reloc.h"
#include "sized.h"

enum { UNITS = 24, HANDLES = 6, UNIT = TP_RELOC_UNIT };

FLIPS_PAGES(GAP(a); struct tp_reloc_entry entry[HANDLES + 1]; GAP(b);
            struct tp_reloc_state state; GAP(c);
            _Alignas(8) tp_word_t arena[(UNITS + 1) * UNIT / 4]; GAP(d););

static void on_move(void *to, const void *from, tp_handle_t handle);

static const struct tp_reloc reloc = {.arena = pages.at.arena,
                                      .entry = pages.at.entry,
                                      .state = &pages.at.state,
                                      .on_move = on_move,
                                      .name = "reloc",
                                      .move_bytes = 64,
                                      .moves = 2,
                                      .units = UNITS,
                                      .handles = HANDLES,
                                      .handle_bits = TP_HANDLE_BITS(HANDLES)};

static struct {
  struct pieces pieces;
  uint32_t next, target;
  uint32_t locked;  // The handle of a block that is.
  uint32_t refused;
} knows;

static void on_move(void *to, const void *from, tp_handle_t handle)
{
  (void)from;
  flips_expect(handle != knows.locked);
  inside(to, UNIT, pages.at.arena, sizeof pages.at.arena);
}

static void check(const struct piece *piece)
{
  void *memory = tp_reloc_lock(&reloc, (tp_handle_t)piece->handle);
  flips_expect(memory != NULL);
  if (!memory) return;
  inside(memory, piece->bytes, pages.at.arena, sizeof pages.at.arena);
  flips_expect(tp_is_filled(memory, piece->bytes, piece->number));
  flips_expect(tp_reloc_unlock(&reloc, (tp_handle_t)piece->handle));
}

// All that can be said of what fits: as much as is free in one piece.
static bool fits(uint32_t bytes)
{
  struct tp_reloc_figures layout;
  tp_reloc_layout(&reloc, &layout);
  return layout.largest >= bytes;
}

// A request is refused only if there are too few bytes, or handles.
static void refused(uint32_t bytes)
{
  uint32_t used = 0;
  for (uint32_t i = 0; i < knows.pieces.count; i++) {
    used += (knows.pieces.piece[i].bytes + UNIT - 1) / UNIT * UNIT + UNIT;
  }
  bool many = knows.pieces.count == HANDLES;
  bool large = used + bytes + UNIT > UNITS * UNIT;
  flips_expect(many || large || !fits(bytes));
  if (!many && !large) knows.refused++;
}

static void alloc(void)
{
  uint32_t bytes = (1 + flips_random(8)) * 4;
  tp_handle_t handle = tp_reloc_alloc(&reloc, bytes);
  if (!handle) {
    refused(bytes);
    return;
  }
  flips_expect(knows.pieces.count < HANDLES);
  for (uint32_t i = 0; i < knows.pieces.count; i++) {
    flips_expect(knows.pieces.piece[i].handle != handle);
  }
  void *memory = tp_reloc_lock(&reloc, handle);
  flips_expect(memory != NULL);
  if (!memory) return;
  inside(memory, bytes, pages.at.arena, sizeof pages.at.arena);
  pieces_add(&knows.pieces, memory, bytes, ++knows.next, handle);
  tp_reloc_unlock(&reloc, handle);
}

static void free_one(uint32_t index)
{
  tp_handle_t handle = (tp_handle_t)knows.pieces.piece[index].handle;
  if (handle == knows.locked) tp_reloc_unlock(&reloc, handle);
  if (handle == knows.locked) knows.locked = 0;
  check(&knows.pieces.piece[index]);
  flips_expect(tp_reloc_free(&reloc, handle));
  flips_expect(!tp_reloc_lock(&reloc, handle));
  pieces_drop(&knows.pieces, index);
}

static void lock_one(const struct piece *piece)
{
  if (knows.locked) {
    flips_expect(tp_reloc_unlock(&reloc, knows.locked));
    knows.locked = 0;
  } else {
    knows.locked = (uint32_t)piece->handle;
    flips_expect(tp_reloc_lock(&reloc, knows.locked) != NULL);
  }
}

static void look(void)
{
  uint32_t what = flips_random(3);
  const struct piece *piece =
      &knows.pieces.piece[flips_random(knows.pieces.count)];
  if (what == 0) lock_one(piece);
  if (what == 1) check(piece);
  if (what == 2) tp_reloc_step(&reloc, 2, 64);
}

static void reloc_step(void)
{
  uint32_t count = knows.pieces.count;
  uint32_t what = flips_random(16);
  if (flips_random(24) == 0) knows.target = flips_random(HANDLES + 2);
  if (what < 7 && count) {
    look();
  } else if (count && (what < 9 || count > knows.target)) {
    free_one(flips_random(count));
  } else if (count < knows.target || what < 12) {
    alloc();
  }
}

static bool reloc_verify(void)
{
  return tp_reloc_verify(&reloc);
}

static uint32_t reloc_left(void)
{
  struct tp_reloc_figures layout;
  while (knows.pieces.count) free_one(0);
  tp_reloc_layout(&reloc, &layout);
  return tp_reloc_alloc(&reloc, (UNITS - 1) * UNIT) ? layout.largest : 0;
}

static void reloc_stats(struct tp_stats *stats)
{
  tp_reloc_stats(&reloc, stats);
  stats->steals = pages.at.state.moves;
}

// A unit that the application fills.
static bool is_filled(uint32_t byte)
{
  for (uint32_t i = 1; i <= HANDLES; i++) {
    const struct tp_reloc_entry *entry = &pages.at.entry[i];
    if (entry->generation % 2 == 0) continue;
    uint32_t head = entry->at * (uint32_t)UNIT;
    const uint16_t *units = (const uint16_t *)(pages.at.arena + head / 4);
    if (byte >= head + UNIT && byte < head + units[0] * (uint32_t)UNIT) {
      return true;
    }
  }
  return false;
}

static bool is_head(uint32_t byte)
{
  uint32_t at = 0;
  while (at < pages.at.state.top && at < byte / UNIT) {
    at += *(const uint16_t *)(pages.at.arena + at * 2);
  }
  return at == byte / UNIT;
}

static const char *reloc_owns(const struct part *part, uint32_t byte)
{
  if (strcmp(part->name, "entries") == 0) {
    return byte < sizeof(struct tp_reloc_entry) ? NULL
           : byte % 8 < 4                       ? "generations"
                                                : "places and locks";
  }
  if (strcmp(part->name, "arena")) return part->name;
  if (byte >= pages.at.state.touched * (uint32_t)UNIT) return NULL;
  if (is_filled(byte)) return NULL;
  if (is_head(byte)) return "heads";
  return TP_CHECKS >= TP_CHECKS_POISON ? "dead bytes" : NULL;
}

static const struct part reloc_parts[] = {
    PART("entries", entry), PART("state", state), PART("arena", arena)};
SUBJECT(reloc, knows);
