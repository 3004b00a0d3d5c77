// SPDX-License-Identifier: MIT
#include "who.h"

#ifdef __arm__

#define ICSR         (*(volatile uint32_t *)(uintptr_t)0xe000ed04)
#define ICSR_NMIPEND 0x80000000u

// Of the processor's exceptions, those of startup.c.
void board_nmi(void);
void board_hard_fault(void);
void SVC_Handler(void);

static void (*wanted)(void);

void board_nmi(void)
{
  wanted();
}

// What was pushed: r0 to r3, r12, lr, pc, xPSR. It goes on behind the UDF.
__attribute__((used)) static void behind(uint32_t *pushed)
{
  wanted();
  pushed[6] += 2;
}

__attribute__((naked)) void board_hard_fault(void)
{
  __asm volatile("mov r0, sp\n ldr r1, =behind\n bx r1");
}

// Unprivileged code comes back by it.
void SVC_Handler(void)
{
  __asm volatile("msr control, %0\n isb" : : "r"(0) : "memory");
}

void call_as(enum who who, void (*call)(void))
{
  wanted = call;
  if (who == NMI) {
    ICSR = ICSR_NMIPEND;
    __asm volatile("dsb\n isb" : : : "memory");
  }
  if (who == HARD_FAULT) __asm volatile("udf #0" : : : "memory");
  if (who != UNPRIVILEGED) return;
  __asm volatile("msr control, %0\n isb" : : "r"(1) : "memory");
  call();
  __asm volatile("svc #0" : : : "memory");
}

#else

#include "tp_port.h"

void call_as(enum who who, void (*call)(void))
{
  tp_port_outside = who;
  call();
  tp_port_outside = 0;
}

#endif
