// SPDX-License-Identifier: MIT
// calls.pml - the calls of steps.c, one after another and uninterrupted, for
// their steps to be compared with those of the library.

#include "core.pml"
#include "pool.pml"

#define CALLS 11

inline finish()
{
  do
  :: phase == LIST || phase == EXTEND -> go_on()
  :: else -> break
  od;
  phase = IDLE
}

inline give_back(slot)
{
  free_begin(slot);
  free(slot)
}

active proctype thread()
{
  REGISTERS;
  byte call = 1;
  do
  :: call <= CALLS ->
     printf("call\n");
     if
     :: call == 4 || call == 7 || call >= 10 -> object = 1; give_back(object)
     :: call == 6 -> object = 2; give_back(object)
     :: call == 8 -> phase = EXTEND; finish()
     :: else -> alloc(); finish()
     fi;
     object = 0;
     call++
  :: else -> break
  od
}
