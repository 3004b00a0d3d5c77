// SPDX-License-Identifier: MIT
#include "core/tp_words.h"
