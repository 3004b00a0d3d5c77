// SPDX-License-Identifier: MIT
// armed.h - calls that an interrupt hits at a boundary of one's choice.
//
// Boundary k of a call lies before its instruction k, counted from 0; the last
// is behind its return. Needs QEMU with -icount shift=10.
#ifndef ARMED_H
#define ARMED_H

#include <stdint.h>

// armed_call.S knows the offsets.
struct armed_call {
  void *function;  // Called with both arguments.
  uintptr_t arguments[2];
  uint32_t load;         // When the interrupt comes: armed_load(boundary).
  uint32_t masked;       // PRIMASK at the call.
  uintptr_t results[2];  // r0 and r1 at its return.
  uint32_t ticks;        // How long it took.
  uint32_t primask;      // What it left in PRIMASK.
};

void armed_call(struct armed_call *call);

// Where armed_call() stands after the call, and after it has unmasked.
extern const uint8_t armed_return[], armed_unmasked[];

// Called by the interrupt, once armed. Set before armed_call().
extern void (*armed_handler)(void);

// How often it was since armed_reset(), the PC it found stacked last, and
// behind how many instructions that it had to wait for, as interrupts were
// masked.
extern uint32_t armed_hits, armed_pc, armed_late;
void armed_reset(void);

// Stops the clock and leaves the interrupt, if in one: after a fault, whose
// record longjmp() carried out of wherever it happened.
void armed_abandon(void);

// Finds the load that hits boundary 0. Once, before the next two.
void armed_calibrate(void);
uint32_t armed_load(uint32_t boundary);

// The load that hits none, and then, of a call that was made with it, how many
// instructions it has, its return included.
#define ARMED_NEVER 0xffffffu
uint32_t armed_length(const struct armed_call *call);

// The cases about this method itself.
void suite_armed(void);

// Called by any other interrupt.
extern void (*armed_other)(void);

#endif
