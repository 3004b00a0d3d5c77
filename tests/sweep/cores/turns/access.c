// SPDX-License-Identifier: MIT
// access.c - what the compiler calls before each load and store of code that it
// compiles with -fsanitize=thread: a point, where the memory is written to.
#include <stddef.h>
#include <stdint.h>

#include "turns.h"

// Of the program, as the linker of this machine calls it: what is not constant.
extern char __data_start[], _end[];

static void access(const void *address)
{
  size_t written = (uintptr_t)_end - (uintptr_t)__data_start;
  if ((uintptr_t)address - (uintptr_t)__data_start < written) turns_point();
}

#define ACCESS(name)               \
  void __tsan_##name(void *where); \
  void __tsan_##name(void *where)  \
  {                                \
    access(where);                 \
  }

ACCESS(read1)
ACCESS(read2)
ACCESS(read4)
ACCESS(read8)
ACCESS(read16)
ACCESS(unaligned_read2)
ACCESS(unaligned_read4)
ACCESS(unaligned_read8)
ACCESS(write1)
ACCESS(write2)
ACCESS(write4)
ACCESS(write8)
ACCESS(write16)
ACCESS(unaligned_write2)
ACCESS(unaligned_write4)
ACCESS(unaligned_write8)

#define IGNORE(name)               \
  void __tsan_##name(void *where); \
  void __tsan_##name(void *where)  \
  {                                \
    (void)where;                   \
  }

IGNORE(func_entry)
IGNORE(func_exit)
IGNORE(init)

void __tsan_read_range(void *where, size_t bytes);
void __tsan_read_range(void *where, size_t bytes)
{
  (void)bytes;
  access(where);
}

void __tsan_write_range(void *where, size_t bytes);
void __tsan_write_range(void *where, size_t bytes)
{
  (void)bytes;
  access(where);
}
