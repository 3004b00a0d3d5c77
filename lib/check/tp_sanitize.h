// SPDX-License-Identifier: MIT
// tp_sanitize.h - a build whose application asks, at each load and store,
// whether the memory is its own: SANITIZER.md.
//
// With -DTIDEPOOL_SANITIZE=ON the application's code is compiled with the
// outlined checks of the compiler, and the library answers them from what it
// knows anyway. A wrong access is a fault, raised before it happens: DEAD,
// BESIDE, METADATA or NULL_PAGE of tp_level.h. Its record has the allocator,
// the slot, the address where its object begins, as [offset] where the access
// is from there, as [found] its bytes, as [expected] 1 if it writes, and as
// [caller] the place of the instruction itself. In any other build these calls
// are nothing.
//
// What starts the firmware up, before .data and .bss hold what they should, is
// compiled without: TP_UNSANITIZED before a function, or the file without the
// flags.
#ifndef TP_SANITIZE_H
#define TP_SANITIZE_H

#include "check/tp_level.h"
#include "tidepool.h"

#define TP_UNSANITIZED __attribute__((no_sanitize("address")))

#ifdef __cplusplus
extern "C" {
#endif

#if TIDEPOOL_SANITIZE

// From here to as many tp_sanitize_on() no access is looked at, in this context
// and in those that interrupt it: for code that sets up a DMA transfer into
// memory which it has yet to get, say.
//
// Time     O(1), a locked window of three instructions.
// Context  Any.
void tp_sanitize_off(void);
void tp_sanitize_on(void);

// From now on a wrong access is no fault: [report] is called, and it happens.
// Each place in the code is reported once, TP_SANITIZE_PLACES of them at most,
// since the last call of this. NULL: faults again.
//
// Time     O(TP_SANITIZE_PLACES), locked; of a report, as long again.
// Context  Any. [report] runs in that of the access, nothing locked.
void tp_sanitize_report(void (*report)(const struct tp_fault_record *record));

#else

static inline void tp_sanitize_off(void)
{
}
static inline void tp_sanitize_on(void)
{
}
static inline void tp_sanitize_report(
    void (*report)(const struct tp_fault_record *record))
{
  (void)report;
}

#endif

#ifdef __cplusplus
}
#endif

#endif
