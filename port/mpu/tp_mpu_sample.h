// SPDX-License-Identifier: MIT
// tp_mpu_sample.h - of a pool that ships: one dead slot at a time that nobody
// can read or write, and every few turns of the main loop another one. Whoever
// uses an object that he has freed meets it sooner or later, and faults at his
// own instruction: with N dead slots one late access in N does, for some twenty
// instructions a free.
//
//   static struct tp_mpu_past past[PACKETS_COUNT];
//   static struct tp_mpu_sample sample = {
//       .pool = &packets_pool, .every = 16, .past = past};
//   tp_mpu_sample(&sample);  // Behind tp_mpu_guard().
//
//   struct packet *packet = packets_alloc();
//   if (packet) tp_mpu_note_alloc(&sample, packet);
//   ...
//   packets_free(packet);
//   tp_mpu_note_free(&sample, packet);
//
//   for (;;) { ... tp_mpu_step(&sample); }  // The main loop.
//
// The pool knows nothing of it. When it issues the slot that is covered, its
// first look at that is an exception, which uncovers it and returns.
#ifndef TP_MPU_SAMPLE_H
#define TP_MPU_SAMPLE_H

#include "tidepool.h"
#include "tp_mpu.h"

#ifdef __cplusplus
extern "C" {
#endif

// Where a slot was issued last, and where freed.
struct tp_mpu_past {
  const void *alloc;
  const void *free;
};

// Of one pool; it takes one region. The first three are the application's.
struct tp_mpu_sample {
  const struct tp_pool *pool;
  uint32_t every;            // So many steps, and another slot is covered.
  struct tp_mpu_past *past;  // One for each slot.
  uint32_t stride;
  uintptr_t storage;
  uint32_t left;     // Of those steps.
  uint32_t covered;  // The slot; 0: none.
  uint32_t cursor;   // The slot that was looked at last.
  uint32_t region;
  struct tp_mpu_sample *next;
};

// Begins with [sample], which must stay. Its pool has tags, as it has from fast
// up; takes no objects of another pool; is cut by no scene; has no `link` in
// its row, nor the lock "exclusive", by which calls read what others have
// taken; and lies in a row of DATA of tp_mpu_guard(). What can be covered of a
// slot is, of PMSAv8, whole 32 bytes and, of PMSAv7, the largest power of two
// from 32 on that it begins with: `align` in its row makes that all of it.
//
// What looks at dead slots by right must not while one is covered: that is
// tp_pool_verify(), tp_pool_scrub(), tp_pool_reset() and the audit of full.
//
// Returns  TP_MPU_ON. TP_MPU_EMPTY iff the pool is none of those, or there is a
//          slot of which nothing can be covered. TP_MPU_FEW iff no region is
//          left. TP_MPU_ABSENT iff tp_mpu_guard() did not turn the MPU on. Of
//          all but the first, the calls below cover nothing.
// Time     O(capacity), nothing locked.
// Context  Privileged, once for a sample.
enum tp_mpu_answer tp_mpu_sample(struct tp_mpu_sample *sample);

// Covers none, until the next step: before tp_pool_verify() and its likes.
//
// Time     O(1), one locked window.
// Context  Privileged.
void tp_mpu_show(struct tp_mpu_sample *sample);

// Covers the next dead slot that is not the one to be issued next; none, if
// that is none of the 16 behind the last.
//
// Time     O(1), one locked window.
// Context  That of tp_mpu_step().
void tp_mpu_rotate(struct tp_mpu_sample *sample);

#define TP_MPU_INLINE static inline __attribute__((always_inline))

TP_MPU_INLINE struct tp_mpu_past *tp_mpu_past_of(
    const struct tp_mpu_sample *sample, const void *object)
{
  uintptr_t offset = (uintptr_t)object - sample->storage;
  return &sample->past[offset / sample->stride];
}

TP_MPU_INLINE const void *tp_mpu_here(void)
{
  const void *here;
  __asm volatile("mov %0, pc" : "=r"(here));
  return here;
}

// tp_mpu_rotate(), if it is time to, or the slot that was covered was issued.
//
// Time     O(1), four instructions or one locked window.
// Context  Privileged: the one that every other user of the pool may interrupt,
//          or a slot may be covered while somebody is about to free it.
TP_MPU_INLINE void tp_mpu_step(struct tp_mpu_sample *sample)
{
  if (!sample->covered || --sample->left == 0) tp_mpu_rotate(sample);
}

// [object] was just issued by the pool of [sample], or freed: here, for the
// record of a fault.
//
// Time     O(1), nothing locked.
// Context  Any that may use the pool.
TP_MPU_INLINE void tp_mpu_note_alloc(struct tp_mpu_sample *sample,
                                     const void *object)
{
  tp_mpu_past_of(sample, object)->alloc = tp_mpu_here();
}

TP_MPU_INLINE void tp_mpu_note_free(struct tp_mpu_sample *sample,
                                    const void *object)
{
  tp_mpu_past_of(sample, object)->free = tp_mpu_here();
}

#ifdef __cplusplus
}
#endif

#endif
