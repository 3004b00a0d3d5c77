// SPDX-License-Identifier: MIT
// What stores are refused while a soak runs: each is tried, and stores what
// stood there.
#include "tp_soak_guard.c"

#include "core/tp_words.h"
#include "registers.h"
#include "tp_test.h"

// Of memory that stands for code, in which nothing of ours lies.
#define APART ((*(volatile uint32_t *)0xe000ed08u & ~0xfffffu) + 0x200000u)

extern uint8_t flash_start[];
static volatile uint32_t refused;

// Goes on behind the store, which is of two bytes.
__attribute__((naked)) void board_hard_fault(void)
{
  __asm volatile(
      "ldr r0, [sp, #24]\n adds r0, r0, #2\n str r0, [sp, #24]\n"
      "ldr r0, =%c0\n movs r1, #1\n str r1, [r0]\n bx lr\n .ltorg"
      :
      : "i"(&refused));
}

static bool is_refused(uintptr_t address)
{
  __asm("" : "+r"(address));  // Which may be 0.
  uint32_t word = *(volatile uint32_t *)address;
  refused = 0;
  __asm volatile("str %0, [%1]\n dsb" : : "l"(word), "l"(address) : "memory");
  return refused;
}

static void turn_off(void)
{
  mpu()->control = 0;
  for (uint32_t i = 0; i < 8; i++) set(i, 0, 0);
  __asm volatile("dsb\n isb" ::: "memory");
}

static void check_code(uintptr_t begin, uintptr_t end)
{
  keep(begin, end);
  for (uintptr_t at = begin; at < end; at += 256) CHECK(is_refused(at));
  CHECK(is_refused(end - 4));
  turn_off();
}

static void all_of_the_code_is_refused_wherever_it_begins(void)
{
  static const uint32_t places[][2] = {
      {0, 0x4000}, {0xc000, 0x25000}, {0x400, 0x6400}, {0x7c00, 0x8400}};
  for (uint32_t i = 0; i < 4; i++) {
    check_code(APART + places[i][0], APART + places[i][1]);
  }
  check_code((uintptr_t)flash_start, code_end());
  CHECK(code_end() >= (uintptr_t)text_end);
}

static void nothing_behind_it_is_nor_what_is_no_code(void)
{
  static uint32_t variable;
  keep(APART, APART + 0x4000);
  CHECK(is_refused(APART + 0x3ffc));
  CHECK(!is_refused(APART + 0x4000));
  CHECK(!is_refused(APART - 4));
  CHECK(!is_refused((uintptr_t)&variable));
  turn_off();
}

static void address_0_is_refused_wherever_the_code_is_and_4095(void)
{
  keep(APART, APART + 0x4000);
  CHECK(is_refused(0));
  CHECK(is_refused(4092));
  CHECK(!is_refused(4096));
  turn_off();
  CHECK(!is_refused(0));
}

static void where_code_begins_and_ends_is_told(void)
{
  tp_soak_guard_begin(NULL);
  CHECK(tp_text_same(told, ""));
  CHECK_EQ(told_words[0], (uintptr_t)flash_start);
  CHECK_EQ(told_words[1], code_end());
  CHECK(is_refused((uintptr_t)text_end - 4));
  turn_off();
  tp_soak_guard_join();
  CHECK(is_refused((uintptr_t)text_end - 4));
  turn_off();
}

static void an_mpu_that_the_firmware_uses_is_left_to_it(void)
{
  mpu()->control = 5;
  set(1, 0x20000000u, 0);
  tp_soak_guard_begin(NULL);
  CHECK(tp_text_same(told, "the firmware uses the MPU itself"));
  CHECK_EQ(told_words[1], 0);
  tp_soak_guard_join();
  mpu()->number = 1;
  CHECK_EQ(mpu()->base & ~31u, 0x20000000u);
  CHECK(!is_refused((uintptr_t)text_end - 4));
  turn_off();
}

static void where_the_vectors_are_in_ram_the_end_of_the_code_is_not_known(void)
{
  static uint32_t vectors[64] __attribute__((aligned(256)));
  volatile uint32_t *table = (volatile uint32_t *)0xe000ed08u;
  uint32_t before = *table;
  const uint32_t *from = (const uint32_t *)(uintptr_t)before;
  __asm("" : "+r"(from));  // Which may be 0.
  for (uint32_t i = 0; i < 48; i++) vectors[i] = from[i];
  *table = (uint32_t)(uintptr_t)vectors;
  tp_soak_guard_begin(NULL);
  *table = before;
  CHECK(told[0] == 'w' && told[6] == 't');  // where the code ends is ...
  CHECK_EQ(told_words[1], 0);
  tp_soak_guard_join();
  CHECK(!is_used());
}

void test_guard(void)
{
  RUN(all_of_the_code_is_refused_wherever_it_begins);
  RUN(nothing_behind_it_is_nor_what_is_no_code);
  RUN(address_0_is_refused_wherever_the_code_is_and_4095);
  RUN(where_the_vectors_are_in_ram_the_end_of_the_code_is_not_known);
  RUN(an_mpu_that_the_firmware_uses_is_left_to_it);
  RUN(where_code_begins_and_ends_is_told);
}
