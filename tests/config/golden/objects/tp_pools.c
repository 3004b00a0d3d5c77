// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#include "tp_pools.h"
#include "config/tp_define.h"

static bool init_of_links(void *object, void *context)
{
  return link_open((struct enemy *)object, context);
}
static void deinit_of_links(void *object)
{
  link_drop((struct enemy *)object);
}
static bool in_use_of_links(const void *object)
{
  return link_lives((const struct enemy *)object);
}
TP_POOL_DEFINE(links, 80, 8, 8,
               TP_NO_BANK, TP_TAGS_ALWAYS,
               .policy = &tp_drop, .lock = TP_LOCK_PRIMASK,
               .refuses = 1);
TP_RETAIN_DEFINE(links, 8, 16, 8,
                 .validate = link_is_up,
                 .close = link_close);
TP_OBJECTS_DEFINE(links, 8,
                  .retain = &links_retain,
                  .init = init_of_links,
                  .deinit = deinit_of_links,
                  .in_use = in_use_of_links);

static void deinit_of_thieves(void *object)
{
  link_drop((struct enemy *)object);
}
TP_POOL_AGE(thieves, 8);
TP_OBJECTS_EVICT(thieves);
TP_POOL_DEFINE(thieves, 80, 8, 8,
               TP_NO_BANK, TP_TAGS_ALWAYS,
               .policy = &tp_steal_oldest, .lock = TP_LOCK_PRIMASK,
               .age = thieves_age,
               .evict = thieves_evict);
TP_OBJECTS_DEFINE(thieves, 8,
                  .deinit = deinit_of_thieves);

TP_POOL_DEFINE(plain, 16, 3, 8,
               TP_NO_BANK, TP_TAGS_ALWAYS,
               .policy = &tp_drop, .lock = TP_LOCK_PRIMASK,
               .refuses = 1);
TP_OBJECTS_DEFINE(plain, 3,
                  .deinit = plain_died);

TP_POOL_DEFINE(actors, 80, 8, 8,
               TP_NO_BANK, TP_TAGS_IF_CHECKED,
               .policy = &tp_drop, .lock = TP_LOCK_PRIMASK,
               .refuses = 1);

const struct tp_pool *const tp_pool_table[TP_POOL_N] = {
  &links_pool,
  &thieves_pool,
  &plain_pool,
  &actors_pool,
};
