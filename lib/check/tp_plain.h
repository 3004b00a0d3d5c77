// SPDX-License-Identifier: MIT
// tp_plain.h - internal: what a port may leave to plain C.
//
// A port whose core has instructions that its compiler does not find by itself
// says so, TP_PORT_HAS_... 1, and brings functions of its own with the
// contracts that stand here. Any other gets these.
#ifndef TP_PLAIN_H
#define TP_PLAIN_H

#include "tidepool.h"
#include "tp_port.h"

// Where the port does not say that [value] may lie in any register.
#ifndef TP_KEEP_HIGH
#define TP_KEEP_HIGH(value) ((void)(value))
#endif

#if !TP_PORT_HAS_HALVES

// The low half, or the high half, of the word in memory.
TP_INLINE uint32_t tp_port_low(const uint32_t *word)
{
  return *word & 0xffffu;
}

TP_INLINE uint32_t tp_port_high(const uint32_t *word)
{
  return *word >> 16;
}

// Makes [word] of the high half of [old], less one, and of [low], which is
// less than 2^16.
TP_INLINE void tp_port_put_less(uint32_t *word, uint32_t old, uint32_t low)
{
  *word = ((old - 0x10000u) & 0xffff0000u) | low;
}

// Who is newer than [link]; above 0xffff, who is older.
TP_INLINE uint32_t tp_port_link(const struct tp_age_link *link)
{
  return link->newer | (uint32_t)link->older << 16;
}

// Makes [link] that of the newest: [older], less than 2^16, is behind it.
TP_INLINE void tp_port_put_link(struct tp_age_link *link, uint32_t older)
{
  link->older = (tp_slot_t)older;
  link->newer = 0;
}

#endif

#if !TP_PORT_HAS_ROTATE

// Rotates [value] right by the low bits of [by], whose low byte is less than
// 32.
TP_INLINE uintptr_t tp_port_rotate(uintptr_t value, uint32_t by)
{
  uint32_t bits = sizeof value * 8 - 1;
  return value >> (by & bits) | value << (-by & bits);
}

#endif

#if !TP_PORT_HAS_FOURS

// Fills the four words at [word] with [value]. Returns what lies behind them.
/*@ requires \valid(word + (0 .. 3));
    assigns word[0 .. 3];
    ensures \result == word + 4 && TP_FOUR_HOLD(word, value); */
TP_INLINE tp_word_t *tp_port_put_four(tp_word_t *word, uint32_t value)
{
  word[0] = word[1] = word[2] = word[3] = value;
  return word + 4;
}

// What differs from [value] in the four words at [*at], 0 iff nothing. [*at]
// goes on behind them.
/*@ requires \valid(at) && \valid_read(*at + (0 .. 3));
    requires \separated(at, *at + (0 .. 3));
    assigns *at;
    ensures *at == \old(*at) + 4;
    ensures \result == 0 <==> TP_FOUR_HOLD(\old(*at), value); */
TP_INLINE uint32_t tp_port_differ_four(const tp_word_t **at, uint32_t value)
{
  const tp_word_t *word = *at;
  *at += 4;
  return (word[0] ^ value) | (word[1] ^ value) | (word[2] ^ value) |
         (word[3] ^ value);
}

#endif

#endif
