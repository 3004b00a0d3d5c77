// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#include "tp_pools.h"
#include "config/tp_define.h"

TP_FRAME_DEFINE(draw, 1024, 1,
                TP_NO_BANK,
                .full = TP_FULL_DROP);
