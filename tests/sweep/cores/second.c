// SPDX-License-Identifier: MIT
#include "second.h"

#include "nvic.h"
#include "semihost.h"

// Of the SSE-200's system control block and of each core's own identity.
#define INITSVTOR1   REGISTER(0x50021114)
#define CPUWAIT      REGISTER(0x50021118)
#define CPU_IDENTITY REGISTER(0x5001f000)

enum { STACK_WORDS = 1024 };

void board_handler(void);
void board_hard_fault(void);

static uint32_t stack[STACK_WORDS] __attribute__((aligned(8)));
static void (*second_entry)(void);
uint32_t core_waits[2];

static void enter(void)
{
  second_entry();
}

static void unexpected(void)
{
  semihost_exit(SEMIHOST_CPU_FAULT);
}

// The core finds its vectors where INITSVTOR1 says: a multiple of 128.
typedef void (*vector)(void);
static const vector vectors[48] __attribute__((aligned(256))) = {
    [0] = (vector)(stack + STACK_WORDS),
    [1] = enter,
    [2] = unexpected,
    [3] = board_hard_fault,
    [4 ... 14] = unexpected,
    [15 ... 47] = board_handler,
};

uint32_t core_number(void)
{
  return CPU_IDENTITY;
}

void core_start(void (*entry)(void))
{
  second_entry = entry;
  INITSVTOR1 = (uint32_t)(uintptr_t)vectors;
  __asm volatile("dsb" : : : "memory");
  CPUWAIT = 0;
}

void core_yield(void)
{
  __asm volatile("yield" : : : "memory");
}

void core_waited(void)
{
  core_waits[core_number()]++;
  core_yield();
}
