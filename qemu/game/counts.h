// SPDX-License-Identifier: MIT
// counts.h - each pool's capacity as a constant: COUNT_particles, ...
#ifndef COUNTS_H
#define COUNTS_H

#include "tp_pools.h"

#define COUNT_OF(name, type, size, count, policy) COUNT_##name = (count),
enum { TP_POOLS(COUNT_OF) COUNTS_END };

#endif
