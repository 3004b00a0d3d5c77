// SPDX-License-Identifier: MIT
// tp_called.h - internal: who calls which allocator, as [contexts] and rows of
// pools.toml say. A build with TIDEPOOL_SOAK holds it against who does; in any
// other nothing is linked of it.
//
//   [pools]
//   packets = { ..., allocates = ["radio"], frees = ["main"] }
//
// becomes, between #if TIDEPOOL_SOAK and #endif, in tp_pools.c:
//
//   static struct tp_caller packets_callers[] = {
//     {"radio", 0x60, TP_CALLS_ALLOC, 0},
//     {"main", TP_CALLER_TASK, TP_CALLS_FREE, 0},
//     {NULL, 0, 0, 0},
//   };
//   const struct tp_called tp_called_rows[] = {
//     {"packets", packets_callers},
//     {NULL, NULL},
//   };
#ifndef TP_CALLED_H
#define TP_CALLED_H

#include "tidepool.h"

#ifdef __cplusplus
extern "C" {
#endif

// What it calls, a bit each.
enum {
  TP_CALLS_ALLOC = 1,
  TP_CALLS_FREE = 2,  // To end a frame, to release a stack, too.
  TP_CALLS_WAIT = 4,  // And allocates.
};

enum {
  TP_CALLER_TASK = 256,  // In place of a priority.
  TP_CALLER_CORE = 512,  // Times the number of the core, added to it.
};

// A context that a row names.
struct tp_caller {
  const char *name;   // In [contexts]; NULL: the end of them.
  uint16_t priority;  // As NVIC_IPR has it, and of which core; or a task.
  uint8_t calls;      // TP_CALLS_*, as the row says.
  uint8_t seen;       // Those of them that were made; 0 at first.
};

// A row that names those that call it; what follows it with the same callers
// is its reserve, of which what its own calls do is done, too.
struct tp_called {
  const char *name;  // NULL: the end of them.
  struct tp_caller *callers;
};

// Of all tables. Where none names anybody, there is no such symbol, so who
// reads it has a  #pragma weak tp_called_rows.
extern const struct tp_called tp_called_rows[];

// What a soak is told: [site] gives back something of the allocator called
// [name]; or waits for it.
//
// Context  Any in which allocators are used; interrupts may be masked.
void tp_soak_frees(const char *name, tp_site_t site);
void tp_soak_waits(const char *name, tp_site_t site);

#ifdef __cplusplus
}
#endif

#endif
