// SPDX-License-Identifier: MIT
// Pools by policy: with raw pointers and with handles, by the shared core and
// by one of their own.
#include "pools.h"

#include "core/tp_core.h"
#include "core/tp_exclusive.h"
#include "policy/tp_steal.h"
#include "policy/tp_steal_least.h"
#include "policy/tp_watermark.h"

FLIPS_PAGES(POOL_MEMORY(drop); POOL_MEMORY(own); POOL_MEMORY(exclusive);
            POOL_MEMORY(asserting); POOL_MEMORY(handles); POOL_MEMORY(wide);
            POOL_MEMORY(thief); POOL_MEMORY(own_thief);
            POOL_MEMORY(handle_thief); POOL_MEMORY(turning); POOL_MEMORY(least);
            POOL_MEMORY(marked); struct tp_watermark_state marked_mark;
            GAP(last););

#define EVICTS(name) static void name##_evict(void *victim);
EVICTS(thief)
EVICTS(own_thief)
#define EVICT(name)                      \
  static void name##_evict(void *victim) \
  {                                      \
    use_evict(&name##_use, victim);      \
  }

static uint32_t score_of(const void *object)
{
  return *(const tp_word_t *)object % 4;
}
static const struct tp_steal_least steal_least = {
    .policy = {.overflow = tp_least_overflow}, .score = score_of};

#define OLDEST(name) STEALS(name), .policy = &tp_steal_oldest
POOL(drop, 1, DROPS);
POOL(own, 1, DROPS);
POOL(exclusive, 1, DROPS);
POOL(asserting, 1, .policy = &tp_assert);
POOL(handles, TP_CHECKS, TAGGED, DROPS);
POOL(wide, TP_CHECKS, TAGGED, DROPS);
POOL(thief, 0, OLDEST(thief), .evict = thief_evict);
POOL(own_thief, 0, OLDEST(own_thief), .evict = own_thief_evict);
POOL(handle_thief, 0, OLDEST(handle_thief), .born = pages.at.handle_thief_born);
POOL(turning, 0, OLDEST(turning));
POOL(least, 0, STEALS(least), .policy = &steal_least.policy);
POOL(marked, 1, DROPS);

static const struct tp_watermark marked_watermark = {
    &marked_pool, &pages.at.marked_mark, NULL, NULL, 1, 3};

// Raw pointers.
#define RAW(name, issue, take)                                     \
  static void *name##_alloc(uint32_t score, tp_handle64_t *handle) \
  {                                                                \
    (void)score;                                                   \
    (void)handle;                                                  \
    return issue;                                                  \
  }                                                                \
  static void name##_free(void *object)                            \
  {                                                                \
    take;                                                          \
  }

#define OWN_ALLOC(pool, extend) \
  tp_core_alloc(&pool, false, TP_LOCK_PRIMASK, extend, NULL, NULL, NULL)
#define OWN_FREE(pool) \
  tp_core_free(&pool, false, TP_LOCK_PRIMASK, tp_pool_foreign, object, NULL)

TP_NOINLINE static void *own_thief_extend(const struct tp_pool *pool,
                                          uint32_t *tag, tp_site_t site)
{
  (void)pool;
  return tp_core_extend(&own_thief_pool, false, TP_LOCK_PRIMASK, tp_steal_core,
                        tag, site);
}

RAW(drop, tp_pool_alloc(&drop_pool), tp_pool_free(&drop_pool, object))
RAW(own, OWN_ALLOC(own_pool, tp_pool_extend), OWN_FREE(own_pool))
RAW(exclusive, tp_exclusive_alloc(&exclusive_pool),
    tp_exclusive_free(&exclusive_pool, object))
RAW(asserting, tp_pool_alloc(&asserting_pool),
    tp_pool_free(&asserting_pool, object))
RAW(thief, tp_aged_alloc(&thief_pool), tp_aged_free(&thief_pool, object))
RAW(own_thief, OWN_ALLOC(own_thief_pool, own_thief_extend),
    OWN_FREE(own_thief_pool))
RAW(marked, tp_watermark_alloc(&marked_watermark),
    tp_watermark_free(&marked_watermark, object))

// Handles of 32 bits.
#define NARROW(name, issue)                                        \
  static void *name##_alloc(uint32_t score, tp_handle64_t *handle) \
  {                                                                \
    tp_handle_t narrow = 0;                                        \
    void *object = issue;                                          \
    (void)score;                                                   \
    *handle = narrow;                                              \
    return object;                                                 \
  }                                                                \
  static void name##_free(void *object)                            \
  {                                                                \
    tp_pool_free(&name##_pool, object);                            \
  }                                                                \
  static bool name##_free_handle(tp_handle64_t handle)             \
  {                                                                \
    return tp_handle_free(&name##_pool, (tp_handle_t)handle);      \
  }                                                                \
  static void *name##_get(tp_handle64_t handle)                    \
  {                                                                \
    return tp_handle_get(&name##_pool, (tp_handle_t)handle);       \
  }
#define PINS(name)                                             \
  static void *name##_pin(tp_handle64_t handle)                \
  {                                                            \
    return tp_handle_pin(&name##_pool, (tp_handle_t)handle);   \
  }                                                            \
  static bool name##_unpin(tp_handle64_t handle)               \
  {                                                            \
    return tp_handle_unpin(&name##_pool, (tp_handle_t)handle); \
  }

NARROW(handles, tp_handle_alloc(&handles_pool, &narrow))
NARROW(handle_thief, tp_handle_alloc(&handle_thief_pool, &narrow))
NARROW(turning, tp_handle_alloc_aged(&turning_pool, &narrow))
NARROW(least, tp_least_alloc_handle(&least_pool, score, &narrow))
PINS(handle_thief)
PINS(turning)
PINS(least)

// And of 64.
static void *wide_alloc(uint32_t score, tp_handle64_t *handle)
{
  (void)score;
  return tp_handle64_alloc(&wide_pool, handle);
}

static void wide_free(void *object)
{
  tp_pool_free(&wide_pool, object);
}

static bool wide_free_handle(tp_handle64_t handle)
{
  return tp_handle64_free(&wide_pool, handle);
}

static void *wide_get(tp_handle64_t handle)
{
  return tp_handle64_get(&wide_pool, handle);
}

#define HANDLED(name) .free_handle = name##_free_handle, .get = name##_get
#define PINNED(name)  .pin = name##_pin, .unpin = name##_unpin

USE(drop);
USE(own);
USE(exclusive);
USE(asserting, .asserts = true);
USE(handles, HANDLED(handles));
USE(wide, HANDLED(wide));
USE(thief, .steals = true);
EVICT(thief)
USE(own_thief, .steals = true);
EVICT(own_thief)
USE(handle_thief, .steals = true, HANDLED(handle_thief), PINNED(handle_thief));
USE(turning, .steals = true, HANDLED(turning), PINNED(turning));
USE(least, .steals = true, .least = true, HANDLED(least), PINNED(least));

static const struct use marked_use = {.homes = {&marked_pool},
                                      .home_count = 1,
                                      .alloc = marked_alloc,
                                      .free = marked_free};
POOL_SUBJECT(marked, marked_use, POOL_PARTS(marked),
             {"watermark", &pages.at.marked_mark, sizeof pages.at.marked_mark});
