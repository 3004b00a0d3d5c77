// SPDX-License-Identifier: MIT
// tidepool.h - the pool: a fixed number of equal slots, issued and taken back
// in O(1).
//
// A pool is a `const struct tp_pool` in flash and a few words of RAM that are
// zero at boot: nothing is initialised, nothing is allocated. Pools come from
// pools.toml, whose generated header has a typed call for each of those below
// (sparks_alloc() is tp_pool_alloc(&sparks_pool)), or from TP_POOL_DEFINE() in
// config/tp_define.h. Stacks, frames, blocks of any size, dense and relocating
// pools and nests have headers of their own in allocator/.
//
// The idea: "Object Pool" in Robert Nystrom's Game Programming Patterns.
//
// How to read a contract. Returns: what, and when exactly NULL or false.
// Faults: bugs of the caller that are noticed, each with the check level from
// which it is: check/tp_level.h. Time: what the call costs and how long it
// keeps interrupts masked. Context: from where; Any: see enum tp_pool_lock.
#ifndef TIDEPOOL_H
#define TIDEPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "check/tp_level.h"

#ifdef __cplusplus
extern "C" {
#define TP_STATIC_ASSERT static_assert
#define TP_ALIGNOF       alignof
#else
#define TP_STATIC_ASSERT _Static_assert
#define TP_ALIGNOF       _Alignof
#endif

// The pool -------------------------------------------------------------------

// A slot's number within its pool. Slots count from 1, so 0 means "no slot":
// then zeroed memory is a pool with every slot available.
typedef uint16_t tp_slot_t;
#define TP_NO_SLOT      ((tp_slot_t)0)
#define TP_CAPACITY_MAX 32767  // Slot numbers and live counts share a word.

// A word of a slot, seen as memory: may alias whatever object lives there.
typedef uint32_t __attribute__((may_alias)) tp_word_t;

// A link of the ring of live slots in order of birth; see core/tp_core.h.
struct tp_age_link {
  tp_slot_t older;
  tp_slot_t newer;
} __attribute__((aligned(4)));  // Both are loaded at once.

struct tp_pool;
struct tp_general;
typedef const void *tp_site_t;  // Where a call stands, for a fault record.

// What a pool does at its edges. Called with no pool locked, in the context of
// the request, and may use any pool, the full one too. A policy that needs
// parameters embeds this as its first member and casts pool->policy back.
struct tp_policy {
  // Every slot is live. Returns an object and, unless it counts that in steals
  // or spills, makes state->overflows one less; or NULL: refused. Unless [tag]
  // is NULL, it holds ~score, 0 for the highest, and gets the tag of the slot.
  void *(*overflow)(const struct tp_pool *pool, uint32_t *tag, tp_site_t site);
  // [object], which is none of the pool's, was given back to it. False iff that
  // is a bug of the caller's; NULL: it is. Their rows say take_back = true.
  bool (*take_back)(const struct tp_pool *pool, void *object, tp_site_t site);
};

// The policies that need no parameters; others are in policy/.
extern const struct tp_policy tp_assert;        // Fault FULL: must not happen.
extern const struct tp_policy tp_drop;          // NULL: nobody will miss it.
extern const struct tp_policy tp_steal_oldest;  // The oldest object makes room.

// What pools with a ring or with tags for handles name: core/tp_calls.h.
extern const struct tp_general tp_general;

// What a pool masks while it changes its metadata. Any other value is that of
// BASEPRI: interrupts more urgent than it go on and must not use the pool.
//
// No lock holds back an NMI or a HardFault, another core only core/tp_cores.h,
// and unprivileged code masks nothing: at full, CONTEXT; core/tp_verify.c.
enum tp_pool_lock {
  TP_LOCK_PRIMASK = 0,  // Privileged code and any interrupt. The default.
  TP_LOCK_NONE = 1,     // One context only; the application sees to it.
};

// What a pool counts apart from its list and tags. Zero at boot. Counters wrap.
//
// Invariants, checked by tp_pool_verify():
//   length of the free list + live objects == fresh <= capacity
struct tp_pool_state {
  tp_slot_t fresh;  // Slots 1..fresh were issued once. A new one is only when
                    // none is free: it is the high-water mark of live ones.
  tp_slot_t scrubbed;        // Looked at last; bit 15: core/tp_verify.c.
  uint32_t overflows;        // Requests that found every slot live.
  uint32_t steals;           // Of those, how many took a victim's place.
  uint32_t spills;           // Of those, lent; hardened: see tp_tag_restart().
  uint32_t refused_by_rule;  // Of those, by a pin, min_age, score or reserve.
  tp_slot_t reached;         // The highest fresh before tp_pool_forget().
  uint16_t generations;      // Their sum, from poison up: core/tp_tag.h.
};

// What is decided when the firmware is linked. Lives in flash.
struct tp_pool {
  uint32_t *tag;      // tag[0]: the list word. tag[slot]: is it live, how
                      // often was it issued. Two entries if it has no tags.
  uintptr_t origin;   // Where slot 0 would begin: one stride before storage.
  uintptr_t inverse;  // Divides by the stride: tp_slot_of().
  uint32_t gate;      // TP_GATE(): the shift that belongs to inverse, and above
                      // it the capacity, or 0 if the pool has a ring.
  struct tp_pool_state *state;
  tp_word_t *storage;  // Where slot 1 begins: at its link, while it is dead.
  struct tp_age_link *age;  // The ring, oldest first; NULL unless it steals.
  uint32_t *born;  // tp_clock_now at birth, by slot; NULL unless it is timed.
  const struct tp_policy *policy;
  const struct tp_general *general;  // &tp_general, or NULL.
  void (*evict)(void *victim);  // Told before its slot changes hands. May use
                                // any pool, this one too. May be NULL.
  const char *name;
  const char *link_check;  // Of what must be linked, too. May be NULL.
  uint16_t stride;         // Bytes from one slot to the next.
  uint16_t size;           // Bytes of a slot, from its link to its red zone.
  tp_slot_t capacity;
  uint8_t lock;           // enum tp_pool_lock, or BASEPRI's value.
  uint8_t zone;           // Bytes of red zone within the stride.
  uint8_t tagged;         // 1: has tags at every level, for handles.
  uint8_t refuses;        // 1: the policy always answers NULL.
  uint8_t handle_bits;    // Low bits of a handle that hold the slot.
  uint8_t takes_foreign;  // 1: the policy takes others' objects back.
  uint16_t min_age;  // tp_clock_now until it can be stolen. 0 unless timed.
  uint8_t hardened;  // TP_CODED, TP_OUTSIDE of core/tp_harden.h. 0: neither.
  uint8_t magazine;  // Slots that a core keeps, core/tp_magazine.h. 0: none.
#if TIDEPOOL_SANITIZE
  uint16_t object, before;  // Of an object: bytes, and those before its link.
  uint32_t *written;        // TP_WRITTEN() words a slot; NULL: nobody asks.
  uint16_t *lent;           // TP_LENT_AS() of each; NULL: none is ever lent.
#endif
};

// Issues a slot of [pool] and returns the object in it.
//
// The bytes are what the last owner left (TP_POISON_NEW from poison up), so
// initialise every field. When every slot is live the pool's policy answers.
//
// Returns  an object aligned as the pool's row says. NULL iff every slot is
//          live and the policy refuses: drop always does; steal-oldest does if
//          it finds nobody to take, because all are pinned, or being evicted or
//          issued by contexts it interrupted, or freed by one that interrupts
//          it, or the oldest is younger than min_age; assert faults instead.
// Faults   LINK, TAG (fast); POISON (poison); RED_ZONE, CONTEXT: no lock serves
//          who calls (full); FULL (off): of a pool with tp_assert.
// Time     O(1), no loop but poison's over the slot. One locked window, two if
//          no freed slot is left; one more where it steals, two for a theft if
//          there is evict() or min_age, or from poison up; another for a ring,
//          but by tp_aged_alloc(). At full, O(capacity) masked, twice: TP_AUDIT
// Context  Any the pool's lock allows. evict() runs in yours, nothing locked.
void *tp_pool_alloc(const struct tp_pool *pool);

// Takes [object] back. Its bytes become TP_POISON from poison up.
//
// Faults   FOREIGN, INTERIOR, DOUBLE_FREE (fast). NULL is one like any
//          other. RED_ZONE, CONTEXT (full). At off: only in a pool with tags.
// Time     O(1). One locked window, two from poison up. At full as above.
// Context  Any the pool's lock allows; but an object that an interrupt may
//          steal is freed by handle, tp_handle_free(), never by address.
void tp_pool_free(const struct tp_pool *pool, void *object);

// The two of a pool that steals: tp_pool_alloc() and tp_pool_free() work too,
// and only then look whether it does.
void *tp_aged_alloc(const struct tp_pool *pool);
void tp_aged_free(const struct tp_pool *pool, void *object);

// The two of any pool whose row says lock = "none": without a window.
void *tp_unlocked_alloc(const struct tp_pool *pool);
void tp_unlocked_free(const struct tp_pool *pool, void *object);

// Takes every object back, as when a level ends: nobody is told, all handles
// are stale, slots come in the order of their addresses again. What lies in
// another pool, lent or reserved, stays: tp_spill_reset(). Not while it lends.
//
// Faults   INVARIANT: its state says that more slots were issued than there are
//          (fast). RED_ZONE (full).
// Time     O(slots ever issued), O(their bytes) from poison up. A window each.
// Context  One that no user of the pool interrupts; not in its evict.
void tp_pool_reset(const struct tp_pool *pool);

// Makes [pool], no object of which is live, as at boot: slots are issued in
// order, wherever its storage lies now. Generations and figures go on.
//
// Time     O(1), nothing locked.
// Context  One that no user of the pool interrupts.
void tp_pool_forget(const struct tp_pool *pool);

// Handles --------------------------------------------------------------------

// A reference that notices when its object is gone: the slot's number in the
// low handle_bits, above it how often it had been issued, its generation.
// Freeing and stealing make it stale, whoever gets the slot next: it resolves
// to NULL, for ever: until the generation wraps, which the generator computes.
// All-zero is never a handle. Those of 64 bits have 16 and 32, for slots that
// are reused so often that a shorter generation would wrap within a mission.
// In tp_pools.h each row has a type of its own, NAME_handle_t, of such .bits.
typedef uint32_t tp_handle_t;
typedef uint64_t tp_handle64_t;
#define TP_NO_HANDLE ((tp_handle_t)0)

// Issues a slot of [pool] as tp_pool_alloc() does, and writes its handle to
// [handle] before anybody could steal it.
//
// Returns  the object; NULL, and TP_NO_HANDLE in [handle], iff tp_pool_alloc()
//          would. Who steals the oldest takes each older one first that is not
//          pinned; who steals the least may take it at once: tp_steal_least.h.
// Faults   those of tp_pool_alloc().
// Time     O(1), the locked windows of tp_pool_alloc().
// Context  Any the pool's lock allows.
void *tp_handle_alloc(const struct tp_pool *pool, tp_handle_t *handle);
void *tp_handle64_alloc(const struct tp_pool *pool, tp_handle64_t *handle);

// Returns  the handle of [object]; TP_NO_HANDLE iff it is not a live object of
//          [pool], which is also the answer for NULL.
// Time     O(1), nothing locked.
// Context  Any, but the object must be yours: where an interrupt may have
//          stolen it meanwhile, this is the thief's handle. tp_handle_alloc().
tp_handle_t tp_handle_of(const struct tp_pool *pool, const void *object);
tp_handle64_t tp_handle64_of(const struct tp_pool *pool, const void *object);

// Returns  the object [handle] refers to; NULL iff it is stale or no handle.
// Time     O(1), nothing locked: a tag is one word, read once.
// Context  Any. An interrupt that steals may take the object at any moment
//          from here on. So: what you read counts iff the handle still
//          resolves after the last read; write only with that interrupt masked
//          from tp_handle_get() to the last write, or to a pinned object.
void *tp_handle_get(const struct tp_pool *pool, tp_handle_t handle);
void *tp_handle64_get(const struct tp_pool *pool, tp_handle64_t handle);

// Takes back the object [handle] refers to, compared under the lock: where an
// interrupt steals it first, nobody loses another's.
//
// Returns  true; false iff the handle is stale or no handle: nothing changed.
// Faults   RED_ZONE, CONTEXT (full).
// Time     O(1). One locked window, two from poison up or if it has a ring.
// Context  Any the pool's lock allows.
bool tp_handle_free(const struct tp_pool *pool, tp_handle_t handle);
bool tp_handle64_free(const struct tp_pool *pool, tp_handle64_t handle);

// The four of a pool that steals or has another lock, as tp_aged_alloc() is.
void *tp_handle_alloc_aged(const struct tp_pool *pool, tp_handle_t *handle);
void *tp_handle64_alloc_aged(const struct tp_pool *pool, tp_handle64_t *handle);
bool tp_handle_free_aged(const struct tp_pool *pool, tp_handle_t handle);
bool tp_handle64_free_aged(const struct tp_pool *pool, tp_handle64_t handle);

// Pins -----------------------------------------------------------------------

// Keeps [object] from being stolen until tp_pool_unpin() or its end: a pinned
// object may be freed. In a pool that does not steal both do nothing, nor to
// what another pool lent. The owner of a raw pointer pins while it must not
// lose the object; where interrupts steal, it is pinned by handle, for it may
// be gone before any call begins.
//
// Faults   PIN: it is pinned already, or, to unpin, is not. FOREIGN, INTERIOR,
//          DOUBLE_FREE: it is no live object of [pool] (fast); of one that
//          spills, DOUBLE_FREE alone. CONTEXT (full).
// Time     O(1), one locked window.
// Context  Any the pool's lock allows.
void tp_pool_pin(const struct tp_pool *pool, void *object);

// Lets it be stolen again: last of all, as its age starts again.
void tp_pool_unpin(const struct tp_pool *pool, void *object);

// The same by handle: the generation is compared under the lock, so what is
// returned is pinned before anybody could steal it, and may be read and written
// until tp_handle_unpin() as if nobody stole. Pools that steal.
//
// Returns  the object, or true; NULL or false iff the handle is stale or no
//          handle: nothing changed.
// Faults   PIN (fast). CONTEXT (full).
// Time, Context  as above.
void *tp_handle_pin(const struct tp_pool *pool, tp_handle_t handle);
void *tp_handle64_pin(const struct tp_pool *pool, tp_handle64_t handle);
bool tp_handle_unpin(const struct tp_pool *pool, tp_handle_t handle);
bool tp_handle64_unpin(const struct tp_pool *pool, tp_handle64_t handle);

// Statistics -----------------------------------------------------------------

// What an allocator did since boot: each has a call that writes them, of
// objects here. What one does not count is 0. All but live and peak wrap.
//
// Invariant of objects, at every moment and in every context, with tags:
//   allocs == frees + steals + live      (modulo 2^32)
struct tp_stats {
  uint32_t live;     // Now.
  uint32_t peak;     // Most at a time; of what is no pool since its scene came.
  uint32_t allocs;   // Issued.
  uint32_t frees;    // Given back.
  uint32_t steals;   // Whose slot another took.
  uint32_t spills;   // Requests that another pool served.
  uint32_t refused;  // Requests that got nothing.
};

// Writes the figures of [pool] to [stats]. Without tags (off) allocs, frees and
// live are 0, and refused is in a dropping pool.
//
// Time     O(slots ever issued), nothing locked: each slot's tag is read once,
//          so the invariant holds though interrupts go on.
// Context  Any: a request that it interrupts may count as refused.
void tp_pool_stats(const struct tp_pool *pool, struct tp_stats *stats);

// Returns  how many objects are live. Without tags (off) nobody knows: 0.
// Time     O(1) from fast up; at off O(slots ever issued). Nothing locked.
// Context  Any.
uint32_t tp_pool_live(const struct tp_pool *pool);

// Returns  the age of the oldest object that is not pinned, in units of
//          tp_clock_now; 0 if there is none, or the pool is not timed.
// Time     O(1), one locked window.
// Context  Any the pool's lock allows.
uint32_t tp_pool_oldest_age(const struct tp_pool *pool);

// Verification ---------------------------------------------------------------

// What an invariant of a pool can be broken by.
enum tp_broken {
  TP_SOUND = 0,
  TP_BROKEN_FRESH,   // fresh <= capacity.
  TP_BROKEN_LIST,    // The list leads to slots 1..fresh, none of them live.
  TP_BROKEN_LINK,    // Each link on it is as it was left (fast).
  TP_BROKEN_LIVE,    // As many tags are live as the list word says.
  TP_BROKEN_LENGTH,  // Length of the list + live == fresh.
  TP_BROKEN_AGE,     // The ring holds the live slots, once, but pinned ones.
  TP_BROKEN_POISON,  // Dead slots hold TP_POISON (poison and up).
  TP_BROKEN_ZONE,    // Red zones are whole (full).
  TP_BROKEN_OTHER,   // Of what is no pool, any: tp_registry.h.
  TP_BROKEN_TAG,     // Generations add up (full; poison if it has handles).
};

struct tp_finding {
  uint32_t broken;  // enum tp_broken.
  uint32_t slot;    // Where; 0 when it concerns no one slot.
};

// Returns  true iff every invariant of [pool] holds. Otherwise [finding],
//          unless NULL, says which does not, the first. At off, without tags,
//          only the list's length and membership are known.
// Time     O(capacity), plus O(its bytes) from poison up. Nothing is locked.
// Context  One that no user of the pool interrupts, with no call of the pool
//          under way: an evict() callback sees a slot that is on no list.
bool tp_pool_verify(const struct tp_pool *pool, struct tp_finding *finding);

// Looks at the next [budget] slots of [pool], round and round, and faults on a
// dead one that was written to, which tp_pool_alloc() would find only when the
// slot's turn comes: for the bottom of the list, never. Below poison: nothing.
//
// Faults   POISON (poison), RED_ZONE (full).
// Time     O(budget * stride), nothing locked: call it once a frame.
// Context  The one that every other user of the pool may interrupt.
void tp_pool_scrub(const struct tp_pool *pool, uint32_t budget);

// Faults ---------------------------------------------------------------------

// What is known about the fault. Kept where start-up code clears nothing, so
// that it can be read after the reset that follows.
struct tp_fault_record {
  uint32_t magic;              // TP_FAULT_MAGIC iff the rest was written.
  uint32_t kind;               // enum tp_fault_kind.
  const char *name;            // Of the allocator whose call it was.
  const struct tp_pool *pool;  // The same, if it is a pool; else NULL.
  uint32_t slot;               // 1 to capacity; 0 when no slot is meant.
  const void *address;         // What the caller gave, or where the slot lies.
  uint32_t offset;             // Bytes from [address] to the damage.
  uint32_t expected;           // What should have stood there.
  uint32_t found;              // What did.
  const void *caller;  // Where the call returns to; NULL: not known, as at off.
  uint32_t frame;      // tp_clock_now at that moment.
};

#define TP_FAULT_MAGIC 0x7e11a1e5u

extern struct tp_fault_record tp_fault_record;

// The application's clock, in frames or any other unit; may wrap. The record
// has it, and objects' ages are counted in it. The library never changes it.
extern uint32_t tp_clock_now;

// Called once [record] is complete, never with a pool locked, in the context
// of the offending call. Must not return; tp_port_trap() follows if it does.
// The library's own, which only traps, is weak: define yours to replace it.
void tp_fault(const struct tp_fault_record *record);

// Returns  the kind in words, "double-free"; "unknown" iff there is none.
const char *tp_fault_name(uint32_t kind);

// Makes a call of tp_pools.h part of its caller at every -O, as faults tell it.
#define TP_CALL __attribute__((always_inline, unused))

#ifdef __cplusplus
}
#endif

#endif
