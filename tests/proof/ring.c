// SPDX-License-Identifier: MIT
#include "core/tp_ring.h"
