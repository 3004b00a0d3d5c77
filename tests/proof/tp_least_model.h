// SPDX-License-Identifier: MIT
// tp_least_model.h - what the prover knows of a pool that steals the object of
// the lowest score, besides tp_model.h.
// clang-format off: macros that hold ACSL are no C.
#ifndef TP_LEAST_MODEL_H
#define TP_LEAST_MODEL_H

#include "policy/tp_steal_least.h"
#include "tp_model.h"

// Whatever the application answers of each object: the same, as long as nobody
// writes to it.
/*@ ghost const struct tp_pool *tp_scored; */
/*@ ghost uint32_t tp_score[0x8000]; */
/*@ assigns \nothing;
    ensures score: \forall integer s; 1 <= s <= tp_scored->capacity &&
      object_words((void *)object) == slot_words(tp_scored, s) ==>
        \result == tp_score[s]; */
uint32_t tp_any_score(const void *object);

/*@ logic struct tp_steal_least *least{L}(struct tp_pool *pool) =
      (struct tp_steal_least *)pool->policy;
    predicate pool_scores{L}(struct tp_pool *pool) =
      tp_scored == pool && pool->takes_foreign == 0 &&
      \valid_read(least(pool)) && least(pool)->score == &tp_any_score;
    // Nobody who is as old or older is spared: what a scan comes to.
    predicate may_go{L}(struct tp_pool *pool, integer slot) = on_ring(slot) &&
      \forall integer s; on_ring(s) && tp_birth[s] <= tp_birth[slot] ==>
        !spared(pool, s);
    // Is [slot] lower than [other], or as low and not younger?
    predicate no_more{L}(integer slot, integer other) =
      tp_score[slot] < tp_score[other] ||
      (tp_score[slot] == tp_score[other] && tp_birth[slot] <= tp_birth[other]);
    predicate least_of_all{L}(struct tp_pool *pool, integer slot) =
      may_go(pool, slot) &&
      \forall integer s; may_go(pool, s) ==> no_more(slot, s);
    // A newcomer of this score is not to take that slot.
    predicate is_refused{L}(struct tp_pool *pool, integer score,
                            integer slot) =
      least(pool)->refuses_below != 0 && score < tp_score[slot];
    // [object] was the least until it was stolen for a newcomer of [score].
    predicate was_least{L1, L2}(struct tp_pool *pool, integer score,
                                void *object) =
      \exists integer s; least_of_all{L1}(pool, s) &&
        !is_refused{L1}(pool, score, s) &&
        object_words(object) == slot_words{L2}(pool, s);
    // Nobody may go, or the least matters more than the newcomer.
    predicate none_goes{L}(struct tp_pool *pool, integer score) =
      (\forall integer s; !may_go(pool, s)) ||
      (\exists integer s; least_of_all(pool, s) &&
        is_refused(pool, score, s));
*/

// Where a scan stands: on the ring or at its head. It knows who comes next, or
// asks.
#define TP_VISITS(pool, at)                                                  \
  (is_link((at).slot) && (at).tag == pool->tag[(at).slot] &&                 \
   ((at).newer == 0 || (at).newer == pool->age[(at).slot].newer))
#define TP_SCANS(pool)                                                       \
  requires pool_memory(pool) && pool->age != \null && ring_sound(pool->age)
// From [from] it went on: to the end, or to the next younger.
#define TP_CAME(at, from)                                                    \
  ((at).slot == 0 ? (\forall integer s; on_ring(s) ==>                       \
                      from != 0 && tp_birth[s] <= tp_birth[from])            \
                  : (\forall integer s; TP_SEES(at, s) ==> s == (at).slot || \
                      from != 0 && tp_birth[s] <= tp_birth[from]))
// It went on to the next, from where it stood before the call.
#define TP_WENT_ON(pool, at)                                                 \
  (TP_VISITS(pool, *at) && at->slot == pool->age[\old(at->slot)].newer)
// [who] is none younger than where it stands: it has come by.
#define TP_SEES(at, who)                                                     \
  (on_ring(who) && (at).slot != 0 && tp_birth[who] <= tp_birth[(at).slot])
// The score of whom a request is for: the highest, unless it says.
#define TP_SCORE_OF(tag)                                                     \
  (tag == \null ? 0xffffffff : (uint32_t)~\old(*tag))
// What stealing the least noticeable promises, for a newcomer of score [given].
#define TP_STEALS_LEAST(pool, given, tag)                                    \
  TP_STEALS(pool, tag);                                                      \
  ensures least: \result != \null ==>                                        \
    was_least{Pre, Here}(pool, given, \result);                              \
  ensures none: \result == \null ==> none_goes{Pre}(pool, given)

#endif
