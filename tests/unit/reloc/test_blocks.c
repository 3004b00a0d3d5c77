// SPDX-License-Identifier: MIT
#include "pool/tp_define.h"
#include "unit.h"

TP_RELOC_DEFINE(heap, HEAP_BYTES, HEAP_HANDLES, TP_NO_BANK, .moves = HEAP_MOVES,
                .move_bytes = HEAP_BYTES);

void forget(const struct tp_reloc *reloc)
{
  for (uint32_t i = 0; i <= reloc->handles; i++) {
    reloc->entry[i] = (struct tp_reloc_entry){0, 0, 0};
  }
  *reloc->state = (struct tp_reloc_state){0};
}

static void an_arena_at_boot_is_empty_and_sound(void)
{
  struct tp_reloc_stats stats;
  forget(&heap_reloc);
  CHECK(tp_reloc_verify(&heap_reloc));
  tp_reloc_stats(&heap_reloc, &stats);
  CHECK_EQ(stats.live + stats.locked + stats.live_bytes + stats.holes, 0);
  CHECK_EQ(stats.top_bytes, HEAP_BYTES - 8);
  CHECK_EQ(stats.largest, HEAP_BYTES - 8);
}

static void a_hole_is_closed_by_a_step(void)
{
  forget(&heap_reloc);
  tp_handle_t first = heap_alloc(100);
  tp_handle_t second = heap_alloc(20);
  uint32_t *words = heap_lock(second);
  words[0] = 42;
  heap_unlock(second);
  heap_free(first);
  CHECK(tp_reloc_verify(&heap_reloc));

  struct tp_reloc_moved done = heap_step();

  CHECK_EQ(done.moves, 1);
  CHECK_EQ(done.bytes, 24);
  CHECK_EQ(done.holes, 0);
  CHECK(tp_reloc_verify(&heap_reloc));
  words = heap_lock(second);
  CHECK_EQ(words[0], 42);
  heap_unlock(second);
  heap_free(second);
  CHECK(tp_reloc_verify(&heap_reloc));
}

void suite_blocks(void)
{
  RUN(an_arena_at_boot_is_empty_and_sound);
  RUN(a_hole_is_closed_by_a_step);
}
