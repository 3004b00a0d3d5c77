// SPDX-License-Identifier: MIT
#include "check/tp_level.h"

#if TP_CHECKS >= TP_CHECKS_FAST
#define TP_HARDENED 1
#endif

#include "kinds.h"

#if TP_HARDENED
TP_HARDENED_CALLS;
#endif

KINDS_OF(hardened);
