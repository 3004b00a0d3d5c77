// SPDX-License-Identifier: MIT
// fuzz.h - bytes become calls of an allocator, and what each call does is held
// against a model: what comes back, what faults, what live objects hold.
//
// A world is an allocator, or a few that belong together, and its model. The
// first byte of an input chooses it, the next ones shape it, the rest are
// calls.
#ifndef FUZZ_H
#define FUZZ_H

#include <setjmp.h>

#include "check/tp_level.h"
#include "tidepool.h"
#include "tp_filled.h"

struct world {
  const char *name;
  void (*begin)(void);
  void (*const *calls)(void);
  uint32_t count;
  // One call in [end_in] is [end] in its place, unless that is NULL: it says
  // whether the world has ended in a fault.
  uint32_t end_in;
  bool (*end)(void);
  void (*check)(void);  // What must hold after each.
};

// Those of this image.
extern const struct world *const fuzz_worlds[];
extern const uint32_t fuzz_world_count;

// A number below [limit], at most 65536, from the next byte or two; 0 when none
// are left.
uint32_t fuzz_below(uint32_t limit);

// Ends the run and says where the library does otherwise than it must.
#define EXPECT(claim) \
  ((claim) ? (void)0 : fuzz_fail(__FILE__, __LINE__, #claim))
_Noreturn void fuzz_fail(const char *file, int line, const char *claim);

// Makes a call that may fault. fuzz_fault is then the kind of it, or 0.
#define CALL(call)                  \
  do {                              \
    fuzz_begin_call();              \
    if (setjmp(fuzz_escape) == 0) { \
      call;                         \
    }                               \
    fuzz_end_call();                \
  } while (0)

// Makes one that must not fault, and one that must, and change nothing of what
// fuzz_memory() gave.
#define GOOD(call)           \
  do {                       \
    CALL(call);              \
    EXPECT(fuzz_fault == 0); \
  } while (0)
#define WRONG(kind, call)         \
  do {                            \
    fuzz_remember();              \
    CALL(call);                   \
    EXPECT(fuzz_fault == (kind)); \
    EXPECT(fuzz_is_unchanged());  \
  } while (0)

extern jmp_buf fuzz_escape;
extern uint32_t fuzz_fault;
void fuzz_begin_call(void);
void fuzz_end_call(void);
void fuzz_remember(void);
bool fuzz_is_unchanged(void);

// [bytes] of memory by itself, aligned to 64, every byte [fill], until the
// input has ended: AddressSanitizer knows where it ends.
void *fuzz_memory(size_t bytes, uint8_t fill);

// Was [object] made new, from poison up? Below, nothing is promised.
bool fuzz_is_new(const void *object, uint32_t bytes);

#endif
