// SPDX-License-Identifier: MIT
#include "plant.h"

#include "tidepool.h"
#include "telemetry.h"

enum { ONCE = 0, ALWAYS = 1 };

static const struct {
  const char *name;
  uint32_t every;  // Which of the chances it takes after the first; 0: none.
} kinds[PLANT_N] = {
    [PLANT_NOTHING] = {"", ONCE},
    [PLANT_LEAK] = {"leak", 10000},
    [PLANT_DOUBLE_FREE] = {"double-free", ONCE},
    [PLANT_INTERIOR] = {"interior", ONCE},
    [PLANT_FOREIGN] = {"foreign", ONCE},
    [PLANT_STALE_HANDLE] = {"stale-handle", ONCE},
    [PLANT_WRITE_AFTER_FREE] = {"write-after-free", ONCE},
    [PLANT_OVERRUN] = {"overrun", ONCE},
    [PLANT_UNDERRUN] = {"underrun", ONCE},
    [PLANT_FLIP_FREE] = {"flip-free", ONCE},
    [PLANT_FLIP_LINK] = {"flip-link", ONCE},
    [PLANT_FLIP_GENERATION] = {"flip-generation", ONCE},
    [PLANT_FLIP_AGE] = {"flip-age", ONCE},
    [PLANT_LOST_UNLOCK] = {"lost-unlock", ONCE},
    [PLANT_WRONG_VICTIM] = {"wrong-victim", ALWAYS},
    [PLANT_FORGOTTEN_INIT] = {"forgotten-init", ONCE},
    [PLANT_SKIPPED_EVICT] = {"skipped-evict", ONCE},
    [PLANT_FRAME_DRIFT] = {"frame-drift", ALWAYS},
    [PLANT_UNBALANCED_PIN] = {"unbalanced-pin", ONCE},
};

enum plant plant_wanted;
static uint32_t first_frame;
static uint32_t chances;

const char *plant_name(enum plant what)
{
  return kinds[what].name;
}

void plant_start(enum plant what, uint32_t from)
{
  plant_wanted = what;
  first_frame = from;
}

enum plant plant_due(void)
{
  return tp_clock_now >= first_frame ? plant_wanted : PLANT_NOTHING;
}

// 0 for what is none of the pool's, or for none.
static uint32_t slot_of(const struct tp_pool *pool, const void *object)
{
  if (!pool) return 0;
  uint32_t offset = (uint32_t)((uintptr_t)object - (uintptr_t)pool->storage);
  uint32_t slot = offset / pool->stride + 1;
  return slot <= pool->capacity ? slot : 0;
}

bool plant_wanted_strikes(const struct tp_pool *pool, const void *object)
{
  enum plant what = plant_due();
  if (what == PLANT_NOTHING) return false;
  uint32_t every = kinds[what].every;
  bool first = chances++ == 0;
  if (first) {
    telemetry_planted(tp_clock_now, pool, slot_of(pool, object),
                      kinds[what].name);
  }
  return first || (every && (chances - 1) % every == 0);
}
