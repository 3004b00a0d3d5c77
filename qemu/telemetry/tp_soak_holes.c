// SPDX-License-Identifier: MIT
// tp_soak_holes.c - how the memory of relocating allocators is cut up.
#include "allocator/tp_reloc.h"
#include "core/tp_registry.h"
#include "tp_soak.h"

enum { HOLES = 22, HOLES_BYTES = 20 };

static void put(uint32_t index, const struct tp_reloc *reloc)
{
  struct tp_reloc_figures layout;
  tp_reloc_layout(reloc, &layout);
  tp_record_begin(HOLES, HOLES_BYTES);
  tp_record_put32(tp_clock_now);
  tp_record_put32(index);
  tp_record_put32(layout.largest);
  tp_record_put32(layout.holes);
  tp_record_put32(layout.hole_bytes);
  tp_record_end();
}

void tp_soak_holes_report(const struct tp_registry *registry)
{
  for (uint32_t i = 0; i < registry->count; i++) {
    const struct tp_entry *entry = registry->entries[i];
    if (entry->kind != &tp_arena_kind) continue;
    put(i, (const struct tp_reloc *)entry->allocator);
  }
}
