// SPDX-License-Identifier: MIT
// preempt.h - a task more urgent than the thread of the sweep: an interrupt
// wakes it at a boundary of the thread's call, and it makes the row's move.
#ifndef PREEMPT_H
#define PREEMPT_H

#include <stdbool.h>

// The interrupt of a row is from now on the kernel's tick, at which that task
// has slept enough; or one that gives it a semaphore.
void preempt_by_tick(void);
void preempt_by_interrupt(void);

// From now on, and for good, the interrupt is above the kernel's mask, comes in
// its critical sections, too, and makes the move itself.
void preempt_from_above_the_mask(void);

// Has it made its move, to the end? Had it when the thread's call returned?
bool preempt_is_done(void);
bool preempt_was_done(void);

// Makes that task and the idle one's clock.
void preempt_open(void);

// The calls of the kernel that are wrong, and what it does not do by itself.
void suite_kernel(void);
void suite_kernel_before_start(void);

// Both tasks wait for the pool. And without a lock: then the urgent one may be
// out of the list, so that nobody wakes it, ever, and no move behind is its.
void suite_both_wait(void);
void suite_wait_control(void);

#endif
