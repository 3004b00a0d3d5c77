// SPDX-License-Identifier: MIT
// tp_port.h - the port the prover sees: one context, a lock that is a no-op.
#ifndef TP_PORT_H
#define TP_PORT_H

#include <stdint.h>

#define TP_INLINE static inline
#define TP_NOINLINE
#define TP_NORETURN
#define TP_UNROLL
#define TP_PORT_HAS_BASEPRI   0
#define TP_PORT_HAS_EXCLUSIVE 0
#define TP_LIKELY(x)          (x)
#define TP_KEEP(pointer)      ((void)(pointer))
#define TP_BARRIER()          ((void)0)

//@ assigns \nothing;
TP_INLINE uint32_t tp_port_lock(void)
{
  return 0;
}

//@ assigns \nothing;
TP_INLINE void tp_port_unlock(uint32_t key)
{
  (void)key;
}

//@ assigns \nothing;
TP_INLINE uint32_t tp_port_lock_below(uint32_t priority)
{
  (void)priority;
  return 0;
}

//@ assigns \nothing;
TP_INLINE void tp_port_unlock_below(uint32_t key)
{
  (void)key;
}

/*@ requires \valid(word);
    assigns *word;
    ensures *word == (\old(*word) / 0x10000) * 0x10000 + half; */
TP_INLINE void tp_port_put_low(uint32_t *word, uint16_t half)
{
  *word = *word / 0x10000u * 0x10000u + half;
}

// Where the function it stands in, or is inlined into, will return to.
#define TP_SITE ((const void *)0)

//@ assigns \nothing; ensures \result == site;
TP_INLINE const void *tp_port_caller(const void *site)
{
  return site;
}

void tp_port_trap(void);

#include "tp_model.h"

#endif
