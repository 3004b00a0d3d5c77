// SPDX-License-Identifier: MIT
// unit.h - the suites of this image, and what they share.
#ifndef UNIT_H
#define UNIT_H

#include "tp_test.h"

void suite_blocks(void);

TP_RELOC_DECLARE(heap);
enum { HEAP_BYTES = 2048, HEAP_HANDLES = 48, HEAP_MOVES = 4 };

// Puts [reloc] back to its state at boot.
void forget(const struct tp_reloc *reloc);

#endif
