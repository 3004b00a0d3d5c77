// SPDX-License-Identifier: MIT
// sized.h - applications of allocators whose objects have sizes of their own.
#ifndef SIZED_H
#define SIZED_H

#include "flips.h"

enum { MOST = 24 };

// An object that is the application's, as far as it knows.
struct piece {
  void *memory;
  uint32_t bytes;
  uint32_t number;
  tp_handle64_t handle;
};

// They are in order of age.
struct pieces {
  struct piece piece[MOST];
  uint32_t count;
};

// Adds one and fills it: it lies in [memory] of [size], with no other.
void pieces_add(struct pieces *pieces, void *memory, uint32_t bytes,
                uint32_t number, tp_handle64_t handle);

// Are the bytes of piece [index] what was written there?
void pieces_check(const struct pieces *pieces, uint32_t index);

// Forgets piece [index]; or all from [count] on.
void pieces_drop(struct pieces *pieces, uint32_t index);
void pieces_cut(struct pieces *pieces, uint32_t count);

// [memory] of [bytes] lies within [storage] of [all].
void inside(const void *memory, uint32_t bytes, const void *storage,
            uint32_t all);

#define SUBJECT(name, knows)                        \
  const struct subject name##_subject = {           \
      #name,                                        \
      &pages.at,                                    \
      sizeof pages - 2 * FAR_AWAY,                  \
      &knows,                                       \
      sizeof knows,                                 \
      name##_parts,                                 \
      sizeof name##_parts / sizeof name##_parts[0], \
      name##_owns,                                  \
      name##_step,                                  \
      name##_verify,                                \
      name##_left,                                  \
      name##_stats,                                 \
  }

#endif
