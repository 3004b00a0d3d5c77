// SPDX-License-Identifier: MIT
// tp_hole.h - internal: what lies free between blocks.
#ifndef TP_HOLE_H
#define TP_HOLE_H

#include "allocator/tp_reloc.h"

// The hole at [at] is no longer one. Returns its units, which its header still
// says; whoever takes it writes them anew.
uint32_t tp_hole_take(const struct tp_reloc *reloc, uint32_t at);

// Makes a hole of the [units] at [at], which are nobody's and whose lower
// neighbour is a block, [before] units down: one hole with the one behind it,
// none if it reaches the top, which then comes down to it. O(1).
void tp_hole_open(const struct tp_reloc *reloc, uint32_t at, uint32_t units,
                  uint32_t before);

#endif
