// SPDX-License-Identifier: MIT
// damage.h - planted bugs that are something done, once, between two frames.
#ifndef DAMAGE_H
#define DAMAGE_H

#include <stdint.h>

void damage_start(uint64_t seed);

// Does what is due, as soon as there is something to do it to.
void damage_frame(void);

#endif
