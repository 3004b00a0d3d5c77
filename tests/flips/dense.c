// SPDX-License-Identifier: MIT
// Dense pools.
#include "allocator/tp_dense.h"
#include "allocator/tp_dense64.h"
#include "sized.h"

enum { OBJECTS = 6, BYTES = 16 };

FLIPS_PAGES(GAP(a); uint32_t place[OBJECTS + 1]; GAP(b);
            tp_slot_t entry[OBJECTS]; GAP(c); struct tp_dense_state state;
            GAP(d); uint16_t wraps[OBJECTS + 1]; GAP(e);
            tp_word_t storage[OBJECTS * BYTES / 4]; GAP(f););

static const struct tp_dense pool = {
    .place = pages.at.place,
    .entry = pages.at.entry,
    .state = &pages.at.state,
    .storage = pages.at.storage,
    .name = "dense",
    .salt = 0x12345u << 4,
    .stride = BYTES,
    .size = BYTES,
    .capacity = OBJECTS,
    .bits = TP_HANDLE_BITS(OBJECTS),
};
static const struct tp_dense64 wide_pool = {&pool, pages.at.wraps};

static struct {
  struct pieces pieces;
  uint32_t next, target;
  uint32_t walking;
  tp_handle64_t stale;
} knows;

// Where the object of a piece is now.
static void *find(const struct piece *piece, bool wide)
{
  void *memory = wide ? tp_dense64_get(&wide_pool, piece->handle)
                      : tp_dense_get(&pool, (tp_handle_t)piece->handle);
  flips_expect(memory != NULL);
  if (memory) inside(memory, BYTES, pages.at.storage, sizeof pages.at.storage);
  return memory;
}

static void check(struct piece *piece, bool wide)
{
  void *memory = find(piece, wide);
  if (memory) flips_expect(tp_is_filled(memory, BYTES, piece->number));
}

static void alloc(bool wide)
{
  tp_handle_t narrow = 0;
  tp_handle64_t handle = 0;
  void *memory = wide ? tp_dense64_alloc(&wide_pool, &handle)
                      : tp_dense_alloc(&pool, &narrow);
  flips_expect((memory != NULL) == (knows.pieces.count < OBJECTS));
  if (!memory) return;
  inside(memory, BYTES, pages.at.storage, sizeof pages.at.storage);
  pieces_add(&knows.pieces, memory, BYTES, ++knows.next,
             wide ? handle : narrow);
}

static void free_one(uint32_t index, bool wide)
{
  struct piece *piece = &knows.pieces.piece[index];
  check(piece, wide);
  flips_expect(wide ? tp_dense64_free(&wide_pool, piece->handle)
                    : tp_dense_free(&pool, (tp_handle_t)piece->handle));
  knows.stale = piece->handle;
  pieces_drop(&knows.pieces, index);
}

// Meets every object once.
static void walk(void)
{
  tp_handle_t handle;
  uint32_t met = 0;
  void *memory = tp_dense_first(&pool, &handle);
  for (; memory && met < 2 * OBJECTS; met++) {
    inside(memory, BYTES, pages.at.storage, sizeof pages.at.storage);
    flips_expect(tp_dense_get(&pool, handle) == memory);
    memory = tp_dense_next(&pool, &handle);
  }
  flips_expect(met == knows.pieces.count);
}

// By index; a walk is left half done.
static void look_around(bool wide)
{
  tp_handle_t handle;
  flips_expect(tp_dense_count(&pool) == knows.pieces.count);
  for (uint32_t i = 0; i < knows.pieces.count; i++) {
    inside(tp_dense_at(&pool, i), BYTES, pages.at.storage,
           sizeof pages.at.storage);
    if (wide) continue;
    flips_expect(tp_dense_get(&pool, tp_dense_handle(&pool, i)) ==
                 tp_dense_at(&pool, i));
  }
  tp_dense_first(&pool, &handle);
}

static void look(bool wide)
{
  uint32_t what = flips_random(6);
  if (what == 0) walk();
  if (what == 1) look_around(wide);
  if (what == 2 && flips_random(8) == 0) {
    wide ? tp_dense64_reset(&wide_pool) : tp_dense_reset(&pool);
    knows.pieces.count = 0;
  }
  if (what == 3 && knows.stale) {
    flips_expect(!(wide ? tp_dense64_get(&wide_pool, knows.stale)
                        : tp_dense_get(&pool, (tp_handle_t)knows.stale)));
  }
  if (what < 4 || !knows.pieces.count) return;
  check(&knows.pieces.piece[flips_random(knows.pieces.count)], wide);
}

static void step(bool wide)
{
  uint32_t count = knows.pieces.count;
  uint32_t what = flips_random(16);
  if (flips_random(24) == 0) knows.target = flips_random(OBJECTS + 2);
  if (what < 5) {
    look(wide);
  } else if (count && (what < 8 || count > knows.target)) {
    free_one(flips_random(count), wide);
  } else if (count < knows.target || what < 11) {
    alloc(wide);
  }
}

static bool dense_verify(void)
{
  return tp_dense_verify(&pool);
}

static uint32_t left(bool wide)
{
  uint32_t got = 0;
  while (knows.pieces.count) free_one(0, wide);
  while (got < OBJECTS + 2 && tp_dense_alloc(&pool, NULL)) got++;
  return got;
}

static void dense_stats(struct tp_stats *stats)
{
  tp_dense_stats(&pool, stats);
}

static const char *dense_owns(const struct part *part, uint32_t byte)
{
  uint32_t index = byte / BYTES;
  if (part->name[0] != 's' || part->bytes != sizeof pages.at.storage) {
    return part->name;
  }
  bool dead = index >= pages.at.state.count && index < pages.at.state.fresh;
  return dead && TP_CHECKS >= TP_CHECKS_POISON ? "dead bytes" : NULL;
}

static void dense_step(void)
{
  step(false);
}

static void dense64_step(void)
{
  step(true);
}

static uint32_t dense_left(void)
{
  return left(false);
}

static uint32_t dense64_left(void)
{
  return left(true);
}

#define PARTS                                                          \
  PART("places", place), PART("entries", entry), PART("state", state), \
      PART("storage", storage)
static const struct part dense_parts[] = {PARTS};
static const struct part dense64_parts[] = {PARTS, PART("wraps", wraps)};
#define dense64_owns   dense_owns
#define dense64_verify dense_verify
#define dense64_stats  dense_stats
SUBJECT(dense, knows);
SUBJECT(dense64, knows);
