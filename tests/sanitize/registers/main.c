// SPDX-License-Identifier: MIT
// What port/mpu makes of its registers, on the host: at their addresses lies
// plain memory. Prints what is wrong. Of PMSAv8 with __ARM_ARCH = 8.
#include <setjmp.h>
#include <stdio.h>
#include <sys/mman.h>

// Instructions of a Cortex-M.
__asm(".macro dmb\n.endm\n.macro dsb\n.endm\n.macro isb\n.endm");

#include "tp_mpu.c"

#define CHECK(is_so) check(is_so, #is_so, __LINE__)

enum { MANY = 40, PAGE = 4096, RAM = 0x20000000, IS_V8 = __ARM_ARCH >= 8 };

static int wrong;
static jmp_buf stopped;
static struct tp_mpu_row rows[MANY];
struct tp_fault_record tp_fault_record;
uint32_t tp_clock_now = 5;
const struct tp_kind tp_pool_kind;

void tp_fault(const struct tp_fault_record *record)
{
  (void)record;
  longjmp(stopped, 1);
}

static void check(bool is_so, const char *text, int line)
{
  if (is_so) return;
  printf("line %d: %s\n", line, text);
  wrong = 1;
}

static const void *at(uint32_t address)
{
  return (const void *)(uintptr_t)address;
}

// The answer where so many regions are there, and vectors.
static enum tp_mpu_answer guard(uint32_t count, uint32_t there,
                                uint32_t vectors)
{
  MPU_TYPE = there << 8 | 1;
  MPU_CTRL = 0;
  SHCSR = 0;
  VTOR = vectors;
  guarded = NULL;
  enum tp_mpu_answer answer = tp_mpu_guard(rows, count);
  CHECK(tp_mpu_is_on() == (answer == TP_MPU_ON));
  CHECK(MPU_CTRL == (answer == TP_MPU_ON ? 5 : 0));
  CHECK(SHCSR == (answer == TP_MPU_ON ? 1u << 16 : 0));
  return answer;
}

static void lay_out(void)
{
  for (uint32_t i = 0; i < MANY; i++) {
    rows[i] = (struct tp_mpu_row){"a row", at(RAM + 256 * i),
                                  at(RAM + 256 * i + 256), TP_MPU_DATA};
  }
}

static void as_many_rows_as_regions(void)
{
  CHECK(guard(8, 0, 0) == TP_MPU_ABSENT);
  for (uint32_t there = 8; there <= 16; there += 8) {
    CHECK(guard(there, there, 0) == TP_MPU_ON);
    CHECK(free_begin == there && free_end == there);
    CHECK(MPU_RNR == there - 1 && MPU_REST != 0);
    CHECK(guard(there + 1, there, 0) == TP_MPU_FEW);
    CHECK(guard(there - 3, there, 0) == TP_MPU_ON);
    CHECK(free_begin == there - 3 && free_end == there);
    CHECK(MPU_RNR == there - 1 && MPU_REST == 0);
  }
}

static void of_more_than_16_regions_16_are_used(void)
{
  for (uint32_t there = 17; there <= 255; there += 7) {
    CHECK(guard(16, there, 0) == TP_MPU_ON);
    CHECK(free_begin == 16 && free_end == 16);
    for (uint32_t count = 17; count <= MANY; count++) {
      CHECK(guard(count, there, 0) == TP_MPU_FEW);
    }
  }
}

static void a_bank_in_which_nothing_lies_takes_none(void)
{
  rows[1].end = rows[1].begin;
  CHECK(guard(2, 8, 0) == TP_MPU_ON && free_begin == 1);
  rows[1].rights = TP_MPU_NONE;
  CHECK(guard(2, 8, 0) == TP_MPU_EMPTY);
  lay_out();
}

// Unless a row covers address 0 or vectors lie there.
static void null_takes_a_region_and_of_pmsav8_two(void)
{
  uint32_t regions = IS_V8 ? 2 : 1;
  CHECK(guard(2, 8, PAGE) == TP_MPU_ON && free_begin == 2 + regions);
  CHECK(guard(2, 8, PAGE - 4) == TP_MPU_ON && free_begin == 2);
  CHECK(guard(8 - regions, 8, PAGE) == TP_MPU_ON && free_begin == 8);
  CHECK(guard(9 - regions, 8, PAGE) == TP_MPU_FEW);
  for (int rights = TP_MPU_DATA; rights <= TP_MPU_CODE; rights++) {
    rows[1] =
        (struct tp_mpu_row){"zero", at(0), at(64), (enum tp_mpu_rights)rights};
    CHECK(guard(2, 8, PAGE) == TP_MPU_ON && free_begin == 2);
  }
  rows[1].begin = at(32);
  CHECK(guard(2, 8, PAGE) == TP_MPU_ON && free_begin == 2 + regions);
  lay_out();
}

static void one_that_is_on_stays_as_it_is(void)
{
  MPU_CTRL = 1;
  MPU_REST = 77;
  CHECK(tp_mpu_guard(rows, 1) == TP_MPU_TAKEN);
  CHECK(MPU_CTRL == 1 && MPU_REST == 77);
}

enum { LR = 0x801, PC = 0x1000 };

// What is recorded if the core says that.
static void refuse(uint32_t why, uint32_t address, bool on_psp)
{
  static const uint32_t frame[8] = {[5] = LR, [6] = PC};
  CFSR = 0xabcd0000 | why;
  HFSR = 0;
  MMFAR = address;
  tp_fault_record = (struct tp_fault_record){.name = "", .slot = 7};
  const uint32_t *unread = frame + 1;
  if (setjmp(stopped) == 0) {
    tp_mpu_raise(on_psp ? 0xfffffffd : 0xfffffff9, on_psp ? unread : frame,
                 on_psp ? frame : unread);
  }
  CHECK(CFSR == why && HFSR == 1u << 30);
  CHECK(tp_fault_record.kind == TP_FAULT_GUARD && tp_fault_record.slot == 0);
  CHECK(tp_fault_record.found == why && tp_fault_record.expected == 0);
  CHECK(tp_fault_record.frame == 5 && tp_fault_record.offset == 0);
  CHECK(tp_fault_record.magic == TP_FAULT_MAGIC && !tp_fault_record.pool);
}

static bool is_told(const char *name, uint32_t address, uint32_t caller)
{
  return tp_fault_record.name == name &&
         tp_fault_record.address == at(address) &&
         tp_fault_record.caller == at(caller);
}

static void what_is_refused_is_told_by_what_the_core_says(void)
{
  rows[1].name = "another";
  CHECK(guard(2, 8, PAGE) == TP_MPU_ON);
  for (int on_psp = 0; on_psp < 2; on_psp++) {
    refuse(0x82, RAM + 256, on_psp);
    CHECK(is_told("another", RAM + 256, PC + 3));
    refuse(0x82, RAM + 255, on_psp);
    CHECK(is_told(rows[0].name, RAM + 255, PC + 3));
    refuse(0x82, RAM + 512, on_psp);
    CHECK(is_told(NULL, RAM + 512, PC + 3));
    refuse(0x82, PAGE - 1, on_psp);
    CHECK(is_told(null_row.name, PAGE - 1, PC + 3));
    refuse(0x82, PAGE, on_psp);
    CHECK(is_told(NULL, PAGE, PC + 3));
    refuse(0x02, RAM, on_psp);  // Somewhere.
    CHECK(is_told(NULL, 0, PC + 3));
    refuse(0x01, RAM, on_psp);  // It went to PC.
    CHECK(is_told(NULL, PC, LR));
  }
}

// A stack that ran on into a fence: nothing of what was pushed is there.
static void of_an_exception_without_its_frame_nobody_is_told_to_have_done_it(
    void)
{
  for (int on_psp = 0; on_psp < 2; on_psp++) {
    refuse(0x10, RAM, on_psp);
    CHECK(is_told(NULL, 0, 0));
    refuse(0x92, RAM + 256, on_psp);
    CHECK(is_told("another", RAM + 256, 0));
  }
}

int main(void)
{
  void *page = mmap((void *)(uintptr_t)0xe000e000, PAGE, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  if (page == MAP_FAILED) return 2;
  lay_out();
  as_many_rows_as_regions();
  of_more_than_16_regions_16_are_used();
  a_bank_in_which_nothing_lies_takes_none();
  null_takes_a_region_and_of_pmsav8_two();
  one_that_is_on_stays_as_it_is();
  what_is_refused_is_told_by_what_the_core_says();
  of_an_exception_without_its_frame_nobody_is_told_to_have_done_it();
  return wrong;
}
