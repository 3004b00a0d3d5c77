// SPDX-License-Identifier: MIT
// The pools of a firmware that does without pools.toml.
#ifndef TP_POOLS_H
#define TP_POOLS_H

#include "config/tp_table.h"
#include "game/types.h"
#include "tidepool.h"

//  name       C type           size  count  when full
// clang-format off
#define TP_POOLS(X) \
  X(particles, struct particle,   24,     8, DROP) \
  X(enemies,   struct enemy,      80,     4, ASSERT) \
  X(sounds,    struct voice,       8,     2, STEAL_OLDEST)
// clang-format on

TP_TABLE_DECLARE(TP_POOLS)

#endif
