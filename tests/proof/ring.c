// SPDX-License-Identifier: MIT
#define __builtin_return_address(level) ((void *)0)
#include "core/tp_core.h"
