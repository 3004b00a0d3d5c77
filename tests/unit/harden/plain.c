// SPDX-License-Identifier: MIT
#include "kinds.h"

KINDS_OF(plain);
