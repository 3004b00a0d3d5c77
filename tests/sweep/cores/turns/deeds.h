// SPDX-License-Identifier: MIT
// deeds.h - what each core did in a run, in order: which of it could as well
// have been done before what the other core did meanwhile.
#ifndef DEEDS_H
#define DEEDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void deeds_begin(void);

// An access of the library or to the lock; [point]: cores may change before it.
void deeds_note(uint32_t core, const void *place, size_t bytes, bool writes,
                bool point);

// What the library does not do: the scripts, which know of each other, and
// write to objects.
void deeds_note_script(uint32_t core);

// From here on the other core goes on, as one asked.
void deeds_switch(void);

// At so many of the points that follow the last of these it could have gone on
// as well: what it did meanwhile does not meet what lies between them, so
// nothing comes of it that did not come of this run.
uint32_t deeds_same(void);

#endif
