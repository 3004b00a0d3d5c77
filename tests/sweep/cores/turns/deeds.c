// SPDX-License-Identifier: MIT
#include "deeds.h"

#include "tp_pools.h"
#include "turns.h"

static struct deed {
  uintptr_t first, end;
  uint32_t core;
  bool writes, point, script;
} deeds[2 * POINTS_MOST + 4];
static uint32_t count, switched;

void deeds_begin(void)
{
  count = 0;
  switched = UINT32_MAX;
}

void deeds_note(uint32_t core, const void *place, size_t bytes, bool writes,
                bool point)
{
  deeds[count++] = (struct deed){.first = (uintptr_t)place,
                                 .end = (uintptr_t)place + bytes,
                                 .core = core,
                                 .writes = writes,
                                 .point = point};
}

// One is as good as several.
void deeds_note_script(uint32_t core)
{
  const struct deed *last = &deeds[count - 1];
  if (count && last->script && last->core == core) return;
  deeds[count++] = (struct deed){.core = core, .script = true};
}

void deeds_switch(void)
{
  switched = count;
}

static bool is_in(const struct tp_pool *pool, const struct deed *deed)
{
  uintptr_t first = (uintptr_t)pool->storage;
  return deed->end > first &&
         deed->first < first + (uintptr_t)pool->capacity * pool->stride;
}

static bool is_in_an_object(const struct deed *deed)
{
  return is_in(&packets_pool, deed) || is_in(&crates_pool, deed) ||
         is_in(&jobs_pool, deed) || is_in(&sounds_pool, deed);
}

static bool meet(const struct deed *one, const struct deed *other)
{
  if (one->script) return other->script || is_in_an_object(other);
  if (other->script) return is_in_an_object(one);
  if (!one->writes && !other->writes) return false;
  return one->first < other->end && other->first < one->end;
}

static bool meets_any(const struct deed *one, uint32_t first, uint32_t end)
{
  for (uint32_t i = first; i < end; i++) {
    if (meet(one, &deeds[i])) return true;
  }
  return false;
}

// Behind all that [core] does from [first] on without a change.
static uint32_t end_of(uint32_t core, uint32_t first)
{
  while (first < count && deeds[first].core == core) first++;
  return first;
}

uint32_t deeds_same(void)
{
  if (switched >= count) return 0;
  uint32_t core = deeds[switched].core, back = end_of(core, switched);
  uint32_t end = end_of(!core, back), points = 0;
  for (uint32_t i = back; i < end; i++) {
    points += deeds[i].point && i > back;
    if (meets_any(&deeds[i], switched, back)) break;
  }
  return points;
}
