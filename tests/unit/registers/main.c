// SPDX-License-Identifier: MIT
// What a fault leaves for the next boot where the port knows the registers, as
// that of the host does not: here it is compiled for one that does.
#include "tp_port.h"
#include "tp_test.h"
#include "tp_text.h"

// Each register holds its number, but for this.
enum { FIRST = 0x1000 };

#define TP_PORT_HAS_REGISTERS 1

static inline void tp_port_registers(uint32_t *registers)
{
  for (uint32_t i = 0; i < 17; i++) registers[i] = FIRST + i;
}

#include "check/tp_crash.c"

// In the same section, of a file that the linker takes later.
extern uint32_t behind[sizeof(struct tp_crash) / 4];

static const struct tp_fault_record record = {.magic = TP_FAULT_MAGIC,
                                              .kind = TP_FAULT_LINK};

static void the_stack_ends_where_its_register_says(void)
{
  tp_crash_save(&record, NULL);
  CHECK(tp_crash_validate());
  CHECK_EQ((uintptr_t)tp_crash.bottom, FIRST + 13);
  CHECK_EQ(tp_crash.words, 0);
}

static void what_is_saved_is_written_to_no_word_behind_it(void)
{
  uint32_t changed = 0;
  uintptr_t gap = (uintptr_t)behind - (uintptr_t)(&tp_crash + 1);
  CHECK(gap < 64);  // No more than an alignment.
  for (uint32_t i = 0; i < sizeof behind / 4; i++) behind[i] = ~i;
  tp_crash_save(&record, NULL);
  tp_crash_note(behind, UINT32_MAX);
  for (uint32_t i = 0; i < sizeof behind / 4; i++) changed += behind[i] != ~i;
  CHECK_EQ(changed, 0);
}

static void known_registers_are_printed_by_name_four_in_a_line(void)
{
  tp_crash_save(&record, NULL);
  length = 0;
  tp_crash_print(tp_crash_validate(), put);
  CHECK(
      is_said("\r\nr0 = 00001000  r1 = 00001001  r2 = 00001002  "
              "r3 = 00001003\r\nr4 = "));
  CHECK(
      is_said("\r\nr12 = 0000100c  sp = 0000100d  lr = 0000100e  "
              "pc = 0000100f\r\nxpsr = 00001010\r\n"));
}

int main(void)
{
  RUN(the_stack_ends_where_its_register_says);
  RUN(what_is_saved_is_written_to_no_word_behind_it);
  RUN(known_registers_are_printed_by_name_four_in_a_line);
  return tp_test_end();
}
