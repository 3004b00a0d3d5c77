// SPDX-License-Identifier: MIT
// game.hpp - classes that count who lives.
#ifndef GAME_HPP
#define GAME_HPP

#include <stdint.h>

namespace game {

constexpr int BULLETS = 4;

class Bullet {
 public:
  static int living;

  Bullet(int x, int *told) : x_(x), told_(told)
  {
    living++;
  }
  ~Bullet()
  {
    living--;
    if (told_) *told_ = x_;
  }
  Bullet(const Bullet &) = delete;
  Bullet &operator=(const Bullet &) = delete;

  int x() const
  {
    return x_;
  }

 private:
  int x_;
  int *told_;
};

// Whose constructor creates others if it is told how.
struct Twin {
  static void (*others)();
  int living = 1;

  Twin()
  {
    if (others) others();
  }
};

}  // namespace game

struct Voice {
  uint32_t loudness;
};

#endif
