// SPDX-License-Identifier: MIT
#include "policy/tp_steal_least.h"

#include "core/tp_calls.h"
#include "policy/tp_spill.h"
#include "policy/tp_steal.h"

enum { SCANS = 4 };

// Where a scan stands: a slot, and the tag it had when the scan came there.
// Slot 0 is the ring's head, where it begins and ends.
struct visit {
  uint32_t slot;
  uint32_t tag;
  uint32_t newer;  // Who came next then; 0: nobody, or ask again.
};

// The best victim so far; slot 0: none.
struct victim {
  struct visit at;
  uint32_t score;
};

/*@ requires ring_memory(age) && ring_sound(age) && is_link(at.slot);
    requires \valid_read(tags + at.slot);
    assigns \nothing;
    ensures same: \result <==> tags[at.slot] == at.tag; */
static bool unchanged(const struct tp_age_link *age, const uint32_t *tags,
                      struct visit at)
{
  if (tags[at.slot] != at.tag) return false;
  return at.slot == 0 || !tp_age_pinned(age, (tp_slot_t)at.slot);
}

// Does [link], of the slot that [at] leads to, lead back? From fast up nobody
// follows one that does not: so a scan ends.
/*@ requires \valid_read(at);
    assigns \nothing;
    ensures back: \result <==> link / 0x10000 == at->slot; */
static bool leads_back(const struct visit *at, uint32_t link)
{
  return !TP_MISUSE(link / 0x10000u != at->slot);
}

// Goes on to the next younger object. Returns false, and goes nowhere, iff an
// interrupt freed, stole or pinned the one where the scan stands.
/*@ TP_SCANS(pool);
    requires \valid(at) && TP_APART(pool, at, at) && TP_VISITS(pool, *at);
    assigns *at, tp_masked, tp_below;
    TP_KEEPS_LOCKS;
    ensures on: \result && TP_WENT_ON(pool, at); */
static bool go_on(const struct tp_pool *pool, struct visit *at, tp_site_t site)
{
  const struct tp_age_link *age = pool->age;
  const uint32_t *tags = pool->tag;
  uint32_t lock = pool->lock, last = pool->capacity, link = 0;
  bool sound = true;
  uint32_t key = tp_lock_take(lock);
  bool same = unchanged(age, tags, *at);
  if (same) {
    uint32_t newer = age[at->slot].newer;
    sound = !TP_MISUSE(newer > last);
    if (sound) link = tp_port_link(&age[newer]);
    if (sound) sound = leads_back(at, link);
    if (sound) *at = (struct visit){newer, tags[newer], 0};
  }
  tp_lock_give(lock, key);
  if (!sound) tp_pool_raise_ring(pool, at->slot, site);
  if (!tp_lock_is_cores(lock)) at->newer = link % 0x10000u;
  return same;
}

// The same with nothing masked, in one look at the link of the next object: who
// leaves the ring, or is pinned, takes away the way back from the one behind,
// and who dies, the mark in the tag. Returns false, and goes nowhere, if there
// is none, or one of these came.
/*@ requires ring_memory(age) && ring_sound(age) && last == tp_slots;
    requires \valid_read(tags + (0 .. last)) && \valid(at) && is_link(at->slot);
    requires \separated(at, age + (0 .. last), tags + (0 .. last));
    requires at->newer == 0 || at->newer == age[at->slot].newer;
    assigns *at;
    ensures on: \result ==> on_ring(at->slot) &&
      at->slot == age[\old(at->slot)].newer && at->tag == tags[at->slot] &&
      at->newer == age[at->slot].newer;
    ensures stays: !\result ==> *at == \old(*at); */
TP_INLINE bool glides(const struct tp_age_link *age, const uint32_t *tags,
                      uint32_t last, struct visit *at)
{
  uint32_t next = at->newer;
  if (next - 1 >= last) return false;
  uint32_t link = tp_port_link(&age[next]);
  TP_BARRIER();
  uint32_t tag = tags[next];
  if (link / 0x10000u != at->slot || tag < TP_LIVE) return false;
  *at = (struct visit){next, tag, link % 0x10000u};
  return true;
}

// The pool's policy, or what that asks when nothing is left to borrow.
/*@ requires \valid_read(pool) && pool->takes_foreign == 0;
    assigns \nothing;
    ensures policy: \result == least(pool); */
static const struct tp_steal_least *least_of(const struct tp_pool *pool)
{
  const struct tp_policy *policy = pool->policy;
  if (pool->takes_foreign) policy = tp_spill_of(pool)->then;
  return (const struct tp_steal_least *)policy;
}

// Scans from the oldest on, so that of equals it stays. Returns false iff an
// interrupt changed what the scan stood on. [most]: a higher score is no lower.
/*@ TP_SCANS(pool);
    requires pool_scores(pool) && \valid(best) && TP_APART(pool, best, best) &&
      \separated(best, least(pool));
    assigns *best, tp_masked, tp_below;
    TP_KEEPS_LOCKS;
    ensures whole: \result;
    ensures least: best->at.slot != 0 ==>
      least_of_all{Pre}(pool, best->at.slot) &&
      best->at.tag == pool->tag[best->at.slot] &&
      best->score == tp_score[best->at.slot];
    ensures none: best->at.slot == 0 ==>
      \forall integer s; !may_go{Pre}(pool, s); */
TP_NOINLINE static bool choose(const struct tp_pool *pool, struct victim *best,
                               tp_site_t site)
{
  const struct tp_age_link *age = pool->age;
  const uint32_t *tags = pool->tag;
  uint32_t last = pool->capacity, most = UINT32_MAX;
  uint32_t (*score_of)(const void *) = least_of(pool)->score;
  struct visit at = {0, tags[0], 0};
  best->at.slot = 0;
  /*@ loop invariant visits: TP_VISITS(pool, at);
      loop invariant begins: at.slot == 0 <==> best->at.slot == 0;
      loop invariant seen: \forall integer s; TP_SEES(at, s) ==>
        !spared{Pre}(pool, s) && no_more(best->at.slot, s);
      loop invariant best: best->at.slot != 0 ==>
        TP_SEES(at, best->at.slot) &&
        best->at.tag == pool->tag[best->at.slot] &&
        best->score == tp_score[best->at.slot];
      loop invariant most: most == (best->at.slot == 0 ? 0xffffffff :
        best->score == 0 ? 0 : best->score - 1);
      loop invariant masked: tp_masked == \at(tp_masked, Pre) &&
        tp_below == \at(tp_below, Pre);
      loop assigns at, most, *best, tp_masked, tp_below;
      loop variant at.slot == 0 ? tp_clock - tp_birth[pool->age[0].newer] + 1
        : tp_clock - tp_birth[at.slot]; */
  for (;;) {
    //@ ghost uint32_t from = at.slot;
    if (!TP_LIKELY(glides(age, tags, last, &at))) {
      if (!go_on(pool, &at, site)) return false;
      //@ assert came: TP_CAME(at, from);
      if (at.slot == 0) return true;
    }
    //@ assert came: TP_CAME(at, from);
    //@ assert same: spared(pool, at.slot) <==> spared{Pre}(pool, at.slot);
    if (tp_steal_spares(pool, (tp_slot_t)at.slot)) break;
    uint32_t score;
    //@ calls tp_any_score;
    score = score_of(tp_slot_words(pool, at.slot));
    if (TP_LIKELY(score > most)) continue;
    if (best->at.slot != 0 && score >= best->score) continue;  // Both are 0.
    *best = (struct victim){at, score};
    most = score == 0 ? 0 : score - 1;
  }
  // Behind nobody it is the oldest, or was until it became young just now.
  return best->at.slot != 0 || age[0].newer == at.slot;
}

// Takes the victim, unless an interrupt came first.
/*@ requires on_ring(at.slot) && at.tag == pool->tag[at.slot];
    TP_DETACHES(pool, at.slot);
    ensures taken: \result && tp_limbo[at.slot] != 0;
    check ensures steals: pool->state->steals ==
      (uint32_t)(\old(pool->state->steals) + 1); */
TP_NOINLINE static bool take(const struct tp_pool *pool, struct visit at,
                             tp_site_t site)
{
  struct tp_age_link *age = pool->age;
  const uint32_t *tags = pool->tag;
  uint32_t lock = pool->lock, last = pool->capacity;
  tp_slot_t slot = (tp_slot_t)at.slot;
  bool doubt = tp_age_doubts(age, last, slot), sound = true;
  uint32_t key = tp_lock_take(lock);
  bool same = unchanged(age, tags, at);
  if (same) {
    sound = tp_steal_take(pool, slot, age, last, false, doubt);
    pool->state->steals++;
  }
  tp_lock_give(lock, key);
  if (!sound) tp_pool_raise_ring(pool, at.slot, site);
  return same;
}

// The list has no slot to issue: it is empty, or was written over.
static void *give_up(const struct tp_pool *pool, uint32_t *tag, tp_site_t site)
{
  (void)tag;
  uint32_t key = tp_lock_take(pool->lock);
  uint32_t word = pool->tag[0];
  bool sound = tp_list_top_of(word) == 0 || tp_list_is_sound(pool, word);
  tp_lock_give(pool->lock, key);
  if (!sound) tp_pool_raise_link(pool, word, site);
  return NULL;
}

/*@ requires pool_memory(pool) && pool_sound(pool);
    assigns *pool->state, tp_masked, tp_below;
    TP_KEEPS_LOCKS;
    TP_ENSURES_SOUND(pool);
    ensures none: \result == \null;
    check ensures refused: pool->state->refused_by_rule ==
      (uint32_t)(\old(pool->state->refused_by_rule) + 1); */
static void *refuse(const struct tp_pool *pool)
{
  uint32_t key = tp_lock_take(pool->lock);
  pool->state->refused_by_rule++;
  tp_lock_give(pool->lock, key);
  return NULL;
}

// Takes a slot that an interrupt has freed meanwhile. The request was counted
// as one that found every slot live: no longer.
//@ requires interrupted: \false; assigns \nothing;
static void *take_freed(const struct tp_pool *pool, uint32_t *tag,
                        tp_site_t site)
{
  void *object =
      tp_core_alloc(pool, false, pool->lock, give_up, tag, NULL, site);
  if (!object) return NULL;
  uint32_t key = tp_lock_take(pool->lock);
  pool->state->overflows--;
  tp_lock_give(pool->lock, key);
  return object;
}

/*@ requires \valid_read(pool) && pool->takes_foreign == 0;
    requires \valid_read(best) && \valid_read(least(pool));
    assigns \nothing;
    ensures below: \result <==>
      least(pool)->refuses_below != 0 && score < best->score; */
static bool is_below(const struct tp_pool *pool, uint32_t score,
                     const struct victim *best)
{
  return least_of(pool)->refuses_below && score < best->score;
}

// When a scan was disturbed, a slot may have been freed: so look into the free
// list before scanning again.
/*@ requires pool_scores(pool);
    TP_STEALS_LEAST(pool, score, tag); */
static void *steal(const struct tp_pool *pool, uint32_t score, uint32_t *tag,
                   tp_site_t site)
{
  void *object = NULL;
  /*@ loop invariant first: i == 0 && object == \null;
      loop assigns i, object;
      loop variant SCANS - i; */
  for (uint32_t i = 0; i < SCANS && !object; i++) {
    struct victim best;
    if (choose(pool, &best, site)) {
      if (best.at.slot == 0 || is_below(pool, score, &best)) break;
      if (take(pool, best.at, site)) {
        //@ assert same: TP_SAME(pool);
        //@ assert memory: pool_memory(pool);
        return tp_steal_reissue(pool, pool->lock, (tp_slot_t)best.at.slot, tag,
                                site);
      }
    }
    object = take_freed(pool, tag, site);
  }
  return object ? object : refuse(pool);
}

/*@ requires pool_scores(pool);
    TP_STEALS_LEAST(pool, TP_SCORE_OF(tag), tag); */
void *tp_least_overflow(const struct tp_pool *pool, uint32_t *tag,
                        tp_site_t site)
{
  return steal(pool, tag ? ~*tag : UINT32_MAX, tag, site);
}

TP_NOINLINE void *tp_least_alloc(const struct tp_pool *pool, uint32_t score)
{
  uint32_t tag = ~score;
  return tp_pool_alloc_for(pool, &tag, tp_site(NULL));
}

TP_NOINLINE void *tp_least_alloc_handle(const struct tp_pool *pool,
                                        uint32_t score, tp_handle_t *handle)
{
  uint32_t tag = ~score;
  void *object = tp_pool_alloc_for(pool, &tag, tp_site(NULL));
  *handle = tp_handle_by_tag(pool, object, tag);
  return object;
}

TP_NOINLINE void *tp_least_alloc_handle64(const struct tp_pool *pool,
                                          uint32_t score, tp_handle64_t *handle)
{
  uint32_t tag = ~score;
  void *object = tp_pool_alloc_for(pool, &tag, tp_site(NULL));
  *handle = tp_handle64_by_tag(pool, object, tag);
  return object;
}
