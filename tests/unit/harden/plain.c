// SPDX-License-Identifier: MIT
#define HARDENS 0
#define PREFIX  plain
#include "kinds.h"
KINDS_OF(plain);
