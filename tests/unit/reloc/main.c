// SPDX-License-Identifier: MIT
#include "config/tp_define.h"
#include "unit.h"

struct moved moved;
bool moved_asks;
uint32_t moved_amiss;
tp_handle_t moved_unlocks;

static void heap_moved(void *to, const void *from, tp_handle_t handle)
{
  moved = (struct moved){handle, to, from, moved.count + 1};
  heap_unlock(moved_unlocks);
  moved_unlocks = TP_NO_HANDLE;
  if (!moved_asks) return;
  moved_amiss += heap_lock(handle) != to || !tp_reloc_verify(&heap_reloc);
  heap_unlock(handle);
}

TP_RELOC_DEFINE(heap, HEAP_BYTES, HEAP_HANDLES, .moves = HEAP_MOVES,
                .move_bytes = HEAP_BYTES, .on_move = heap_moved);
TP_RELOC_DEFINE(strict, 64, 2, .full = 1, .moves = 1, .move_bytes = 64);

// Arenas in banks are not cleared at boot, so the pool must not count on it.
void forget(const struct tp_reloc *reloc)
{
  for (uint32_t i = 0; i <= reloc->handles; i++) {
    reloc->entry[i] = (struct tp_reloc_entry){0, 0, 0};
  }
  *reloc->state = (struct tp_reloc_state){0};
  for (uint32_t i = 0; i < (reloc->units + 1u) * 2; i++) {
    reloc->arena[i] = 0xbad0bad0u + i;
  }
  moved = (struct moved){0, NULL, NULL, 0};
}

struct tp_reloc_figures figures(const struct tp_reloc *reloc)
{
  struct tp_reloc_figures layout;
  tp_reloc_layout(reloc, &layout);
  return layout;
}

static unsigned char byte_of(tp_handle_t handle, uint32_t i)
{
  return (unsigned char)((handle + i) * 2654435761u >> 24);
}

tp_handle_t make(uint32_t size)
{
  tp_handle_t handle = heap_alloc(size);
  if (handle == TP_NO_HANDLE) return handle;
  unsigned char *bytes = heap_lock(handle);
  for (uint32_t i = 0; i < size; i++) bytes[i] = byte_of(handle, i);
  heap_unlock(handle);
  return handle;
}

bool is_whole(tp_handle_t handle, uint32_t size)
{
  const unsigned char *bytes = heap_lock(handle);
  uint32_t same = 0;
  if (!bytes) return false;
  while (same < size && bytes[same] == byte_of(handle, same)) same++;
  heap_unlock(handle);
  return same == size;
}

uintptr_t place_of(tp_handle_t handle)
{
  uintptr_t place = (uintptr_t)heap_lock(handle);
  heap_unlock(handle);
  return place;
}

int main(void)
{
  suite_blocks();
  suite_holes();
  suite_steps();
  suite_resume();
  suite_misuse();
  suite_verify();
  suite_poison();
  suite_history();
  return tp_test_end();
}
