// SPDX-License-Identifier: MIT
#include "pool/tp_slot.h"
