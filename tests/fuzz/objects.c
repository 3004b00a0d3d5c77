// SPDX-License-Identifier: MIT
// Objects with hooks, owners and parts that are kept, at home or lent: who is
// initialised, who is met by an update in which others are born and die, what a
// slot retains, which handle is whose.
#include <string.h>

#include "core/tp_shape.h"
#include "fuzz.h"
#include "model.h"
#include "object/tp_build.h"
#include "object/tp_lent.h"
#include "object/tp_object.h"

enum { LEFT_MOST = 1000, PART = 2, MOST = SLOTS_MOST + CHUNK_SLOTS, GIVEN = 8 };

struct thing {
  uint32_t first, left;  // It is in use while [left] is not 0.
  void **owner;
  uint32_t number, more;
  uint32_t part[PART];  // What the slot retains.
};

// A handle that was given out, of which object.
struct given {
  tp_handle64_t bits;
  uint32_t slot, number;
};

static struct {
  struct model model;
  struct tp_pool pool, chunk_pool;
  struct tp_chunk chunk;
  struct tp_spill spill;
  struct tp_objects objects;
  struct tp_retain retain;
  bool retains, lends, wide;
  uint32_t slot;  // That the next object gets.
  uint32_t number[MOST + 1];
  uint32_t part[MOST + 1][PART];
  void *owner[MOST + 1];  // Where the owner of an object keeps it.
  bool old[MOST + 1];     // It lived when the update began.
  uint32_t last;          // Of the update: the slot met last.
  uint32_t numbers, ends;
  uint32_t closed;  // Parts that were given up.
  struct given given[GIVEN];
  uint32_t given_count;
} now;

static uint32_t slots(void)
{
  return now.pool.capacity + (now.lends ? CHUNK_SLOTS : 0u);
}

static bool at_home(uint32_t slot)
{
  return slot <= now.pool.capacity;
}

static struct thing *thing_at(uint32_t slot)
{
  const struct tp_pool *pool = at_home(slot) ? &now.pool : &now.chunk_pool;
  if (!at_home(slot)) slot -= now.pool.capacity;
  return (struct thing *)(pool->origin + (size_t)slot * pool->stride);
}

static uint32_t slot_of(const void *object)
{
  for (uint32_t slot = 1; slot <= slots(); slot++) {
    if (thing_at(slot) == object) return slot;
  }
  EXPECT(object == NULL);
  return 0;
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

static bool holds(const struct given *given)
{
  return given->slot && is_live(given->slot) &&
         now.number[given->slot] == given->number;
}

static void *get(tp_handle64_t bits)
{
  tp_handle_t narrow = (tp_handle_t)bits;
  if (now.lends) {
    return now.wide ? tp_lent64_get(&now.pool, bits)
                    : tp_lent_get(&now.pool, narrow);
  }
  return now.wide ? tp_handle64_get(&now.pool, bits)
                  : tp_handle_get(&now.pool, narrow);
}

static void check_handles(void)
{
  for (uint32_t i = 0; i < GIVEN; i++) {
    const struct given *given = &now.given[i];
    void *wanted = holds(given) ? thing_at(given->slot) : NULL;
    EXPECT(get(given->bits) == wanted);
  }
}

static void check_all(void)
{
  check_handles();
  for (uint32_t slot = 1; slot <= slots(); slot++) {
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

// No field of a newcomer was set but its owner, from poison up.
static void check_unset(const void *object)
{
  uint32_t unset = TP_CHECKS >= TP_CHECKS_POISON ? 0 : sizeof(struct thing);
  EXPECT(tp_object_unset(&now.objects, object) == unset);
}

// Of a newcomer, or of none: [context] says whether it can be made.
static bool init(void *object, void *context)
{
  struct thing *thing = (struct thing *)object;
  uint32_t slot = slot_of(object);
  EXPECT(slot == now.slot && is_live(slot) && thing->owner == NULL);
  check_unset(object);
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
  EXPECT(tp_object_unset(&now.objects, object) == sizeof *thing);
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

// Asked of what a slot retains, if that is anything.
static bool validate(void *part)
{
  size_t bytes = sizeof now.part[0];
  EXPECT(memcmp(part, now.part[now.slot], bytes) == 0);
  return fuzz_below(4) > 0;
}

static void close_part(void *part)
{
  const uint32_t *words = (const uint32_t *)part;
  uint32_t slot = words[1];
  size_t bytes = sizeof now.part[0];
  EXPECT(slot > 0 && memcmp(part, now.part[slot], bytes) == 0);
  memset(now.part[slot], 0, bytes);
  now.closed++;
}

static bool in_use(const void *object)
{
  const struct thing *thing = (const struct thing *)object;
  return thing->left - 1 < LEFT_MOST;
}

// Calls -----------------------------------------------------------------------

static void *create_handle(bool *can, tp_handle64_t *bits)
{
  const struct tp_objects *objects = &now.objects;
  tp_handle_t narrow = 1;
  uint32_t score = UINT32_MAX;
  void *object;
  if (now.wide) {
    return now.lends ? tp_lent64_create(objects, can, score, bits)
                     : tp_object_alloc_handle64(objects, can, score, bits);
  }
  object = now.lends ? tp_lent_create(objects, can, score, &narrow)
                     : tp_object_alloc_handle(objects, can, score, &narrow);
  *bits = narrow;
  return object;
}

static void *create_by(uint32_t how, bool *can, tp_handle64_t *bits)
{
  if (how == 0) return create_handle(can, bits);
  if (how == 1) return tp_object_alloc_scored(&now.objects, can, UINT32_MAX);
  return tp_object_alloc(&now.objects, can);
}

static void create(void)
{
  bool can = fuzz_below(4) > 0;
  uint32_t how = fuzz_below(4);
  tp_handle64_t bits = 1;
  int wanted = model_alloc(&now.model, now.lends ? SPILLS : DROPS);
  now.slot = (uint32_t)wanted;
  void *object = create_by(how, &can, &bits);
  EXPECT((object != NULL) == (wanted > 0 && can));
  if (object) EXPECT(slot_of(object) == now.slot);
  if (how > 0) return;
  uint32_t slot = slot_of(object);
  EXPECT((bits != 0) == (object != NULL));
  now.given[now.given_count++ % GIVEN] =
      (struct given){bits, slot, now.number[slot]};
}

static void destroy(void)
{
  uint32_t slot = 1 + fuzz_below(slots());
  uint32_t ends = now.ends;
  if (!is_live(slot)) return;
  tp_object_free(&now.objects, thing_at(slot));
  EXPECT(now.ends == ends + 1 && !is_live(slot));
}

// As who takes it over at once: its slot lives on, for a call of the pool.
static void retire(void)
{
  uint32_t slot = 1 + fuzz_below(slots());
  uint32_t ends = now.ends;
  if (!is_live(slot)) return;
  GOOD(tp_object_retire(&now.objects, thing_at(slot)));
  EXPECT(now.ends == ends + 1 && now.owner[slot] == NULL);
  GOOD(tp_pool_free(&now.pool, thing_at(slot)));
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
    uint32_t other = 1 + fuzz_below(slots());
    if (is_live(other)) thing_at(other)->left = 0;
  }
  bool mine = is_live(slot) && now.old[slot];
  return !mine || fuzz_below(4) > 0;
}

static void update(void)
{
  now.last = 0;
  for (uint32_t slot = 1; slot <= slots(); slot++) {
    now.old[slot] = is_live(slot);
  }
  GOOD(tp_object_update(&now.objects, step, &now));
  pass_by(slots() + 1);
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
  for (uint32_t slot = now.last + 1; slot <= slots(); slot++) {
    EXPECT(!is_live(slot));
  }
}

static void clear(void)
{
  uint32_t ends = now.ends;
  uint32_t live = now.model.home.lives + now.model.chunk.lives;
  if (fuzz_below(8)) return;
  GOOD(tp_object_clear(&now.objects));
  EXPECT(now.ends == ends + live);
  EXPECT(now.model.home.lives + now.model.chunk.lives == 0);
}

// As when the pool dies: nothing of any slot stays open.
static void close_all(void)
{
  uint32_t open = 0, closed = now.closed;
  if (!now.retains || fuzz_below(8)) return;
  GOOD(tp_object_clear(&now.objects));
  for (uint32_t slot = 1; slot <= slots(); slot++)
    open += now.part[slot][1] > 0;
  GOOD(tp_retain_close(&now.objects));
  EXPECT(now.closed == closed + open);
}

static void audit(void)
{
  uint32_t wrong = 0;
  for (uint32_t slot = slots(); slot > 0; slot--) {
    if (is_live(slot) && !in_use(thing_at(slot))) wrong = slot;
  }
  bool notices = wrong && TP_CHECKS > 0;
  WRONG(notices ? TP_FAULT_IN_USE : 0u, tp_object_audit(&now.objects));
  if (!notices) return;
  if (!at_home(wrong)) wrong -= now.pool.capacity;  // As the lender counts.
  EXPECT(tp_fault_record.slot == wrong);
}

static void call_wrongly(void)
{
  uint32_t slot = 1 + fuzz_below(slots());
  uint32_t ends = now.ends;
  char *interior = (char *)thing_at(slot) + 4;
  if (TP_CHECKS == 0) return;
  WRONG(TP_FAULT_FOREIGN, tp_object_free(&now.objects, NULL));
  WRONG(at_home(slot) ? TP_FAULT_INTERIOR : TP_FAULT_FOREIGN,
        tp_object_free(&now.objects, interior));
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

static void begin_lender(void)
{
  struct tp_build lent = {.size = sizeof(struct thing),
                          .count = CHUNK_SLOTS,
                          .align = 8,
                          .tagged = 1,
                          .policy = &tp_drop};
  tp_pool_build(&now.chunk_pool, "lender", &lent,
                fuzz_memory(tp_build_bytes(&lent), 0));
  now.chunk = (struct tp_chunk){
      .pool = &now.chunk_pool,
      .state = fuzz_memory(sizeof *now.chunk.state, 0),
      .owner = fuzz_memory((CHUNK_SLOTS + 1) * sizeof(void *), 0)};
  now.spill =
      (struct tp_spill){.policy = {tp_spill_overflow, tp_spill_take_back},
                        .into = &now.chunk,
                        .then = &tp_drop,
                        .state = fuzz_memory(sizeof *now.spill.state, 0),
                        .tagged = 1};
}

static void begin(void)
{
  memset(&now, 0, sizeof now);
  now.lends = fuzz_below(2);
  now.wide = fuzz_below(2);
  if (now.lends) begin_lender();
  struct tp_build row = {.size = sizeof(struct thing),
                         .count = (tp_slot_t)(1 + fuzz_below(SLOTS_MOST)),
                         .align = 8,
                         .tagged = 1,
                         .refuses = !now.lends,
                         .takes_foreign = now.lends,
                         .policy = now.lends ? &now.spill.policy : &tp_drop};
  tp_pool_build(&now.pool, "things", &row,
                fuzz_memory(tp_build_bytes(&row), 0));
  if (now.lends) now.pool.handle_bits = TP_HANDLE_BITS(slots());
  model_begin(&now.model, now.lends ? SPILLS : DROPS, row.count);
  now.retains = !now.lends && fuzz_below(2);
  now.retain =
      (struct tp_retain){.kept = fuzz_memory(row.count * sizeof now.part[0], 0),
                         .sum = fuzz_memory(row.count * sizeof(uint32_t), 0),
                         .validate = fuzz_below(2) ? validate : NULL,
                         .close = close_part,
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
                          .lender = now.lends ? &now.chunk : NULL,
                          .owner = 1 + offsetof(struct thing, owner),
                          .slots = (uint16_t)slots(),
                          .births = fuzz_memory(sizeof *now.objects.births, 0),
                          .newborn = fuzz_memory((slots() + 3) / 4 * 4, 0)};
}

static void (*const calls[])(void) = {create, create,       create,    destroy,
                                      update, update,       walk,      clear,
                                      audit,  call_wrongly, close_all, retire};
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
