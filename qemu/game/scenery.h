// SPDX-License-Identifier: MIT
// scenery.h - what stands about: two pools over the same RAM, cut one way for
// the battle, the other for the title. A scene ends when its time has come.
#ifndef SCENERY_H
#define SCENERY_H

#include <stdint.h>

void scenery_start(void);
void scenery_update(void);

// How many stand about in the crowd, and in the credits.
uint32_t scenery_crowd(void);
uint32_t scenery_credits(void);

#endif
