// SPDX-License-Identifier: MIT
// tp_model.h - what the prover knows about a pool and the compiler does not.
// clang-format off: macros that hold ACSL are no C.
#ifndef TP_MODEL_H
#define TP_MODEL_H

#include "core/tp_calls.h"

extern uint32_t tp_clock_now;

// Converting to an unsigned type adds or subtracts 2^32 until it fits (C11
// 6.3.1.3), which WP 25 leaves open.
/*@ axiomatic Unsigned { logic integer wraps(integer x); }
    admit lemma wrap:
      \forall integer x; x == (uint32_t)x + 0x100000000 * wraps(x);
*/

// Dividing by a stride: bits.smt2 proves what is admitted here.
/*@ logic integer slot_rotated(integer x) =
      (x >> TP_PROOF_SHIFT) | (uint32_t)(x << (32 - TP_PROOF_SHIFT));
    predicate slot_scales(integer x, integer s) = x == s * TP_PROOF_POWER;
    admit lemma rotate_down:
      \forall integer x; 0 <= x <= 0xffffffff && slot_rotated(x) <= 32767 ==>
        0 <= slot_rotated(x) && slot_scales(x, slot_rotated(x));
    admit lemma rotate_up:
      \forall integer x; 0 <= x <= 32767 * TP_PROOF_POWER &&
        x % TP_PROOF_POWER == 0 ==> slot_rotated(x) == x / TP_PROOF_POWER;

    predicate slot_begins(integer x, integer s) = x == s * (4 * TP_PROOF_WORDS);
    predicate slot_wraps(integer offset, integer scaled, integer k) =
      offset * TP_PROOF_INVERSE == scaled + 0x100000000 * k;
    lemma inverse:
      \forall integer x, y, k; slot_wraps(x, y, k) ==>
        x == y * TP_PROOF_ODD +
             0x100000000 * (TP_PROOF_ODD * k - TP_PROOF_CARRY * x);
    lemma divides:
      \forall integer x, y, k, s; slot_wraps(x, y, k) ==>
        0 <= x <= 0xffffffff && 0 <= s <= 32767 && slot_scales(y, s) ==>
          slot_begins(x, s);
    predicate slot_apart(integer x, integer k) = x == 0x100000000 * k;
    lemma apart:
      \forall integer x, k; slot_apart(x, k) ==>
        -0x100000000 < x < 0x100000000 ==> x == 0;
    lemma folds:
      \forall integer x, y, k, s; slot_wraps(x, y, k) ==>
        slot_begins(x, s) ==>
          slot_apart(y - s * TP_PROOF_POWER,
                     s * TP_PROOF_POWER * TP_PROOF_CARRY - k);
    lemma multiplies:
      \forall integer x, y, k, s; slot_wraps(x, y, k) ==>
        0 <= y <= 0xffffffff && 0 <= s <= 32767 && slot_begins(x, s) ==>
          slot_scales(y, s);
    lemma gate_sound:
      \forall integer x, y, k; slot_wraps(x, y, k) ==>
        0 <= x <= 0xffffffff && 0 <= y <= 0xffffffff &&
        slot_rotated(y) <= 32767 ==> slot_begins(x, slot_rotated(y));
    lemma gate_complete:
      \forall integer x, y, k, s; slot_wraps(x, y, k) ==>
        0 <= y <= 0xffffffff && 0 <= s <= 32767 && slot_begins(x, s) ==>
          slot_rotated(y) == s;
*/

// A run of words, as wide as their addresses say, that holds a pattern.
// bits.smt2 proves what is admitted here.
/*@
  predicate words_flat(tp_word_t *word, integer count) =
    0 <= (uintptr_t)word && (uintptr_t)word + 4 * count <= 0xffffffff &&
    \forall integer i; 0 <= i <= count ==>
      (uintptr_t)(word + i) == (uintptr_t)word + 4 * i;
  predicate words_hold{L}(tp_word_t *word, integer count, integer pattern) =
    \forall integer i; 0 <= i < count ==> word[i] == pattern;
  admit lemma differ:
    \forall integer x, y; 0 <= x <= 0xffffffff && 0 <= y <= 0xffffffff ==>
      ((uint32_t)(x ^ y) == 0 <==> x == y);
*/
#define TP_FOUR_HOLD(word, value)                                            \
  ((word)[0] == value && (word)[1] == value && (word)[2] == value &&         \
   (word)[3] == value)
// Of a loop that goes from [word] on and has [done] so many words.
#define TP_GONE(word, done, count)                                           \
  (word == \at(word, Pre) + done && done <= count)
// Of one that becomes straight code and has [i] words. Where the compiler knows
// no size it is never begun.
#ifdef TP_PROOF_KNOWN
#define TP_STRAIGHT(i, count, done, changed)                                 \
  loop invariant i <= count && (done);                                       \
  loop assigns i, changed;                                                   \
  loop variant count - i
#else
#define TP_STRAIGHT(i, count, done, changed) loop variant count - i
#endif

// What fills a run, and what looks at one.
#define TP_FILLS(word, bytes)                                                \
  requires bytes % 4 == 0 && words_flat(word, bytes / 4);                    \
  requires \valid(word + (0 .. bytes / 4 - 1));                              \
  assigns word[0 .. bytes / 4 - 1]
#define TP_LOOKS_AT(word, bytes, pattern)                                    \
  requires (bytes) % 4 == 0 && words_flat(word, (bytes) / 4);                \
  requires \valid_read(word + (0 .. (bytes) / 4 - 1));                       \
  assigns \nothing;                                                          \
  ensures \result == 0 <==> words_hold(word, (bytes) / 4, pattern)

// The slot of [pool] at [words], and the red zones on both its sides.
/*@
  logic tp_word_t *zone_behind{L}(struct tp_pool *pool, tp_word_t *words) =
    words + pool->size / 4;
  logic tp_word_t *zone_before{L}(struct tp_pool *pool, tp_word_t *words) =
    words + (pool->size / 4 - pool->stride / 4);
  predicate zone_whole{L}(struct tp_pool *pool, tp_word_t *zone) =
    words_hold(zone, pool->zone / 4, TP_RED_WORD);
  // But for its link.
  predicate slot_poisoned{L}(struct tp_pool *pool, tp_word_t *words) =
    \forall integer i; 1 <= i < pool->size / 4 ==> words[i] == TP_POISON;
  predicate slot_bytes{L}(struct tp_pool *pool, tp_word_t *words) =
    \valid_read(pool) && pool->size % 4 == 0 && pool->zone % 4 == 0 &&
    pool->stride % 4 == 0 && pool->size + pool->zone <= pool->stride &&
    words_flat(words, pool->size / 4) &&
    words_flat(zone_behind(pool, words), pool->zone / 4) &&
    words_flat(zone_before(pool, words), pool->zone / 4);
*/
#define TP_ZONE(pool, run) (run + (0 .. pool->zone / 4 - 1))
#define TP_OF_BYTES(pool, words)                                             \
  requires slot_bytes(pool, words);                                          \
  assigns \nothing
#define TP_OF_SLOT(pool, words)                                              \
  requires slot_bytes(pool, words) && pool->size >= 4;                       \
  requires \valid(words + (0 .. pool->size / 4 - 1));                        \
  requires \separated(pool, words + (0 .. pool->size / 4 - 1))
#define TP_OF_ZONES(pool, words)                                             \
  requires slot_bytes(pool, words);                                          \
  requires \valid(TP_ZONE(pool, zone_behind(pool, words)));                  \
  requires \valid(TP_ZONE(pool, zone_before(pool, words)));                  \
  requires \separated(pool, TP_ZONE(pool, zone_behind(pool, words)));        \
  requires \separated(pool, TP_ZONE(pool, zone_before(pool, words)))
// The one before a slot is filled with the first alone.
#define TP_FILLS_ZONES(pool, words)                                          \
  TP_OF_ZONES(pool, words);                                                  \
  assigns *TP_ZONE(pool, zone_behind(pool, words));                          \
  assigns zone_before(pool, words)[0 .. (words == pool->storage              \
                                         ? pool->zone / 4 : 0) - 1];         \
  ensures behind: zone_whole(pool, zone_behind(pool, words));                \
  ensures before: words == pool->storage ==>                                 \
    zone_whole(pool, zone_before(pool, words))

// What a call does with the bytes of a slot: at full, which looks at most. At
// fast, nothing.
#if TP_CHECKS >= TP_CHECKS_FULL
#define TP_RAISES_UNLESS(whole)                                              \
  ensures passes: \old(whole) ==> tp_raised == \old(tp_raised);              \
  ensures raises: !\old(whole) ==> tp_raised == \old(tp_raised) + 1
#define TP_RAISES_BESIDE(pool, words)                                        \
  TP_RAISES_UNLESS(zone_whole(pool, zone_behind(pool, words)) &&             \
                   zone_whole(pool, zone_before(pool, words)))
#define TP_CHANGES_SLOT(pool, words)                                         \
  assigns tp_raised, words[0 .. pool->size / 4 - 1]
#define TP_CHECKED_ZONE(pool, words)                                         \
  TP_OF_ZONES(pool, words);                                                  \
  assigns tp_raised;                                                         \
  TP_RAISES_BESIDE(pool, words)
#define TP_CHECKED_RETIRED(pool, words)                                      \
  TP_OF_ZONES(pool, words);                                                  \
  TP_OF_SLOT(pool, words);                                                   \
  TP_CHANGES_SLOT(pool, words);                                              \
  TP_RAISES_BESIDE(pool, words);                                             \
  ensures dead: words_hold(words, pool->size / 4, TP_POISON)
#define TP_CHECKED_REISSUED(pool, words)                                     \
  TP_OF_ZONES(pool, words);                                                  \
  TP_OF_SLOT(pool, words);                                                   \
  TP_CHANGES_SLOT(pool, words);                                              \
  TP_RAISES_UNLESS(zone_whole(pool, zone_behind(pool, words)) &&             \
                   slot_poisoned(pool, words));                              \
  ensures fresh: words_hold(words, pool->size / 4, TP_POISON_NEW)
#define TP_CHECKED_GROWN(pool, words) TP_FILLS_ZONES(pool, words)
#define TP_CHECKED_FIRST(pool, words)                                        \
  TP_OF_SLOT(pool, words);                                                   \
  TP_CHANGES_SLOT(pool, words);                                              \
  ensures fresh: words_hold(words, pool->size / 4, TP_POISON_NEW)
#define TP_CHECKED_STOLEN(pool, words)                                       \
  TP_OF_ZONES(pool, words);                                                  \
  TP_OF_SLOT(pool, words);                                                   \
  TP_CHANGES_SLOT(pool, words);                                              \
  TP_RAISES_BESIDE(pool, words);                                             \
  ensures fresh: words_hold(words, pool->size / 4, TP_POISON_NEW)
#else
#define TP_CHECKED_ZONE(pool, words)     assigns \nothing
#define TP_CHECKED_RETIRED(pool, words)  assigns \nothing
#define TP_CHECKED_REISSUED(pool, words) assigns \nothing
#define TP_CHECKED_GROWN(pool, words)    assigns \nothing
#define TP_CHECKED_FIRST(pool, words)    assigns \nothing
#define TP_CHECKED_STOLEN(pool, words)   assigns \nothing
#endif

// Slots, their words and their addresses.
/*@
  logic tp_word_t *slot_words{L}(struct tp_pool *pool, integer slot) =
    pool->storage + (slot - 1) * TP_PROOF_WORDS;
  logic tp_word_t *object_words(void *object) = (tp_word_t *)object;
  logic integer slot_address{L}(struct tp_pool *pool, integer slot) =
    (uintptr_t)pool->storage + (slot - 1) * (4 * TP_PROOF_WORDS);
  predicate has_address(void *object) =
    0 <= (uintptr_t)object_words(object) <= 0xffffffff;
  predicate slot_flat{L}(struct tp_pool *pool) =
    4 * TP_PROOF_WORDS <= (uintptr_t)pool->storage &&
    (uintptr_t)pool->storage + 4 * TP_PROOF_WORDS * pool->capacity
      <= 0xffffffff &&
    \forall integer slot; 1 <= slot <= pool->capacity ==>
      (uintptr_t)slot_words(pool, slot) == slot_address(pool, slot);
  predicate slot_memory{L}(struct tp_pool *pool) =
    \valid_read(pool) && 1 <= pool->capacity <= 32767 &&
    pool->stride == 4 * TP_PROOF_WORDS && slot_flat(pool) &&
    pool->origin == (uintptr_t)pool->storage - 4 * TP_PROOF_WORDS;
  // What quick calls see: all slots, or none. None of a pool with a ring.
  logic integer slot_quick{L}(struct tp_pool *pool) = pool->gate / 0x10000;
  predicate slot_gated{L}(struct tp_pool *pool) =
    slot_quick(pool) == 0 ||
    (slot_quick(pool) == pool->capacity && pool->age == \null);
  // What they do not see, tp_general does.
  predicate slot_served{L}(struct tp_pool *pool) =
    pool->general == \null ==> slot_quick(pool) == pool->capacity;
  predicate slot_divides{L}(struct tp_pool *pool) =
    pool->gate % 32 == TP_PROOF_SHIFT && pool->inverse == TP_PROOF_INVERSE;
*/

/*@ ghost
    int tp_slots;              // The capacity of the pool in question.
    char tp_ringed[0x8000];    // 1: this slot is on the age ring. 0: it is not.
                               // Else: it is pinned, a ring of its own.
    long long tp_birth[0x8000];// When it joined: the younger, the greater.
    long long tp_clock;        // What the next to join will get.
*/

// What is masked, as PRIMASK and BASEPRI say. Who locks gives back what he
// found.
/*@ ghost
    uint32_t tp_masked;
    uint32_t tp_below;
*/
/*@
  logic integer lock_key{L}(integer lock) =
    lock == TP_LOCK_PRIMASK ? tp_masked : lock == TP_LOCK_NONE ? 0 : tp_below;
  logic integer given_masked(integer lock, integer key, integer masked) =
    lock == TP_LOCK_PRIMASK ? key : masked;
  logic integer given_below(integer lock, integer key, integer below) =
    lock == TP_LOCK_PRIMASK || lock == TP_LOCK_NONE ? below : key;
*/
// Who keeps what is masked; and who takes a lock, or gives one back by its key.
#define TP_KEEPS_LOCKS                                                       \
  ensures masked: tp_masked == \old(tp_masked);                              \
  ensures below: tp_below == \old(tp_below)
#define TP_GIVES_LOCK(lock, key)                                             \
  ensures masked: tp_masked == given_masked(lock, key, \old(tp_masked));     \
  ensures below: tp_below == given_below(lock, key, \old(tp_below))
#define TP_TAKES_LOCK(lock)                                                  \
  TP_GIVES_LOCK(lock, (lock == TP_LOCK_PRIMASK ? 1 : lock))
// Who gives it back, and takes it again by another key.
#define TP_OPENS_LOCK(lock, key)                                             \
  ensures masked: given_masked(lock, \result, tp_masked) ==                  \
    given_masked(lock, key, \old(tp_masked));                                \
  ensures below: given_below(lock, \result, tp_below) ==                     \
    given_below(lock, key, \old(tp_below))

// The age ring. Link 0 is the head, so links 0 and ringed(s) form a circle.
/*@
  predicate on_ring{L}(integer s) = 1 <= s <= tp_slots && tp_ringed[s] == 1;
  predicate is_aged{L}(integer s) = 1 <= s <= tp_slots && tp_ringed[s] != 0;
  predicate is_pinned{L}(integer s) = is_aged(s) && tp_ringed[s] != 1;
  predicate is_link{L}(integer s) = s == 0 || on_ring(s);

  predicate ring_memory(struct tp_age_link *age) =
    1 <= tp_slots <= 32767 && \valid(age + (0 .. tp_slots)) &&
    \separated(age + (0 .. tp_slots), &tp_slots, &tp_clock,
      tp_ringed + (0 .. 0x7fff), tp_birth + (0 .. 0x7fff));

  predicate ring_newer(struct tp_age_link *age) =
    \forall integer s; is_link(s) ==>
      is_link(age[s].newer) && age[age[s].newer].older == s;
  predicate ring_older(struct tp_age_link *age) =
    \forall integer s; is_link(s) ==>
      is_link(age[s].older) && age[age[s].older].newer == s;
  predicate ring_clock =
    \forall integer s; on_ring(s) ==> tp_birth[s] < tp_clock;
  predicate ring_births =
    \forall integer s, t; on_ring(s) && on_ring(t) && s != t ==>
      tp_birth[s] != tp_birth[t];
  predicate ring_oldest(struct tp_age_link *age) =
    \forall integer s; on_ring(s) ==>
      age[0].newer != 0 && tp_birth[age[0].newer] <= tp_birth[s];
  predicate ring_newest(struct tp_age_link *age) =
    \forall integer s; on_ring(s) ==>
      age[0].older != 0 && tp_birth[age[0].older] >= tp_birth[s];
  predicate ring_up(struct tp_age_link *age) =
    \forall integer s; on_ring(s) && age[s].newer != 0 ==>
      tp_birth[s] < tp_birth[age[s].newer];
  predicate ring_gap_newer(struct tp_age_link *age) =
    \forall integer s, t;
      on_ring(s) && on_ring(t) && tp_birth[s] < tp_birth[t] ==>
      age[s].newer != 0 && tp_birth[age[s].newer] <= tp_birth[t];
  predicate ring_gap_older(struct tp_age_link *age) =
    \forall integer s, t;
      on_ring(s) && on_ring(t) && tp_birth[s] < tp_birth[t] ==>
      age[t].older != 0 && tp_birth[s] <= tp_birth[age[t].older];
  predicate ring_pinned(struct tp_age_link *age) =
    \forall integer s; is_pinned(s) ==>
      age[s].older == s && age[s].newer == s;

  predicate ring_sound(struct tp_age_link *age) =
    ring_newer(age) && ring_older(age) && ring_clock && ring_births &&
    ring_oldest(age) && ring_newest(age) && ring_up(age) &&
    ring_gap_newer(age) && ring_gap_older(age) && ring_pinned(age);
*/

// The free list. A dead slot's place is the live count of the moment before it
// died, which its link records; so the list is tp_at[live + 1], tp_at[live + 2]
// ... tp_at[fresh]. Live slots hold the places 1 to live in any order: places
// are a permutation of the slots ever issued.
/*@ ghost
    int tp_at[0x8000];         // Which slot has this place?
    int tp_place[0x8000];      // Which place has this slot?
*/
/*@
  logic integer list_live{L}(struct tp_pool *pool) = pool->tag[0] / 0x10000;
  logic integer list_top{L}(struct tp_pool *pool) = pool->tag[0] % 0x10000;
  logic integer list_link{L}(struct tp_pool *pool, integer slot) =
    slot_words(pool, slot)[0];
  logic integer list_after{L}(struct tp_pool *pool, integer place) =
    place < pool->state->fresh ? tp_at[place + 1] : 0;

  predicate list_counts{L}(struct tp_pool *pool) =
    list_live(pool) <= pool->state->fresh <= pool->capacity;
  predicate list_places{L}(struct tp_pool *pool) =
    \forall integer p; 1 <= p <= pool->state->fresh ==>
      1 <= tp_at[p] <= pool->state->fresh && tp_place[tp_at[p]] == p;
  predicate list_slots{L}(struct tp_pool *pool) =
    \forall integer s; 1 <= s <= pool->state->fresh ==>
      1 <= tp_place[s] <= pool->state->fresh && tp_at[tp_place[s]] == s;
  predicate list_begins{L}(struct tp_pool *pool) =
    list_top(pool) == list_after(pool, list_live(pool));
  predicate list_links{L}(struct tp_pool *pool) =
    \forall integer s; 1 <= s <= pool->state->fresh &&
      tp_place[s] > list_live(pool) ==> list_link(pool, s) ==
        tp_place[s] * 0x10000 + list_after(pool, tp_place[s]);
*/

// Tags, and how they agree with the list and the ring.
/*@ ghost
    char tp_limbo[0x8000];     // Is this slot being evicted? Then it counts as
                               // live, but is on no list and on no ring.
*/
/*@
  predicate is_live{L}(struct tp_pool *pool, integer slot) =
    pool->tag[slot] >= 0x80000000;
  // [object] stands in [slot]; in a live one.
  predicate stands_at{L}(struct tp_pool *pool, void *object, integer slot) =
    1 <= slot <= pool->capacity &&
    object_words(object) == slot_words(pool, slot);
  predicate is_object{L}(struct tp_pool *pool, void *object) =
    \exists integer s; stands_at(pool, object, s) && is_live(pool, s);
  predicate tags_dead{L}(struct tp_pool *pool) =
    \forall integer s; 1 <= s <= pool->state->fresh &&
      tp_place[s] > list_live(pool) ==> !is_live(pool, s);
  predicate tags_unborn{L}(struct tp_pool *pool) =
    \forall integer s; pool->state->fresh < s <= pool->capacity ==>
      !is_live(pool, s);
  predicate tags_live{L}(struct tp_pool *pool) =
    \forall integer s; 1 <= s <= pool->state->fresh &&
      tp_place[s] <= list_live(pool) && tp_limbo[s] == 0 ==> is_live(pool, s);
  predicate tags_limbo{L}(struct tp_pool *pool) =
    \forall integer s; 1 <= s <= pool->capacity && tp_limbo[s] != 0 ==>
      s <= pool->state->fresh && tp_place[s] <= list_live(pool) &&
      !is_live(pool, s);
  predicate pool_aged{L}(struct tp_pool *pool) =
    pool->age != \null ==> ring_sound(pool->age) &&
      \forall integer s; 1 <= s <= pool->capacity ==>
        (is_aged(s) <==> is_live(pool, s));

  // A timed pool remembers when its slots were born.
  predicate born_memory{L}(struct tp_pool *pool) =
    (pool->min_age != 0 ==> pool->born != \null) &&
    (pool->born != \null ==> \valid(pool->born + (0 .. pool->capacity)) &&
      \separated(pool->born + (0 .. pool->capacity), pool, pool->state,
        pool->tag + (0 .. pool->capacity),
        pool->storage + (0 .. pool->capacity * TP_PROOF_WORDS - 1)));
  predicate pool_memory{L}(struct tp_pool *pool) =
    slot_memory(pool) && slot_gated(pool) && tp_slots == pool->capacity &&
    \valid(pool->tag + (0 .. pool->capacity)) && \valid(pool->state) &&
    \valid(pool->storage + (0 .. pool->capacity * TP_PROOF_WORDS - 1)) &&
    (pool->age == \null || ring_memory(pool->age)) &&
    \separated(pool, pool->state, pool->tag + (0 .. pool->capacity),
      pool->storage + (0 .. pool->capacity * TP_PROOF_WORDS - 1)) &&
    (pool->age != \null ==>
      \separated(pool->age + (0 .. pool->capacity), pool, pool->state,
        pool->tag + (0 .. pool->capacity),
        pool->storage + (0 .. pool->capacity * TP_PROOF_WORDS - 1))) &&
    born_memory(pool);
  predicate list_sound{L}(struct tp_pool *pool) =
    list_counts(pool) && list_places(pool) && list_slots(pool) &&
    list_begins(pool) && list_links(pool);
  predicate tags_sound{L}(struct tp_pool *pool) =
    tags_dead(pool) && tags_unborn(pool) && tags_live(pool) &&
    tags_limbo(pool);

  // Everything but what lies in the slots themselves, where any overrun
  // reaches it.
  predicate side_sound{L}(struct tp_pool *pool) =
    list_counts(pool) && list_places(pool) && list_slots(pool) &&
    list_begins(pool) && tags_sound(pool) && pool_aged(pool);
  predicate pool_sound{L}(struct tp_pool *pool) =
    side_sound(pool) && list_links(pool);
*/

// What a call does.
/*@ ghost
    int tp_raised;             // Faults reported.
    int tp_taken_back;         // Objects of others that a policy took back.
*/
#define TP_RAISES                                                            \
  assigns tp_raised;                                                         \
  ensures tp_raised == \old(tp_raised) + 1
// [it] lies in nothing that a call changes, and none of [...] in it or another.
#define TP_APART(pool, it, ...)                                              \
  \separated(__VA_ARGS__, pool, pool->state,                                 \
    pool->tag + (0 .. pool->capacity),                                       \
    pool->storage + (0 .. pool->capacity * TP_PROOF_WORDS - 1)) &&           \
  (pool->age != \null ==>                                                    \
    \separated(it, pool->age + (0 .. pool->capacity))) &&                    \
  (pool->born != \null ==>                                                   \
    \separated(it, pool->born + (0 .. pool->capacity)))

/*@
  // Where the tag of what is issued goes, if anybody wants it.
  predicate tag_memory{L}(struct tp_pool *pool, uint32_t *tag) =
    tag == \null || (\valid(tag) && TP_APART(pool, tag, tag));
  predicate tells{L}(struct tp_pool *pool, integer slot, uint32_t *tag) =
    tag != \null ==> *tag == pool->tag[slot];
  // Where it goes what a handle is made of, and that of live [slot].
  predicate made_memory{L}(struct tp_pool *pool, struct tp_generation *made,
                           uint32_t *tag) =
    \valid(made) && TP_APART(pool, made, made, tag);
  predicate made_of{L}(struct tp_pool *pool, struct tp_generation *made,
                       integer slot) =
    made->slot == slot && made->tag == pool->tag[slot];
  predicate same_words{L1, L2}(struct tp_pool *pool) =
    \forall integer i; 0 <= i < \at(pool->capacity, L2) * TP_PROOF_WORDS ==>
      \at(pool->storage[i], L1) == \at(pool->storage[i], L2);
  predicate same_tags_but{L1, L2}(struct tp_pool *pool, integer slot) =
    \forall integer s; 1 <= s <= \at(pool->capacity, L2) && s != slot ==>
      \at(pool->tag[s], L1) == \at(pool->tag[s], L2);
  predicate reborn{L1, L2}(struct tp_pool *pool, integer slot) =
    \at(pool->tag[slot], L1) < 0x80000000 &&
    \at(pool->tag[slot], L2) ==
      0x80000001 + \at(pool->tag[slot], L1) % 0x7fffffff;
  predicate top_link_fits{L}(struct tp_pool *pool) =
    0 <= list_link(pool, list_top(pool)) - (list_live(pool) + 1) * 0x10000
      <= pool->capacity;

  // Who is asked for a slot now has one, and asks nobody else.
  predicate issues_at_once{L}(struct tp_pool *pool, integer most) =
    1 <= list_top(pool) <= most && top_link_fits(pool) &&
    pool->tag[list_top(pool)] < 0x7fffffff;
  // The slot on top is issued.
  predicate reissues{L1, L2}(struct tp_pool *pool, void *object) =
    \let s = list_top{L1}(pool);
    object_words(object) == slot_words{L2}(pool, s) &&
    reborn{L1, L2}(pool, s) && same_tags_but{L1, L2}(pool, s) &&
    list_live{L2}(pool) == list_live{L1}(pool) + 1 &&
    \at(pool->tag[0], L2) == list_link{L1}(pool, s) &&
    \at(pool->state->fresh, L2) == \at(pool->state->fresh, L1) &&
    \at(tp_raised, L2) == \at(tp_raised, L1);
  // The link of the slot on top was written over: reported, and nothing issued.
  predicate refuses{L1, L2}(struct tp_pool *pool, void *object) =
    object == \null && same_tags_but{L1, L2}(pool, 0) &&
    \at(pool->tag[0], L2) == \at(pool->tag[0], L1) &&
    \at(pool->state->fresh, L2) == \at(pool->state->fresh, L1) &&
    \at(tp_raised, L2) == \at(tp_raised, L1) + 1;
  // The first slot that never was is issued.
  predicate issues_fresh{L1, L2}(struct tp_pool *pool, void *object) =
    \let s = \at(pool->state->fresh, L2);
    s == \at(pool->state->fresh, L1) + 1 &&
    object_words(object) == slot_words{L2}(pool, s) &&
    reborn{L1, L2}(pool, s) && same_tags_but{L1, L2}(pool, s) &&
    list_live{L2}(pool) == list_live{L1}(pool) + 1 &&
    list_top{L2}(pool) == 0 &&
    \at(tp_raised, L2) == \at(tp_raised, L1);
  // Live [slot] is the next to be issued; no other slot is touched.
  predicate frees{L1, L2}(struct tp_pool *pool, integer slot) =
    \at(pool->tag[slot], L2) == \at(pool->tag[slot], L1) - 0x80000000 &&
    same_tags_but{L1, L2}(pool, slot) &&
    list_live{L2}(pool) == list_live{L1}(pool) - 1 &&
    list_top{L2}(pool) == slot &&
    list_link{L2}(pool, slot) == \at(pool->tag[0], L1) &&
    (\forall integer i; 0 <= i < \at(pool->capacity, L2) * TP_PROOF_WORDS &&
      i != (slot - 1) * TP_PROOF_WORDS ==>
        \at(pool->storage[i], L1) == \at(pool->storage[i], L2)) &&
    \at(tp_raised, L2) == \at(tp_raised, L1);
  predicate changes_nothing{L1, L2}(struct tp_pool *pool) =
    \at(pool->tag[0], L2) == \at(pool->tag[0], L1) &&
    same_tags_but{L1, L2}(pool, 0) && same_words{L1, L2}(pool) &&
    \at(pool->state->fresh, L2) == \at(pool->state->fresh, L1);
  // Who looks at the list again sees what there was to see.
  predicate asks_again{L1, L2}(struct tp_pool *pool) =
    \let s = list_top{L1}(pool);
    list_top{L2}(pool) == s && list_live{L2}(pool) == list_live{L1}(pool) &&
    (s != 0 ==>
      list_link{L2}(pool, s) == list_link{L1}(pool, s) &&
      \at(pool->tag[s], L2) == \at(pool->tag[s], L1));
  // What is no live object is a fault, or the policy knows whose it is.
  predicate raises_foreign{L1, L2}(struct tp_pool *pool) =
    \at(tp_raised + tp_taken_back, L2) ==
      \at(tp_raised + tp_taken_back, L1) + 1 &&
    (\at(pool->takes_foreign, L1) == 0 ==>
      \at(tp_raised, L2) == \at(tp_raised, L1) + 1);
  // What a policy answers: an object or nothing.
  predicate answers{L}(struct tp_pool *pool, void *object, uint32_t *tag) =
    object == \null || \exists integer s; 1 <= s <= pool->capacity &&
      object_words(object) == slot_words(pool, s) && is_live(pool, s) &&
      tells(pool, s, tag);
*/

#define TP_CHANGES(pool)                                                     \
  (pool)->tag[0 .. (pool)->capacity], *(pool)->state,                        \
  (pool)->storage[0 .. (pool)->capacity * TP_PROOF_WORDS - 1],               \
  (pool)->age[0 .. (pool)->capacity], (pool)->born[0 .. (pool)->capacity],   \
  tp_ringed[0 .. 0x7fff],                                                    \
  tp_birth[0 .. 0x7fff], tp_clock, tp_at[0 .. 0x7fff], tp_place[0 .. 0x7fff],\
  tp_raised, tp_limbo[0 .. 0x7fff], tp_masked, tp_below

// pool_sound(), which provers prefer piece by piece; where [given] only, _IF.
#define TP_ENSURES_LIST_IF(given, pool)                                      \
  ensures counts: (given) ==> list_counts(pool);                             \
  ensures places: (given) ==> list_places(pool);                             \
  ensures slots: (given) ==> list_slots(pool);                               \
  ensures begins: (given) ==> list_begins(pool);                             \
  ensures links: (given) ==> list_links(pool)
#define TP_ENSURES_SOUND_IF(given, pool)                                     \
  TP_ENSURES_LIST_IF(given, pool);                                           \
  ensures dead: (given) ==> tags_dead(pool);                                 \
  ensures unborn: (given) ==> tags_unborn(pool);                             \
  ensures live: (given) ==> tags_live(pool);                                 \
  ensures limbo: (given) ==> tags_limbo(pool);                               \
  ensures aged: (given) ==> pool_aged(pool)
#define TP_ENSURES_LIST(pool) TP_ENSURES_LIST_IF(0 == 0, pool)
#define TP_ENSURES_SOUND(pool) TP_ENSURES_SOUND_IF(0 == 0, pool)

// ring_sound(), likewise.
#define TP_ENSURES_RING_IF(given, age)                                       \
  ensures newer: (given) ==> ring_newer(age);                                \
  ensures older: (given) ==> ring_older(age);                                \
  ensures clock: (given) ==> ring_clock;                                     \
  ensures births: (given) ==> ring_births;                                   \
  ensures oldest: (given) ==> ring_oldest(age);                              \
  ensures newest: (given) ==> ring_newest(age);                              \
  ensures up: (given) ==> ring_up(age);                                      \
  ensures gap_newer: (given) ==> ring_gap_newer(age);                        \
  ensures gap_older: (given) ==> ring_gap_older(age);                        \
  ensures pinned: (given) ==> ring_pinned(age)
#define TP_ENSURES_RING(age) TP_ENSURES_RING_IF(0 == 0, age)

// What a function of the ring does that takes [slot] off the ring.
#define TP_LEAVES_RING(age, slot)                                            \
  requires ring_memory(age) && ring_sound(age) && is_aged(slot);             \
  assigns age[0 .. tp_slots], tp_ringed[slot];                               \
  TP_ENSURES_RING(age)

// What the functions promise that can tell if a ring was written over. Callers:
// one that is sound stays so. In a row of its own, of any ring: they tell, and
// then change nothing.
#ifdef TP_PROOF_ANY_RING
/*@ // Do the neighbours of [slot] know it? Is all as it was?
  predicate ring_knows(struct tp_age_link *age, integer slot) =
    age[slot].older <= tp_slots && age[slot].newer <= tp_slots &&
    age[age[slot].older].newer == slot && age[age[slot].newer].older == slot;
  predicate ring_stays{L1, L2}(struct tp_age_link *age) =
    \at(tp_clock, L2) == \at(tp_clock, L1) &&
    \forall integer s; 0 <= s <= \at(tp_slots, L2) ==>
      \at(age[s].newer, L2) == \at(age[s].newer, L1) &&
      \at(age[s].older, L2) == \at(age[s].older, L1) &&
      \at(tp_ringed[s], L2) == \at(tp_ringed[s], L1) &&
      \at(tp_birth[s], L2) == \at(tp_birth[s], L1);
*/
#define TP_RING(age) ring_memory(age)
#define TP_TELLS_RING(age, can)                                              \
  ensures told: \result <==> \old(can);                                      \
  ensures stays: !\result ==> ring_stays{Pre, Here}(age)
#define TP_PUSHES_RING(age, slot)                                            \
  TP_TELLS_RING(age, age[0].older <= tp_slots)
#define TP_DOUBTS_RING(age, slot)                                            \
  ensures doubts: \result <==> !ring_knows(age, slot)
#define TP_REMOVES_RING(age, slot, doubt)                                    \
  requires ring_memory(age) && slot <= tp_slots;                             \
  requires doubt || ring_knows(age, slot);                                   \
  assigns age[0 .. tp_slots], tp_ringed[slot];                               \
  TP_TELLS_RING(age, ring_knows(age, slot))
#else
#define TP_RING(age) (ring_memory(age) && ring_sound(age))
#define TP_PUSHES_RING(age, slot)                                            \
  ensures \result && on_ring(slot) && age[0].older == slot;                  \
  TP_ENSURES_RING(age)
#define TP_DOUBTS_RING(age, slot)                                            \
  ensures ring_sound(age) && is_aged(slot) ==> !\result
#define TP_REMOVES_RING(age, slot, doubt)                                    \
  TP_LEAVES_RING(age, slot);                                                 \
  ensures \result && !is_aged(slot)
#endif

// Handles: bits.smt2 proves what is admitted here.
/*@ logic integer handle_of(integer tag, integer slot) =
      (uint32_t)(tag << TP_PROOF_BITS) | slot;
    logic integer handle_lives(integer tag) =
      tag % (0x100000000 / TP_PROOF_SLOTS);
    admit lemma handle_slot:
      \forall integer t, s; 0 <= t <= 0xffffffff && 0 <= s < TP_PROOF_SLOTS ==>
        (handle_of(t, s) & (TP_PROOF_SLOTS - 1)) == s;
    // What a handle claims its slot's tag to be, in the bits of handle_mask.
    logic integer handle_tag(integer handle) =
      0x80000000 | (handle >> TP_PROOF_BITS);
    logic integer handle_mask = 0x80000000 | (0xffffffff >> TP_PROOF_BITS);
    logic integer tag_bits(integer bits, integer mask) = bits & mask;
    predicate tag_holds(integer tag, integer claimed, integer mask) =
      tag_bits((uint32_t)(claimed ^ tag), mask) == 0;
    admit lemma handle_holds:
      \forall integer t, u, s; 0 <= t <= 0xffffffff && 0 <= u <= 0xffffffff &&
        0 <= s < TP_PROOF_SLOTS ==>
          (tag_holds(u, handle_tag(handle_of(t, s)), handle_mask) <==>
           u >= 0x80000000 && handle_lives(t) == handle_lives(u));
    admit lemma handle_part:
      \forall integer h; 0 <= h <= 0xffffffff ==>
        (uint32_t)(h - (uint32_t)((h >> TP_PROOF_BITS) << TP_PROOF_BITS)) ==
          (h & (TP_PROOF_SLOTS - 1)) &&
        (uint32_t)(0x80000000 + (h >> TP_PROOF_BITS)) == handle_tag(h);
    // What of a handle a tag is compared with, and how tp_claim_holds() does.
    predicate handle_narrow(integer tag) =
      \exists integer h; 0 <= h <= 0xffffffff && tag == handle_tag(h);
    logic integer handle_differs(integer tag, integer claimed) =
      (uint32_t)(tag ^ (uint32_t)(claimed - 0x80000000));
    admit lemma handle_shifted:
      \forall integer u, t; 0 <= u <= 0xffffffff && handle_narrow(t) ==>
        (tag_holds(u, t, handle_mask) <==>
         handle_differs(u, t) >= 0x80000000 &&
         (uint32_t)(handle_differs(u, t) << TP_PROOF_BITS) == 0);
    admit lemma handle_live:
      \forall integer u, h; 0 <= u <= 0xffffffff && 0 <= h <= 0xffffffff &&
        tag_holds(u, handle_tag(h), handle_mask) ==> u >= 0x80000000;
    // What is claimed of an object by its address: that it lives.
    admit lemma handle_any:
      \forall integer u; 0 <= u <= 0xffffffff ==>
        (tag_holds(u, 0x80000000, 0x80000000) <==> u >= 0x80000000);

    predicate generation_holds{L}(struct tp_pool *pool,
                                  struct tp_generation *held) =
      tag_holds(pool->tag[held->slot], held->tag, held->mask);
    // Slot 0 is what a handle claims that names no slot.
    predicate claim_held{L}(struct tp_pool *pool, struct tp_generation claim) =
      claim.slot != 0 &&
      tag_holds(pool->tag[claim.slot], claim.tag, claim.mask);
    logic integer handle_slot(integer handle) =
      handle & (TP_PROOF_SLOTS - 1);
    logic integer slot_or_none{L}(struct tp_pool *pool, integer slot) =
      1 <= slot <= pool->capacity ? slot : 0;
    // Does [handle], taken of [slot] when its tag was [tag], refer to the
    // object in it now?
    predicate handle_current{L}(struct tp_pool *pool, integer tag,
                                integer slot) =
      is_live(pool, slot) &&
      handle_lives(pool->tag[slot]) == handle_lives(tag);
*/

// Handles of 64 bits: the whole tag and the slot.
/*@ logic integer wide_of(integer tag, integer slot) =
      (uint64_t)(tag << 16) | slot;
    // handle >> 47 == 1, as WP writes it.
    predicate wide_lives(integer handle) =
      (handle & 0xffff800000000000) == 0x800000000000;
    logic integer wide_slot(integer handle) = (uint16_t)handle;
    logic integer wide_tag(integer handle) = (uint32_t)(handle >> 16);
    admit lemma wide_parts:
      \forall integer t, s; 0 <= t <= 0xffffffff && 0 <= s <= 0xffff ==>
        wide_slot(wide_of(t, s)) == s && wide_tag(wide_of(t, s)) == t &&
        (wide_lives(wide_of(t, s)) <==> t >= 0x80000000);
    admit lemma wide_live:
      \forall integer h; 0 <= h <= 0xffffffffffffffff && wide_lives(h) ==>
        wide_tag(h) >= 0x80000000;
    admit lemma wide_holds:
      \forall integer t, u; 0 <= t <= 0xffffffff && 0 <= u <= 0xffffffff ==>
        (tag_holds(u, t, 0xffffffff) <==> u == t);
    // Is [slot] still of the generation of which [tag] is the tag?
    predicate wide_current{L}(struct tp_pool *pool, integer tag,
                              integer slot) =
      is_live(pool, slot) && pool->tag[slot] == tag;
*/

#define TP_HANDLES(pool)                                                     \
  requires \valid_read(pool);                                                \
  requires pool->handle_bits == TP_PROOF_BITS;                               \
  requires pool->capacity < TP_PROOF_SLOTS

// What the calls by handle promise. [made] is handle_of or wide_of, [current]
// handle_current or wide_current.
#define TP_NAMES(pool, object, made)                                         \
  requires pool_memory(pool) && has_address(object);                         \
  requires slot_divides(pool);                                              \
  assigns \nothing;                                                          \
  ensures live: \forall integer s; stands_at(pool, object, s) &&             \
    is_live(pool, s) ==> \result == made(pool->tag[s], s);                   \
  ensures dead: !is_object(pool, object) ==> \result == 0
// The same of an object that was issued with live [tag], if it was.
#define TP_NAMED(pool, object, tag, made)                                    \
  requires slot_memory(pool) && slot_divides(pool);                          \
  requires object != \null ==> has_address(object) && tag != 0;              \
  assigns \nothing;                                                          \
  ensures named: \forall integer s; object != \null &&                       \
    stands_at(pool, object, s) ==> \result == made(tag, s);                  \
  ensures none: object == \null ==> \result == 0
#define TP_RESOLVES(pool, handle, made, current)                             \
  requires pool_memory(pool);                                                \
  assigns \nothing;                                                          \
  ensures live: \result == \null || is_object(pool, \result);                \
  ensures current: \forall integer t, s; 1 <= s <= pool->capacity &&         \
    0 <= t <= 0xffffffff && handle == made(t, s) ==>                         \
      current(pool, t, s) ==> object_words(\result) == slot_words(pool, s);  \
  ensures stale: \forall integer t, s; 1 <= s <= pool->capacity &&           \
    0 <= t <= 0xffffffff && handle == made(t, s) ==>                         \
      !current(pool, t, s) ==> \result == \null
#define TP_CLAIM_FREES(pool, claim)                                          \
  requires pool_memory(pool) && pool_sound(pool);                            \
  requires claim.slot <= pool->capacity;                                     \
  requires claim_held(pool, claim) ==> is_live(pool, claim.slot);            \
  assigns TP_CHANGES(pool);                                                  \
  TP_KEEPS_LOCKS;                                                            \
  TP_ENSURES_SOUND(pool);                                                    \
  ensures held: \result <==> \old(claim_held(pool, claim));                  \
  ensures frees: \result ==> frees{Pre, Here}(pool, \old(claim.slot));       \
  ensures refuses: !\result ==>                                              \
    changes_nothing{Pre, Here}(pool) && tp_raised == \old(tp_raised)
#define TP_TAKES_BACK(pool, handle, made, current)                           \
  requires pool_memory(pool) && pool_sound(pool);                            \
  assigns TP_CHANGES(pool);                                                  \
  TP_KEEPS_LOCKS;                                                            \
  TP_ENSURES_SOUND(pool);                                                    \
  ensures frees: \forall integer t, s; 1 <= s <= pool->capacity &&           \
    0 <= t <= 0xffffffff && handle == made(t, s) ==>                         \
      (\old(current(pool, t, s)) ==> \result && frees{Pre, Here}(pool, s));  \
  ensures refuses: !\result ==>                                              \
    changes_nothing{Pre, Here}(pool) && tp_raised == \old(tp_raised);        \
  ensures stale: \forall integer t, s; 1 <= s <= pool->capacity &&           \
    0 <= t <= 0xffffffff && handle == made(t, s) ==>                         \
      (!\old(current(pool, t, s)) ==> !\result)

// Pins: [pin] is 1, or 0 to take one back. Who is pinned already, or is not,
// is a fault.
#define TP_TURNED(pin, slot) (pin ? is_pinned(slot) : on_ring(slot))
#define TP_TURNS_RING(pool)                                                  \
  requires pool_memory(pool) && pool_sound(pool);                            \
  requires tp_clock < 0x7fffffffffffffff;                                    \
  assigns pool->age[0 .. pool->capacity], pool->born[0 .. pool->capacity],   \
    tp_ringed[0 .. 0x7fff], tp_birth[0 .. 0x7fff], tp_clock, tp_masked,      \
    tp_below, tp_raised;                                                     \
  TP_KEEPS_LOCKS;                                                            \
  TP_ENSURES_SOUND(pool)
#define TP_TURNS_CLAIM(pool, claim, pin)                                     \
  requires pool->age != \null && claim.slot <= pool->capacity;               \
  requires claim_held(pool, claim) ==> is_live(pool, claim.slot);            \
  TP_TURNS_RING(pool);                                                       \
  ensures held: \old(claim_held(pool, claim)) ==>                            \
    TP_TURNED(pin, \old(claim.slot));                                        \
  ensures others: \forall integer s; s != \old(claim.slot) ==>               \
    tp_ringed[s] == \old(tp_ringed[s])
#define TP_TURNS_PIN(pool, claim, pin)                                       \
  requires 1 <= claim.slot;                                                  \
  TP_TURNS_CLAIM(pool, claim, pin);                                          \
  ensures quiet: tp_raised == \old(tp_raised);                               \
  ensures stale: \result == TP_PIN_STALE <==>                                \
    !\old(claim_held(pool, claim));                                          \
  ensures already: \result == TP_PIN_ALREADY <==>                            \
    \old(claim_held(pool, claim)) && \old(TP_TURNED(pin, claim.slot))
#define TP_CLAIM_TURNS(pool, claim, pin)                                     \
  TP_TURNS_CLAIM(pool, claim, pin);                                          \
  ensures answers: \old(claim_held(pool, claim)) ==>                         \
    object_words(\result) == slot_words(pool, \old(claim.slot)) &&           \
    \result != \null;                                                        \
  ensures stale: !\old(claim_held(pool, claim)) ==> \result == \null;        \
  ensures raises: \old(claim_held(pool, claim)) &&                           \
    \old(TP_TURNED(pin, claim.slot)) ==> tp_raised == \old(tp_raised) + 1;   \
  ensures quiet: !(\old(claim_held(pool, claim)) &&                          \
    \old(TP_TURNED(pin, claim.slot))) ==> tp_raised == \old(tp_raised)
#define TP_TURNS(pool, handle, made, current, pin, answer)                   \
  requires pool->age != \null;                                               \
  TP_TURNS_RING(pool);                                                       \
  ensures current: \forall integer t, s; 1 <= s <= pool->capacity &&         \
    0 <= t <= 0xffffffff && handle == made(t, s) ==>                         \
      (\old(current(pool, t, s)) ==> (answer) && TP_TURNED(pin, s));         \
  ensures stale: \forall integer t, s; 1 <= s <= pool->capacity &&           \
    0 <= t <= 0xffffffff && handle == made(t, s) ==>                         \
      (!\old(current(pool, t, s)) ==> !\result && tp_raised == \old(tp_raised))
/*@ predicate lent{L}(struct tp_pool *pool, void *object) =
      pool->takes_foreign != 0 &&
      \forall integer s; !stands_at(pool, object, s);
*/
#define TP_PINS(pool, object, pin)                                           \
  requires slot_divides(pool) && has_address(object);                        \
  TP_TURNS_RING(pool);                                                       \
  ensures turned: \forall integer s; pool->age != \null &&                   \
    stands_at(pool, object, s) && \old(is_live(pool, s)) ==>                 \
      TP_TURNED(pin, s) &&                                                   \
      (\old(TP_TURNED(pin, s)) ==> tp_raised == \old(tp_raised) + 1) &&      \
      (!\old(TP_TURNED(pin, s)) ==> tp_raised == \old(tp_raised));           \
  ensures stale: pool->age != \null && !\old(is_object(pool, object)) ==>    \
    (lent(pool, object) ==> tp_raised == \old(tp_raised)) &&                 \
    (!lent(pool, object) ==> tp_raised == \old(tp_raised) + 1);              \
  ensures others: \forall integer s; pool->age == \null ||                   \
    !stands_at(pool, object, s) || !\old(is_live(pool, s)) ==>               \
      tp_ringed[s] == \old(tp_ringed[s])

// Of what it is called with, tp_claim.h: who asks for a handle goes on himself.
/*@ requires \valid(deferred);
    assigns *deferred;
    ensures *deferred == 1 && \result == \null; */
static inline void *tp_claim_defer(const struct tp_pool *pool,
                                   uint32_t *deferred, tp_site_t site);

// What tp_pool_alloc() and those it is made of promise.
// The calls that are open to every pool; a pool with a ring names them.
void *tp_pool_alloc_for(const struct tp_pool *pool, uint32_t *tag,
                        tp_site_t site);
void tp_pool_free_for(const struct tp_pool *pool, void *object, tp_site_t site);
/*@ predicate pool_general{L}(struct tp_pool *pool) =
      (pool->age != \null ==> pool->general != \null) &&
      (pool->general != \null ==> \valid_read(pool->general) &&
        pool->general->alloc == &tp_pool_alloc_for &&
        pool->general->free == &tp_pool_free_for);
*/

#define TP_REQUESTS(pool, tag)                                               \
  requires pool_memory(pool) && side_sound(pool) && pool_asks(pool);         \
  requires tp_clock < 0x7fffffffffffffff && tag_memory(pool, tag);           \
  requires pool_general(pool)
#define TP_ANSWERS(pool, tag)                                                \
  TP_REQUESTS(pool, tag);                                                    \
  assigns TP_CHANGES(pool), *(tag);                                          \
  TP_ISSUES(0 == 0, pool, tag)
#define TP_ALLOCATES(pool, tag)                                              \
  TP_ANSWERS(pool, tag);                                                     \
  TP_KEEPS_LOCKS
// A quick call: of a pool that has no ring and is open to it, or names one that
// is.
#define TP_IF_QUICK(quick, pool, tag)                                        \
  requires quick ==> tag == \null && pool->age == \null &&                   \
    slot_quick(pool) == pool->capacity
#define TP_EXTENDS_QUICKLY(pool, tag)                                        \
  requires tag == \null && slot_served(pool);                                \
  TP_ALLOCATES(pool, tag)
// For who asked for no handle, where that is [given].
#define TP_ISSUES(given, pool, tag)                                          \
  TP_ENSURES_SOUND_IF(\old(list_links(pool)), pool);                         \
  ensures reissues: (given) && \old(list_top(pool) != 0 &&                   \
      top_link_fits(pool)) ==> reissues{Pre, Here}(pool, \result);           \
  ensures told: (given) && \old(list_top(pool) != 0 &&                       \
      top_link_fits(pool)) ==> tells(pool, \old(list_top(pool)), tag);       \
  ensures refuses: (given) && \old(list_top(pool) != 0 &&                    \
      !top_link_fits(pool)) ==> refuses{Pre, Here}(pool, \result);           \
  ensures fresh: (given) && \old(list_top(pool) == 0 &&                      \
      pool->state->fresh < pool->capacity) ==>                               \
    issues_fresh{Pre, Here}(pool, \result) &&                                \
    tells(pool, pool->state->fresh, tag);                                    \
  ensures full: (given) && \old(list_top(pool) == 0 &&                       \
      pool->state->fresh == pool->capacity) ==> answers(pool, \result, tag)

// What tp_core_alloc() promises who asks for a handle. What is not on the list,
// or wants to be looked at, is left to him: nothing has changed.
#define TP_DEFERS(given, pool, tag, made)                                    \
  ensures deferred: (given) && \result == \null ==> *(tag) == 1 &&           \
    side_sound(pool) && changes_nothing{Pre, Here}(pool) &&                  \
    asks_again{Pre, Here}(pool) && tp_raised == \old(tp_raised) &&           \
    tp_clock == \old(tp_clock);                                              \
  ensures issued: (given) && \result != \null ==>                            \
    \old(list_top(pool) != 0 && top_link_fits(pool)) &&                      \
    reissues{Pre, Here}(pool, \result) &&                                    \
    made_of(pool, made, \old(list_top(pool)))
#define TP_EXTENDS(pool, quick, extend, tag, made)                           \
  requires made == \null ==> (quick                                          \
    ? extend == &tp_quick_extend && tag == \null && slot_served(pool)        \
    : extend == &tp_pool_extend);                                            \
  requires made != \null ==> quick && extend == &tp_claim_defer &&           \
    tag != \null && made_memory(pool, made, tag)

// No call changes what a pool is.
#define TP_SAME(pool)                                                        \
  pool->stride == \at(pool->stride, Pre) &&                                  \
  pool->capacity == \at(pool->capacity, Pre) &&                              \
  pool->origin == \at(pool->origin, Pre) &&                                  \
  pool->inverse == \at(pool->inverse, Pre) &&                                \
  pool->gate == \at(pool->gate, Pre)

// A handle comes with the object. [name] is handle_of or wide_of.
#define TP_HANDS_OUT(pool, handle, name)                                     \
  TP_REQUESTS(pool, (uint32_t *)\null);                                      \
  requires slot_divides(pool) && \valid(handle) &&                           \
    TP_APART(pool, handle, handle);                                          \
  assigns TP_CHANGES(pool), *(handle);                                       \
  TP_KEEPS_LOCKS;                                                            \
  TP_ENSURES_SOUND_IF(\old(list_links(pool)), pool);                         \
  ensures reissues: \old(list_top(pool) != 0 && top_link_fits(pool)) ==>     \
    reissues{Pre, Here}(pool, \result) &&                                    \
    *(handle) == name(pool->tag[\old(list_top(pool))],                       \
                      \old(list_top(pool)));                                 \
  ensures refuses: \old(list_top(pool) != 0 && !top_link_fits(pool)) ==>     \
    refuses{Pre, Here}(pool, \result) && *(handle) == 0;                     \
  ensures fresh: \old(list_top(pool) == 0 &&                                 \
      pool->state->fresh < pool->capacity) ==>                               \
    issues_fresh{Pre, Here}(pool, \result) &&                                \
    *(handle) == name(pool->tag[pool->state->fresh], pool->state->fresh);    \
  ensures full: \old(list_top(pool) == 0 &&                                  \
      pool->state->fresh == pool->capacity) ==>                              \
    (\result == \null ? *(handle) == 0                                       \
                      : \exists integer s; stands_at(pool, \result, s) &&    \
        is_live(pool, s) && *(handle) == name(pool->tag[s], s))

// What tp_pool_free() and what it is made of promise.
#define TP_FREES(pool, object)                                               \
  requires pool_memory(pool) && pool_sound(pool) && has_address(object);     \
  requires slot_divides(pool) && pool_knows(pool) && pool_general(pool);     \
  assigns TP_CHANGES(pool), tp_taken_back;                                   \
  TP_KEEPS_LOCKS;                                                            \
  TP_ENSURES_SOUND(pool);                                                    \
  ensures frees: \forall integer s; 1 <= s <= pool->capacity &&              \
    object_words(object) == slot_words(pool, s) &&                           \
    \old(is_live(pool, s)) ==> frees{Pre, Here}(pool, s);                    \
  ensures refuses: (\forall integer s; 1 <= s <= pool->capacity &&           \
      object_words(object) == slot_words(pool, s) ==>                        \
      !\old(is_live(pool, s))) ==>                                           \
    changes_nothing{Pre, Here}(pool) && raises_foreign{Pre, Here}(pool)

void *tp_any_policy(const struct tp_pool *pool, uint32_t *tag,
                    tp_site_t site);

// Whatever the application does with an object that is none of the pool's.
/*@ assigns tp_taken_back;
    ensures tp_taken_back == \old(tp_taken_back) + (\result ? 1 : 0); */
bool tp_any_take_back(const struct tp_pool *pool, void *object,
                      tp_site_t site);

/*@ predicate pool_knows{L}(struct tp_pool *pool) =
      pool->takes_foreign != 0 ==>
        \valid_read(pool->policy) &&
        pool->policy->take_back == &tp_any_take_back; */

/*@ predicate pool_asks{L}(struct tp_pool *pool) =
      \valid_read(pool->policy) && pool->policy->overflow == &tp_any_policy;
*/

// Whatever the application does when a pool is full. steal.c proves that
// steal-oldest keeps to this.
/*@ requires pool_memory(pool) && pool_sound(pool);
    requires tp_clock < 0x7fffffffffffffff && tag_memory(pool, tag);
    requires full: list_top(pool) == 0 && pool->state->fresh == pool->capacity;
    assigns TP_CHANGES(pool), *tag;
    TP_KEEPS_LOCKS;
    TP_ENSURES_SOUND(pool);
    ensures answers: answers(pool, \result, tag); */
void *tp_any_policy(const struct tp_pool *pool, uint32_t *tag,
                    tp_site_t site);

// The same where a lock is given too, as tp_core_extend() wants it: tp_pool.c.
/*@ requires pool_memory(pool) && pool_sound(pool) && pool_asks(pool);
    requires tp_clock < 0x7fffffffffffffff && tag_memory(pool, tag);
    requires full: list_top(pool) == 0 && pool->state->fresh == pool->capacity;
    assigns TP_CHANGES(pool), *tag;
    TP_KEEPS_LOCKS;
    TP_ENSURES_SOUND(pool);
    ensures answers: answers(pool, \result, tag); */
static void *ask_policy(const struct tp_pool *pool, uint32_t lock,
                        uint32_t *tag, tp_site_t site);

// Is the object at [words] being evicted?
/*@ predicate evicted{L}(struct tp_pool *pool, tp_word_t *words) =
      \exists integer s; 1 <= s <= pool->capacity && tp_limbo[s] != 0 &&
        words == slot_words(pool, s);
*/
// Whatever the application does when it is told of a theft: with the pool
// too, as long as it leaves alone the slots that are being evicted.
/*@ ghost const struct tp_pool *tp_evicting; */
/*@ requires pool_memory(tp_evicting) && pool_sound(tp_evicting);
    check requires evicted: evicted(tp_evicting, object_words(victim));
    assigns TP_CHANGES(tp_evicting);
    TP_KEEPS_LOCKS;
    TP_ENSURES_SOUND(tp_evicting);
    ensures \forall integer s; \old(tp_limbo[s]) != 0 ==> tp_limbo[s] != 0;
    ensures tp_clock < 0x7fffffffffffffff; */
void tp_any_evict(void *victim);

/*@ predicate pool_evicts{L}(struct tp_pool *pool) =
      tp_evicting == pool &&
      (pool->evict == \null || pool->evict == &tp_any_evict);
    predicate oldest{L}(integer slot) = on_ring(slot) &&
      \forall integer s; on_ring(s) ==> tp_birth[slot] <= tp_birth[s];
    // Was it born too recently to be stolen?
    predicate spared{L}(struct tp_pool *pool, integer slot) =
      pool->min_age != 0 &&
      (uint32_t)(tp_clock_now - pool->born[slot]) < pool->min_age;
    // No slot but [slot] is being evicted that was not.
    predicate others_stay{L1, L2}(integer slot) =
      \forall integer s; s != slot ==>
        \at(tp_limbo[s], L2) == \at(tp_limbo[s], L1);
    // There is nothing to steal.
    predicate guarded{L}(struct tp_pool *pool) =
      (\forall integer s; !on_ring(s)) ||
      (\exists integer s; oldest(s) && spared(pool, s));
    // [object] was the oldest until it was stolen.
    predicate was_oldest{L1, L2}(struct tp_pool *pool, void *object) =
      \exists integer s; oldest{L1}(s) &&
        object_words(object) == slot_words{L2}(pool, s);
*/

// What taking [victim] off list and ring wants and changes.
#define TP_DETACHES(pool, victim)                                            \
  requires pool_memory(pool) && pool_sound(pool) && pool->age != \null;      \
  assigns pool->tag[0 .. pool->capacity], *pool->state,                      \
    pool->age[0 .. pool->capacity], tp_ringed[0 .. 0x7fff],                  \
    tp_limbo[0 .. 0x7fff], tp_masked, tp_below;                              \
  TP_KEEPS_LOCKS;                                                            \
  TP_ENSURES_SOUND(pool);                                                    \
  ensures others: others_stay{Pre, Here}(victim)

// What stealing promises; and if it is the oldest that is stolen.
#define TP_STEALS(pool, tag)                                                 \
  requires pool_memory(pool) && pool_sound(pool) && pool->age != \null;      \
  requires pool_evicts(pool) && tp_clock < 0x7fffffffffffffff;               \
  requires tag_memory(pool, tag);                                            \
  assigns TP_CHANGES(pool), *(tag);                                          \
  TP_KEEPS_LOCKS;                                                            \
  TP_ENSURES_SOUND(pool);                                                    \
  ensures answers: answers(pool, \result, tag)
#define TP_STEALS_OLDEST(pool, tag)                                          \
  TP_STEALS(pool, tag);                                                      \
  ensures oldest: \result != \null ==> was_oldest{Pre, Here}(pool, \result); \
  ensures none: \result == \null ==> \old(guarded(pool))

#endif
