// SPDX-License-Identifier: MIT
// tp_pool.h - a fixed number of equal slots, issued and taken back in O(1).
//
// The idea, and the answers to a full pool, are those of the "Object Pool"
// chapter of Robert Nystrom's Game Programming Patterns.
#ifndef TP_POOL_H
#define TP_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#define TP_STATIC_ASSERT(claim, text) static_assert(claim, text)
#define TP_ALIGNOF(type)              alignof(type)
#else
#define TP_STATIC_ASSERT(claim, text) _Static_assert(claim, text)
#define TP_ALIGNOF(type)              _Alignof(type)
#endif

// A slot's number within its pool. Slots count from 1, so that 0 can mean "no
// slot": then zeroed memory is a pool with every slot available, and there is
// no init function to call, to forget or to wait for.
typedef uint16_t tp_slot_t;
#define TP_NO_SLOT ((tp_slot_t)0)

// A word of a slot, seen as memory: may alias whatever object lives there.
typedef uint32_t __attribute__((may_alias)) tp_word_t;

// Slots a pool can have: live counts and slot numbers share a word, and its
// top bit stays clear.
#define TP_CAPACITY_MAX 32767

// What a pool remembers apart from its list and tags. Zero at boot.
//
// Invariants, checked by tp_pool_verify():
//   length of the free list + live == fresh      (live: top half of tag[0])
//   fresh <= capacity
struct tp_pool_state {
  tp_slot_t fresh;     // Slots 1..fresh were issued at least once. Since a new
                       // one is taken only when no other is free, this is also
                       // the high-water mark of live objects.
  tp_slot_t scrubbed;  // The slot tp_pool_scrub() looked at last.
  uint32_t overflows;  // Requests that found every slot live. Wraps.
  uint32_t steals;     // Of those, how many took a victim's place. Wraps.
  uint32_t spills;     // Of those, how many another pool served. Wraps.
  uint32_t
      refused_by_rule;  // Of those, how many a rule refused: pins, ages, scores,
                        // reserves. Wraps.
  tp_slot_t reached;   // The highest fresh before it began again: no tag above
                       // it and fresh was ever used.
};

// A link of the age ring: the live slots in order of birth, threaded through
// an array indexed by slot. Link 0 is the ring's head, so adding and removing
// have no special case, and zeroed memory is an empty ring. A pinned slot is a
// ring of its own: nobody who steals finds it, and it is removed like any.
struct tp_age_link {
  tp_slot_t older;
  tp_slot_t newer;
};

struct tp_pool;

// What a pool does at its edges. Never called with a pool locked. A policy that
// needs parameters embeds this as its first member.
struct tp_policy {
  // Every slot is live. Returns an object all the same, or NULL when the
  // request is refused. Unless [tag] is NULL, the tag of its slot goes there.
  void *(*overflow)(const struct tp_pool *pool, uint32_t *tag);
  // [object], which is none of the pool's, was given back to it. Returns false
  // when that is a bug of the caller's. NULL: it always is. A pool whose policy
  // has it says .takes_foreign = 1.
  bool (*take_back)(const struct tp_pool *pool, void *object);
};

// What a pool masks while it changes its books. Any other value is that of
// BASEPRI: interrupts more urgent than it go on and must not use the pool.
enum tp_pool_lock {
  TP_LOCK_PRIMASK = 0,  // Any context may call. The default.
  TP_LOCK_NONE = 1,     // One context only; the application sees to it.
};

// What is decided when the firmware is linked. Lives in flash.
struct tp_pool {
  uint32_t *tag;  // tag[0]: the list word. tag[slot]: TP_LIVE
                  // and how often the slot was issued. Two
                  // entries only if the pool has no tags.
  struct tp_pool_state *state;
  tp_word_t *storage;       // Where slot 1 begins.
  struct tp_age_link *age;  // capacity + 1 links; NULL unless aged.
  uint32_t *born;           // tp_clock_now at birth, by slot; NULL
                            // unless an aged pool is also timed.
  const struct tp_policy *policy;
  void (*evict)(void *victim);  // Told before its slot changes hands.
  const char *name;
  const char *link_check;  // Defined by tp_pools.ld: without it the
                           // link fails with a sentence. May be NULL.
  uintptr_t inverse;   // Divides by the stride: tp_slot_of().
  uint16_t stride;     // Bytes from one slot to the next.
  uint16_t size;       // Bytes an object may use.
  tp_slot_t capacity;
  uint8_t shift;        // Belongs to inverse.
  uint8_t lock;         // enum tp_pool_lock, or BASEPRI's value.
  uint8_t zone;         // Bytes of red zone within the stride.
  uint8_t tagged;       // 1: has tags at every level, for handles.
  uint8_t refuses;      // 1: the policy always answers NULL.
  uint8_t handle_bits;  // Low bits of a handle that hold the slot.
  uint8_t takes_foreign;  // 1: the policy takes others' objects back.
  uint16_t min_age;     // Units of tp_clock_now before an object can
                        // be stolen. Not 0 only in timed pools.
};

// Issues a slot of [pool] and returns the object in it.
//
// The bytes are what the last owner left (TP_POISON_NEW from poison up), so
// initialise every field. When every slot is live the pool's policy answers.
//
// Returns  an object aligned as the pool's row says. NULL iff every slot is
//          live and the policy refuses: drop always does; steal-oldest does
//          when all of them are being evicted or issued by the contexts it
//          interrupted; assert faults instead.
// Faults   LINK, TAG (fast); POISON (poison); RED_ZONE (full); FULL (assert).
// Time     O(1), no loop but poison's over the slot. One locked window; two
//          more when it steals. No callback runs inside any.
// Context  Any the pool's lock allows. The policy's evict runs in yours.
void *tp_pool_alloc(const struct tp_pool *pool);

// Takes [object] back. Its bytes become TP_POISON from poison up.
//
// Faults   FOREIGN, INTERIOR, DOUBLE_FREE (fast). NULL is a stray like any
//          other. RED_ZONE (full). At off: nothing is checked.
// Time     O(1). One locked window, two from poison up.
// Context  Any the pool's lock allows; but an object that an interrupt may
//          steal is freed by handle, tp_handle_free(), never by address.
void tp_pool_free(const struct tp_pool *pool, void *object);

// Takes every object back, as when a level ends: nobody is told, all handles
// are stale, and slots are issued in the order of their addresses again.
//
// Faults   RED_ZONE (full).
// Time     O(slots ever issued), O(their bytes) from poison up; each slot has a
//          locked window of its own.
// Context  One that no user of the pool interrupts.
void tp_pool_reset(const struct tp_pool *pool);

// Makes [pool], no object of which is live, as at boot: slots are issued for
// the first time again, in order, wherever its storage lies now. Generations
// and figures go on, so handles of before stay stale.
//
// Time     O(1), nothing locked.
// Context  One that no user of the pool interrupts.
void tp_pool_forget(const struct tp_pool *pool);

// How DECLARE macros begin a call: they may stand in a source file, which need
// not use every one.
#define TP_CALL static inline __attribute__((unused))

// Declares pool [name] of [type] and the typed calls that applications use.
// They are as cheap as the call behind them.
#define TP_POOL_DECLARE(name, type)        \
  extern const struct tp_pool name##_pool; \
  TP_POOL_DECLARE_CALLS(name, type)

#define TP_POOL_DECLARE_CALLS(name, type)       \
  TP_CALL type *name##_alloc(void)              \
  {                                             \
    return (type *)tp_pool_alloc(&name##_pool); \
  }                                             \
  TP_CALL void name##_free(type *object)        \
  {                                             \
    tp_pool_free(&name##_pool, object);         \
  }                                             \
  TP_STATIC_ASSERT(1, "")

// The same for a pool whose code is compiled for it alone: TP_POOL_OWN().
#define TP_POOL_DECLARE_OWN(name, type)    \
  extern const struct tp_pool name##_pool; \
  type *name##_alloc(void);                \
  void name##_free(type *object)

#ifdef __cplusplus
}
#endif

#endif
