// SPDX-License-Identifier: MIT
#include "tp_test.h"

#include "core/tp_tag.h"
#include "tp_port.h"
#include "tp_test_print.h"

jmp_buf tp_test_resume;
bool tp_test_fault_returns;
bool tp_test_nobody_calls;
static bool fault_expected;
static bool failing;
static const char *running;
static uint32_t passed, failed;
static uint32_t chance = 1;

static void print_number(uint32_t value)
{
  char digits[11];
  char *text = digits + sizeof digits - 1;
  *text = 0;
  do {
    *--text = (char)('0' + value % 10);
    value /= 10;
  } while (value);
  tp_test_print(text);
}

static bool is_same(const char *left, const char *right)
{
  while (*left && *left == *right) left++, right++;
  return *left == *right;
}

static bool is_part(const char *part, const char *text)
{
  for (; *text; text++) {
    uint32_t length = 0;
    while (part[length] && part[length] == text[length]) length++;
    if (!part[length]) return true;
  }
  return false;
}

#if !defined __arm__ && !defined __riscv
// Whoever took a lock gave it back. The host's port counts.
static bool is_unmasked(void)
{
  uint32_t depth = tp_port_depth;
  tp_port_depth = 0;
  return depth == 0;
}
#else
static bool is_unmasked(void)
{
  return true;
}
#endif

// Whether the run is of all cases, or of this one.
static bool is_wanted(const char *name)
{
  const char *only = tp_test_only();
  if (*only == '+') return is_part(only + 1, name);
  if (*only == '-') return !is_part(only + 1, name);
  return !*only || is_same(only, name);
}

void tp_test_run(const char *name, void (*test)(void))
{
  if (!is_wanted(name)) return;
  running = name;
  failing = false;
  fault_expected = false;
  tp_test_nobody_calls = false;
  test();
  if (!is_unmasked()) tp_test_fail(__FILE__, __LINE__, "a lock is held");
  if (failing) {
    failed++;
    return;
  }
  passed++;
  tp_test_print("ok ");
  tp_test_print(name);
  tp_test_print("\n");
}

void tp_test_fail(const char *file, int line, const char *claim)
{
  failing = true;
  tp_test_print("FAIL ");
  tp_test_print(running);
  tp_test_print(": ");
  tp_test_print(file);
  tp_test_print(":");
  print_number((uint32_t)line);
  tp_test_print(": ");
  tp_test_print(claim);
  tp_test_print("\n");
}

bool tp_test_equal(const char *file, int line, const char *claim, uint32_t left,
                   uint32_t right)
{
  if (left == right) return true;
  tp_test_fail(file, line, claim);
  tp_test_print("     left ");
  print_number(left);
  tp_test_print(", right ");
  print_number(right);
  tp_test_print("\n");
  return false;
}

void tp_test_expect_fault(void)
{
  fault_expected = true;
}

// Where who faults goes on. An image of several tasks has another.
__attribute__((weak)) jmp_buf *tp_test_place(void)
{
  return &tp_test_resume;
}

// Where the library's code lies, on the host: library_text.ld. Elsewhere it
// lies nowhere.
extern const char tp_library_begin[] __attribute__((weak));
extern const char tp_library_end[] __attribute__((weak));

// Does a record say that the library made the call that faulted? That tells
// nobody where to look.
static bool names_the_library(const struct tp_fault_record *record)
{
  uintptr_t begin = (uintptr_t)tp_library_begin;
  uintptr_t bytes = (uintptr_t)tp_library_end - begin;
  return (uintptr_t)record->caller - begin < bytes;
}

// Does it not say who called, though it could? A pool that finds its own words
// broken while it issues need not.
static bool names_nobody(const struct tp_fault_record *record)
{
  if (TP_CHECKS < TP_CHECKS_FAST || record->caller) return false;
  bool own = record->kind == TP_FAULT_INVARIANT || record->kind == TP_FAULT_TAG;
  return !own || !record->pool;
}

// A fault nobody expects cannot be returned from: it ends the run.
void tp_fault(const struct tp_fault_record *record)
{
  if (tp_test_fault_returns) return;
  if (!fault_expected) {
    tp_test_fail(tp_fault_name(record->kind), (int)record->slot,
                 "an unexpected fault");
    failed++;
    tp_test_stop(tp_test_end());
  }
  fault_expected = false;
  if (names_the_library(record)) {
    tp_test_fail(tp_fault_name(record->kind), (int)record->slot,
                 "the library is named as who called");
  }
  if (!tp_test_nobody_calls && names_nobody(record)) {
    tp_test_fail(tp_fault_name(record->kind), (int)record->slot,
                 "nobody is named as who called");
  }
  longjmp(*tp_test_place(), 1);
}

int tp_test_end(void)
{
  print_number(passed);
  tp_test_print(" passed, ");
  print_number(failed);
  tp_test_print(" failed\n");
  return failed != 0;
}

void tp_test_forget(const struct tp_pool *pool)
{
  bool tagged = TP_CHECKS >= TP_CHECKS_FAST || pool->tagged;
  uint32_t tags = tagged ? pool->capacity + 1u : 2;
  if (pool->magazine) tags += 2;
  if (pool->hardened & TP_OUTSIDE) tags += pool->capacity;
  for (uint32_t i = 0; i < tags; i++) pool->tag[i] = 0;
  for (uint32_t i = 0; pool->age && i <= pool->capacity; i++) {
    pool->age[i] = (struct tp_age_link){0, 0};
  }
  *pool->state = (struct tp_pool_state){0};
}

void tp_test_set_tag(const struct tp_pool *pool, uint32_t slot, uint32_t tag)
{
  pool->tag[slot] = tag;
  if (!tp_tag_summed(pool)) return;
  pool->state->generations = tp_tag_sum(pool, pool->capacity);
}

void tp_test_seed(uint32_t seed)
{
  chance = seed;
}

uint32_t tp_test_random(void)
{
  chance ^= chance << 13;
  chance ^= chance >> 17;
  chance ^= chance << 5;
  return chance;
}
