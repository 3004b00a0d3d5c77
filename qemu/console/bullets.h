// SPDX-License-Identifier: MIT
// bullets.h - what enemies fire: a dense pool, walked every frame. Each enemy
// keeps the handle of its last bullet, wherever that has moved meanwhile.
#ifndef BULLETS_H
#define BULLETS_H

#include <stdint.h>

#include "hash.h"

void bullets_start(uint64_t seed);

// Fires, moves all, removes the spent ones.
void bullets_update(struct hash *hash);

// What differs from the pool's books, in words; NULL iff nothing.
const char *bullets_audit(void);

#endif
