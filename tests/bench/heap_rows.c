// SPDX-License-Identifier: MIT
// A C library's heap on the same work. Which one, the linker decides.
#include <stdlib.h>

#include "bench.h"
#include "board.h"

enum { SLOTS = 1024 };

int main(void)
{
  const struct subject subject = {HEAP_NAME, OBJECT_BYTES, (void *)malloc,
                                  (void *)free, SLOTS};
  bench_start();
  bench_row(&subject);
  return 0;
}
