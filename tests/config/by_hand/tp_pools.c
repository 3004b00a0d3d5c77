// SPDX-License-Identifier: MIT
#include "tp_pools.h"

#include "config/tp_define.h"

TP_POOL_DEFINE(particles, sizeof(struct particle), PARTICLES_COUNT, 8,
               .policy = &tp_drop, .refuses = 1);
TP_POOL_DEFINE(enemies, sizeof(struct enemy), ENEMIES_COUNT, 8,
               .policy = &tp_assert);

static struct tp_age_link sounds_age[SOUNDS_COUNT + 1];
TP_POOL_DEFINE_TAGGED(sounds, sizeof(struct voice), SOUNDS_COUNT, 8,
                      .policy = &tp_steal_oldest, .age = sounds_age);

const struct tp_pool *const tp_pool_table[TP_POOL_N] = {
    &particles_pool, &enemies_pool, &sounds_pool};
