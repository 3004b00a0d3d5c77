// SPDX-License-Identifier: MIT
#define __builtin_return_address(level) ((void *)0)
#include "core/tp_core.h"

// What a quick call goes on with, as it stands in tp_core.c: proved by `pool`.
/*@ requires slot_served(pool);
    TP_ALLOCATES(pool, (uint32_t *)\null); */
void *tp_pool_alloc(const struct tp_pool *pool);
