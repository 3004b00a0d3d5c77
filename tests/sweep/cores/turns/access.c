// SPDX-License-Identifier: MIT
// access.c - what the compiler calls before each load and store of code that it
// compiles with -fsanitize=thread: a point, where the memory is written to.
#include <stddef.h>
#include <stdint.h>

#include "turns.h"

// Of the program, as the linker of this machine calls it: what is not constant.
extern char __data_start[], _end[];

static void access(const void *address, size_t bytes, bool writes)
{
  size_t written = (uintptr_t)_end - (uintptr_t)__data_start;
  if ((uintptr_t)address - (uintptr_t)__data_start < written) {
    turns_point(address, bytes, writes);
  }
}

#define ACCESS(name, bytes, writes) \
  void __tsan_##name(void *where);  \
  void __tsan_##name(void *where)   \
  {                                 \
    access(where, bytes, writes);   \
  }

ACCESS(read1, 1, false)
ACCESS(read2, 2, false)
ACCESS(read4, 4, false)
ACCESS(read8, 8, false)
ACCESS(read16, 16, false)
ACCESS(unaligned_read2, 2, false)
ACCESS(unaligned_read4, 4, false)
ACCESS(unaligned_read8, 8, false)
ACCESS(write1, 1, true)
ACCESS(write2, 2, true)
ACCESS(write4, 4, true)
ACCESS(write8, 8, true)
ACCESS(write16, 16, true)
ACCESS(unaligned_write2, 2, true)
ACCESS(unaligned_write4, 4, true)
ACCESS(unaligned_write8, 8, true)

void __tsan_init(void);
void __tsan_init(void)
{
}

void __tsan_func_entry(void *caller);
void __tsan_func_entry(void *caller)
{
  (void)caller;
  turns_enter();
}

void __tsan_func_exit(void);
void __tsan_func_exit(void)
{
  turns_leave();
}

void __tsan_read_range(void *where, size_t bytes);
void __tsan_read_range(void *where, size_t bytes)
{
  access(where, bytes, false);
}

void __tsan_write_range(void *where, size_t bytes);
void __tsan_write_range(void *where, size_t bytes)
{
  access(where, bytes, true);
}
