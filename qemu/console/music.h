// SPDX-License-Identifier: MIT
// music.h - notes of a few tracks: a full pool gives up the quietest. A melody
// is pinned while it begins.
#ifndef MUSIC_H
#define MUSIC_H

#include <stdint.h>

#include "counts.h"
#include "hash.h"
#include "ledger.h"
#include "policy/tp_steal_least.h"
#include "pool/tp_pin.h"
#include "pool/tp_pool.h"
#include "types.h"

enum { MUSIC_NOTES = COUNT_sounds / 4 };

TP_POOL_DECLARE(music, struct note);
TP_POOL_DECLARE_SCORED(music, struct note);
TP_POOL_DECLARE_PINS(music, struct note);

void music_start(uint64_t seed);
void music_update(struct hash *hash);
struct ledger music_ledger(void);
uint32_t music_held(void);

#endif
