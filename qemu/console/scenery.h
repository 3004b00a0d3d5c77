// SPDX-License-Identifier: MIT
// scenery.h - what stands about: two pools over the same RAM, cut one way for
// the battle, the other for the title. A scene ends when its time has come.
#ifndef SCENERY_H
#define SCENERY_H

#include <stdint.h>

#include "hash.h"
#include "ledger.h"

void scenery_start(uint64_t seed);
void scenery_update(uint32_t frame, struct hash *hash);

struct ledger crowd_ledger(void);
struct ledger credits_ledger(void);
uint32_t crowd_held(void);
uint32_t credits_held(void);

// What is wrong, in words; NULL iff nothing is.
const char *scenery_audit(void);

#endif
