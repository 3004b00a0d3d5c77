// SPDX-License-Identifier: MIT
// tp_check.h - internal: what is looked for in the bytes of a pool, and how a
// fault is raised.
//
// The core calls the hooks at the end. Each is empty below its level, so that
// call sites read the same at every level and cost nothing when off. What the
// bytes must hold: a dead slot is its link word, then TP_POISON up to the red
// zone. What of an object stands before the link, because its row says so,
// stays as it was. A slot that was never issued is not looked at.
//
// Raising is out of line and cold, called with nothing locked, and does not
// return: if the application's tp_fault() does, the port traps. [site] tells
// where the application called (port/README.md, TP_SITE). The functions it
// calls are never inlined, and hand their own TP_SITE down to what is out of
// line.
#ifndef TP_CHECK_H
#define TP_CHECK_H

#include "check/tp_hooks.h"
#include "check/tp_level.h"
#include "check/tp_plain.h"
#include "check/tp_shadow.h"
#include "tidepool.h"
#include "tp_port.h"

#define TP_SITES_KEPT (TIDEPOOL_SOAK || TIDEPOOL_EVENTS)

// [site], or for NULL that of the function this is compiled into: so code that
// is compiled into several knows it only where it is needed. At off, NULL,
// unless a soak asks, or events are kept.
//@ assigns \nothing;
TP_INLINE tp_site_t tp_site(tp_site_t site)
{
  if (TP_CHECKS < TP_CHECKS_FAST && !TP_SITES_KEPT) return NULL;
  return site ? site : TP_SITE;
}

// Is [wrong] so, and does this level care? What a caller may do against the
// contract of an allocator is asked like this:
//
//   if (TP_MISUSE(size == 0)) {
//     tp_raise_misuse(TP_FAULT_SIZE, stack->name, NULL, 0, 1, tp_site(NULL));
//   }
#define TP_MISUSE(wrong) (TP_CHECKS >= TP_CHECKS_FAST && !TP_LIKELY(!(wrong)))

// Does each call look at all that its allocator keeps, first thing?
#define TP_AUDITED (TP_CHECKS >= TP_CHECKS_FULL && TP_AUDIT)

// Does memory go out as it lies, with nobody looking on? Then a way that only
// finds it may be short.
#define TP_AS_IT_LIES (TP_CHECKS < TP_CHECKS_POISON && !TIDEPOOL_SOAK)

// And has each slot its tag all the same, by which it is counted, and nobody
// else an account of it?
#define TP_COUNTED_AS_IT_LIES (TP_CHECKS == TP_CHECKS_FAST && !TP_SITES_KEPT)

// Is a pool of this file what only code of its own knows: pool->hardened?
#ifndef TP_HARDENED
#define TP_HARDENED 0
#endif
#define TP_CODED   1u  // Its tags are words of a code, core/tp_code.h.
#define TP_OUTSIDE 2u  // The links of its slots lie behind its tags.

//@ assigns \nothing; ensures !\result;
TP_INLINE bool tp_links_outside(const struct tp_pool *pool)
{
  return TP_HARDENED && (pool->hardened & TP_OUTSIDE) != 0;
}

// The same in what looks at any pool.
/*@ requires \valid_read(pool);
    assigns \nothing; */
TP_INLINE bool tp_any_links_outside(const struct tp_pool *pool)
{
  return (pool->hardened & TP_OUTSIDE) != 0;
}

// A port whose machine can be told that memory is nobody's defines these two:
// TP_POISON is written to it, and it is poisoned; or both end. Others have
// nothing of it.
#ifndef TP_PORT_POISON
#define TP_PORT_POISON(memory, bytes) \
  ((void)sizeof(memory), (void)sizeof(bytes))
#define TP_PORT_UNPOISON(memory, bytes) \
  ((void)sizeof(memory), (void)sizeof(bytes))
#endif

#ifdef __cplusplus
extern "C" {
#endif

// The record of a fault: begun at one end of what is known and completed at the
// other, a field at a time, so that no compiler clears or copies a struct by a
// call.
typedef volatile struct tp_fault_record tp_record_t;

// Begins the record of [kind] at the slot of [pool] that lies at [words].
tp_record_t *tp_raise_begin(enum tp_fault_kind kind, const struct tp_pool *pool,
                            const tp_word_t *words, tp_site_t site);

// Completes it and hands it over.
//@ TP_RAISES;
TP_NORETURN void tp_raise_end(tp_record_t *record, uint32_t found,
                              uint32_t expected);

// [object] was given back and is not a live slot: foreign, interior or double.
//@ TP_RAISES;
TP_NORETURN void tp_raise_free(const struct tp_pool *pool, const void *object,
                               tp_site_t site);

// Bytes of or around the dead slot at [words] hold the wrong pattern.
//@ TP_RAISES;
TP_NORETURN void tp_raise_bytes(const struct tp_pool *pool,
                                const tp_word_t *words, tp_site_t site);

// Bytes around the slot at [words] do.
//@ TP_RAISES;
TP_NORETURN void tp_raise_zone(const struct tp_pool *pool,
                               const tp_word_t *words, tp_site_t site);

// Every slot of a pool that must never be full is live.
TP_NORETURN void tp_raise_full(const struct tp_pool *pool, tp_site_t site);

// Of [slot], [offset] bytes from its beginning, something else is wrong.
// [found] and [expected] as below.
//@ TP_RAISES;
TP_NORETURN void tp_raise_slot(enum tp_fault_kind kind,
                               const struct tp_pool *pool, uint32_t slot,
                               uint32_t offset, uint32_t found,
                               uint32_t expected, tp_site_t site);

// A caller used the allocator [name], which is no pool, against its contract.
// [found] and [expected] are numbers that explain it.
TP_NORETURN void tp_raise_misuse(enum tp_fault_kind kind, const char *name,
                                 const void *address, uint32_t found,
                                 uint32_t expected, tp_site_t site);

#ifdef __cplusplus
}
#endif

/*@ requires bytes % 4 == 0 && words_flat(word, bytes / 4);
    assigns \nothing;
    ensures \result == word + bytes / 4; */
TP_INLINE tp_word_t *tp_bytes_behind(const tp_word_t *word, uint32_t bytes)
{
  return (tp_word_t *)((uintptr_t)word + bytes);
}

// Fills [bytes], whole words, with [pattern]. So many as the compiler knows
// become straight code, as in calls of one pool; any other number by fours.
/*@ TP_FILLS(word, bytes);
    ensures filled: words_hold(\old(word), bytes / 4, pattern); */
TP_INLINE void tp_pattern_put(tp_word_t *word, uint32_t bytes, uint32_t pattern)
{
  if (TP_CONSTANT(bytes)) {
    /*@ TP_STRAIGHT(i, bytes / 4, words_hold(word, i, pattern),
                    word[0 .. bytes / 4 - 1]); */
    TP_UNROLL
    for (uint32_t i = 0; i < bytes / 4; i++) word[i] = pattern;
    return;
  }
  const tp_word_t *end = tp_bytes_behind(word, bytes);
  const tp_word_t *fours = tp_bytes_behind(word, bytes - bytes % 16);
  //@ ghost uint32_t done = 0;
  /*@ loop invariant TP_GONE(word, done, bytes / 16 * 4) && done % 4 == 0;
      loop invariant words_hold(\at(word, Pre), done, pattern);
      loop assigns word, done, \at(word, Pre)[0 .. bytes / 4 - 1];
      loop variant bytes / 16 * 4 - done; */
  while (word != fours) {
    word = tp_port_put_four(word, pattern);
    //@ ghost done += 4;
  }
  /*@ loop invariant TP_GONE(word, done, bytes / 4);
      loop invariant words_hold(\at(word, Pre), done, pattern);
      loop assigns word, done, \at(word, Pre)[0 .. bytes / 4 - 1];
      loop variant bytes / 4 - done; */
  for (; word != end; word++) {
    *word = pattern;
    //@ ghost done++;
  }
}

// What differs in them from [pattern]; 0 iff nothing. Looks as that fills.
//@ TP_LOOKS_AT(word, bytes, pattern);
TP_INLINE uint32_t tp_pattern_damage(const tp_word_t *word, uint32_t bytes,
                                     uint32_t pattern)
{
  uint32_t wrong = 0;
  if (TP_CONSTANT(bytes)) {
    /*@ TP_STRAIGHT(i, bytes / 4,
                    wrong == 0 <==> words_hold(word, i, pattern), wrong); */
    TP_UNROLL
    for (uint32_t i = 0; i < bytes / 4; i++) wrong |= word[i] ^ pattern;
    return wrong;
  }
  TP_KEEP(wrong);
  const tp_word_t *end = tp_bytes_behind(word, bytes);
  const tp_word_t *fours = tp_bytes_behind(word, bytes - bytes % 16);
  //@ ghost uint32_t done = 0;
  /*@ loop invariant TP_GONE(word, done, bytes / 16 * 4) && done % 4 == 0;
      loop invariant wrong == 0 <==>
        words_hold(\at(word, Pre), done, pattern);
      loop assigns word, done, wrong;
      loop variant bytes / 16 * 4 - done; */
  while (word != fours) {
    wrong |= tp_port_differ_four(&word, pattern);
    //@ ghost done += 4;
  }
  /*@ loop invariant TP_GONE(word, done, bytes / 4);
      loop invariant wrong == 0 <==>
        words_hold(\at(word, Pre), done, pattern);
      loop assigns word, done, wrong;
      loop variant bytes / 4 - done; */
  for (; word != end; word++) {
    wrong |= *word ^ pattern;
    //@ ghost done++;
  }
  return wrong;
}

// Behind the last word of the slot at [words]: where its red zone begins.
/*@ TP_OF_BYTES(pool, words);
    ensures \result == words + pool->size / 4; */
TP_INLINE tp_word_t *tp_poison_end(const struct tp_pool *pool,
                                   const tp_word_t *words)
{
  return tp_bytes_behind(words, pool->size);
}

// Where the poison of a slot on no list begins: at its link, which is not one
// yet or not any more and makes the run one of fours; behind it in straight
// code, which is shorter by a word. All of a slot is poison whose link is
// elsewhere.
//@ assigns \nothing; ensures \result == 0;
TP_INLINE uint32_t tp_poison_begin(const struct tp_pool *pool)
{
  return TP_CONSTANT(pool->size) && !tp_links_outside(pool) ? 1 : 0;
}

/*@ TP_OF_SLOT(pool, words);
    TP_FILLS(words, pool->size);
    ensures filled: words_hold(words, pool->size / 4, TP_POISON); */
TP_INLINE void tp_poison_fill(const struct tp_pool *pool, tp_word_t *words)
{
  uint32_t begin = tp_poison_begin(pool), bytes = pool->size;
  tp_pattern_put(words + begin, bytes - 4 * begin, TP_POISON);
  TP_PORT_POISON(words, bytes);
}

/*@ TP_FILLS(words, bytes);
    ensures renewed: words_hold(words, bytes / 4, TP_POISON_NEW); */
TP_INLINE void tp_poison_renew(tp_word_t *words, uint32_t bytes)
{
  tp_pattern_put(words, bytes, TP_POISON_NEW);
  TP_PORT_UNPOISON(words, bytes);
}

// What differs in a dead slot from what tp_poison_fill() left; 0 iff nothing.
// [begin]: 1 if its link is one.
/*@ requires begin <= 1 && bytes >= 4;
    TP_LOOKS_AT(words + begin, bytes - 4 * begin, TP_POISON); */
TP_INLINE uint32_t tp_poison_damage(const tp_word_t *words, uint32_t bytes,
                                    uint32_t begin)
{
  return tp_pattern_damage(words + begin, bytes - 4 * begin, TP_POISON);
}

// Fills the red zone behind [words]; behind slot 1 also the one before it.
// Slots are first issued in order, so the zone before any other slot is
// filled, and guarded, since the slot before that was issued.
//@ TP_FILLS_ZONES(pool, words);
TP_INLINE void tp_zone_fill(const struct tp_pool *pool, tp_word_t *words)
{
  tp_word_t *after = tp_poison_end(pool, words);
  tp_pattern_put(after, pool->zone, TP_RED_WORD);
  TP_PORT_POISON(after, pool->zone);
  if (words != pool->storage) return;
  tp_word_t *before = after - pool->stride / 4u;
  tp_pattern_put(before, pool->zone, TP_RED_WORD);
  TP_PORT_POISON(before, pool->zone);
}

// What differs in the red zone behind [words]; 0 iff nothing.
/*@ requires \valid_read(TP_ZONE(pool, zone_behind(pool, words)));
    TP_OF_BYTES(pool, words);
    ensures \result == 0 <==> zone_whole(pool, zone_behind(pool, words)); */
TP_INLINE uint32_t tp_zone_damage_behind(const struct tp_pool *pool,
                                         const tp_word_t *words)
{
  const tp_word_t *behind = tp_poison_end(pool, words);
  return tp_pattern_damage(behind, pool->zone, TP_RED_WORD);
}

// What differs in the red zones on both sides of [words]; 0 iff nothing.
/*@ requires \valid_read(TP_ZONE(pool, zone_behind(pool, words)));
    requires \valid_read(TP_ZONE(pool, zone_before(pool, words)));
    TP_OF_BYTES(pool, words);
    ensures \result == 0 <==> zone_whole(pool, zone_behind(pool, words)) &&
      zone_whole(pool, zone_before(pool, words)); */
TP_INLINE uint32_t tp_zone_damage(const struct tp_pool *pool,
                                  const tp_word_t *words)
{
  const tp_word_t *before = tp_poison_end(pool, words) - pool->stride / 4u;
  return tp_zone_damage_behind(pool, words) |
         tp_pattern_damage(before, pool->zone, TP_RED_WORD);
}

// Faults on a write outside [words], a live slot.
//@ TP_CHECKED_ZONE(pool, words);
TP_INLINE void tp_check_zone(const struct tp_pool *pool, const tp_word_t *words,
                             tp_site_t site)
{
  if (TP_CHECKS < TP_CHECKS_FULL) return;
  if (TP_LIKELY(tp_zone_damage(pool, words) == 0)) return;
  tp_raise_zone(pool, words, tp_site(site));
}

// [words] was live, is dead and on no list yet. Unlocked.
//@ TP_CHECKED_RETIRED(pool, words);
TP_INLINE void tp_check_retired(const struct tp_pool *pool, tp_word_t *words,
                                tp_site_t site)
{
  tp_check_zone(pool, words, site);
  if (TP_CHECKS >= TP_CHECKS_POISON) tp_poison_fill(pool, words);
}

// [bytes] at [words], which somebody was let look at, are nobody's again.
TP_INLINE void tp_check_shut(const tp_word_t *words, uint32_t bytes)
{
  if (TP_CHECKS >= TP_CHECKS_POISON) TP_PORT_POISON(words, bytes);
}

// [words] came off the free list and is about to be issued: faults on a write
// in or behind it. The zone before it is the one behind its neighbour, and is
// looked at when either is freed. Unlocked.
//@ TP_CHECKED_REISSUED(pool, words);
TP_INLINE void tp_check_reissued(const struct tp_pool *pool, tp_word_t *words,
                                 tp_site_t site)
{
  if (TP_CHECKS < TP_CHECKS_POISON) return;
  uint32_t bytes = pool->size;
  uint32_t begin = tp_poison_begin(pool);
  if (begin == 0 && !tp_links_outside(pool)) words[0] = TP_POISON;
  uint32_t damage = tp_poison_damage(words, bytes, begin);
  if (TP_CHECKS >= TP_CHECKS_FULL) damage |= tp_zone_damage_behind(pool, words);
  if (!TP_LIKELY(damage == 0)) tp_raise_bytes(pool, words, tp_site(site));
  tp_poison_renew(words, bytes);
}

// [words] will be issued for the first time. Locked: its neighbour's free looks
// at the zone between them, and the neighbour may be issued next.
//@ TP_CHECKED_GROWN(pool, words);
TP_INLINE void tp_check_grown(const struct tp_pool *pool, tp_word_t *words)
{
  if (TP_CHECKS >= TP_CHECKS_FULL) tp_zone_fill(pool, words);
}

// [words] is issued for the first time. Unlocked. Slots are in order: behind
// the first nothing was issued.
//@ TP_CHECKED_FIRST(pool, words);
TP_INLINE void tp_check_first(const struct tp_pool *pool, tp_word_t *words)
{
  if (TP_CHECKS >= TP_CHECKS_POISON && words == pool->storage) {
    TP_PORT_POISON(words, (uint32_t)pool->capacity * pool->stride);
  }
  if (TP_CHECKS >= TP_CHECKS_POISON) tp_poison_renew(words, pool->size);
}

// [words] goes from one owner to the next without having been free. Unlocked.
//@ TP_CHECKED_STOLEN(pool, words);
TP_INLINE void tp_check_stolen(const struct tp_pool *pool, tp_word_t *words,
                               tp_site_t site)
{
  tp_check_zone(pool, words, site);
  if (TP_CHECKS >= TP_CHECKS_POISON) tp_poison_renew(words, pool->size);
}

#endif
