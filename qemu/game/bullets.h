// SPDX-License-Identifier: MIT
// bullets.h - what enemies and the player fire: a dense pool, walked every
// frame. Each enemy keeps the handle of its last bullet, wherever that has
// moved meanwhile.
#ifndef BULLETS_H
#define BULLETS_H

// Fires, steers one, moves all, removes those that hit or are spent.
void bullets_update(void);

#endif
