// SPDX-License-Identifier: MIT
// The eight faults by which pools are compared: each is injected, then the
// pool goes on as an application would let it. Prints what was named.
#include "bench.h"
#include "tp_pools.h"
#include "tp_test.h"

struct block {
  uint32_t word[OBJECT_BYTES / 4];
};

struct injection {
  const char *name;
  void (*inject)(void);
  enum tp_fault_kind kind;  // What it must be called,
  uint32_t slot;            // where,
  uint32_t offset;          // and at which byte.
};

static tp_word_t *victim;  // Slot 2 of 4; 1 and 3 are live.
static struct block outside;

void evicted(void *object)
{
  (void)object;
}

static void request_two(void)
{
  all4_alloc();
  all4_alloc();
}

static void double_free_of_the_last(void)
{
  all4_free(victim);
  all4_free(victim);
}

static void double_free_of_an_earlier(void)
{
  void *later = all4_alloc();
  all4_free(victim);
  all4_free(later);
  all4_free(victim);
}

static void foreign_pointer(void)
{
  all4_free(&outside);
}

static void interior_pointer(void)
{
  all4_free(victim + 2);
}

static void write_after_free(void)
{
  all4_free(victim);
  victim[3] = 7;
  request_two();
}

static void write_after_free_of_the_link(void)
{
  all4_free(victim);
  victim[0] = 7;
  request_two();
}

static void overrun(void)
{
  victim[all4_pool.size / 4] ^= 7;
  all4_free(victim);
}

static void underrun(void)
{
  *(victim - 1) ^= 7;
  all4_free(victim);
}

static const struct injection injections[] = {
    {"double free of the last slot", double_free_of_the_last,
     TP_FAULT_DOUBLE_FREE, 2, 0},
    {"double free of an earlier slot", double_free_of_an_earlier,
     TP_FAULT_DOUBLE_FREE, 2, 0},
    {"foreign pointer", foreign_pointer, TP_FAULT_FOREIGN, 0, 0},
    {"interior pointer", interior_pointer, TP_FAULT_INTERIOR, 2, 8},
    {"write after free, body", write_after_free, TP_FAULT_POISON, 2, 12},
    {"write after free, link", write_after_free_of_the_link, TP_FAULT_LINK, 2,
     0},
    {"overrun", overrun, TP_FAULT_RED_ZONE, 2, OBJECT_BYTES},
    {"underrun", underrun, TP_FAULT_RED_ZONE, 2, (uint32_t)-4},
};

static void start(void)
{
  tp_test_forget(&all4_pool);
  tp_fault_record.kind = TP_FAULT_NONE;
  all4_alloc();
  victim = all4_alloc();
  all4_alloc();
}

static bool is_named(const struct injection *injection)
{
  const struct tp_fault_record *record = &tp_fault_record;
  return record->kind == injection->kind && record->pool == &all4_pool &&
         record->slot == injection->slot && record->offset == injection->offset;
}

static void try_one(const struct injection *injection)
{
  start();
  if (setjmp(tp_test_resume) == 0) {
    tp_test_expect_fault();
    injection->inject();
  }
  bench_print("fault ");
  bench_print(injection->name);
  bench_print(is_named(injection) ? ": " : ": -");
  if (is_named(injection)) bench_print(tp_fault_name(injection->kind));
  bench_print("\n");
}

int main(void)
{
  for (uint32_t i = 0; i < sizeof injections / sizeof injections[0]; i++) {
    try_one(&injections[i]);
  }
  return 0;
}
