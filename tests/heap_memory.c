// SPDX-License-Identifier: MIT
// HEAP_BYTES for a C library's malloc(), which is compared with ours.
#include <stddef.h>

// What newlib asks for memory; picolibc calls it without the underscore.
void *_sbrk(ptrdiff_t bytes);
void *sbrk(ptrdiff_t bytes);

_Alignas(8) static char heap[HEAP_BYTES];
static size_t heap_used;

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
