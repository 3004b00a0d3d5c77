// SPDX-License-Identifier: MIT
// What a fault leaves for the next boot.
#ifdef __linux__
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

#include "check/tp_crash.h"
#include "tp_port.h"
#include "tp_test.h"
#include "tp_text.h"

static struct tp_fault_record record;

static void save(const void *stack_end)
{
  record = (struct tp_fault_record){.magic = TP_FAULT_MAGIC,
                                    .kind = TP_FAULT_DOUBLE_FREE,
                                    .name = "packets",
                                    .slot = 3};
  tp_crash_save(&record, stack_end);
}

// From as deep as more than is kept lies on the stack.
static TP_NOINLINE void save_deep(void)
{
  volatile uint32_t room[2 * TP_CRASH_WORDS];
  room[0] = 0;
  save((const void *)(uintptr_t)(room + 2 * TP_CRASH_WORDS));
}

static void what_was_saved_is_there_until_it_is_forgotten(void)
{
  uint32_t here[4] = {0};
  save(here + 4);
  const struct tp_crash *crash = tp_crash_validate();
  CHECK(crash);
  CHECK_EQ(crash->record.kind, TP_FAULT_DOUBLE_FREE);
  CHECK_EQ(crash->record.slot, 3);
  tp_crash_forget();
  CHECK(!tp_crash_validate());
}

static void memory_that_nobody_wrote_is_no_crash(void)
{
  uint8_t *byte = (uint8_t *)&tp_crash;
  for (uint32_t fill = 0; fill < 256; fill++) {
    for (uint32_t i = 0; i < sizeof tp_crash; i++) byte[i] = (uint8_t)fill;
    CHECK(!tp_crash_validate());
  }
}

static void any_flipped_bit_of_it_is_noticed(void)
{
  uint32_t here[4] = {0};
  uint8_t *byte = (uint8_t *)&tp_crash;
  uint32_t noticed = 0, bits = 0;
  save(here + 4);
  for (uint32_t i = 0; i < sizeof tp_crash; i++) {
    for (uint32_t bit = 0; bit < 8; bit++, bits++) {
      byte[i] ^= (uint8_t)(1u << bit);
      noticed += !tp_crash_validate();
      byte[i] ^= (uint8_t)(1u << bit);
    }
  }
  CHECK(tp_crash_validate());
  CHECK_EQ(noticed, bits);
}

// Four bits at a time, as zlib's crc32() has it of these bytes.
static uint32_t crc_of(const uint8_t *byte, uint32_t count)
{
  static const uint32_t of_four[16] = {
      0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
      0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
      0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
  uint32_t crc = UINT32_MAX;
  for (uint32_t i = 0; i < count; i++) {
    crc = crc >> 4 ^ of_four[(crc ^ byte[i]) & 15];
    crc = crc >> 4 ^ of_four[(crc ^ byte[i] >> 4) & 15];
  }
  return ~crc;
}

static void its_checksum_is_that_of_zlib(void)
{
  const uint8_t *begin = (const uint8_t *)(&tp_crash.checksum + 1);
  const uint8_t *end = (const uint8_t *)(&tp_crash + 1);
  CHECK_EQ(crc_of((const uint8_t *)"123456789", 9), 0xcbf43926);
  save(NULL);
  CHECK_EQ(tp_crash.checksum, crc_of(begin, (uint32_t)(end - begin)));
}

static void no_more_of_the_stack_is_kept_than_there_is(void)
{
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  save(NULL);
  CHECK_EQ(tp_crash.words, 0);
  CHECK(tp_crash_validate());
  save_deep();
  CHECK_EQ(tp_crash.words, TP_CRASH_WORDS);
  save((const void *)here);
  CHECK(tp_crash.words < TP_CRASH_WORDS);
  CHECK(tp_crash.bottom <= (const uint32_t *)here);
}

// Where it ended is where it ends at the next call from here. What stands above
// is memory, though little of the stack may be left.
static void of_the_stack_all_is_kept_up_to_its_end_or_as_much_as_there_is_room(
    void)
{
  const volatile uint32_t above[TP_CRASH_WORDS + 3] = {0};
  CHECK(!above[0]);
  save(NULL);
  const uint32_t *bottom = tp_crash.bottom;
  CHECK(bottom);
  for (uint32_t words = 0; words < TP_CRASH_WORDS + 3; words++) {
    bool fits = words < TP_CRASH_WORDS;
    save((const void *)((uintptr_t)bottom + 4 * words));
    CHECK(tp_crash.bottom == bottom);
    CHECK_EQ(tp_crash.words, fits ? words : TP_CRASH_WORDS);
  }
}

static void of_what_stood_there_before_nothing_is_left(void)
{
  uint8_t *byte = (uint8_t *)&tp_crash;
  for (uint32_t i = 0; i < sizeof tp_crash; i++) byte[i] = 0xa5;
  save(NULL);
  uint32_t rest = 0;
  for (uint32_t i = 0; i < TP_CRASH_WORDS; i++) rest |= tp_crash.stack[i];
  for (uint32_t i = 0; i < TP_CRASH_KEPT; i++) rest |= tp_crash.kept[i];
  for (uint32_t i = 7; i < TP_CRASH_NAME; i++)
    rest |= (uint8_t)tp_crash.name[i];
  CHECK_EQ(rest, 0);
}

static void what_is_kept_beside_it_is_checked_and_printed_as_it_stood(void)
{
  static const uint32_t note[TP_CRASH_KEPT + 1] = {0x12345678, 0x9abcdef0};
  save(NULL);
  CHECK(!tp_crash.kept_at);
  CHECK_EQ(tp_crash.kept_words, 0);
  tp_crash_note(note, 2);
  CHECK(tp_crash_validate());
  CHECK(tp_crash.kept_at == note);
  length = 0;
  tp_crash_print(tp_crash_validate(), put);
  CHECK(is_said(": 12345678 9abcdef0\r\n"));
  tp_crash_note(note, TP_CRASH_KEPT + 1);
  CHECK(tp_crash_validate());
  CHECK_EQ(tp_crash.kept_words, TP_CRASH_KEPT);
  tp_crash.kept[0] ^= 1;
  CHECK(!tp_crash_validate());
}

static void of_two_notes_the_last_is_kept(void)
{
  static const uint32_t notes[3] = {1, 2, 3};
  save(NULL);
  tp_crash_note(notes, 2);
  tp_crash_note(notes + 2, 1);
  CHECK(tp_crash_validate());
  CHECK(tp_crash.kept_at == notes + 2);
  CHECK_EQ(tp_crash.kept_words, 1);
  CHECK_EQ(tp_crash.kept[0], 3);
}

static void of_a_note_no_more_words_are_read_than_it_has(void)
{
  static const uint32_t notes[3] = {1, 2, 3};
  save(NULL);
  tp_crash_note(notes, 2);
  CHECK_EQ(tp_crash.kept[1], 2);
  CHECK_EQ(tp_crash.kept[2], 0);
}

static void what_is_printed_are_lines_of_the_record_and_the_stack(void)
{
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  save_deep();
  length = 0;
  tp_crash_print(tp_crash_validate(), put);
  CHECK(is_said("fault double-free of packets, "));
  CHECK(is_said(": 7e11a1e5 00000003 "));
  uint32_t lines = 0;
  for (uint32_t i = 0; i < length; i++) lines += text[i] == '\n';
  CHECK(lines >= 1 + 3 + TP_CRASH_WORDS / 4);
  record.name = NULL;
  tp_crash_save(&record, (const void *)here);
  length = 0;
  tp_crash_print(tp_crash_validate(), put);
  CHECK(is_said(" of none, "));
}

// Is [word] what ends a line?
static bool is_last_of_a_line(uint32_t word)
{
  char said[12] = " ";
  for (uint32_t i = 0; i < 8; i++) {
    said[1 + i] = "0123456789abcdef"[word >> (28 - 4 * i) & 15];
  }
  said[9] = '\r';
  said[10] = '\n';
  return is_said(said);
}

static void of_words_four_stand_in_a_line_behind_the_address_of_the_first(void)
{
  enum { WORDS = sizeof record / 4 };
  struct tp_crash crash = {.name = "packets",
                           .kept_words = 6,
                           .kept_at = (const uint32_t *)0x20001ff8,
                           .kept = {0xa1, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7},
                           .words = 4,
                           .bottom = (const uint32_t *)0x20003000,
                           .stack = {0xb1, 0xb2, 0xb3, 0xb4, 0xb5}};
  uint32_t *words = (uint32_t *)&crash.record;
  for (uint32_t i = 0; i < WORDS; i++) words[i] = i + 1;
  length = 0;
  tp_crash_print(&crash, put);
  CHECK(is_said(": 00000001 00000002 00000003 00000004\r\n"));
  CHECK(is_said(": 00000005 00000006 00000007 00000008\r\n"));
  CHECK(is_last_of_a_line(WORDS));
  CHECK(!is_last_of_a_line(WORDS + 1));
  CHECK(
      is_said("\r\n"
              "20001ff8: 000000a1 000000a2 000000a3 000000a4\r\n"
              "20002008: 000000a5 000000a6\r\n"
              "20003000: 000000b1 000000b2 000000b3 000000b4\r\n"));
  CHECK(!is_said("000000b5"));
}

// Where pages can be taken away, a name that leads out of memory.
#ifdef __linux__
static sigjmp_buf out;

static void leave(int signal)
{
  siglongjmp(out, signal);
}

static void a_name_that_leads_out_of_memory_leaves_the_rest(void)
{
  uint32_t here[4] = {0};
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(pages != MAP_FAILED && mprotect(pages + page, page, PROT_NONE) == 0);
  char *name = pages + page - 3;
  for (uint32_t i = 0; i < 3; i++) name[i] = 'x';
  record = (struct tp_fault_record){.kind = TP_FAULT_LINK, .name = name};
  signal(SIGSEGV, leave);
  int signal_came = sigsetjmp(out, 1);
  if (!signal_came) tp_crash_save(&record, here + 4);
  signal(SIGSEGV, SIG_DFL);
  munmap(pages, 2 * page);
  CHECK_EQ(signal_came, SIGSEGV);
  CHECK(tp_crash_validate());
  CHECK_EQ(tp_crash.record.kind, TP_FAULT_LINK);
}
#endif

// As of a firmware that was replaced since, whose names lie elsewhere.
static void what_a_record_points_to_is_not_looked_at_when_it_is_printed(void)
{
  static char name[] = "a_pool_of_a_name_that_is_long";
  record = (struct tp_fault_record){.kind = TP_FAULT_LINK, .name = name};
  tp_crash_save(&record, NULL);
  name[0] = 'X';
  length = 0;
  tp_crash_print(tp_crash_validate(), put);
  CHECK(is_said("fault link of a_pool_of_a_name_that_i, "));
}

int main(void)
{
  RUN(what_was_saved_is_there_until_it_is_forgotten);
  RUN(memory_that_nobody_wrote_is_no_crash);
  RUN(any_flipped_bit_of_it_is_noticed);
  RUN(its_checksum_is_that_of_zlib);
  RUN(no_more_of_the_stack_is_kept_than_there_is);
  RUN(of_the_stack_all_is_kept_up_to_its_end_or_as_much_as_there_is_room);
  RUN(of_what_stood_there_before_nothing_is_left);
  RUN(what_is_kept_beside_it_is_checked_and_printed_as_it_stood);
  RUN(of_two_notes_the_last_is_kept);
  RUN(of_a_note_no_more_words_are_read_than_it_has);
  RUN(what_is_printed_are_lines_of_the_record_and_the_stack);
  RUN(of_words_four_stand_in_a_line_behind_the_address_of_the_first);
  RUN(what_a_record_points_to_is_not_looked_at_when_it_is_printed);
#ifdef __linux__
  RUN(a_name_that_leads_out_of_memory_leaves_the_rest);
#endif
  return tp_test_end();
}
