// SPDX-License-Identifier: MIT
// Pools of two cores: with lock = "cores" alone, and with a magazine. Which one
// calls is drawn. Where it is refused the other asks, for what that one keeps.
#include "pools.h"

#include "core/tp_magazine.h"
#include "tp_cores_port.h"

FLIPS_PAGES(POOL_MEMORY(shared); POOL_MEMORY_OF(magazine, TP_MAGAZINE_CORES);
            GAP(last););

#define OF_CORES .lock = TP_LOCK_CORES, DROPS
POOL_OF(shared, 0, tp_cores_general, OF_CORES);
POOL_OF(magazine, 0, tp_cores_general, OF_CORES, .magazine = 2);

uint32_t cores_number;

bool tp_cores_port_take(void)
{
  return true;
}

void tp_cores_port_give(void)
{
}

#define CALLS(name, calls)                                         \
  static void *name##_alloc(uint32_t score, tp_handle64_t *handle) \
  {                                                                \
    (void)score;                                                   \
    (void)handle;                                                  \
    cores_number = flips_random(TP_MAGAZINE_CORES);                \
    void *object = calls##_alloc(&name##_pool);                    \
    if (object) return object;                                     \
    cores_number = !cores_number;                                  \
    return calls##_alloc(&name##_pool);                            \
  }                                                                \
  static void name##_free(void *object)                            \
  {                                                                \
    cores_number = flips_random(TP_MAGAZINE_CORES);                \
    calls##_free(&name##_pool, object);                            \
  }

CALLS(shared, tp_pool)
USE(shared);

CALLS(magazine, tp_magazine)
USE(magazine);
