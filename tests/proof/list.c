// SPDX-License-Identifier: MIT
#include "core/tp_tag.h"
#include "core/tp_list.h"
