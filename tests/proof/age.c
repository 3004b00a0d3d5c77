// SPDX-License-Identifier: MIT
#include "pool/tp_age.h"
