// SPDX-License-Identifier: MIT
#include "check/tp_tag.h"
#include "check/tp_list.h"
