// SPDX-License-Identifier: MIT
// An application of a pool, and what it expects of each call.
#include <string.h>

#include "check/tp_level.h"
#include "core/tp_magazine.h"
#include "core/tp_shape.h"
#include "core/tp_slot.h"
#include "pools.h"

struct knows knows;

static struct object *object_at(const struct use *use, const void *memory,
                                bool strictly)
{
  for (uint32_t i = 0; i < use->home_count; i++) {
    const struct tp_pool *pool = use->homes[i];
    uintptr_t offset = (uintptr_t)memory - (uintptr_t)pool->storage;
    if (offset < SLOTS * STRIDE && offset % STRIDE == 0) {
      return &knows.objects[i][offset / STRIDE];
    }
  }
  if (strictly) flips_inside(false);
  return NULL;
}

struct object *use_object(const struct use *use, const void *memory)
{
  return object_at(use, memory, true);
}

static void *memory_of(const struct use *use, const struct object *object)
{
  size_t index = (size_t)(object - &knows.objects[0][0]);
  const struct tp_pool *pool = use->homes[index / SLOTS];
  return pool->storage + index % SLOTS * (STRIDE / 4u);
}

uint32_t use_live(const struct use *use)
{
  uint32_t live = 0;
  for (uint32_t i = 0; i < use->home_count * SLOTS; i++) {
    live += (&knows.objects[0][0])[i].owners != 0;
  }
  return live;
}

// One that lives, chosen at random; NULL iff none does.
static struct object *any_live(const struct use *use)
{
  uint32_t all = use->home_count * SLOTS;
  uint32_t first = flips_random(all);
  for (uint32_t i = 0; i < all; i++) {
    struct object *object = &knows.objects[0][0] + (first + i) % all;
    if (object->owners) return object;
  }
  return NULL;
}

static bool goes_before(const struct use *use, const struct object *one,
                        const struct object *other)
{
  if (use->least && one->score != other->score) {
    return one->score < other->score;
  }
  return one->birth < other->birth;
}

// Who is to be stolen; NULL: nobody can be.
static struct object *victim_of(const struct use *use)
{
  struct object *victim = NULL;
  if (!use->steals) return NULL;
  for (uint32_t i = 0; i < SLOTS; i++) {
    struct object *object = &knows.objects[0][i];
    if (!object->owners || object->pinned) continue;
    if (!victim || goes_before(use, object, victim)) victim = object;
  }
  return victim;
}

static void check_bytes(const struct use *use, const struct object *object)
{
  flips_expect(tp_is_filled(memory_of(use, object), BYTES, object->number));
}

void use_evict(const struct use *use, void *memory)
{
  struct object *object = object_at(use, memory, true);
  flips_expect(object == victim_of(use));
  check_bytes(use, object);
  knows.evicted = memory;
}

static void check_stale(const struct use *use, const struct object *object)
{
  if (use->get && object->stale) flips_expect(!use->get(object->stale));
}

static void begin_life(const struct use *use, struct object *object,
                       tp_handle64_t handle)
{
  knows.next++;
  object->owners++;
  object->number = knows.next;
  object->birth = knows.next;
  object->score = knows.next % 4;
  object->pinned = 0;
  object->stale = object->handle;
  object->handle = handle;
  tp_fill(memory_of(use, object), BYTES, object->number);
  check_stale(use, object);
}

// A full pool: nobody gets anything, or the victim's place.
static void alloc_full(const struct use *use, uint32_t score)
{
  struct object *victim = victim_of(use);
  tp_handle64_t handle = 0;
  bool evicts = use->homes[0]->evict != NULL;
  if (use->asserts) return;
  knows.evicted = NULL;
  void *memory = use->alloc(score, &handle);
  flips_expect((memory != NULL) == (victim != NULL));
  if (!memory) return;
  struct object *object = object_at(use, memory, true);
  flips_expect(object == victim);
  if (evicts) flips_expect(knows.evicted == memory);
  object->owners = 0;
  begin_life(use, object, handle);
}

static void alloc(const struct use *use)
{
  uint32_t score = flips_random(4);
  tp_handle64_t handle = 0;
  if (use_live(use) == use->home_count * SLOTS ||
      (use->steals && use_live(use) == SLOTS)) {
    alloc_full(use, score);
    return;
  }
  void *memory = use->alloc(score, &handle);
  flips_expect(memory != NULL);
  if (!memory) return;
  struct object *object = object_at(use, memory, true);
  flips_expect(!object->owners);
  begin_life(use, object, handle);
}

static void free_one(const struct use *use, struct object *object)
{
  check_bytes(use, object);
  object->owners--;
  object->pinned = 0;
  if (use->free_handle && object->handle) {
    flips_expect(use->free_handle(object->handle));
  } else {
    use->free(memory_of(use, object));
  }
}

static void pin_or_unpin(const struct use *use, struct object *object)
{
  const void *memory = memory_of(use, object);
  if (object->pinned) {
    flips_expect(use->unpin(object->handle));
    object->birth = ++knows.next;
  } else {
    flips_expect(use->pin(object->handle) == memory);
  }
  object->pinned = !object->pinned;
}

static void look(const struct use *use, struct object *object)
{
  check_bytes(use, object);
  if (use->get) {
    flips_expect(use->get(object->handle) == memory_of(use, object));
    check_stale(use, object);
  }
  if (use->pin && flips_random(3) == 0) pin_or_unpin(use, object);
}

void use_forget(void)
{
  for (uint32_t i = 0; i < HOMES * SLOTS; i++) {
    (&knows.objects[0][0])[i].owners = 0;
    (&knows.objects[0][0])[i].pinned = 0;
  }
}

// What is done now and then.
static void seldom(const struct use *use)
{
  struct tp_stats stats;
  uint32_t what = flips_random(8);
  if (what == 0 && use->home_count == 1 && !use->told) {
    tp_pool_reset(use->homes[0]);
    use_forget();
  }
  if (what == 1) tp_pool_scrub(use->homes[0], 2);
  if (what == 2) tp_pool_stats(use->homes[0], &stats);
  if (what == 3) tp_pool_oldest_age(use->homes[0]);
  if (what >= 4 && use->extra) use->extra();
}

void use_step(const struct use *use)
{
  struct object *object = any_live(use);
  uint32_t all = use->home_count * SLOTS;
  uint32_t live = use_live(use);
  uint32_t what = flips_random(16);
  if (flips_random(24) == 0) knows.target = flips_random(all + 3);
  tp_clock_now++;
  if (what == 0) {
    seldom(use);
  } else if (what < 4 && object) {
    look(use, object);
  } else if (object && (what < 6 || live > knows.target)) {
    free_one(use, object);
  } else if (live < knows.target || what < 10) {
    alloc(use);
  }
}

static uint32_t take_all(const struct use *use, uint32_t most)
{
  tp_handle64_t handle;
  uint32_t got = 0;
  while (got < most && use->alloc(0, &handle)) got++;
  return got;
}

// Pools that steal serve for ever: of those it counts who is new.
uint32_t use_left(const struct use *use)
{
  uint32_t all = use->home_count * SLOTS;
  for (uint32_t i = 0; i < HOMES * SLOTS; i++) {
    struct object *object = &knows.objects[0][0] + i;
    while (object->owners) free_one(use, object);
  }
  if (use->asserts) return take_all(use, all);
  if (!use->steals) return take_all(use, all + 2);
  take_all(use, SLOTS);
  return tp_pool_live(use->homes[0]);
}

bool use_verify(const struct use *use)
{
  for (uint32_t i = 0; i < use->home_count; i++) {
    const struct tp_chunk *chunk = use->chunks[i];
    if (chunk && chunk->state->phase != TP_CHUNK_OPEN) continue;
    if (!tp_pool_verify(use->homes[i], NULL)) return false;
  }
  return true;
}

// A byte of slot memory, [offset] behind the first slot.
static const char *owns_slot(const struct use *use, uint32_t home,
                             uint32_t offset)
{
  uint32_t slot = offset / STRIDE;
  bool issued = slot < use->homes[home]->state->fresh;
  uint32_t at = offset % STRIDE;
  const struct tp_chunk *chunk = use->chunks[home];
  if (!issued) return NULL;
  if (chunk && chunk->state->phase != TP_CHUNK_OPEN) return "released";
  if (at >= use->homes[home]->size) return "zone";
  if (knows.objects[home][slot].owners) return NULL;
  if (at < 4) return "link";
  return TP_CHECKS >= TP_CHECKS_POISON ? "dead bytes" : NULL;
}

static bool is_state(const char *name)
{
  return strcmp(name, "state") == 0;
}

static const char *owns_state(uint32_t byte)
{
  if (byte < sizeof(tp_slot_t)) return "fresh";
  return "counters";
}

// Of a pointer: it has 32 bits on a target. It comes first in a state.
static bool is_high_half(const char *name, uint32_t byte)
{
  bool owners = strcmp(name, "owners") == 0;
  bool first = strcmp(name, "chunk") == 0 || strcmp(name, "spill") == 0 ||
               strcmp(name, "births") == 0;
  return byte % 8 >= 4 && (owners || (first && byte < 8));
}

// Behind the tags, of which there are none at off, is what cores keep.
static const char *owns_tag(const struct use *use, uint32_t byte)
{
  const struct tp_pool *pool = use->homes[0];
  uint32_t word = byte / 4;
  uint32_t behind = (uint32_t)(tp_slot_behind(pool) - pool->tag);
  if (word == 0) return "list word";
  if (pool->magazine && word >= behind) {
    return word < behind + TP_MAGAZINE_CORES ? "magazines" : NULL;
  }
  if (word > SLOTS) return "link outside";
  return use->free_handle ? "tags of handles" : "tags";
}

const char *use_owns(const struct use *use, const struct part *part,
                     uint32_t byte)
{
  const uint8_t *at = (const uint8_t *)part->memory + byte;
  if (is_state(part->name)) return owns_state(byte);
  if (strcmp(part->name, "tags") == 0) return owns_tag(use, byte);
  if (strcmp(part->name, "age") == 0 && !use->steals) return NULL;
  if (strcmp(part->name, "born") == 0 && !use->homes[0]->born) return NULL;
  if (is_high_half(part->name, byte)) return NULL;
  if (strcmp(part->name, "slots")) return part->name;
  for (uint32_t i = 0; i < use->home_count; i++) {
    uintptr_t offset = (uintptr_t)at - (uintptr_t)use->homes[i]->storage;
    if (offset < SLOTS * STRIDE) return owns_slot(use, i, (uint32_t)offset);
  }
  return use->homes[0]->state->fresh ? "zone" : NULL;
}
