// SPDX-License-Identifier: MIT
#include "core/tp_slot.h"
