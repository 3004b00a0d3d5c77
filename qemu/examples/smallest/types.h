// SPDX-License-Identifier: MIT
#include <stdint.h>

struct job {
  uint32_t number;
  const char *what;
};
