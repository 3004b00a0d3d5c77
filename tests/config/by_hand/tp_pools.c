// SPDX-License-Identifier: MIT
#include "tp_pools.h"

#include "config/tp_define.h"

TP_TABLE_DEFINE(TP_POOLS)
