// SPDX-License-Identifier: MIT
// Pools with harden = true or link = "outside", as tp_pools.c compiles their
// calls. Where nothing is checked no row is hardened: there those are pools
// with code of their own.
#define TP_HARDENED 1

#include "core/tp_claim.h"
#include "core/tp_core.h"
#include "core/tp_exclusive.h"
#include "core/tp_harden.h"
#include "policy/tp_steal.h"
#include "pools.h"

FLIPS_PAGES(POOL_MEMORY(hardened); POOL_MEMORY(hardened_keyed);
            POOL_MEMORY(hardened_thief); POOL_MEMORY(hardened_exclusive);
            POOL_MEMORY_OF(outside, SLOTS); GAP(last););

TP_HARDENED_CALLS;

#define CODED (TP_CHECKS >= TP_CHECKS_FAST ? TP_CODED : 0)
#define HARDENED(name, ...) \
  POOL_OF(name, 0, tp_hardened_general, .hardened = CODED, __VA_ARGS__)
static void thief_evict(void *victim);
HARDENED(hardened, DROPS);
HARDENED(hardened_keyed, TAGGED, DROPS);
HARDENED(hardened_thief, STEALS(hardened_thief), .policy = &tp_hardened_oldest,
         .evict = thief_evict);

HARDENED(hardened_exclusive, DROPS);
POOL_OF(outside, 0, tp_hardened_general, .hardened = TP_OUTSIDE, DROPS);

#define CALLS(name, extend)                                                 \
  static void *name##_issue(uint32_t *tag)                                  \
  {                                                                         \
    return tp_core_alloc(&name##_pool, false, TP_LOCK_PRIMASK, extend, tag, \
                         NULL, NULL);                                       \
  }                                                                         \
  static void name##_free(void *object)                                     \
  {                                                                         \
    tp_core_free(&name##_pool, false, TP_LOCK_PRIMASK, tp_hardened_foreign, \
                 object, NULL);                                             \
  }                                                                         \
  static void *name##_alloc(uint32_t score, tp_handle64_t *handle)          \
  {                                                                         \
    uint32_t tag = 0;                                                       \
    void *object = name##_issue(&tag);                                      \
    (void)score;                                                            \
    *handle = 0;                                                            \
    if (object) {                                                           \
      *handle = tp_claim_handle64(tp_slot_of(&name##_pool, object), tag);   \
    }                                                                       \
    return object;                                                          \
  }

CALLS(hardened, tp_hardened_extend)
USE(hardened);

CALLS(outside, tp_hardened_extend)
USE(outside);

CALLS(hardened_keyed, tp_hardened_extend)

static bool free_handle(tp_handle64_t handle)
{
  struct tp_generation claim = tp_claim_wide(&hardened_keyed_pool, handle);
  if (claim.slot == 0) return false;
  return tp_claim_free(&hardened_keyed_pool, false, TP_LOCK_PRIMASK, false, 0,
                       claim, NULL);
}

static void *get(tp_handle64_t handle)
{
  struct tp_generation claim = tp_claim_wide(&hardened_keyed_pool, handle);
  return tp_claim_get(&hardened_keyed_pool, &claim);
}

USE(hardened_keyed, .free_handle = free_handle, .get = get);

TP_NOINLINE static void *thief_extend(const struct tp_pool *pool, uint32_t *tag,
                                      tp_site_t site)
{
  (void)pool;
  return tp_core_extend(&hardened_thief_pool, false, TP_LOCK_PRIMASK,
                        tp_steal_core, tag, site);
}

CALLS(hardened_thief, thief_extend)
USE(hardened_thief, .steals = true);

static void thief_evict(void *victim)
{
  use_evict(&hardened_thief_use, victim);
}

static void *hardened_exclusive_alloc(uint32_t score, tp_handle64_t *handle)
{
  (void)score;
  (void)handle;
  return tp_exclusive_alloc(&hardened_exclusive_pool);
}

static void hardened_exclusive_free(void *object)
{
  tp_exclusive_free(&hardened_exclusive_pool, object);
}

USE(hardened_exclusive);
