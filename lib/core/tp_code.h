// SPDX-License-Identifier: MIT
// tp_code.h - internal: the tags of a hardened pool, which are words of a code.
//
// A tag as tp_tag.h describes it is any word. That of a hardened pool is one of
// few: with as many deaths of the slot as it saw since it began to count,
//
//     dead    deaths * TP_CODE_LIFE                  deaths: 0..TP_CODE_LIVES
//     live    deaths * TP_CODE_LIFE + TP_CODE_BIRTH  less than TP_CODE_LIVES
//
// so that birth and death are one addition each, and a multiplication by the
// inverse says whether a word is one of them: one of 2^17 is, of each sort. Any
// two of them differ in five bits or more, those of a dead slot from those of a
// live one too: up to four flipped bits are always noticed. Bit 31 is set in
// the tag of a live slot, as in any other. The low bits, which handles compare,
// differ for each count of deaths.
//
// Only what is compiled for such pools knows of them, "own": to all other code
// no pool is hardened, and nothing of this is left there. What changes tags and
// is compiled for all pools must leave theirs alone: tp_harden.h.
#ifndef TP_CODE_H
#define TP_CODE_H

#include "tidepool.h"
#include "tp_port.h"

#define TP_CODE_LIFE    0x00006f9bu  // 28571.
#define TP_CODE_BIRTH   0x81818181u
#define TP_CODE_INVERSE 0xa91f5e93u  // Times TP_CODE_LIFE: 1.
#define TP_CODE_LIVES   0x8000u

// What a birth, a death and a new beginning add to the sum of generations,
// tp_tag_add().
#define TP_CODE_BIRTH_SUM   0x8302u
#define TP_CODE_DEATH_SUM   0xec98u
#define TP_CODE_RESTART_SUM 0xb7cdu

// The deaths of a dead slot; of any other word, some number.
//@ assigns \nothing;
TP_INLINE uint32_t tp_code_deaths(uint32_t tag)
{
  uint32_t inverse = TP_CODE_INVERSE;
  TP_KEEP(inverse);  // One multiplication, not a row of shifts.
  return tag * inverse;
}

// Is it that of a dead slot?
//@ assigns \nothing;
TP_INLINE bool tp_code_is_dead(uint32_t tag)
{
  return tp_code_deaths(tag) <= TP_CODE_LIVES;
}

// Is it that of a live slot?
//@ assigns \nothing;
TP_INLINE bool tp_code_is_live(uint32_t tag)
{
  return TP_LIKELY(tp_code_deaths(tag - TP_CODE_BIRTH) < TP_CODE_LIVES);
}

//@ assigns \nothing;
TP_INLINE bool tp_code_has(uint32_t tag)
{
  return tp_code_is_dead(tag) || tp_code_is_live(tag);
}

// How often a slot of that tag was issued.
TP_INLINE uint32_t tp_code_issues(uint32_t tag)
{
  if (tp_code_is_dead(tag)) return tp_code_deaths(tag);
  return tp_code_is_live(tag) ? tp_code_deaths(tag - TP_CODE_BIRTH) + 1 : 0;
}

#endif
