// SPDX-License-Identifier: MIT
// owner.h - who asks and who gives back: functions of their own, so that what
// is noted can be told to lie in them.
#ifndef OWNER_H
#define OWNER_H

#include "object/tp_owner.h"
#include "tp_pools.h"
#include "tp_port.h"
#include "tp_test.h"

// Does what a call returns to lie in the function that begins at [begin]? Each
// is some bytes long, and no two lie so near.
#define LIES_IN(address, begin)                                       \
  ((uintptr_t)(address) - ((uintptr_t)(begin) & ~(uintptr_t)1) - 1u < \
   ASKER_BYTES)
enum { ASKER_BYTES = 2048 };

// As if nothing had ever been issued or noted.
#define FORGET(name)                                      \
  do {                                                    \
    tp_test_forget(&name##_pool);                         \
    for (uint32_t i = 0; i < name##_pool.capacity; i++) { \
      name##_owned.owners[i] = (struct tp_owner){0};      \
    }                                                     \
  } while (0)

void suite_notes(void);
void suite_calls(void);
void suite_races(void);
void suite_near(void);

#endif
