// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#include "tp_pools.h"
#include "config/tp_define.h"

TP_POOL_DEFINE(packets, 80, 32, 8,
               TP_NO_BANK, TP_TAGS_IF_CHECKED,
               .policy = &tp_drop, .lock = TP_LOCK_PRIMASK,
               .refuses = 1);
TP_WATERMARK_DEFINE(packets, 4, close_window, 16, open_window);

TP_POOL_DEFINE(frames, 64, 8, 8,
               TP_NO_BANK, TP_TAGS_IF_CHECKED,
               .policy = &tp_assert, .lock = TP_LOCK_PRIMASK);
TP_WATERMARK_DEFINE(frames, 1, close_window, 2, NULL);

const struct tp_pool *const tp_pool_table[TP_POOL_N] = {
  &packets_pool,
  &frames_pool,
};
