// SPDX-License-Identifier: MIT
// tp_pools.h - stands for the generated one: a call of it becomes two pieces of
// its caller, with what the caller computes between them.
void seal(const int *what);
char *take(int bytes);

static inline char *ask(int bytes)
{
  static const int what = 1;
  seal(&what);
  return take(bytes);
}
