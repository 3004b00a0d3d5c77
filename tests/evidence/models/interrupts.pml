// SPDX-License-Identifier: MIT
// interrupts.pml - a thread and interrupts that issue and free slots of one pool
// for ever: whatever is lent, also one slot by two at once; and with all others
// masked by the caller. Whenever the thread is in no call, and so nobody is, the
// pool is whole.

#include "core.pml"
#include "pool.pml"

#define SOME_KNOWN (known[1] || known[2] || known[SLOTS])

inline choose(slot)
{
  if
  :: known[1] -> slot = 1
  :: known[2] -> slot = 2
  :: known[SLOTS] -> slot = SLOTS
  fi
}

// One step of a context, or some. What was issued is its owner's, who writes over
// the link, or not.
inline use()
{
  if
  :: alloc()
  :: go_on()
  :: atomic { phase == IDLE && SOME_KNOWN -> choose(object); free_begin(object) };
     free(object)
  :: d_step {
       phase == OWNED ->
       link[object].live = 0; link[object].top = 0;
       known[object] = true; object = 0; phase = IDLE
     }
  :: d_step { phase == OWNED -> known[object] = true; object = 0; phase = IDLE }
  :: d_step { phase == IDLE && !alone -> mask_all(outer) }
  :: d_step { phase == IDLE && alone -> unmask_all(outer) }
  fi
}

// Is the pool whole? The list has an end, leads to slots that nobody has, and
// each link holds what it held; the others are lent, as many as are counted.
inline look()
{
  d_step {
    top = list.top;
    live = list.live;
    do
    :: top != 0 && object <= fresh ->
       assert(NAMES(top));
       assert(FOLLOWS(link[top], live));
       assert(!lent[top]);
       object++;
       live++;
       top = link[top].top
    :: else -> break
    od;
    assert(top == 0);
    live = lent[1] + lent[2] + (SLOTS > 2 -> lent[SLOTS] : 0);
    assert(object + live == fresh);
    assert(list.live == live);
    top = 0; live = 0; object = 0
  }
}

active proctype thread() provided (running == THREAD)
{
  REGISTERS;
  do
  :: use();
     if
     :: d_step { phase == IDLE -> look() }
     :: phase != IDLE -> skip
     fi
  od
}

active [USERS] proctype interrupt() provided (running == _pid || COMES(_pid))
{
  REGISTERS;
  do
  :: d_step { interrupt_begin() };
     do
     :: use()
     :: d_step { phase == IDLE && !alone -> interrupt_end() };
        break
     od
  od
}

#ifdef BYSTANDER
// It uses no pool.
active proctype bystander() provided (running == _pid || COMES(_pid))
{
  byte interrupted;
  do
  :: d_step { interrupt_begin() };
     d_step { interrupt_end() }
  od
}
#endif
