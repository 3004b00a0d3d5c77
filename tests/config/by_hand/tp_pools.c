// SPDX-License-Identifier: MIT
#include "tp_pools.h"

#include "config/tp_define.h"
#include "core/tp_registry.h"

TP_POOL_DEFINE(particles, sizeof(struct particle), PARTICLES_COUNT, 8,
               .policy = &tp_drop, .refuses = 1);
TP_POOL_DEFINE(enemies, sizeof(struct enemy), ENEMIES_COUNT, 8,
               .policy = &tp_assert);

static struct tp_age_link sounds_age[SOUNDS_COUNT + 1];
TP_POOL_DEFINE_TAGGED(sounds, sizeof(struct voice), SOUNDS_COUNT, 8,
                      .policy = &tp_steal_oldest, .age = sounds_age);

static const struct tp_entry entries[TP_POOL_N] = {
    [TP_ID_PARTICLES] = {.name = "particles",
                         .kind = &tp_pool_kind,
                         .allocator = &particles_pool,
                         .policy = "drop",
                         .most = PARTICLES_COUNT},
    [TP_ID_ENEMIES] = {.name = "enemies",
                       .kind = &tp_pool_kind,
                       .allocator = &enemies_pool,
                       .policy = "assert",
                       .most = ENEMIES_COUNT},
    [TP_ID_SOUNDS] = {.name = "sounds",
                      .kind = &tp_pool_kind,
                      .allocator = &sounds_pool,
                      .policy = "steal-oldest",
                      .most = SOUNDS_COUNT},
};
static const struct tp_entry *const listed[TP_POOL_N] = {
    &entries[TP_ID_PARTICLES], &entries[TP_ID_ENEMIES], &entries[TP_ID_SOUNDS]};
const struct tp_registry tp_registry = {.entries = listed, .count = TP_POOL_N};
