// SPDX-License-Identifier: MIT
#include "plant.h"

#include "tp_pools.h"
#include "tp_soak.h"

enum { ONCE = 0, ALWAYS = 1 };

static const struct {
  const char *name;
  uint32_t every;  // Which of the chances it takes after the first; 0: none.
} kinds[PLANT_N] = {
    [PLANT_NOTHING] = {"", ONCE},
    [PLANT_LEAK] = {"leak", 10000},
    [PLANT_STALE_HANDLE] = {"stale-handle", ONCE},
    [PLANT_WRONG_VICTIM] = {"wrong-victim", ALWAYS},
    [PLANT_FORGOTTEN_INIT] = {"forgotten-init", ONCE},
    [PLANT_SKIPPED_EVICT] = {"skipped-evict", ONCE},
    [PLANT_FRAME_DRIFT] = {"frame-drift", ALWAYS},
};

enum plant plant_wanted;
static uint32_t first_frame;
static uint32_t chances;

void plant_start(void)
{
  const char *name = tp_soak_argument("plant");
  first_frame = (uint32_t)tp_soak_number("plant_frame", 600);
  for (enum plant what = PLANT_NOTHING + 1; name && what < PLANT_N; what++) {
    if (tp_soak_is_word(name, kinds[what].name)) plant_wanted = what;
  }
}

// 0 for what is none of the pool's, or for none.
static uint32_t slot_of(const struct tp_pool *pool, const void *object)
{
  if (!pool) return 0;
  uint32_t offset = (uint32_t)((uintptr_t)object - (uintptr_t)pool->storage);
  uint32_t slot = offset / pool->stride + 1;
  return slot <= pool->capacity ? slot : 0;
}

static void tell(const struct tp_pool *pool, const void *object)
{
  uint32_t index = pool ? tp_registry_find(&tp_registry, pool->name)
                        : (uint32_t)TP_RECORD_NO_POOL;
  tp_record_planted(tp_clock_now, index, slot_of(pool, object),
                    kinds[plant_wanted].name);
}

bool plant_wanted_strikes(const struct tp_pool *pool, const void *object)
{
  if (tp_clock_now - tp_soak_start() < first_frame) return false;
  uint32_t every = kinds[plant_wanted].every;
  if (chances++ == 0) {
    tell(pool, object);
    return true;
  }
  return every && (chances - 1) % every == 0;
}
