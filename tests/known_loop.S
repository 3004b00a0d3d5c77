// SPDX-License-Identifier: MIT
// uint32_t known_loop(uint32_t turns)
//
// A loop of known length: 2 + 2 * turns instructions, its return included.
        .syntax unified
        .thumb
        .text
        .global known_loop
        .type   known_loop, %function
        .thumb_func
known_loop:
        movs    r2, #0
1:      subs    r0, r0, #1
        bne     1b
        bx      lr
