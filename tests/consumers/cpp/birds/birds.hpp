// SPDX-License-Identifier: MIT
#ifndef BIRDS_HPP
#define BIRDS_HPP

namespace birds {

// Counts those that landed.
class Bird {
 public:
  explicit Bird(int &landed) : landed_(landed)
  {
  }
  ~Bird()
  {
    landed_++;
  }

 private:
  int &landed_;
};

}  // namespace birds

#endif
