// SPDX-License-Identifier: MIT
// As a table's tp_pools.c that has rows with link = "outside", of which some
// are hardened, too.
#define TP_HARDENED 1

#include "check/tp_check.h"

#define HARDENS TP_OUTSIDE
#define PREFIX  uncoded
#include "kinds.h"
KINDS_OF(outside);

#undef HARDENS
#undef PREFIX
#if TP_CHECKS >= TP_CHECKS_FAST
#define HARDENS (TP_CODED | TP_OUTSIDE)
#else
#define HARDENS TP_OUTSIDE
#endif
#define PREFIX coded
#include "kinds.h"
KINDS_OF(both);

// At the other levels hardened.c has them.
#if TP_CHECKS < TP_CHECKS_FAST
TP_HARDENED_CALLS;
#endif
