// SPDX-License-Identifier: MIT
#define __builtin_return_address(level) ((void *)0)
#include "tp_port.h"

#include "tp_least_model.h"

#include "policy/tp_steal_least.c"
