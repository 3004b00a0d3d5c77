// SPDX-License-Identifier: MIT
// core.pml - a Cortex-M that executes a thread and interrupts. Each is a process,
// whose _pid says which; only the one that [running] names goes on. So an
// interrupt comes between any two instructions that do not mask it, runs to its
// end, and a second, more urgent one does so inside the first as well.
//
// What stands in one d_step or atomic is one instruction that touches a word of
// the pool, a mask or a claim, with what is decided before it in registers. It
// prints what it does. The library's own code does the same: that is how
// test_interference.py knows that these are models of it.

#define THREAD 0
#define LOW 1
#define HIGH 2
// What NVIC and BASEPRI call an interrupt's priority: the lower, the more urgent.
#define PRIORITY(pid) (3 - (pid))

byte running = THREAD;
bool primask;
byte basepri;  // 0 masks nothing.
bool claimed;  // By LDREX.
bool alone;    // Whoever runs has masked all others, and counts on it.

#define COMES(pid) \
  (running < pid && !primask && (basepri == 0 || PRIORITY(pid) < basepri))

// Every exception ends a claim, as it begins and as it returns.
inline interrupt_begin()
{
  interrupted = running; running = _pid; claimed = false;
  assert(!alone)
}

inline interrupt_end()
{
  running = interrupted; interrupted = THREAD; claimed = false
}

// tp_port_lock_below(), which masks from priority BASEPRI on, or tp_port_lock(); in
// two instructions. Then what undoes it.
#if defined(NO_LOCK)
#define read_mask(key) skip
#define mask() skip
#define unmask(key) skip
#elif defined(BASEPRI)
inline read_mask(key)
{
  d_step { key = basepri; printf("read basepri\n") }
}

inline mask()
{
  d_step {
    if
#ifndef LOWERS
    :: basepri != 0 && basepri <= BASEPRI -> skip
#endif
    :: else -> basepri = BASEPRI
    fi;
    printf("write basepri_max %d\n", BASEPRI)
  }
}

inline unmask(key)
{
  d_step { basepri = key; printf("write basepri %d\n", key); key = 0 }
}
#else
inline read_mask(key)
{
  d_step { key = primask; printf("read primask\n") }
}

inline mask()
{
  d_step { primask = true; printf("cpsid\n") }
}

inline unmask(key)
{
  d_step {
#ifdef UNMASKS
    key = 0;
#endif
    primask = key; printf("write primask %d\n", key); key = 0
  }
}
#endif

// What a caller does who wants to be alone for longer than one call.
inline mask_all(key)
{
#ifdef BASEPRI
  key = basepri; basepri = 1; alone = true
#else
  key = primask; primask = true; alone = true
#endif
}

inline unmask_all(key)
{
#ifdef BASEPRI
  alone = false; basepri = key; key = 0
#else
  alone = false; primask = key; key = 0
#endif
}
