// SPDX-License-Identifier: MIT
#include "roster.h"

#include "enemies.h"
#include "music.h"
#include "particles.h"
#include "scenery.h"
#include "sounds.h"
#include "watch.h"

#define WORDS(type) (sizeof(struct type) / 4)

const struct roster_entry roster[TP_POOL_N] = {
    [TP_ID_PARTICLES] = {WORDS(particle), particles_burning},
    [TP_ID_SOUNDS] = {WORDS(voice), sounds_playing},
    [TP_ID_ENEMIES] = {WORDS(enemy), enemies_alive},
    [TP_ID_MUSIC] = {WORDS(note), music_playing},
    [TP_ID_DEBRIS] = {WORDS(piece), watch_debris_held},
    [TP_ID_RUBBLE] = {WORDS(piece), watch_rubble_held},
    [TP_ID_CROWD] = {WORDS(prop), scenery_crowd},
    [TP_ID_CREDITS] = {WORDS(prop), scenery_credits},
};
