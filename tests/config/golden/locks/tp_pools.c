// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#include "tp_pools.h"
#include "config/tp_define.h"

#if !TP_PORT_HAS_BASEPRI
#error "pools.toml:8: events: this core has no BASEPRI"
#endif
TP_POOL_DEFINE(events, 16, 8, 8,
               TP_NO_BANK, TP_TAGS_IF_CHECKED,
               .policy = &tp_drop, .lock = 64,
               .refuses = 1);
TP_POOL_OWN(events, void);

#if !TP_PORT_HAS_EXCLUSIVE
#error "pools.toml:10: frames: this core has no LDREX and STREX"
#endif
TP_POOL_DEFINE(frames, 16, 8, 8,
               TP_NO_BANK, TP_TAGS_IF_CHECKED,
               .policy = &tp_drop, .lock = TP_LOCK_PRIMASK,
               .refuses = 1);
TP_POOL_OWN_EXCLUSIVE(frames, void);

const struct tp_pool *const tp_pool_table[TP_POOL_N] = {
  &events_pool,
  &frames_pool,
};
