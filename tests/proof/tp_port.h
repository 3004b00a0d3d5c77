// SPDX-License-Identifier: MIT
// tp_port.h - the port the prover sees: one context, in which a lock changes
// nothing but what is masked.
#ifndef TP_PORT_H
#define TP_PORT_H

#include <stdint.h>

#include "tp_model.h"

#define TP_INLINE static inline
#define TP_NOINLINE
#define TP_NORETURN
#define TP_UNROLL
#define TP_PORT_HAS_BASEPRI   0
#define TP_PORT_HAS_EXCLUSIVE 0
#define TP_PORT_HAS_HALVES    1
#define TP_PORT_HAS_ROTATE    1
#define TP_PORT_HAS_FOURS     0
#define TP_LIKELY(x)          (x)
#define TP_KEEP(pointer)      ((void)(pointer))
#define TP_KEEP_BOTH(a, b)    ((void)(a), (void)(b))
#define TP_LOADED(a, b)       ((void)(a), (void)(b))
#define TP_SAVE_RETURN()      ((void)0)
#define TP_BARRIER()          ((void)0)
#ifdef TP_PROOF_KNOWN
#define TP_CONSTANT(value) 1
#else
#define TP_CONSTANT(value) 0
#endif

/*@ assigns tp_masked;
    ensures \result == \old(tp_masked) && tp_masked == 1; */
uint32_t tp_port_lock(void);
/*@ assigns tp_masked;
    ensures tp_masked == key; */
void tp_port_unlock(uint32_t key);
/*@ assigns tp_below;
    ensures \result == \old(tp_below) && tp_below == priority; */
uint32_t tp_port_lock_below(uint32_t priority);
/*@ assigns tp_below;
    ensures tp_below == key; */
void tp_port_unlock_below(uint32_t key);

/*@ requires \valid_read(word);
    assigns \nothing;
    ensures \result == *word % 0x10000; */
TP_INLINE uint32_t tp_port_low(const uint32_t *word)
{
  return *word % 0x10000u;
}

/*@ requires \valid_read(word);
    assigns \nothing;
    ensures \result == *word / 0x10000; */
TP_INLINE uint32_t tp_port_high(const uint32_t *word)
{
  return *word / 0x10000u;
}

/*@ requires by % 32 == TP_PROOF_SHIFT;
    assigns \nothing;
    ensures \result == slot_rotated(value); */
TP_INLINE uintptr_t tp_port_rotate(uintptr_t value, uint32_t by)
{
  (void)by;
  return value >> TP_PROOF_SHIFT | value << (32 - TP_PROOF_SHIFT);
}

/*@ requires \valid(word) && old >= 0x10000 && low <= 0xffff;
    assigns *word;
    ensures *word == (old / 0x10000 - 1) * 0x10000 + low; */
TP_INLINE void tp_port_put_less(uint32_t *word, uint32_t old, uint32_t low)
{
  *word = (old / 0x10000u - 1) * 0x10000u + low;
}

/*@ requires \valid_read(link);
    assigns \nothing;
    ensures \result == link->newer + 0x10000 * link->older; */
TP_INLINE uint32_t tp_port_link(const struct tp_age_link *link)
{
  return link->newer + 0x10000u * link->older;
}

/*@ requires \valid(link) && older <= 0xffff;
    assigns *link;
    ensures link->older == older && link->newer == 0; */
TP_INLINE void tp_port_put_link(struct tp_age_link *link, uint32_t older)
{
  link->older = (tp_slot_t)older;
  link->newer = 0;
}

// Where the function it stands in, or is inlined into, will return to.
#define TP_SITE ((const void *)0)

//@ assigns \nothing; ensures \result == site;
TP_INLINE const void *tp_port_caller(const void *site)
{
  return site;
}

void tp_port_trap(void);

#endif
