// SPDX-License-Identifier: MIT
#define __builtin_return_address(level) ((void *)0)
#include "tp_region_model.h"
#include "tp_frame_model.h"
#include "allocator/tp_stack.c"
#include "allocator/tp_bump.c"
