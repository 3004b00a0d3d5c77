// SPDX-License-Identifier: MIT
// tp_crash.h - what a fault leaves for the next boot: its record, the
// processor's registers and the last words of the stack, in memory that
// start-up code does not clear, with a version and a checksum.
//
//   void tp_fault(const struct tp_fault_record *record)
//   {
//     tp_crash_save(record, stack_top);  // As the linker script calls it.
//     reset_the_system();
//   }
//
// and at the next boot, before or instead of anything else:
//
//   const struct tp_crash *crash = tp_crash_validate();
//   if (crash) tp_crash_print(crash, put), tp_crash_forget();
//
// What is printed is what `tidepool.py dump` and `core` read: with nothing but
// that text and the ELF a debugger shows the backtrace. Nothing that a record
// points to is looked at, so the one of a firmware that was replaced since is
// printed, too: its own ELF is wanted then. Each call takes a time
// by the bytes of struct tp_crash and locks nothing; they are for tp_fault()
// and for start-up, where none interrupts another. Of a firmware that calls
// none of it nothing is linked.
#ifndef TP_CRASH_H
#define TP_CRASH_H

#include "tidepool.h"

#ifdef __cplusplus
extern "C" {
#endif

// How many words of the stack are kept, those pushed last.
#ifndef TP_CRASH_WORDS
#define TP_CRASH_WORDS 64
#endif

#define TP_CRASH_MAGIC     0x7e11dead
#define TP_CRASH_VERSION   3
#define TP_CRASH_REGISTERS 17  // r0 to r15 and xPSR; 0: not known.
#define TP_CRASH_KEPT      16  // Words that tp_crash_note() keeps, at most.
#define TP_CRASH_NAME      24  // Bytes of a name that are kept, with its end.

struct tp_crash {
  uint32_t magic;     // TP_CRASH_MAGIC iff the rest was written.
  uint16_t version;   // TP_CRASH_VERSION.
  uint16_t bytes;     // Of this struct.
  uint32_t checksum;  // CRC-32, as of zlib, of all that follows.
  struct tp_fault_record record;
  char name[TP_CRASH_NAME];  // What record.name says; "": nothing.
  uint32_t registers[TP_CRASH_REGISTERS];
  uint32_t kept_words;      // Of tp_crash_note(), which were read
  const uint32_t *kept_at;  // here; NULL: it was not called.
  uint32_t kept[TP_CRASH_KEPT];
  uint32_t words;          // Of the stack, from where it ended,
  const uint32_t *bottom;  // which was here.
  uint32_t stack[TP_CRASH_WORDS];
};

TP_STATIC_ASSERT(sizeof(struct tp_crash) <= UINT16_MAX,
                 "what is kept of a crash has under 64 KiB, as .bytes says");

// Of this boot or the one before: tp_crash_validate() tells whether it is one.
extern struct tp_crash tp_crash;

// Keeps [record] with the registers as they are and the words of the stack from
// its pointer up to [stack_end], which is where the stack begins; at most
// TP_CRASH_WORDS.
void tp_crash_save(const struct tp_fault_record *record, const void *stack_end);

// Behind tp_crash_save(), keeps [words] more of whatever tells something: of a
// row that says owner = true the note of the slot that the fault is of, by
// which `tidepool.py dump` tells who had it and who gave it back. The last call
// counts, and of it the first TP_CRASH_KEPT words.
//
//   const struct tp_owner *owner = tp_fault_owner_of(record);
//   if (owner) tp_crash_note(owner, sizeof *owner / 4);
void tp_crash_note(const void *memory, uint32_t words);

// Returns  what was kept; NULL iff nothing was, or by another version, or it
//          does not agree with its checksum.
const struct tp_crash *tp_crash_validate(void);

// Makes it none, so that the boot after this one finds nothing.
void tp_crash_forget(void);

// Writes [crash] as lines of text, a character at a time, by [put].
void tp_crash_print(const struct tp_crash *crash, void (*put)(char character));

#ifdef __cplusplus
}
#endif

#endif
