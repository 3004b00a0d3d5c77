// SPDX-License-Identifier: MIT
// uint32_t measure(void *function, uintptr_t first, uintptr_t second,
//                  void **result)
//
// Calls function(first, second) between two readings of SysTick and returns
// the ticks in between. Under -icount shift=10 an instruction is 1024 ns, so
// the ticks tell how many there were: the callee's, the blx and one ldr.
        .syntax unified
        .thumb
        .text
        .global measure
        .type   measure, %function
        .thumb_func
measure:
        push    {r3, r4, r5, r6, r7, lr}
        mov     r7, r0
        mov     r0, r1
        mov     r1, r2
        ldr     r4, =0xe000e018
        ldr     r5, [r4]
        blx     r7
        ldr     r6, [r4]
        pop     {r3}
        str     r0, [r3]
        subs    r0, r5, r6
        lsls    r0, r0, #8
        lsrs    r0, r0, #8
        pop     {r4, r5, r6, r7, pc}
        .ltorg
