// SPDX-License-Identifier: MIT
struct spark {
  float x, y;
};
