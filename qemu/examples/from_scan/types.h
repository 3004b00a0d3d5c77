// SPDX-License-Identifier: MIT
#include <stdbool.h>
#include <stdint.h>

enum { BULLETS = 256 };

struct bullet {
  int32_t x, y;
  bool used;  // Only the array needs it.
};
