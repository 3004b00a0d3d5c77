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
#include "core/tp_shape.h"
#include "tidepool.h"
#include "tp_port.h"

#define TP_GENERATION_MAX 0x7fffffffu

// At off only the pools that hand out handles have tags.
/*@ requires \valid_read(pool);
    assigns \nothing;
    ensures \result; */
TP_INLINE bool tp_tag_kept(const struct tp_pool *pool)
{
  return TP_CHECKS >= TP_CHECKS_FAST || pool->tagged;
}

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
  uint32_t issued = tag + (TP_LIVE + 1);
  if (!TP_LIKELY(issued >= tag)) return false;
  pool->tag[slot] = issued;
  tp_tag_add(pool, 1);
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
  if (tp_tag_kept(pool)) pool->tag[slot] -= TP_LIVE;
}

// Is [slot] live? If its generation can count no further, it starts again.
/*@ requires \valid_read(pool) && \valid(pool->tag + slot);
    assigns pool->tag[slot];
    ensures \result <==> \old(pool->tag[slot]) >= TP_LIVE;
    ensures pool->tag[slot] == (\old(pool->tag[slot]) == TP_GENERATION_MAX ? 0
      : \old(pool->tag[slot])); */
TP_INLINE bool tp_tag_rewind(const struct tp_pool *pool, uint32_t slot)
{
  if (!tp_tag_kept(pool)) return false;
  if (pool->tag[slot] == TP_GENERATION_MAX) {
    pool->tag[slot] = 0;
    tp_tag_add(pool, TP_SUM_RESTART);
  }
  return pool->tag[slot] >= TP_LIVE;
}

// tp_tag_issue() for a slot known to be dead: a generation that can count no
// further starts again at 1.
/*@ requires \valid_read(pool) && \valid(pool->tag + slot);
    requires pool->tag[slot] < TP_LIVE && \separated(pool, pool->tag + slot);
    assigns pool->tag[slot];
    ensures pool->tag[slot] ==
      TP_LIVE + 1 + \old(pool->tag[slot]) % TP_GENERATION_MAX;
    ensures pool->origin == \old(pool->origin); */
TP_INLINE void tp_tag_renew(const struct tp_pool *pool, uint32_t slot)
{
  if (!tp_tag_kept(pool)) return;
  uint32_t generation = pool->tag[slot] + 1, more = 1;
  if (generation >= TP_LIVE) {
    generation = 1;
    more += TP_SUM_RESTART;
  }
  pool->tag[slot] = generation + TP_LIVE;
  tp_tag_add(pool, more);
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
