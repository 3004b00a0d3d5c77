// SPDX-License-Identifier: MIT
// uint32_t measure(void *function, const uintptr_t arguments[4], void **result)
//
// Calls function(arguments...) between two readings of SysTick and returns the
// ticks in between. Under -icount shift=10 an instruction is 1024 ns, so the
// ticks tell how many there were: the callee's, the blx and one ldr.
        .syntax unified
        .thumb
        .text
        .global measure
        .type   measure, %function
        .thumb_func
measure:
        push    {r2, r4, r5, r6, r7, lr}
        mov     r7, r0
        ldr     r4, =0xe000e018
        ldmia   r1!, {r2, r3, r5, r6}
        mov     r0, r2
        mov     r1, r3
        mov     r2, r5
        mov     r3, r6
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
