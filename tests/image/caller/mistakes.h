// SPDX-License-Identifier: MIT
// mistakes.h - what startup.c calls, one after the other.
#ifndef MISTAKES_H
#define MISTAKES_H

struct mistake {
  const char *name;
  void (*make)(void);
};

// Ends with a row of NULL.
extern const struct mistake mistakes[];

#endif
