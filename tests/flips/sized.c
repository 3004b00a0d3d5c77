// SPDX-License-Identifier: MIT
#include "sized.h"

void inside(const void *memory, uint32_t bytes, const void *storage,
            uint32_t all)
{
  uintptr_t offset = (uintptr_t)memory - (uintptr_t)storage;
  flips_inside(offset < all && bytes <= all - offset && offset % 4 == 0);
}

void pieces_add(struct pieces *pieces, void *memory, uint32_t bytes,
                uint32_t number, tp_handle64_t handle)
{
  if (pieces->count == MOST) return;
  pieces->piece[pieces->count++] =
      (struct piece){memory, bytes, number, handle};
  tp_fill(memory, bytes, number);
}

void pieces_check(const struct pieces *pieces, uint32_t index)
{
  const struct piece *piece = &pieces->piece[index];
  flips_expect(tp_is_filled(piece->memory, piece->bytes, piece->number));
}

void pieces_drop(struct pieces *pieces, uint32_t index)
{
  pieces->count--;
  for (uint32_t i = index; i < pieces->count; i++) {
    pieces->piece[i] = pieces->piece[i + 1];
  }
}

void pieces_cut(struct pieces *pieces, uint32_t count)
{
  for (uint32_t i = count; i < pieces->count; i++) pieces_check(pieces, i);
  if (pieces->count > count) pieces->count = count;
}
