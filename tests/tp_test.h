// SPDX-License-Identifier: MIT
// tp_test.h - the runner: small, without allocation, the same on host and
// target. A case is a function whose name is a sentence that is true.
#ifndef TP_TEST_H
#define TP_TEST_H

#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>

#include "tidepool.h"

// Is all of an allocator looked at by every call? Then damage is found at once
// that else shows when its turn comes.
enum { AUDITED = TP_CHECKS >= TP_CHECKS_FULL && TP_AUDIT };

// Runs a case and prints how it ended.
#define RUN(name) tp_test_run(#name, name)

// Ends the case as failed unless the claim holds.
#define CHECK(claim)                            \
  do {                                          \
    if (!(claim)) {                             \
      tp_test_fail(__FILE__, __LINE__, #claim); \
      return;                                   \
    }                                           \
  } while (0)

// The same for two numbers, which are printed.
#define CHECK_EQ(left, right)                                   \
  do {                                                          \
    if (!tp_test_equal(__FILE__, __LINE__, #left " == " #right, \
                       (uint32_t)(left), (uint32_t)(right))) {  \
      return;                                                   \
    }                                                           \
  } while (0)

// Ends the case as failed unless [call] ends in a fault of [wanted].
#define CHECK_FAULTS(wanted, call)                          \
  do {                                                      \
    if (setjmp(tp_test_resume) == 0) {                      \
      tp_test_expect_fault();                               \
      call;                                                 \
      tp_test_fail(__FILE__, __LINE__, "no fault: " #call); \
      return;                                               \
    }                                                       \
    CHECK_EQ(tp_fault_record.kind, wanted);                 \
  } while (0)

// The same unless that is what the last fault, one of misuse, told beside its
// kind.
#define CHECK_RECORD(whose, where, was, wanted)   \
  do {                                            \
    CHECK(tp_fault_record.name == (whose));       \
    CHECK(tp_fault_record.address == (where));    \
    CHECK_EQ(tp_fault_record.found, (was));       \
    CHECK_EQ(tp_fault_record.expected, (wanted)); \
  } while (0)

extern jmp_buf tp_test_resume;
jmp_buf *tp_test_place(void);
extern bool tp_test_fault_returns;  // As it must not.

// In this case the record of a fault may say that nobody called: a policy was
// not told who did.
extern bool tp_test_nobody_calls;

void tp_test_run(const char *name, void (*test)(void));
void tp_test_fail(const char *file, int line, const char *claim);
bool tp_test_equal(const char *file, int line, const char *claim, uint32_t left,
                   uint32_t right);
void tp_test_expect_fault(void);

// Prints "N passed, N failed". Returns the exit code: 0 iff none failed.
int tp_test_end(void);

// Puts [pool] back to its state at boot, as a start-up code that zeroes would.
void tp_test_forget(const struct tp_pool *pool);

// As if [slot] had come to [tag] by being issued so often.
void tp_test_set_tag(const struct tp_pool *pool, uint32_t slot, uint32_t tag);

// Seeded chance, the same everywhere.
uint32_t tp_test_random(void);
void tp_test_seed(uint32_t seed);

#endif
