// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#ifndef TP_POOLS_H
#define TP_POOLS_H

#ifdef __cplusplus
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wuseless-cast"
#endif
#endif
#include "tidepool.h"
#include "tidepool_version.h"
#include "object/tp_object.h"
#include "object/tp_update.h"
#ifdef __cplusplus
#pragma GCC diagnostic pop
#endif

#include "game/types.h"

#ifdef __cplusplus
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
extern "C" {
#endif

// Of the values alone: comments and layout do not change it.
#define TP_CONFIG_HASH 0xeb6c5b2du

TP_STATIC_ASSERT(TIDEPOOL_VERSION == 100,
                 "tidepool.py of version 0.1.0 generated this, but the library is of version "
                 TIDEPOOL_VERSION_TEXT);

enum tp_pool_id {
  TP_ID_LINKS,
  TP_ID_THIEVES,
  TP_ID_PLAIN,
  TP_ID_ACTORS,
  TP_POOL_N,
};
enum tp_allocator_id {
  TP_ALLOCATOR_N = TP_POOL_N,
};

// Opened once, used for many lives.
// RAM: 640 bytes of slots, 36 of tags, 112 of other metadata, and its state.
enum {
  LINKS_COUNT = 8,
  LINKS_SIZE = 80,
};
TP_STATIC_ASSERT(sizeof(struct enemy) <= LINKS_SIZE,  // pools.toml:8: links
                 "pools.toml:8: links: size = 80 is less than sizeof(struct enemy)");
TP_STATIC_ASSERT(TP_ALIGNOF(struct enemy) <= 8,  // pools.toml:8: links
                 "pools.toml:8: links: align = 8 is less than struct enemy needs");
// Twice the same type, or the compiler says how many bytes a slot must hold.
typedef char links_size_must_be[80];
typedef char links_size_must_be[sizeof(struct enemy) > 80 ? sizeof(struct enemy) : 80];
bool link_open(struct enemy *object, void *context);
void link_drop(struct enemy *object);
bool link_lives(const struct enemy *object);
static inline bool in_use_of_links(const void *object)
{
  return link_lives((const struct enemy *)object);
}
bool link_is_up(void *part);
void link_close(void *part);
extern const struct tp_pool links_pool;
extern const struct tp_objects links_objects;

// A slot, not initialised. When all 8 are live: NULL.
static inline TP_CALL struct enemy *links_alloc(void)
{
  return (struct enemy *)tp_pool_alloc(&links_pool);
}

// Takes back what links_alloc() returned. link_drop() is not told:
// links_destroy() tells it. What it retains is not put aside: links_destroy()
// does that.
static inline TP_CALL void links_free(struct enemy *object)
{
  tp_pool_free(&links_pool, object);
}

// An object. link_open() makes it one; NULL if that returns false. When all 8
// are live: NULL.
static inline TP_CALL struct enemy *links_create(void *context)
{
  return (struct enemy *)tp_object_alloc(&links_objects, context);
}

// Ends a live object. link_drop() is told.
static inline TP_CALL void links_destroy(struct enemy *object)
{
  tp_object_free(&links_objects, object);
}

// Does a live object of these begin there?
static inline TP_CALL bool links_is_live(const struct enemy *object)
{
  return tp_object_is_live(&links_objects, object);
}

// Calls step(object, context) for each live object and destroys those for which
// it returns false. Those born meanwhile wait.
static inline TP_CALL void links_update(bool (*step)(void *, void *),
                                        void *context)
{
  tp_update_objects(&links_objects, &links_pool, false,
                    in_use_of_links, step, context);
}

// Calls visit(object, context) for each live object.
static inline TP_CALL void links_walk(void (*visit)(void *, void *),
                                      void *context)
{
  tp_object_walk(&links_objects, visit, context);
}

// Destroys every live object.
static inline TP_CALL void links_clear(void)
{
  tp_object_clear(&links_objects);
}

// Compares what in_use says with who lives. Faults: IN_USE.
static inline TP_CALL void links_audit(void)
{
  tp_object_audit(&links_objects);
}

// RAM: 640 bytes of slots, 36 of ages, 36 of tags, 16 of other metadata, and
// its state.
enum {
  THIEVES_COUNT = 8,
  THIEVES_SIZE = 80,
};
TP_STATIC_ASSERT(sizeof(struct enemy) <= THIEVES_SIZE,  // pools.toml:9: thieves
                 "pools.toml:9: thieves: size = 80 is less than sizeof(struct enemy)");
TP_STATIC_ASSERT(TP_ALIGNOF(struct enemy) <= 8,  // pools.toml:9: thieves
                 "pools.toml:9: thieves: align = 8 is less than struct enemy needs");
typedef char thieves_size_must_be[80];
typedef char thieves_size_must_be[sizeof(struct enemy) > 80 ? sizeof(struct enemy) : 80];
extern const struct tp_pool thieves_pool;
extern const struct tp_objects thieves_objects;

// A slot, not initialised. When all 8 are live: the oldest is stolen,
// link_drop() is told. NULL iff each is changing hands.
static inline TP_CALL struct enemy *thieves_alloc(void)
{
  return (struct enemy *)tp_aged_alloc(&thieves_pool);
}

// Takes back what thieves_alloc() returned. link_drop() is not told:
// thieves_destroy() tells it.
static inline TP_CALL void thieves_free(struct enemy *object)
{
  tp_aged_free(&thieves_pool, object);
}

// An object. When all 8 are live: the oldest is stolen, link_drop() is told.
// NULL iff each is changing hands.
static inline TP_CALL struct enemy *thieves_create(void *context)
{
  return (struct enemy *)tp_object_alloc(&thieves_objects, context);
}

// Ends a live object. link_drop() is told.
static inline TP_CALL void thieves_destroy(struct enemy *object)
{
  tp_object_free(&thieves_objects, object);
}

// Does a live object of these begin there?
static inline TP_CALL bool thieves_is_live(const struct enemy *object)
{
  return tp_object_is_live(&thieves_objects, object);
}

// Calls step(object, context) for each live object and destroys those for which
// it returns false. Those born meanwhile wait.
static inline TP_CALL void thieves_update(bool (*step)(void *, void *),
                                          void *context)
{
  tp_update_objects(&thieves_objects, &thieves_pool, false,
                    NULL, step, context);
}

// Calls visit(object, context) for each live object.
static inline TP_CALL void thieves_walk(void (*visit)(void *, void *),
                                        void *context)
{
  tp_object_walk(&thieves_objects, visit, context);
}

// Destroys every live object.
static inline TP_CALL void thieves_clear(void)
{
  tp_object_clear(&thieves_objects);
}

// Compares what in_use says with who lives. Faults: IN_USE.
static inline TP_CALL void thieves_audit(void)
{
  tp_object_audit(&thieves_objects);
}

// RAM: 48 bytes of slots, 16 of tags, 12 of other metadata, and its state.
enum {
  PLAIN_COUNT = 3,
  PLAIN_SIZE = 16,
};
void plain_died(void *object);
extern const struct tp_pool plain_pool;
extern const struct tp_objects plain_objects;

// A slot, not initialised. When all 3 are live: NULL.
static inline TP_CALL void *plain_alloc(void)
{
  return tp_pool_alloc(&plain_pool);
}

// Takes back what plain_alloc() returned. plain_died() is not told:
// plain_destroy() tells it.
static inline TP_CALL void plain_free(void *object)
{
  tp_pool_free(&plain_pool, object);
}

// An object. When all 3 are live: NULL.
static inline TP_CALL void *plain_create(void *context)
{
  return tp_object_alloc(&plain_objects, context);
}

// Ends a live object. plain_died() is told.
static inline TP_CALL void plain_destroy(void *object)
{
  tp_object_free(&plain_objects, object);
}

// Does a live object of these begin there?
static inline TP_CALL bool plain_is_live(const void *object)
{
  return tp_object_is_live(&plain_objects, object);
}

// Calls step(object, context) for each live object and destroys those for which
// it returns false. Those born meanwhile wait.
static inline TP_CALL void plain_update(bool (*step)(void *, void *),
                                        void *context)
{
  tp_update_objects(&plain_objects, &plain_pool, false,
                    NULL, step, context);
}

// Calls visit(object, context) for each live object.
static inline TP_CALL void plain_walk(void (*visit)(void *, void *),
                                      void *context)
{
  tp_object_walk(&plain_objects, visit, context);
}

// Destroys every live object.
static inline TP_CALL void plain_clear(void)
{
  tp_object_clear(&plain_objects);
}

// Compares what in_use says with who lives. Faults: IN_USE.
static inline TP_CALL void plain_audit(void)
{
  tp_object_audit(&plain_objects);
}

// Whoever walks about.
// RAM: 640 bytes of slots, 36 of tags (8 at off), and its state.
enum {
  ACTORS_COUNT = 8,
  ACTORS_SIZE = 80,
};
TP_STATIC_ASSERT(sizeof(struct particle) <= ACTORS_SIZE,  // pools.toml:12: actors
                 "pools.toml:12: actors: size = 80 is less than sizeof(struct particle)");
TP_STATIC_ASSERT(TP_ALIGNOF(struct particle) <= 8,  // pools.toml:12: actors
                 "pools.toml:12: actors: align = 8 is less than struct particle needs");
TP_STATIC_ASSERT(sizeof(struct enemy) <= ACTORS_SIZE,  // pools.toml:12: actors
                 "pools.toml:12: actors: size = 80 is less than sizeof(struct enemy)");
TP_STATIC_ASSERT(TP_ALIGNOF(struct enemy) <= 8,  // pools.toml:12: actors
                 "pools.toml:12: actors: align = 8 is less than struct enemy needs");
typedef char actors_size_must_be[80];
typedef char actors_size_must_be[sizeof(struct particle) > 80 ? sizeof(struct particle) : 80];
typedef char actors_size_must_be[sizeof(struct enemy) > 80 ? sizeof(struct enemy) : 80];
extern const struct tp_pool actors_pool;

// A slot, not initialised. When all 8 are live: NULL.
static inline TP_CALL void *actors_alloc(void)
{
  return tp_pool_alloc(&actors_pool);
}

// Takes back what actors_alloc() returned.
static inline TP_CALL void actors_free(void *object)
{
  tp_pool_free(&actors_pool, object);
}

#ifdef __cplusplus
}
#pragma GCC diagnostic pop
#endif

#endif
