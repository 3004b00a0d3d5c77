// SPDX-License-Identifier: MIT
#include "bench.h"

#include "nvic.h"
#include "semihost.h"

uint32_t measure(void *function, const uintptr_t arguments[4], void **result);
uint32_t known_loop(uint32_t turns);

// 2 to the power of -icount shift: of 10, but for what takes long.
#ifndef NS_PER_INSTRUCTION
#define NS_PER_INSTRUCTION 1024
#endif

enum { CALL_OVERHEAD = 2 };

static void *held[CAPACITY_MOST];
static uint32_t chance = 2463534242u;

void bench_print(const char *text)
{
  semihost_print(text);
}

void bench_print_number(const char *key, uint32_t value)
{
  char digits[12];
  char *text = digits + sizeof digits - 1;
  *text = 0;
  do {
    *--text = (char)('0' + value % 10);
    value /= 10;
  } while (value);
  bench_print(" ");
  bench_print(key);
  bench_print("=");
  bench_print(text);
}

static uint32_t to_instructions(uint32_t ticks)
{
  uint64_t picoseconds = (uint64_t)ticks * (1000000000u / (CLOCK_HZ / 1000u));
  uint64_t each = (uint64_t)NS_PER_INSTRUCTION * 1000u;
  return (uint32_t)((picoseconds + each / 2) / each) - CALL_OVERHEAD;
}

uint32_t bench_count(void *function, const uintptr_t arguments[4],
                     void **result)
{
  return to_instructions(measure(function, arguments, result));
}

static uint32_t count(void *function, uintptr_t first, uintptr_t second,
                      void **result)
{
  const uintptr_t arguments[4] = {first, second};
  return bench_count(function, arguments, result);
}

void bench_start(void)
{
  systick_start(1u << 24);
  REGISTER(0xe000e010) = 5;  // No interrupt: only the count.
  for (uint32_t turns = 1; turns < 3000; turns++) {
    void *result;
    uint32_t counted = count((void *)known_loop, turns, 0, &result);
    if (counted == 2 + 2 * turns) continue;
    bench_print("FAIL a loop of known length is counted exactly:");
    bench_print_number("length", 2 + 2 * turns);
    bench_print_number("counted", counted);
    bench_print("\n");
    semihost_exit(1);
  }
}

static bool is_traced(void)
{
  char text[8];
  const char *wanted = "traced";
  if (!semihost_arguments(text, sizeof text)) return false;
  for (uint32_t i = 0; i < sizeof text - 1; i++) {
    if (text[i] != wanted[i]) return false;
  }
  return true;
}

// The loops of known length would be traced, too.
void bench_start_unless_traced(void)
{
  if (!is_traced()) bench_start();
}

void bench_cost(const char *name, uint32_t cost)
{
  bench_print("call ");
  bench_print(name);
  bench_print_number("cost", cost);
  bench_print("\n");
}

uint32_t bench_alloc(const struct subject *subject, void **object)
{
  return count(subject->alloc, subject->self, 0, object);
}

uint32_t bench_call(const struct subject *subject, uintptr_t argument,
                    void **result)
{
  return count(subject->alloc, subject->self, argument, result);
}

uint32_t bench_free(const struct subject *subject, void *object)
{
  void *nothing;
  if (subject->self > CAPACITY_MOST) {
    return count(subject->free, subject->self, (uintptr_t)object, &nothing);
  }
  return count(subject->free, (uintptr_t)object, 0, &nothing);
}

static void write_all(void *object)
{
  volatile uint32_t *words = object;
  for (uint32_t i = 0; i < OBJECT_BYTES / 4; i++) words[i] = i;
}

static void begin_line(const struct subject *subject)
{
  bench_print("row ");
  bench_print(subject->name);
  bench_print_number("capacity", subject->capacity);
}

static void hot_pair(const struct subject *subject)
{
  void *object;
  bench_alloc(subject, &object);
  bench_free(subject, object);
  bench_print_number("alloc", bench_alloc(subject, &object));
  bench_print_number("free", bench_free(subject, object));
}

uint32_t bench_random_below(uint32_t bound)
{
  chance ^= chance << 13;
  chance ^= chance >> 17;
  chance ^= chance << 5;
  return (uint32_t)((uint64_t)chance * bound >> 32);
}

struct churn {
  uint64_t sum;
  uint32_t most;
};

static void note(struct churn *churn, uint32_t instructions)
{
  churn->sum += instructions;
  if (instructions > churn->most) churn->most = instructions;
}

static void churn(const struct subject *subject, uint32_t live)
{
  // A scan at capacity 4096 takes 10 000 instructions a step.
  uint32_t steps = CHURN_STEPS;
  struct churn allocs = {0}, frees = {0};
  for (uint32_t step = 0; step < steps; step++) {
    uint32_t i = bench_random_below(live);
    note(&frees, bench_free(subject, held[i]));
    note(&allocs, bench_alloc(subject, &held[i]));
    write_all(held[i]);
  }
  bench_print_number("churn_alloc_sum", (uint32_t)allocs.sum);
  bench_print_number("churn_alloc_max", allocs.most);
  bench_print_number("churn_free_sum", (uint32_t)frees.sum);
  bench_print_number("churn_free_max", frees.most);
  bench_print_number("churn_steps", steps);
}

void bench_row(const struct subject *subject)
{
  uint32_t live = subject->capacity * 3 / 4;
  begin_line(subject);
  bench_print_number("first", bench_alloc(subject, &held[0]));
  for (uint32_t i = 1; i < live; i++) bench_alloc(subject, &held[i]);
  for (uint32_t i = 0; i < live; i++) write_all(held[i]);
  hot_pair(subject);
  churn(subject, live);
  for (uint32_t i = 0; i < live; i++) bench_free(subject, held[i]);
  bench_print("\n");
}

uint32_t bench_fill(const struct subject *subject)
{
  uint32_t taken = 0;
  while (taken < subject->capacity) bench_alloc(subject, &held[taken++]);
  return taken;
}

void bench_request(const struct subject *subject, const char *key)
{
  void *object;
  begin_line(subject);
  bench_print_number(key, bench_alloc(subject, &object));
  bench_print("\n");
}
