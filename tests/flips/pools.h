// SPDX-License-Identifier: MIT
// pools.h - pools as subjects: their parts, and an application that knows which
// object lies where, who is the oldest, who is pinned.
#ifndef POOLS_H
#define POOLS_H

#include "flips.h"
#include "policy/tp_spill.h"

enum { SLOTS = 6, BYTES = 24, HOMES = 3 };

// The memory of a pool, for FLIPS_PAGES, and its descriptor. So many words may
// lie behind its tags.
#define POOL_MEMORY(name) POOL_MEMORY_OF(name, 0)
#define POOL_MEMORY_OF(name, behind)                                      \
  GAP(name);                                                              \
  uint32_t name##_tag[SLOTS + 1 + (behind)];                              \
  GAP(name##_state);                                                      \
  struct tp_pool_state name##_state;                                      \
  GAP(name##_age);                                                        \
  struct tp_age_link name##_age[SLOTS + 1];                               \
  GAP(name##_born);                                                       \
  uint32_t name##_born[SLOTS + 1];                                        \
  GAP(name##_storage);                                                    \
  _Alignas(8) tp_word_t                                                   \
      name##_storage[(TP_RED_ZONE(8) + SLOTS * TP_STRIDE(BYTES, 8)) / 4]; \
  GAP(name##_end)

#define STRIDE                  TP_STRIDE(BYTES, 8)
#define POOL(name_, quick, ...) POOL_OF(name_, quick, tp_general, __VA_ARGS__)
#define POOL_OF(name_, quick, general_, ...)                                   \
  static const struct tp_pool name_##_pool = {                                 \
      .tag = pages.at.name_##_tag,                                             \
      .state = &pages.at.name_##_state,                                        \
      .storage = pages.at.name_##_storage + TP_RED_ZONE(8) / 4,                \
      .origin = (uintptr_t)pages.at.name_##_storage + TP_RED_ZONE(8) - STRIDE, \
      .inverse = TP_INVERSE(STRIDE >> TP_SHIFT(STRIDE)),                       \
      .gate = TP_GATE(STRIDE, (quick) ? SLOTS : 0),                            \
      .general = (quick) ? NULL : &general_,                                   \
      .name = #name_,                                                          \
      .link_check = TP_ALIKE,                                                  \
      .stride = STRIDE,                                                        \
      .size = STRIDE - TP_RED_ZONE(8),                                         \
      .zone = TP_RED_ZONE(8),                                                  \
      .capacity = SLOTS,                                                       \
      .handle_bits = TP_HANDLE_BITS(SLOTS),                                    \
      __VA_ARGS__}
#define TAGGED        .tagged = 1
#define DROPS         .policy = &tp_drop, .refuses = 1
#define STEALS(name_) TAGGED, .age = pages.at.name_##_age

#define POOL_PARTS(name)                                               \
  {"tags", pages.at.name##_tag, sizeof pages.at.name##_tag},           \
      {"state", &pages.at.name##_state, sizeof pages.at.name##_state}, \
      {"age", pages.at.name##_age, sizeof pages.at.name##_age},        \
      {"born", pages.at.name##_born, sizeof pages.at.name##_born},     \
  {                                                                    \
    "slots", pages.at.name##_storage, sizeof pages.at.name##_storage   \
  }

// How the application uses its pool.
struct use {
  const struct tp_pool *homes[HOMES];    // The pool, and those it borrows from.
  const struct tp_chunk *chunks[HOMES];  // NULL: it is none.
  uint32_t home_count;
  void *(*alloc)(uint32_t score, tp_handle64_t *handle);
  void (*free)(void *object);
  bool (*free_handle)(tp_handle64_t handle);  // NULL: it has none.
  void *(*get)(tp_handle64_t handle);
  void *(*pin)(tp_handle64_t handle);
  bool (*unpin)(tp_handle64_t handle);
  bool steals;
  void (*extra)(void);  // What only this one can do. NULL: nothing.
  bool least;
  bool asserts;  // A full one faults: it is never asked.
  bool told;     // Of an object's end: tp_pool_reset() tells nobody.
};

struct object {
  uint32_t owners;  // Of its slot: 2 only where it was given out twice.
  uint32_t number;
  uint32_t birth;
  uint32_t score;
  uint32_t pinned;
  tp_handle64_t handle;
  tp_handle64_t stale;
};

// All that the application knows.
struct knows {
  struct object objects[HOMES][SLOTS];
  uint32_t next;
  uint32_t target;  // How many it shall be.
  void *evicted;
  uint32_t attached;
  uint32_t more;
};
extern struct knows knows;

void use_step(const struct use *use);
void use_forget(void);  // All objects ended.
uint32_t use_left(const struct use *use);
void use_evict(const struct use *use, void *victim);
bool use_verify(const struct use *use);
const char *use_owns(const struct use *use, const struct part *part,
                     uint32_t byte);
uint32_t use_live(const struct use *use);

// What is known of the object that an allocator gave out or passed by.
struct object *use_object(const struct use *use, const void *memory);

#define POOL_SUBJECT(name, used, ...)                                    \
  static const struct part name##_parts[] = {__VA_ARGS__};               \
  static void name##_step(void)                                          \
  {                                                                      \
    use_step(&used);                                                     \
  }                                                                      \
  static uint32_t name##_left(void)                                      \
  {                                                                      \
    return use_left(&used);                                              \
  }                                                                      \
  static bool name##_verify(void)                                        \
  {                                                                      \
    return use_verify(&used);                                            \
  }                                                                      \
  static const char *name##_owns(const struct part *part, uint32_t byte) \
  {                                                                      \
    return use_owns(&used, part, byte);                                  \
  }                                                                      \
  static void name##_stats(struct tp_stats *stats)                       \
  {                                                                      \
    tp_pool_stats(used.homes[0], stats);                                 \
  }                                                                      \
  const struct subject name##_subject = {                                \
      #name,                                                             \
      &pages.at,                                                         \
      PAGE_BYTES_OF_PAGES,                                               \
      &knows,                                                            \
      sizeof knows,                                                      \
      name##_parts,                                                      \
      sizeof name##_parts / sizeof name##_parts[0],                      \
      name##_owns,                                                       \
      name##_step,                                                       \
      name##_verify,                                                     \
      name##_left,                                                       \
      name##_stats,                                                      \
  }
#define PAGE_BYTES_OF_PAGES (sizeof pages - 2 * FAR_AWAY)

// A pool that has no other home.
#define USE(name_, ...)                                            \
  static const struct use name_##_use = {.homes = {&name_##_pool}, \
                                         .home_count = 1,          \
                                         .alloc = name_##_alloc,   \
                                         .free = name_##_free,     \
                                         __VA_ARGS__};             \
  POOL_SUBJECT(name_, name_##_use, POOL_PARTS(name_))

#endif
