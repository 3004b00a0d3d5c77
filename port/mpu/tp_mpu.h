// SPDX-License-Identifier: MIT
// tp_mpu.h - what the memory protection unit of a Cortex-M can refuse of what
// pools are against: code is read only, arenas are never executed, nobody
// reads or writes the fences between them, and NULL is no address. It looks at
// each access and costs none of them anything; what it refuses ends in
// tp_fault(), at its own instruction. README.md here tells it line by line.
//
//   TP_MPU_FENCE(fast_fence, fast);  // The last thing in [banks] fast.
//
//   static const struct tp_mpu_row rows[] = {
//       {"flash", flash_start, flash_end, TP_MPU_CODE},
//       {"fast", tp_arena_fast_start, tp_arena_fast_end, TP_MPU_DATA},
//       {"a fence", fast_fence, fast_fence + TP_MPU_FENCE_BYTES, TP_MPU_NONE},
//   };
//   if (tp_mpu_guard(rows, 3) != TP_MPU_ON) ...
//
//   TP_MPU_HANDLER(MemManage_Handler, other_fault)  // Vector 4,
//   TP_MPU_HANDLER(HardFault_Handler, other_fault)  // and 3.
//
// PMSAv7, as of Cortex-M3, M4 and M7, or PMSAv8, as of M33 and M55: what is
// compiled for says which. For privileged code: what no row covers, it uses as
// without, peripherals for example. Of a firmware that calls none of it nothing
// is linked.
#ifndef TP_MPU_H
#define TP_MPU_H

#include <stdint.h>

#ifdef __cplusplus
#define TP_MPU_OF_C extern "C"
extern "C" {
#else
#define TP_MPU_OF_C
#endif

enum tp_mpu_rights {
  TP_MPU_DATA,  // Is read and written, and never executed.
  TP_MPU_CODE,  // Is read and executed, and never written.
  TP_MPU_NONE,  // A fence: none of it.
};

// A stretch of memory, [begin] to before [end]. Its rights hold where the MPU
// can tell: in steps of 32 bytes, of PMSAv7 in eighths of the power of two that
// holds the stretch. Of DATA that is rounded outwards, of the others inwards:
// nothing beside a row is ever refused but to execute it.
struct tp_mpu_row {
  const char *name;  // For the fault record, where no pool lies there.
  const void *begin;
  const void *end;
  enum tp_mpu_rights rights;
};

enum tp_mpu_answer {
  TP_MPU_ON,      // The rows hold from here on.
  TP_MPU_ABSENT,  // There is no MPU: a Cortex-M0, or one made without.
  TP_MPU_TAKEN,   // It is on already: an RTOS has it.
  TP_MPU_EMPTY,   // Nothing is left of a row that is rounded inwards.
  TP_MPU_FEW,     // The MPU has fewer regions than the rows take.
};

// Turns the MPU on, with a region for each of the [count] of [rows]. One fence
// more refuses the first 4 KiB, where NULL leads to, unless a row covers
// address 0, or the vectors lie there. A fence may lie within a row of DATA; of
// PMSAv8 one that does not, as that of NULL, takes two regions. No other two
// rows overlap. [rows] must stay.
//
// Returns  TP_MPU_ON; anything else iff the MPU is as it was, off or another's.
// Time     O(count squared), nothing locked.
// Context  Privileged, once, before the pools are used.
enum tp_mpu_answer tp_mpu_guard(const struct tp_mpu_row *rows, uint32_t count);

// Defines a fence, 32 bytes, as the last thing in a bank of pools.toml.
#define TP_MPU_FENCE_BYTES 32
#define TP_MPU_FENCE(fence, bank)           \
  __attribute__((                           \
      section(".bss.tp_arena." #bank ".~"), \
      aligned(TP_MPU_FENCE_BYTES))) uint8_t fence[TP_MPU_FENCE_BYTES]

// Defines [handler], for the vectors of MemManage and of HardFault, which is
// where an access goes that is refused while interrupts are masked. What the
// MPU refused is the fault GUARD: its record has
//
//   name, pool, slot   the pool that lies there or, of a fence, the nearest
//                      before it; else no pool, and the name of the row
//   address, offset    where that slot begins, and where the access is from
//                      there; without a slot, where the access is, and 0
//   found              why, as the core has it in MMFSR: 1 to execute, 0x82 to
//                      read or write. If [expected] is not 0, that is where the
//                      slot was freed, and [found] where it was issued
//   caller             two bytes behind where the instruction itself begins;
//                      of one to execute, what its caller would go on with
//
// Everything else goes on in [other], as if that stood in the vector.
#define TP_MPU_HANDLER(handler, other)                                   \
  TP_MPU_OF_C void handler(void);                                        \
  __attribute__((naked)) void handler(void)                              \
  {                                                                      \
    __asm volatile(                                                      \
        ".syntax unified\n ldr r0, =0xe000ed28\n ldrb r0, [r0]\n"        \
        "cmp r0, #0\n beq 1f\n mov r0, lr\n mrs r1, msp\n mrs r2, psp\n" \
        "ldr r3, =%c0\n bx r3\n 1: ldr r0, =%c1\n bx r0\n"               \
        ".ltorg"                                                         \
        :                                                                \
        : "i"(tp_mpu_raise), "i"(other));                                \
  }

// What a handler goes on with: how the exception returns, and both stacks.
void tp_mpu_raise(uint32_t how, const uint32_t *msp, const uint32_t *psp);

#ifdef __cplusplus
}
#endif

#endif
