// SPDX-License-Identifier: MIT
// void armed_call(struct armed_call *call)
//
// Calls call->function(arguments[0], arguments[1]) with PRIMASK = call->masked
// and SysTick started just before, so that it interrupts a number of
// instructions later that call->load alone decides. Under -icount an
// instruction is a fixed time: two readings of the count tell how many the
// function has. Offsets are those of struct armed_call.
        .syntax unified
        .thumb
        .text
        .global armed_call, armed_enter, armed_return, armed_unmasked
        .type   armed_call, %function
        .thumb_func
armed_call:
        push    {r4, r5, r6, r7, lr}
        mov     r7, r0
        ldr     r4, =0xe000e010
        ldr     r5, [r7, #12]
        str     r5, [r4, #4]            // The reload value.
        str     r5, [r4, #8]            // Any write clears the count.
        ldr     r6, [r7, #16]
        msr     primask, r6
        ldr     r6, [r7]
        ldr     r0, [r7, #4]
        ldr     r1, [r7, #8]
        movs    r5, #7
        str     r5, [r4]                // On, with interrupt, core clock.
        nop                             // The first count is loaded here.
        nop
        ldr     r5, =0xffffff           // Once it is over, it goes on from here:
        str     r5, [r4, #4]            // that tells how long ago it was.
        ldr     r5, [r4, #8]
armed_enter:
        blx     r6
armed_return:
        ldr     r6, [r4, #8]
        mrs     r2, primask
        movs    r3, #0
        msr     primask, r3
armed_unmasked:
        str     r3, [r4]                // Off.
        subs    r5, r5, r6
        str     r0, [r7, #20]
        str     r1, [r7, #24]
        str     r5, [r7, #28]
        str     r2, [r7, #32]
        pop     {r4, r5, r6, r7, pc}
        .ltorg

// Every vector's handler: hands the exception frame to the C that follows, from
// the stack that it lies on: bit 2 of lr tells; and what SysTick's count is.
        .global board_handler
        .type   board_handler, %function
        .thumb_func
board_handler:
        ldr     r1, =0xe000e018
        ldr     r1, [r1]
        mrs     r0, psp
        mov     r2, lr
        lsls    r2, r2, #29
        bmi     1f
        mov     r0, sp
1:      ldr     r2, =interrupted
        bx      r2
        .ltorg

// Returns to its caller in thread mode, whatever mode it was called in: by an
// exception return to a frame made for it.
        .global leave_interrupt
        .type   leave_interrupt, %function
        .thumb_func
leave_interrupt:
        mrs     r0, ipsr
        cmp     r0, #0
        beq     1f
        mov     r0, lr
        subs    r0, #1                  // A frame's PC has no Thumb bit.
        movs    r1, #1
        lsls    r1, r1, #24             // xPSR has it.
        sub     sp, #32
        str     r0, [sp, #24]
        str     r1, [sp, #28]
        ldr     r0, =0xfffffff9         // Thread mode, main stack.
        bx      r0
1:      bx      lr
        .ltorg

// Instructions of 2 bytes each: the address of one tells its number.
        .global slide
        .type   slide, %function
        .thumb_func
slide:
        .rept   200
        nop
        .endr
        bx      lr
