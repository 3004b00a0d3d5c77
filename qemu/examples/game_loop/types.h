// SPDX-License-Identifier: MIT
#include <stdint.h>

struct spark {
  int16_t x, y;
  int16_t vx, vy;
  uint32_t frames_left;  // 1 to SPARK_FRAMES while it flies.
};

enum { SPARK_FRAMES = 40 };

// What the screen is told of a spark; it lasts until the frame is over.
struct dot {
  struct dot *next;
  int16_t x, y;
};
