// SPDX-License-Identifier: MIT
// Objects with hooks, owners and parts that are kept: who is initialised, who
// is met by an update in which others are born and die, what a slot retains.
#include <string.h>

#include "fuzz.h"
#include "model.h"
#include "object/tp_build.h"
#include "object/tp_object.h"

enum { LEFT_MOST = 1000, PART = 2 };

struct thing {
  uint32_t first, left;  // It is in use while [left] is not 0.
  void **owner;
  uint32_t number, more;
  uint32_t part[PART];  // What the slot retains.
};

static struct {
  struct model model;
  struct tp_pool pool;
  struct tp_objects objects;
  struct tp_retain retain;
  bool retains;
  uint32_t slot;  // That the next object gets.
  uint32_t number[SLOTS_MOST + 1];
  uint32_t part[SLOTS_MOST + 1][PART];
  void *owner[SLOTS_MOST + 1];  // Where the owner of an object keeps it.
  bool old[SLOTS_MOST + 1];     // It lived when the update began.
  uint32_t last, depth;         // Of the update: the slot met last.
  uint32_t numbers, ends;
} now;

static struct thing *thing_at(uint32_t slot)
{
  return (struct thing *)(now.pool.origin + (size_t)slot * now.pool.stride);
}

static uint32_t slot_of(const void *object)
{
  uintptr_t offset = (uintptr_t)object - now.pool.origin;
  EXPECT(offset % now.pool.stride == 0);
  return (uint32_t)(offset / now.pool.stride);
}

static bool is_live(uint32_t slot)
{
  return model_is_live(&now.model, slot);
}

static void check_thing(uint32_t slot)
{
  const struct thing *thing = thing_at(slot);
  EXPECT(thing->number == now.number[slot] && thing->more == ~thing->number);
  if (thing->owner) EXPECT(now.owner[slot] == thing);
}

static void check_all(void)
{
  for (uint32_t slot = 1; slot <= now.pool.capacity; slot++) {
    EXPECT(tp_object_is_live(&now.objects, thing_at(slot)) == is_live(slot));
    if (is_live(slot)) {
      check_thing(slot);
    } else {
      EXPECT(now.owner[slot] == NULL);
    }
  }
  EXPECT(!tp_object_is_live(&now.objects, NULL));
  EXPECT(tp_pool_verify(&now.pool, NULL));
}

// Hooks -----------------------------------------------------------------------

static void check_part(uint32_t slot, const struct thing *thing)
{
  if (!now.retains) return;
  size_t bytes = sizeof thing->part;
  EXPECT(memcmp(thing->part, now.part[slot], bytes) == 0);
}

// Of a newcomer, or of none: [context] says whether it can be made.
static bool init(void *object, void *context)
{
  struct thing *thing = (struct thing *)object;
  uint32_t slot = slot_of(object);
  EXPECT(slot == now.slot && is_live(slot) && thing->owner == NULL);
  check_part(slot, thing);
  if (!*(const bool *)context) {
    model_free(&now.model, slot);
    thing->left = 0;
    return false;
  }
  uint32_t left = fuzz_below(4);
  *thing = (struct thing){.left = left,
                          .owner = fuzz_below(2) ? &now.owner[slot] : NULL,
                          .number = ++now.numbers,
                          .more = ~now.numbers,
                          .part = {fuzz_below(256), slot}};
  if (thing->owner) now.owner[slot] = thing;
  now.number[slot] = thing->number;
  return true;
}

static void deinit(void *object)
{
  struct thing *thing = (struct thing *)object;
  uint32_t slot = slot_of(object);
  EXPECT(is_live(slot));
  check_thing(slot);
  model_free(&now.model, slot);
  now.old[slot] = false;
  memcpy(now.part[slot], thing->part, sizeof thing->part);
  thing->left = 0;
  now.ends++;
}

static bool in_use(const void *object)
{
  const struct thing *thing = (const struct thing *)object;
  return thing->left - 1 < LEFT_MOST;
}

// Calls -----------------------------------------------------------------------

static void create(void)
{
  bool can = fuzz_below(4) > 0;
  void *object = NULL;
  int wanted = model_alloc(&now.model, DROPS);
  now.slot = (uint32_t)wanted;
  object = tp_object_alloc(&now.objects, &can);
  EXPECT((object != NULL) == (wanted > 0 && can));
  if (object) EXPECT(slot_of(object) == now.slot);
}

static void destroy(void)
{
  uint32_t slot = 1 + fuzz_below(now.pool.capacity);
  uint32_t ends = now.ends;
  if (!is_live(slot)) return;
  tp_object_free(&now.objects, thing_at(slot));
  EXPECT(now.ends == ends + 1 && !is_live(slot));
}

// Those that were passed by were told to end, and did, or were born meanwhile.
static void pass_by(uint32_t until)
{
  for (uint32_t slot = now.last + 1; slot < until; slot++) {
    EXPECT(!now.old[slot]);
  }
  now.last = until;
}

static bool step(void *object, void *context)
{
  struct thing *thing = (struct thing *)object;
  uint32_t slot = slot_of(object);
  EXPECT(context == &now && slot > now.last && now.old[slot] && is_live(slot));
  EXPECT(in_use(object));
  pass_by(slot);
  check_thing(slot);
  uint32_t what = fuzz_below(8);
  if (what == 0) create();
  if (what == 1) destroy();
  if (what == 2) create();
  if (what == 3 && is_live(slot)) thing->left = 0;
  if (what == 4) {
    uint32_t other = 1 + fuzz_below(now.pool.capacity);
    if (is_live(other)) thing_at(other)->left = 0;
  }
  bool mine = is_live(slot) && now.old[slot];
  return !mine || fuzz_below(4) > 0;
}

static void update(void)
{
  now.last = 0;
  for (uint32_t slot = 1; slot <= now.pool.capacity; slot++) {
    now.old[slot] = is_live(slot);
  }
  GOOD(tp_object_update(&now.objects, step, &now));
  pass_by(now.pool.capacity + 1u);
}

static void visit(void *object, void *context)
{
  uint32_t slot = slot_of(object);
  EXPECT(context == &now && slot > now.last && is_live(slot));
  for (uint32_t one = now.last + 1; one < slot; one++) EXPECT(!is_live(one));
  now.last = slot;
}

static void walk(void)
{
  now.last = 0;
  GOOD(tp_object_walk(&now.objects, visit, &now));
  for (uint32_t slot = now.last + 1; slot <= now.pool.capacity; slot++) {
    EXPECT(!is_live(slot));
  }
}

static void clear(void)
{
  uint32_t ends = now.ends, live = now.model.home.lives;
  if (fuzz_below(8)) return;
  GOOD(tp_object_clear(&now.objects));
  EXPECT(now.ends == ends + live && now.model.home.lives == 0);
}

static void audit(void)
{
  uint32_t wrong = 0;
  for (uint32_t slot = now.pool.capacity; slot > 0; slot--) {
    if (is_live(slot) && !in_use(thing_at(slot))) wrong = slot;
  }
  bool notices = wrong && TP_CHECKS > 0;
  WRONG(notices ? TP_FAULT_IN_USE : 0u, tp_object_audit(&now.objects));
  if (notices) EXPECT(tp_fault_record.slot == wrong);
}

static void call_wrongly(void)
{
  uint32_t slot = 1 + fuzz_below(now.pool.capacity);
  uint32_t ends = now.ends;
  char *interior = (char *)thing_at(slot) + 4;
  if (TP_CHECKS == 0) return;
  WRONG(TP_FAULT_FOREIGN, tp_object_free(&now.objects, NULL));
  WRONG(TP_FAULT_INTERIOR, tp_object_free(&now.objects, interior));
  if (!is_live(slot)) {
    WRONG(TP_FAULT_DOUBLE_FREE, tp_object_free(&now.objects, thing_at(slot)));
  }
  EXPECT(now.ends == ends);
}

// The part of a dead object is written to.
static bool damage_part(void)
{
  const struct model_pool *home = &now.model.home;
  bool can = true;
  if (!now.retains || home->deads == 0 || TP_CHECKS == 0) return false;
  now.retain.kept[(home->dead[0] - 1) * PART] ^= 1u << fuzz_below(32);
  CALL(tp_object_alloc(&now.objects, &can));
  EXPECT(fuzz_fault == TP_FAULT_RETAIN);
  return true;
}

static void begin(void)
{
  memset(&now, 0, sizeof now);
  struct tp_build row = {.size = sizeof(struct thing),
                         .count = (tp_slot_t)(1 + fuzz_below(SLOTS_MOST)),
                         .align = 8,
                         .tagged = 1,
                         .refuses = 1,
                         .policy = &tp_drop};
  tp_pool_build(&now.pool, "things", &row,
                fuzz_memory(tp_build_bytes(&row), 0));
  model_begin(&now.model, DROPS, row.count);
  now.retains = fuzz_below(2);
  now.retain =
      (struct tp_retain){.kept = fuzz_memory(row.count * sizeof now.part[0], 0),
                         .sum = fuzz_memory(row.count * sizeof(uint32_t), 0),
                         .save = tp_retain_save,
                         .restore = tp_retain_restore,
                         .offset = offsetof(struct thing, part),
                         .size = sizeof now.part[0]};
  now.objects =
      (struct tp_objects){.pool = &now.pool,
                          .init = init,
                          .deinit = deinit,
                          .in_use = in_use,
                          .retain = now.retains ? &now.retain : NULL,
                          .owner = 1 + offsetof(struct thing, owner),
                          .slots = row.count,
                          .births = fuzz_memory(sizeof *now.objects.births, 0),
                          .newborn = fuzz_memory((row.count + 3u) / 4 * 4, 0)};
}

static void (*const calls[])(void) = {create, create,      create, destroy,
                                      update, update,      walk,   clear,
                                      audit,  call_wrongly};
enum { CALLS = sizeof calls / sizeof calls[0] };

const struct world fuzz_objects = {
    .name = "objects",
    .begin = begin,
    .calls = calls,
    .count = CALLS,
    .end_in = 64,
    .end = damage_part,
    .check = check_all,
};
