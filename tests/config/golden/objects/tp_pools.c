// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#ifdef __cplusplus
#pragma GCC diagnostic ignored "-Wold-style-cast"
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wuseless-cast"
#endif
#endif

#include "tp_pools.h"
#include "check/tp_alike.h"
#include "core/tp_registry.h"
#include "core/tp_shape.h"

#ifdef __cplusplus
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#endif

TP_ALIKE_HERE("tp_pools_c", "the_library");

extern const struct tp_policy tp_steal_detached;

static bool init_of_links(void *object, void *context)
{
  return link_open((struct enemy *)object, context);
}
static void deinit_of_links(void *object)
{
  link_drop((struct enemy *)object);
}
enum {
  links_stride = TP_STRIDE(80, 8),
  links_shift = TP_SHIFT(links_stride),
  links_odd = links_stride >> links_shift,
};
static uint32_t links_tag[8 + 1];
static struct tp_pool_state links_state;
__attribute__((aligned(8)))
static tp_word_t links_storage[(TP_RED_ZONE(8) + 8 * links_stride) / 4];
const struct tp_pool links_pool = {
  .tag = links_tag,
  .origin = (uintptr_t)links_storage + TP_RED_ZONE(8) - links_stride,
  .inverse = TP_INVERSE(links_odd),
  .gate = TP_GATE(+links_stride, TP_TAGGED(8)),
  .state = &links_state,
  .storage = links_storage + TP_RED_ZONE(8) / 4,
  .policy = &tp_drop,
  .general = &tp_general,
  .name = "links",
  .stride = links_stride,
  .size = links_stride - TP_RED_ZONE(8),
  .capacity = 8,
  .lock = TP_LOCK_PRIMASK,
  .zone = TP_RED_ZONE(8),
  .tagged = 1,
  .refuses = 1,
  .handle_bits = 4,
  TP_OBJECT(80, 0, NULL)
};
static uint32_t links_kept[8 * 8 / 4];
static uint32_t links_kept_sum[8];
static const struct tp_retain links_retain = {
  .kept = links_kept,
  .sum = links_kept_sum,
  .validate = link_is_up,
  .close = link_close,
  .save = tp_retain_save,
  .restore = tp_retain_restore,
  .offset = 16,
  .size = 8,
};
static struct tp_births links_births;
static uint32_t links_newborn[(8 + 3) / 4];
const struct tp_objects links_objects = {
  .pool = &links_pool,
  .init = init_of_links,
  .deinit = deinit_of_links,
  .in_use = in_use_of_links,
  .retain = &links_retain,
  .slots = 8,
  .births = &links_births,
  .newborn = links_newborn,
};

static void deinit_of_thieves(void *object)
{
  link_drop((struct enemy *)object);
}
static void thieves_evict(void *victim)
{
  tp_object_retire(&thieves_objects, victim);
}
enum {
  thieves_stride = TP_STRIDE(80, 8),
  thieves_shift = TP_SHIFT(thieves_stride),
  thieves_odd = thieves_stride >> thieves_shift,
};
static uint32_t thieves_tag[8 + 1];
static struct tp_pool_state thieves_state;
static struct tp_age_link thieves_age[8 + 1];
__attribute__((aligned(8)))
static tp_word_t thieves_storage[(TP_RED_ZONE(8) + 8 * thieves_stride) / 4];
const struct tp_pool thieves_pool = {
  .tag = thieves_tag,
  .origin = (uintptr_t)thieves_storage + TP_RED_ZONE(8) - thieves_stride,
  .inverse = TP_INVERSE(thieves_odd),
  .gate = TP_GATE(+thieves_stride, 0),
  .state = &thieves_state,
  .storage = thieves_storage + TP_RED_ZONE(8) / 4,
  .age = thieves_age,
  .policy = &tp_steal_detached,
  .general = &tp_general,
  .evict = thieves_evict,
  .name = "thieves",
  .stride = thieves_stride,
  .size = thieves_stride - TP_RED_ZONE(8),
  .capacity = 8,
  .lock = TP_LOCK_PRIMASK,
  .zone = TP_RED_ZONE(8),
  .tagged = 1,
  .handle_bits = 4,
  TP_OBJECT(80, 0, NULL)
};
static struct tp_births thieves_births;
static uint32_t thieves_newborn[(8 + 3) / 4];
const struct tp_objects thieves_objects = {
  .pool = &thieves_pool,
  .deinit = deinit_of_thieves,
  .slots = 8,
  .births = &thieves_births,
  .newborn = thieves_newborn,
};

enum {
  plain_stride = TP_STRIDE(16, 8),
  plain_shift = TP_SHIFT(plain_stride),
  plain_odd = plain_stride >> plain_shift,
};
static uint32_t plain_tag[3 + 1];
static struct tp_pool_state plain_state;
__attribute__((aligned(8)))
static tp_word_t plain_storage[(TP_RED_ZONE(8) + 3 * plain_stride) / 4];
const struct tp_pool plain_pool = {
  .tag = plain_tag,
  .origin = (uintptr_t)plain_storage + TP_RED_ZONE(8) - plain_stride,
  .inverse = TP_INVERSE(plain_odd),
  .gate = TP_GATE(+plain_stride, TP_TAGGED(3)),
  .state = &plain_state,
  .storage = plain_storage + TP_RED_ZONE(8) / 4,
  .policy = &tp_drop,
  .general = &tp_general,
  .name = "plain",
  .stride = plain_stride,
  .size = plain_stride - TP_RED_ZONE(8),
  .capacity = 3,
  .lock = TP_LOCK_PRIMASK,
  .zone = TP_RED_ZONE(8),
  .tagged = 1,
  .refuses = 1,
  .handle_bits = 2,
  TP_OBJECT(16, 0, NULL)
};
static struct tp_births plain_births;
static uint32_t plain_newborn[(3 + 3) / 4];
const struct tp_objects plain_objects = {
  .pool = &plain_pool,
  .deinit = plain_died,
  .slots = 3,
  .births = &plain_births,
  .newborn = plain_newborn,
};

enum {
  actors_stride = TP_STRIDE(80, 8),
  actors_shift = TP_SHIFT(actors_stride),
  actors_odd = actors_stride >> actors_shift,
};
static uint32_t actors_tag[TP_TAGS(8) + 1];
static struct tp_pool_state actors_state;
__attribute__((aligned(8)))
static tp_word_t actors_storage[(TP_RED_ZONE(8) + 8 * actors_stride) / 4];
const struct tp_pool actors_pool = {
  .tag = actors_tag,
  .origin = (uintptr_t)actors_storage + TP_RED_ZONE(8) - actors_stride,
  .inverse = TP_INVERSE(actors_odd),
  .gate = TP_GATE(+actors_stride, 8),
  .state = &actors_state,
  .storage = actors_storage + TP_RED_ZONE(8) / 4,
  .policy = &tp_drop,
  .name = "actors",
  .stride = actors_stride,
  .size = actors_stride - TP_RED_ZONE(8),
  .capacity = 8,
  .lock = TP_LOCK_PRIMASK,
  .zone = TP_RED_ZONE(8),
  .refuses = 1,
  .handle_bits = 4,
  TP_OBJECT(80, 0, NULL)
};

static const struct tp_entry tp_entries[] = {
  // name, kind, allocator, policy, bank, most, bytes, stride, spare, life, seal
  {"links", &tp_pool_kind, &links_pool, "drop",
   NULL, 8, sizeof links_storage, links_stride, 0, 0u, NULL},
  {"thieves", &tp_pool_kind, &thieves_pool, "steal-oldest",
   NULL, 8, sizeof thieves_storage, thieves_stride, 0, 0u, NULL},
  {"plain", &tp_pool_kind, &plain_pool, "drop",
   NULL, 3, sizeof plain_storage, plain_stride, 0, 0u, NULL},
  {"actors", &tp_pool_kind, &actors_pool, "drop",
   NULL, 8, sizeof actors_storage, actors_stride, 0, 0u, NULL},
};
static const struct tp_entry *const tp_listed[] = {
  &tp_entries[0],
  &tp_entries[1],
  &tp_entries[2],
  &tp_entries[3],
};
const struct tp_registry tp_registry = {
  .entries = tp_listed,
  .count = 4,
  .config = TP_CONFIG_HASH,
};
