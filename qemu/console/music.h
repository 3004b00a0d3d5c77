// SPDX-License-Identifier: MIT
// music.h - notes of a few tracks: a full pool gives up the quietest. A melody
// is pinned while it begins.
#ifndef MUSIC_H
#define MUSIC_H

#include <stdint.h>

#include "hash.h"
#include "ledger.h"

void music_start(uint64_t seed);
void music_update(struct hash *hash);
struct ledger music_ledger(void);
uint32_t music_held(void);

#endif
