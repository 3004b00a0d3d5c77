// SPDX-License-Identifier: MIT
// game.h - a shooter that plays itself, 60 frames a second: what lives in it
// lives in the pools of pools.toml.
#ifndef GAME_H
#define GAME_H

#include <stdint.h>

enum { FRAMES_PER_SECOND = 60, GAME_STEPS = 13 };

// Starts a game. The same [seed] is the same game, on every machine.
void game_start(uint64_t seed);

// Plays the frame numbered tp_clock_now.
void game_frame(void);

// One of the GAME_STEPS of a frame, which come in order. game_frame() is all.
void game_step(uint32_t step);

// The sound chip asks for more: for its interrupt handler.
void game_interrupt(void);

uint32_t game_score(void);

#endif
