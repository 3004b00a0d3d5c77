// SPDX-License-Identifier: MIT
// Objects that are walked, updated and told of their end: of a pool that
// retains a part of each, and of one that borrows.
#include "object/tp_object.h"

#include "object/tp_retain.h"
#include "pools.h"

enum { OFFSET = 16, PART_BYTES = 8, NEWBORN = (2 * SLOTS + 3) / 4 };

FLIPS_PAGES(POOL_MEMORY(devices); uint32_t devices_kept[SLOTS * PART_BYTES / 4];
            GAP(a); uint32_t devices_sum[SLOTS]; GAP(b);
            struct tp_births devices_births; GAP(c);
            uint32_t devices_newborn[NEWBORN]; GAP(d); POOL_MEMORY(guests);
            POOL_MEMORY(inn); const void *inn_owner[SLOTS + 1]; GAP(e);
            struct tp_chunk_state inn_chunk; GAP(f);
            struct tp_spill_state spill; GAP(g); struct tp_births guests_births;
            GAP(h); uint32_t guests_newborn[NEWBORN]; GAP(i););

POOL(devices, 0, TAGGED, DROPS);
POOL(inn, 0, TAGGED, DROPS);

static const struct tp_chunk inn_chunk = {&inn_pool, &pages.at.inn_chunk,
                                          pages.at.inn_owner, NULL, 0};
static const struct tp_spill spill = {
    {.overflow = tp_spill_overflow, .take_back = tp_spill_take_back},
    &inn_chunk,
    &tp_drop,
    &pages.at.spill,
    0};
POOL(guests, 0, TAGGED, .policy = &spill.policy, .takes_foreign = 1);

// Its second word says so, until deinit changes it.
static bool in_use(const void *object)
{
  uint32_t second = ((const tp_word_t *)object)[1];
  return second != 0 && second != TP_POISON;
}

static bool open_or_closed(void *part)
{
  const tp_word_t *words = part;
  return words[1] == words[0] + 1;
}

static void close(void *part)
{
  flips_expect(open_or_closed(part));
}

static void deinit(void *object)
{
  ((tp_word_t *)object)[1] = 0;
}

static const struct tp_retain retain = {.kept = pages.at.devices_kept,
                                        .sum = pages.at.devices_sum,
                                        .validate = open_or_closed,
                                        .close = close,
                                        .save = tp_retain_save,
                                        .restore = tp_retain_restore,
                                        .offset = OFFSET,
                                        .size = PART_BYTES};
static const struct tp_objects devices_objects = {
    .pool = &devices_pool,
    .deinit = deinit,
    .in_use = in_use,
    .retain = &retain,
    .slots = SLOTS,
    .births = &pages.at.devices_births,
    .newborn = pages.at.devices_newborn};
static const struct tp_objects guests_objects = {
    .pool = &guests_pool,
    .lender = &inn_chunk,
    .deinit = deinit,
    .in_use = in_use,
    .slots = 2 * SLOTS,
    .births = &pages.at.guests_births,
    .newborn = pages.at.guests_newborn};

// What a walk passes by: the application writes to it.
struct visits {
  const struct use *use;
  uint32_t count;
};

static void visit(void *object, void *context)
{
  struct visits *visits = context;
  struct object *of = use_object(visits->use, object);
  visits->count++;
  flips_expect(of->owners == 1 && in_use(object));
}

// Each eighth is done with.
static bool step(void *object, void *context)
{
  struct visits *visits = context;
  visit(object, context);
  if (flips_random(8)) return true;
  use_object(visits->use, object)->owners = 0;
  return false;
}

static void extra(const struct use *use, const struct tp_objects *objects)
{
  struct visits visits = {use, 0};
  uint32_t live = use_live(use), what = flips_random(8);
  if (what == 0) {
    tp_object_clear(objects);
    use_forget();
  } else if (what == 1 && objects->retain) {
    tp_retain_close(objects);
    use_forget();
  } else if (what == 2) {
    tp_object_audit(objects);
  } else if (what < 5) {
    tp_object_walk(objects, visit, &visits);
    flips_expect(visits.count == live);
  } else {
    tp_object_update(objects, step, &visits);
    flips_expect(visits.count == live);
  }
}

#define OBJECTS(name)                                              \
  static const struct use name##_use;                              \
  static void *name##_alloc(uint32_t score, tp_handle64_t *handle) \
  {                                                                \
    (void)score;                                                   \
    (void)handle;                                                  \
    return tp_object_alloc(&name##_objects, NULL);                 \
  }                                                                \
  static void name##_free(void *object)                            \
  {                                                                \
    tp_object_free(&name##_objects, object);                       \
  }                                                                \
  static void name##_extra(void)                                   \
  {                                                                \
    extra(&name##_use, &name##_objects);                           \
  }

OBJECTS(devices)
OBJECTS(guests)

static const struct use devices_use = {.homes = {&devices_pool},
                                       .home_count = 1,
                                       .alloc = devices_alloc,
                                       .free = devices_free,
                                       .extra = devices_extra,
                                       .told = true};
static const struct use guests_use = {.homes = {&guests_pool, &inn_pool},
                                      .chunks = {NULL, &inn_chunk},
                                      .home_count = 2,
                                      .alloc = guests_alloc,
                                      .free = guests_free,
                                      .extra = guests_extra,
                                      .told = true};

POOL_SUBJECT(devices, devices_use, POOL_PARTS(devices),
             PART("retained", devices_kept), PART("sums", devices_sum),
             PART("births", devices_births), PART("newborn", devices_newborn));
POOL_SUBJECT(guests, guests_use, POOL_PARTS(guests), POOL_PARTS(inn),
             PART("owners", inn_owner), PART("chunk", inn_chunk),
             PART("spill", spill), PART("births", guests_births),
             PART("newborn", guests_newborn));
