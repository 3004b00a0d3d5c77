// SPDX-License-Identifier: MIT
// A thread without privilege, which the MPU lets read flash and write to the
// bank of the slots, asks for them and gives them back by SVC. It writes to all
// of them at any time, and then to a word of the pool itself. Printed: what
// came of that with links outside, and of the least of it with links inside.
#include "core/tp_slot.h"
#include "semihost.h"
#include "tp_pools.h"

enum { SLOTS = 8, WORDS = 8, STEPS = 4000 };
enum service { ALLOC, FREE, ALLOC_INSIDE, FREE_INSIDE, PRIVILEGE };

#define REGISTER(address) (*(volatile uint32_t *)(uintptr_t)(address))
#define SHCSR             REGISTER(0xe000ed24)
#define MPU_CTRL          REGISTER(0xe000ed94)
#define MPU_RNR           REGISTER(0xe000ed98)
#define MPU_RBAR          REGISTER(0xe000ed9c)
#define MPU_RASR          REGISTER(0xe000eda0)

void board_mem_manage(void);
void SVC_Handler(void);
static volatile uint32_t denied;

void tp_fault(const struct tp_fault_record *record)
{
  semihost_print(tp_fault_name(record->kind));
  semihost_print("\n");
  semihost_exit(0);
}

// What was pushed: r0 to r3, r12, lr, pc, xPSR. It goes on behind the store.
__attribute__((used)) static void deny(uint32_t *pushed)
{
  denied++;
  pushed[6] += 2;
}

__attribute__((naked)) void board_mem_manage(void)
{
  __asm volatile("mrs r0, psp\n b deny");
}

__attribute__((used)) static void serve(uint32_t *pushed)
{
  enum service service = (enum service)pushed[0];
  void *object = (void *)pushed[1];
  if (service == ALLOC) pushed[0] = (uint32_t)apart_alloc();
  if (service == FREE) apart_free(object);
  if (service == ALLOC_INSIDE) pushed[0] = (uint32_t)inside_alloc();
  if (service == FREE_INSIDE) inside_free(object);
  if (service != PRIVILEGE) return;
  __asm volatile("msr control, %0\n isb" : : "r"(2) : "memory");
}

__attribute__((naked)) void SVC_Handler(void)
{
  __asm volatile("mrs r0, psp\n b serve");
}

__attribute__((naked)) static uint32_t *ask(enum service service, void *object)
{
  (void)service, (void)object;
  __asm volatile("svc #0\n bx lr");
}

// Calls [run], whose stack is the end of PSRAM. PRIVILEGE is 4.
__attribute__((naked)) static uint32_t without_privilege(uint32_t (*run)(void))
{
  (void)run;
  __asm volatile(
      "push {r4, lr}\n mov r1, #0x22000000\n msr psp, r1\n"
      "movs r1, #3\n msr control, r1\n isb\n blx r0\n"
      "mov r4, r0\n movs r0, #4\n svc #0\n"
      "movs r1, #0\n msr control, r1\n isb\n mov r0, r4\n pop {r4, pc}");
}

// A region of 2^[shift] bytes that all may read, and write to if [written].
static void allow(uint32_t region, uint32_t base, uint32_t shift, bool written)
{
  MPU_RNR = region;
  MPU_RBAR = base;
  MPU_RASR = (written ? 3u : 6u) << 24 | (shift - 1) << 1 | 1;
}

static void protect(void)
{
  allow(0, 0, 22, false);
  allow(1, 0x21000000, 24, true);
  SHCSR |= 1u << 16;  // MemManage is an exception of its own.
  MPU_CTRL = 5;       // Privileged code has all that it had.
  __asm volatile("dsb\n isb" : : : "memory");
}

// The steps of the thread -----------------------------------------------------

static uint32_t random_of(uint32_t *seed)
{
  *seed = *seed * 1664525 + 1013904223;
  return *seed >> 8;
}

static void write_over(uint32_t *const *slot, uint32_t *seed)
{
  for (uint32_t i = 0; i < SLOTS; i++) {
    for (uint32_t word = 0; word < WORDS; word++) {
      slot[i][word] = random_of(seed);
    }
  }
}

static uint32_t place_of(uint32_t *const *slot, const uint32_t *object)
{
  uint32_t i = 0;
  while (i < SLOTS && slot[i] != object) i++;
  return i;
}

// One of the slots that are not [taken], a bit each. False iff it is not.
static bool is_one_of_the_rest(uint32_t *const *slot, uint32_t *taken)
{
  uint32_t at = place_of(slot, ask(ALLOC, NULL));
  bool right = *taken == (1 << SLOTS) - 1 ? at == SLOTS : at < SLOTS;
  if (at == SLOTS) return right;
  right = (*taken & 1u << at) == 0;
  *taken |= 1u << at;
  return right;
}

// How often it was given what it must not have.
static uint32_t play(void)
{
  uint32_t *slot[SLOTS], seed = 1, wrong = 0, taken = (1 << SLOTS) - 1;
  for (uint32_t i = 0; i < SLOTS; i++) slot[i] = ask(ALLOC, NULL);
  for (uint32_t i = 0; i < STEPS; i++) {
    uint32_t at = random_of(&seed) % SLOTS;
    write_over(slot, &seed);
    if (random_of(&seed) % 2) {
      wrong += !is_one_of_the_rest(slot, &taken);
    } else if (taken & 1u << at) {
      ask(FREE, slot[at]);
      taken &= ~(1u << at);
    }
  }
  return wrong;
}

// The store is one halfword of code.
static uint32_t reach_for_the_pool(void)
{
  register uint32_t *word __asm("r1") = apart_pool.tag;
  __asm volatile("str r1, [r1]" : : "r"(word) : "memory");
  return 0;
}

// What it was given after it wrote an address to a slot that it gave back.
static uint32_t forge(void)
{
  uint32_t *object = ask(ALLOC_INSIDE, NULL);
  ask(FREE_INSIDE, object);
  object[0] = (uint32_t)apart_pool.tag;
  ask(ALLOC_INSIDE, NULL);
  return (uint32_t)ask(ALLOC_INSIDE, NULL);
}

int main(void)
{
  protect();
  uint32_t wrong = without_privilege(play);
  semihost_print(wrong == 0 ? "each once, " : "wrong, ");
  semihost_print(tp_pool_verify(&apart_pool, NULL) ? "whole, " : "broken, ");
  without_privilege(reach_for_the_pool);
  semihost_print(denied == 1 ? "denied, " : "allowed, ");
  bool forged = without_privilege(forge) == (uint32_t)apart_pool.tag;
  semihost_print(forged ? "forged\n" : "of the pool\n");
  return 0;
}
