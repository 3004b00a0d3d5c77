// SPDX-License-Identifier: MIT
// smallest - one pool: take until it is full, give one back, take again.
#include "print.h"
#include "tp_pools.h"

static struct job *take(uint32_t number, const char *what)
{
  print_number("job ", number, ": ");
  struct job *job = jobs_alloc();
  if (!job) {
    print("no slot is free\n");
    return NULL;
  }
  *job = (struct job){number, what};
  print(job->what);
  return job;
}

int main(void)
{
  struct job *first = take(1, "wash\n");
  take(2, "cook\n");
  take(3, "eat\n");
  take(4, "sleep\n");
  take(5, "dance\n");
  jobs_free(first);
  take(6, "dance\n");
  return 0;
}
