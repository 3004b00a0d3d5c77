// SPDX-License-Identifier: MIT
// tp_tag.h - internal: whether a slot is live, and how often it was issued.
//
// tag[slot] = TP_LIVE while the slot is live, plus the number of times it was
// issued (its generation, 31 bits). No overrun of an object reaches it; it
// answers a double free in O(1); handles compare it; the sums over all slots
// are the pool's statistics, so nothing else needs counting.
//
// A live slot's tag is changed with the pool locked. That of a slot which is on
// no list belongs to the context that took it off.
#ifndef TP_TAG_H
#define TP_TAG_H

#include "check/tp_check.h"
#include "core/tp_calls.h"
#include "core/tp_code.h"
#include "core/tp_cores.h"
#include "core/tp_shape.h"
#include "tidepool.h"
#include "tp_port.h"

#define TP_GENERATION_MAX 0x7fffffffu

#ifdef __cplusplus
extern "C" {
#endif

// The list leads to [slot], which is live.
//@ TP_RAISES;
TP_NORETURN void tp_pool_raise_tag(const struct tp_pool *pool, uint32_t slot,
                                   tp_site_t site);

// The free list is not what it must be: its word names no slot of the pool, or
// the link of the slot that it names was written over.
//@ TP_RAISES;
TP_NORETURN void tp_pool_raise_link(const struct tp_pool *pool, uint32_t word,
                                    tp_site_t site);

// The ring at [slot], 0 is its head, does not lead back to where it came from.
//@ TP_RAISES;
TP_NORETURN void tp_pool_raise_ring(const struct tp_pool *pool, uint32_t slot,
                                    tp_site_t site);

// The tag of [slot] is none of the code, or not that of a slot on the list. The
// record expects the one that it differs from in a single bit, or 0.
//@ TP_RAISES;
TP_NORETURN void tp_hardened_raise_tag(const struct tp_pool *pool,
                                       uint32_t slot, tp_site_t site);

#ifdef __cplusplus
}
#endif

// Has [pool] code of its own that alone may change it, for all that this file
// knows? And are its tags a code?
//@ assigns \nothing; ensures !\result;
TP_INLINE bool tp_tag_closed(const struct tp_pool *pool)
{
  return TP_HARDENED && pool->hardened != 0;
}

//@ assigns \nothing; ensures !\result;
TP_INLINE bool tp_tag_coded(const struct tp_pool *pool)
{
  return TP_HARDENED && (pool->hardened & TP_CODED) != 0;
}

// Is [tag], of a code, that of a slot that was issued before and can be again?
// Then it is not 0, which is what most often is written to the wrong place.
//@ assigns \nothing;
TP_INLINE bool tp_tag_waits(uint32_t tag)
{
  uint32_t inverse = TP_CODE_INVERSE;
  TP_KEEP(inverse);
  return TP_LIKELY(tag * inverse - 1 < TP_CODE_LIVES - 1);
}

// What a tag becomes by an issue and by a death: those of a hardened pool are
// others, tp_code.h.
//@ assigns \nothing; ensures \result == TP_LIVE + 1;
TP_INLINE uint32_t tp_tag_birth(const struct tp_pool *pool)
{
  return tp_tag_coded(pool) ? TP_CODE_BIRTH : TP_LIVE + 1;
}

//@ assigns \nothing; ensures \result == TP_LIVE;
TP_INLINE uint32_t tp_tag_death(const struct tp_pool *pool)
{
  return tp_tag_coded(pool) ? TP_CODE_LIFE - TP_CODE_BIRTH : TP_LIVE;
}

// At off only the pools that hand out handles have tags.
/*@ requires \valid_read(pool);
    assigns \nothing;
    ensures \result; */
TP_INLINE bool tp_tag_kept(const struct tp_pool *pool)
{
  return TP_CHECKS >= TP_CHECKS_FAST || pool->tagged;
}

// At off quick calls are made of pools without tags.
//@ assigns \nothing; ensures !\result;
TP_INLINE bool tp_tag_absent(bool quick)
{
  return TP_CHECKS < TP_CHECKS_FAST && quick;
}

// The gate of [pool], whose other fields are complete, with its first [count]
// slots. Quick calls see none of a pool with a ring, or at off with tags.
TP_INLINE uint32_t tp_slot_gate(const struct tp_pool *pool, tp_slot_t count)
{
  bool hidden = pool->age || (TP_CHECKS < TP_CHECKS_FAST && pool->tagged);
  return TP_GATE(pool->stride, hidden ? 0 : count);
}

// Gives it these slots.
TP_INLINE void tp_slot_open(struct tp_pool *pool, tp_slot_t count)
{
  pool->capacity = count;
  pool->gate = tp_slot_gate(pool, count);
}

// Is all of [pool] to be looked at before a call that locks by [lock]? At full,
// and where another core than the pool's seems to make it.
#if TP_CORES_NUMBERED
TP_INLINE bool tp_tag_doubted(const struct tp_pool *pool, uint32_t lock)
{
  if (TP_AUDITED) return true;
  if (TP_CHECKS < TP_CHECKS_FAST || lock == TP_LOCK_CORES) return false;
  uint32_t core = pool->state->scrubbed / TP_CORE_BIT;
  return !TP_LIKELY(core == TP_CORES_PORT_NUMBER() % 2u);
}
#else
//@ assigns \nothing; ensures \result == 0;
TP_INLINE bool tp_tag_doubted(const struct tp_pool *pool, uint32_t lock)
{
  (void)pool;
  (void)lock;
  return TP_AUDITED;
}
#endif

// Does anybody note what a device has? TP_LENT() of them, of slots whose tags
// are kept.
//@ assigns \nothing; ensures \result;
TP_INLINE bool tp_tag_lent_noted(void)
{
  return TP_CHECKS >= TP_CHECKS_FAST;
}

// What the generations add up to ----------------------------------------------
//
// By a generation that was written over a live object's handle is stale, or an
// old one is good again, and no list or count is wrong. So from poison up a
// pool with handles keeps the sum of its generations, and at full each that is
// audited: tp_pool_verify() compares. Modulo 2^16 - 1, of which no single bit
// is a multiple; and it changes with the tag, or an audit would lie.

// TP_GENERATION_MAX less than 0, in that arithmetic: a generation starts again.
#define TP_SUM_RESTART 0x8000u

//@ assigns \nothing; ensures !\result;
TP_INLINE bool tp_tag_summed(const struct tp_pool *pool)
{
  if (TP_AUDITED) return true;
  return TP_CHECKS >= TP_CHECKS_POISON && pool->tagged;
}

// The generation of a slot is [more] later, less than 2^16.
//@ assigns \nothing;
TP_INLINE void tp_tag_add(const struct tp_pool *pool, uint32_t more)
{
  if (!tp_tag_summed(pool)) return;
  uint32_t sum = pool->state->generations + more;
  pool->state->generations = (uint16_t)(sum + (sum >> 16));
}

// A death is no step of a generation, but one of a hardened pool's code.
//@ assigns \nothing;
TP_INLINE void tp_tag_died(const struct tp_pool *pool)
{
  if (tp_tag_coded(pool)) tp_tag_add(pool, TP_CODE_DEATH_SUM);
}

// Is [tag] that of a slot that can die? [retired] is what it becomes.
//@ assigns \nothing; ensures \result <==> retired < tag;
TP_INLINE bool tp_tag_dies(const struct tp_pool *pool, uint32_t tag,
                           uint32_t retired)
{
  return tp_tag_coded(pool) ? tp_code_is_live(tag) : TP_LIKELY(retired < tag);
}

// [slot] must be live. Does its tag say so, if it is one of a code?
//@ assigns \nothing; ensures \result;
TP_INLINE bool tp_tag_stands(const struct tp_pool *pool, uint32_t slot)
{
  return !tp_tag_coded(pool) || tp_code_is_live(pool->tag[slot]);
}

// Marks [slot] live, one generation later. Changes nothing and returns false
// iff it is live already or its generation can count no further: both show as
// a carry out of the one addition.
/*@ requires \valid_read(pool) && \valid(pool->tag + slot);
    assigns pool->tag[slot];
    ensures \result <==> \old(pool->tag[slot]) < TP_GENERATION_MAX;
    ensures \result ==> pool->tag[slot] == \old(pool->tag[slot]) + TP_LIVE + 1;
    ensures !\result ==> pool->tag[slot] == \old(pool->tag[slot]); */
TP_INLINE bool tp_tag_issue(const struct tp_pool *pool, uint32_t slot)
{
  if (!tp_tag_kept(pool)) return true;
  uint32_t tag = pool->tag[slot];
  uint32_t issued = tag + tp_tag_birth(pool);
  bool coded = tp_tag_coded(pool);
  bool waits = coded ? tp_tag_waits(tag) : TP_LIKELY(issued >= tag);
  if (!waits) return false;
  pool->tag[slot] = issued;
  tp_tag_add(pool, coded ? TP_CODE_BIRTH_SUM : 1);
  return true;
}

// tp_tag_retire() of a hardened pool.
//@ assigns \nothing;
TP_INLINE bool tp_tag_die(const struct tp_pool *pool, uint32_t slot)
{
  uint32_t unborn = pool->tag[slot] - TP_CODE_BIRTH;
  TP_KEEP(unborn);
  if (!TP_LIKELY(tp_code_deaths(unborn) < TP_CODE_LIVES)) return false;
  pool->tag[slot] = unborn + TP_CODE_LIFE;
  tp_tag_died(pool);
  return true;
}

// Marks [slot] dead. Changes nothing and returns false iff it is not live.
/*@ requires \valid_read(pool) && \valid(pool->tag + slot);
    assigns pool->tag[slot];
    ensures \result <==> \old(pool->tag[slot]) >= TP_LIVE;
    ensures \result ==> pool->tag[slot] == \old(pool->tag[slot]) - TP_LIVE;
    ensures !\result ==> pool->tag[slot] == \old(pool->tag[slot]); */
TP_INLINE bool tp_tag_retire(const struct tp_pool *pool, uint32_t slot)
{
  if (!tp_tag_kept(pool)) return true;
  if (tp_tag_coded(pool)) return tp_tag_die(pool, slot);
  uint32_t tag = pool->tag[slot];
  uint32_t retired = tag + TP_LIVE;
  if (!TP_LIKELY(retired < tag)) return false;
  pool->tag[slot] = retired;
  return true;
}

// tp_tag_retire() for a slot known to be live.
/*@ requires \valid_read(pool) && \valid(pool->tag + slot);
    requires pool->tag[slot] >= TP_LIVE;
    assigns pool->tag[slot];
    ensures pool->tag[slot] == \old(pool->tag[slot]) - TP_LIVE; */
TP_INLINE void tp_tag_retire_live(const struct tp_pool *pool, uint32_t slot)
{
  if (tp_tag_kept(pool)) pool->tag[slot] += tp_tag_death(pool);
  tp_tag_died(pool);
}

// What a hardened pool does where the code can count no further: it starts
// again, and that is counted, for the sake of its statistics. Wants the pool
// locked.
//@ assigns \nothing;
TP_INLINE void tp_tag_restart(const struct tp_pool *pool, uint32_t slot)
{
  if (tp_code_deaths(pool->tag[slot]) != TP_CODE_LIVES) return;
  pool->tag[slot] = TP_CODE_LIFE;
  tp_tag_add(pool, TP_CODE_RESTART_SUM);
  pool->state->spills++;
}

// Is [slot] live? If its generation can count no further, it starts again. Of a
// hardened pool: is its tag not that of a slot on the list?
/*@ requires \valid_read(pool) && \valid(pool->tag + slot);
    assigns pool->tag[slot];
    ensures \result <==> \old(pool->tag[slot]) >= TP_LIVE;
    ensures pool->tag[slot] == (\old(pool->tag[slot]) == TP_GENERATION_MAX ? 0
      : \old(pool->tag[slot])); */
TP_INLINE bool tp_tag_rewind(const struct tp_pool *pool, uint32_t slot)
{
  if (!tp_tag_kept(pool)) return false;
  if (tp_tag_coded(pool)) {
    tp_tag_restart(pool, slot);
    return !tp_tag_waits(pool->tag[slot]);
  }
  if (pool->tag[slot] == TP_GENERATION_MAX) {
    pool->tag[slot] = 0;
    tp_tag_add(pool, TP_SUM_RESTART);
  }
  return pool->tag[slot] >= TP_LIVE;
}

// tp_tag_renew() of a hardened pool.
//@ assigns \nothing;
TP_INLINE bool tp_tag_recode(const struct tp_pool *pool, uint32_t slot)
{
  if (!tp_code_is_dead(pool->tag[slot])) return false;
  tp_tag_restart(pool, slot);
  pool->tag[slot] += TP_CODE_BIRTH;
  tp_tag_add(pool, TP_CODE_BIRTH_SUM);
  return true;
}

// tp_tag_issue() for a slot known to be dead: a generation that can count no
// further starts again at 1. False iff the tag of a hardened pool's says
// otherwise: nothing changed.
/*@ requires \valid_read(pool) && \valid(pool->tag + slot);
    requires pool->tag[slot] < TP_LIVE && \separated(pool, pool->tag + slot);
    assigns pool->tag[slot];
    ensures pool->tag[slot] ==
      TP_LIVE + 1 + \old(pool->tag[slot]) % TP_GENERATION_MAX;
    ensures \result;
    ensures pool->origin == \old(pool->origin); */
TP_INLINE bool tp_tag_renew(const struct tp_pool *pool, uint32_t slot)
{
  if (!tp_tag_kept(pool)) return true;
  if (tp_tag_coded(pool)) return tp_tag_recode(pool, slot);
  uint32_t generation = pool->tag[slot] + 1, more = 1;
  if (generation >= TP_LIVE) {
    generation = 1;
    more += TP_SUM_RESTART;
  }
  pool->tag[slot] = generation + TP_LIVE;
  tp_tag_add(pool, more);
  return true;
}

// What the sum must be while the pool has slots 1..[count], if it is kept.
TP_INLINE uint16_t tp_tag_sum(const struct tp_pool *pool, uint32_t count)
{
  uint32_t sum = 0;
  for (uint32_t slot = 1; slot <= count; slot++) {
    sum += (pool->tag[slot] & TP_GENERATION_MAX) % 0x10000u;
    sum += (pool->tag[slot] & TP_GENERATION_MAX) / 0x10000u;
  }
  sum = sum % 0x10000u + sum / 0x10000u;
  return (uint16_t)(sum + (sum >> 16));
}

// The tag of [slot] is not what it must be.
//@ TP_RAISES;
TP_INLINE void tp_tag_raise(const struct tp_pool *pool, uint32_t slot,
                            tp_site_t site)
{
  if (tp_tag_coded(pool)) tp_hardened_raise_tag(pool, slot, site);
  tp_pool_raise_tag(pool, slot, site);
}

// Is the slot still of the generation that [wanted] says?
//
// Wants the pool locked, for what follows to be true, and its tags kept.
/*@ requires \valid_read(pool) && \valid_read(wanted);
    requires \valid_read(pool->tag + wanted->slot);
    assigns \nothing;
    ensures \result <==> generation_holds(pool, wanted); */
TP_INLINE bool tp_generation_holds(const struct tp_pool *pool,
                                   const struct tp_generation *wanted)
{
  return ((pool->tag[wanted->slot] ^ wanted->tag) & wanted->mask) == 0;
}

#endif
