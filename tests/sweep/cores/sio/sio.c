// SPDX-License-Identifier: MIT
// sio.c - the RP2040's SIO where there is none: an access to its addresses is a
// fault here, and what the SIO does is done in the handler. As the datasheet
// has it, CPUID is the core's number; to read a spinlock takes it, and is 0
// where it was taken; to write it gives it back, whatever is written.
//
// The control, SIO_LENIENT, lets each core take what the other has.
#include <stdint.h>

#include "nvic.h"
#include "second.h"
#include "semihost.h"

#define CFSR      REGISTER(0xe000ed28)
#define BFAR      REGISTER(0xe000ed38)
#define BFARVALID 0x8000u

#define CPUID     0xd0000000u
#define SPINLOCK0 0xd0000100u

enum { SPINLOCKS = 32 };

// A reset of the cores alone leaves them as they were: all taken.
static uint32_t spinlock[SPINLOCKS] = {[0 ... SPINLOCKS - 1] = 1};

void board_hard_fault(void);

static void refuse(const char *what)
{
  semihost_print(what);
  semihost_exit(SEMIHOST_CPU_FAULT);
}

// Of the spinlock at [address].
static uint32_t *at(uint32_t address)
{
  uint32_t number = (address - SPINLOCK0) / 4;
  if (address % 4 != 0 || number >= SPINLOCKS)
    refuse("an address that is no spinlock's\n");
  return &spinlock[number];
}

static uint32_t read_of(uint32_t address)
{
  if (address == CPUID) return core_number();
  uint32_t *lock = at(address);
  uint32_t taken = __atomic_exchange_n(lock, 1, __ATOMIC_SEQ_CST);
  return taken && !SIO_LENIENT ? 0 : 1u << (lock - spinlock);
}

static void write_to(uint32_t address)
{
  __atomic_store_n(at(address), 0, __ATOMIC_SEQ_CST);
}

struct access {
  uint32_t bytes, rt;  // Of the instruction; the register that it names.
  uint32_t is_load;
};

// LDR and STR of a word, by an immediate or by a register.
static struct access decode(const uint16_t *code)
{
  uint32_t narrow = code[0] & 0xf800u, wide = code[0] & 0xff70u;
  if (narrow == 0x6800 || narrow == 0x6000)
    return (struct access){2, code[0] & 7, narrow == 0x6800};
  narrow = code[0] & 0xfe00u;
  if (narrow == 0x5800 || narrow == 0x5000)
    return (struct access){2, code[0] & 7, narrow == 0x5800};
  if (wide != 0xf850 && wide != 0xf840) refuse("no LDR or STR of a word\n");
  return (struct access){4, code[1] >> 12, wide == 0xf850};
}

// [pushed]: r0 to r3, r12, lr, pc, xPSR; [kept]: r4 to r11.
static uint32_t *register_of(uint32_t *pushed, uint32_t *kept, uint32_t number)
{
  if (number < 4) return &pushed[number];
  if (number < 12) return &kept[number - 4];
  if (number != 12 && number != 14) refuse("a register that no value is in\n");
  return &pushed[number == 12 ? 4 : 5];
}

__attribute__((used)) static void answer(uint32_t *pushed, uint32_t *kept)
{
  const uint16_t *code = (const uint16_t *)(uintptr_t)pushed[6];
  if (!(CFSR & BFARVALID)) refuse("a fault that is no access\n");
  if (pushed[7] & 0x0600fc00u) refuse("an access in an IT block\n");
  struct access access = decode(code);
  uint32_t address = BFAR;
  if (access.is_load)
    *register_of(pushed, kept, access.rt) = read_of(address);
  else
    write_to(address);
  CFSR = CFSR;  // What is set is cleared by writing it.
  pushed[6] += access.bytes;
}

__attribute__((naked)) void board_hard_fault(void)
{
  __asm volatile(
      "mov r0, sp\n"
      "push {r4-r11}\n"
      "mov r1, sp\n"
      "push {r3, lr}\n"
      "bl answer\n"
      "pop {r3, lr}\n"
      "pop {r4-r11}\n"
      "bx lr");
}
