// SPDX-License-Identifier: MIT
// A C library's heap on the same work. Which one, the linker decides.
#include <stddef.h>
#include <stdlib.h>

#include "bench.h"
#include "board.h"

enum { HEAP_BYTES = 128 * 1024, SLOTS = 1024 };

static char heap[HEAP_BYTES];
static size_t heap_used;

// What newlib asks for memory; picolibc calls it without the underscore.
void *_sbrk(ptrdiff_t bytes);
void *sbrk(ptrdiff_t bytes);

void *_sbrk(ptrdiff_t bytes)
{
  void *start = heap + heap_used;
  if (heap_used + (size_t)bytes > HEAP_BYTES) return (void *)-1;
  heap_used += (size_t)bytes;
  return start;
}

void *sbrk(ptrdiff_t bytes)
{
  return _sbrk(bytes);
}

int main(void)
{
  const struct subject subject = {HEAP_NAME, OBJECT_BYTES, (void *)malloc,
                                  (void *)free, SLOTS};
  bench_start();
  bench_row(&subject);
  return 0;
}
