// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#ifndef TP_POOLS_H
#define TP_POOLS_H

#include "tidepool.h"
#include "config/tp_declare.h"
#include "object/tp_walk.h"
#include "game/types.h"

#ifdef __cplusplus
extern "C" {
#endif

// Of the values alone: comments and layout do not change it.
#define TP_CONFIG_HASH 0xeb6c5b2du

//  name     C type        size  count  when full
#define TP_POOLS(X) \
  X(links,   struct enemy,   80,     8, DROP) \
  X(thieves, struct enemy,   80,     8, STEAL_OLDEST) \
  X(plain,   void,           16,     3, DROP) \
  X(actors,  void,           80,     8, DROP)

enum tp_pool_id {
  TP_ID_LINKS,
  TP_ID_THIEVES,
  TP_ID_PLAIN,
  TP_ID_ACTORS,
  TP_POOL_N,
};

extern const struct tp_pool *const tp_pool_table[TP_POOL_N];

// Opened once, used for many lives.
// RAM: 640 bytes of slots, 36 of tags, 112 of other metadata, and its state.
TP_STATIC_ASSERT(sizeof(struct enemy) <= 80,
                 "pools.toml:8: links: size = 80 is less than sizeof(struct enemy)");
TP_STATIC_ASSERT(TP_ALIGNOF(struct enemy) <= 8,
                 "pools.toml:8: links: align = 8 is less than struct enemy needs");
bool link_open(struct enemy *object, void *context);
void link_drop(struct enemy *object);
bool link_lives(const struct enemy *object);
bool link_is_up(void *part);
void link_close(void *part);
TP_POOL_DECLARE(links, struct enemy);
TP_OBJECTS_DECLARE(links, struct enemy);

// RAM: 640 bytes of slots, 36 of ages, 36 of tags, 16 of other metadata, and its state.
TP_STATIC_ASSERT(sizeof(struct enemy) <= 80,
                 "pools.toml:9: thieves: size = 80 is less than sizeof(struct enemy)");
TP_STATIC_ASSERT(TP_ALIGNOF(struct enemy) <= 8,
                 "pools.toml:9: thieves: align = 8 is less than struct enemy needs");
TP_POOL_DECLARE(thieves, struct enemy);
TP_OBJECTS_DECLARE(thieves, struct enemy);

// RAM: 48 bytes of slots, 16 of tags, 6 of other metadata, and its state.
void plain_died(void *object);
TP_POOL_DECLARE(plain, void);
TP_OBJECTS_DECLARE(plain, void);

// Whoever walks about.
// RAM: 640 bytes of slots, 36 of tags (8 at off), and its state.
TP_STATIC_ASSERT(sizeof(struct particle) <= 80,
                 "pools.toml:12: actors: size = 80 is less than sizeof(struct particle)");
TP_STATIC_ASSERT(TP_ALIGNOF(struct particle) <= 8,
                 "pools.toml:12: actors: align = 8 is less than struct particle needs");
TP_STATIC_ASSERT(sizeof(struct enemy) <= 80,
                 "pools.toml:12: actors: size = 80 is less than sizeof(struct enemy)");
TP_STATIC_ASSERT(TP_ALIGNOF(struct enemy) <= 8,
                 "pools.toml:12: actors: align = 8 is less than struct enemy needs");
TP_POOL_DECLARE(actors, void);

#ifdef __cplusplus
}
#endif

#endif
