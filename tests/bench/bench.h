// SPDX-License-Identifier: MIT
// bench.h - counting the instructions of an allocator's calls.
#ifndef BENCH_H
#define BENCH_H

#include <stdint.h>
#include "allocator/tp_blocks.h"

enum { OBJECT_BYTES = 32, CAPACITY_MOST = 4096, CHURN_STEPS = 100000 };

// An allocator under the bench. Calls get [self] as their first argument, or
// none when it is 0.
struct subject {
  const char *name;
  uintptr_t self;
  void *alloc;  // Called as alloc(self).
  void *free;   // Called as free(self, object), or free(object).
  uint32_t capacity;
};

// Starts the clock and checks the method against loops of known length. Ends
// the run with code 1 if it is off by one anywhere.
void bench_start(void);

// The same, but not of an image that is called with "traced", which counts
// nothing.
void bench_start_unless_traced(void);

// Instructions of one call, from its first to its return.
uint32_t bench_alloc(const struct subject *subject, void **object);
uint32_t bench_free(const struct subject *subject, void *object);

// The same for alloc(self, argument).
uint32_t bench_call(const struct subject *subject, uintptr_t argument,
                    void **result);

// The same for function(arguments...).
uint32_t bench_count(void *function, const uintptr_t arguments[4],
                     void **result);

// Prints "call name cost=N".
void bench_cost(const char *name, uint32_t cost);

// Seeded chance, below [bound].
uint32_t bench_random_below(uint32_t bound);

// Prints a line of "name capacity key=value ..." with the hot pair and the
// churn at 75 % of the capacity.
void bench_row(const struct subject *subject);

// Prints "name capacity key=value": what one request costs just now.
void bench_request(const struct subject *subject, const char *key);

// Fills the subject. Returns how many objects it took.
uint32_t bench_fill(const struct subject *subject);

void bench_print(const char *text);
void bench_print_number(const char *key, uint32_t value);

#endif
