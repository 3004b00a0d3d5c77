// SPDX-License-Identifier: MIT
// tp_shadow.h - internal: what the sanitizer asks of the allocators. There is
// no shadow memory: an allocator's own words say of each of its bytes whether
// somebody has it.
//
// tp_sanitize.c knows runs of memory and whose they are; the core gathers them
// from the registry, and each kind of allocator judges accesses to its own.
// The application's code alone is looked at, and only in a build with
// TIDEPOOL_SANITIZE = 1.
#ifndef TP_SHADOW_H
#define TP_SHADOW_H

#include "check/tp_level.h"
#include "tidepool.h"
#include "tp_port.h"

// Which interrupt runs, for a port that can tell: one that comes while an
// object is evicted must not touch it.
#ifndef TP_PORT_CONTEXT
#define TP_PORT_CONTEXT() 0u
#endif

// Beside what an initialiser of a struct tp_kind says.
#if TIDEPOOL_SANITIZE
#define TP_SHADOW(name) , .shadow = &(name)
#else
#define TP_SHADOW(name)
#endif

#ifdef __cplusplus
extern "C" {
#endif

// Somebody's load or store.
struct tp_access {
  uintptr_t address;
  uint32_t bytes;
  bool writes;
};

// Memory of which every access is judged.
struct tp_run {
  uintptr_t begin;
  uint32_t bytes;
};

// What allocators of one kind tell of their memory.
struct tp_shadow {
  // Writes where run [index] of it lies, 0 bytes if it has no such run now.
  // Returns false iff there are no more.
  bool (*run)(const void *allocator, uint32_t index, struct tp_run *run);
  // What is wrong with the access: then the record says with what object.
  // TP_FAULT_NONE if nothing: then nothing is written to it.
  enum tp_fault_kind (*judge)(const void *allocator,
                              const struct tp_access *access,
                              struct tp_fault_record *record);
  // Is the slots' owner [part] one of its own, which it judges? NULL: none is.
  bool (*has)(const void *allocator, const void *part);
};

extern const struct tp_shadow tp_pool_shadow, tp_chunk_shadow, tp_stack_shadow,
    tp_dstack_shadow, tp_frame_shadow, tp_nest_shadow, tp_blocks_shadow,
    tp_dense_shadow, tp_arena_shadow, tp_scenes_shadow;

#if TIDEPOOL_SANITIZE
// Writes where the access is: in memory of [name] that is no slot's, of [pool]
// or of none.
TP_INLINE void tp_shadow_tell(struct tp_fault_record *record, const char *name,
                              const struct tp_pool *pool,
                              const struct tp_access *access)
{
  record->name = name;
  record->pool = pool;
  record->slot = 0;
  record->address = (const void *)access->address;
  record->offset = 0;
}
#endif

// Adds the runs of all allocators. No two of them have a byte in common.
void tp_shadow_gather(void);
void tp_shadow_add(const struct tp_run *run, const void *owner);

// Whose slots or bytes lie there now, of those that lie in another's memory;
// NULL iff nobody's.
const void *tp_shadow_tenant(uintptr_t address);

// What is wrong with an access to memory of [owner].
enum tp_fault_kind tp_shadow_judge(const void *owner,
                                   const struct tp_access *access,
                                   struct tp_fault_record *record);

#if TIDEPOOL_SANITIZE
// Where the bytes of slot 1's object begin.
TP_INLINE uintptr_t tp_shadow_first(const struct tp_pool *pool)
{
  return (uintptr_t)pool->storage - pool->before;
}

// Of an object, those of the link's slot and before it.
TP_INLINE uint32_t tp_shadow_bytes(const struct tp_pool *pool)
{
  return pool->object ? pool->object : (uint32_t)pool->size + pool->before;
}

// The index of the live object of [pool] that all of an access lies in, how far
// into it, and its tag; of any other access the capacity, or more.
TP_INLINE uint32_t tp_shadow_find(const struct tp_pool *pool,
                                  const struct tp_access *access,
                                  uint32_t *within, uint32_t *tag)
{
  uintptr_t offset = access->address - tp_shadow_first(pool);
  if (offset >= (uint32_t)pool->capacity * pool->stride) return UINT32_MAX;
  uint32_t index = (uint32_t)offset / pool->stride;
  *within = (uint32_t)offset - index * pool->stride;
  if (*within + access->bytes > tp_shadow_bytes(pool)) return UINT32_MAX;
  *tag = pool->tag[index + 1];
  return *tag >> 31 ? index : UINT32_MAX;
}
#endif

// While [tag] is [value], as it was when it was judged, [bytes] from [begin] on
// may be used, and are not judged again; nor what is in any live object of
// [alike], unless it is NULL: of a pool whose memory is never another's.
void tp_shadow_know(uintptr_t begin, uint32_t bytes, const uint32_t *tag,
                    uint32_t value, const struct tp_pool *alike);

// Looks at an access of so many bytes, none or more, by [site]: what begins in
// memory that is none of ours may end in some, or behind it.
void tp_shadow_look(const void *memory, size_t bytes, bool writes,
                    tp_site_t site);

// What lies at [words] is nobody's, and yet this context may use it until
// tp_shadow_evicted(): its owner is told to let go of it.
void tp_shadow_evicting(const tp_word_t *words);
void tp_shadow_evicted(const tp_word_t *words);

// May this context use what begins at [words], though nobody has it?
bool tp_shadow_is_evicting(const tp_word_t *words);

#ifdef __cplusplus
}
#endif

#endif
