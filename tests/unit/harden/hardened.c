// SPDX-License-Identifier: MIT
// As a table's tp_pools.c that has both: hardened rows, and others.
#include "check/tp_level.h"

#if TP_CHECKS >= TP_CHECKS_FAST
#define TP_HARDENED 1
#endif

#define HARDENS TP_HARDENED
#define PREFIX  coded
#include "kinds.h"
KINDS_OF(hardened);

#undef HARDENS
#undef PREFIX
#define HARDENS 0
#define PREFIX  uncoded
#include "kinds.h"
KINDS_OF(beside);

#if TP_HARDENED
TP_HARDENED_CALLS;
#endif
