// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#include "tp_pools.h"
#include "config/tp_define.h"

TP_POOL_DEFINE(packets, 64, 8, 32,
               TP_NO_BANK, TP_TAGS_IF_CHECKED,
               .policy = &tp_drop, .lock = TP_LOCK_NONE,
               .refuses = 1);

TP_POOL_DEFINE(words, 4, 100, 4,
               TP_NO_BANK, TP_TAGS_IF_CHECKED,
               .policy = &tp_drop, .lock = TP_LOCK_PRIMASK,
               .refuses = 1);

TP_POOL_DEFINE(pointers, 8, 5, 8,
               TP_NO_BANK, TP_TAGS_IF_CHECKED,
               .policy = &tp_drop, .lock = TP_LOCK_PRIMASK,
               .refuses = 1);

const struct tp_pool *const tp_pool_table[TP_POOL_N] = {
  &packets_pool,
  &words_pool,
  &pointers_pool,
};
