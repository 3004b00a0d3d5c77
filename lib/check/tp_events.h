// SPDX-License-Identifier: MIT
// tp_events.h - what happened last: the latest calls that were issued a slot or
// gave one back, each theft and each fault, in their order. Of a build with
// TIDEPOOL_EVENTS = N, so many are kept; of any other nothing is linked.
//
//   cmake -DTIDEPOOL_EVENTS=256 ...      make TIDEPOOL_EVENTS=256 ...
//
// `tidepool.py history fw.elf ram.bin` and `tp history` of GDB print them, and
// `qemu/soak trace fw.elf ram.bin` writes them for other viewers.
//
// Of all pools, whoever calls: blocks, chunks, scenes, updates too. Nothing is
// noted of what has no slots: stacks, frames, dense and relocating allocators.
// An event says where its slot lies, and not in which scene that was: what a
// pool of another scene did there is told of the one that lies there now.
//
// They lie where start-up code clears nothing, so that the boot after a fault
// still has them: tp_crash_print() writes them as well. At power-on they are
// whatever the RAM held, which the first event notices: it empties the ring
// with interrupts masked, a store for each word of it. The frames of events are
// right back to the last reset, and before it if that followed the last fault.
// An update of the firmware does not empty them either, unless it keeps another
// number of them: of what happened before it the old ELF tells.
#ifndef TP_EVENTS_H
#define TP_EVENTS_H

#include "check/tp_level.h"
#include "tidepool.h"
#include "tp_port.h"

#if TIDEPOOL_EVENTS
#if TIDEPOOL_EVENTS < 0 || TIDEPOOL_EVENTS & (TIDEPOOL_EVENTS - 1)
#error "TIDEPOOL_EVENTS must be 0 or a power of two: so many events are kept"
#endif

#ifdef __cplusplus
extern "C" {
#endif

// What a slot's event was.
enum tp_event_kind {
  TP_EVENT_FAULT = 0,  // None of a slot's: struct tp_event.
  TP_EVENT_ALLOC = 1,  // It was issued.
  TP_EVENT_FREE = 2,   // It was given back.
  TP_EVENT_STEAL = 3,  // It was taken from its owner; who has it now, follows.
};

// 8 bytes on 32-bit cores.
struct tp_event {
  uintptr_t what;  // Where the slot lies, a multiple of 4, and enum
                   // tp_event_kind; of a fault, 4 times its number. 0: nothing.
  uint32_t by;     // tp_clock_now in the low 12 bits, and above it 20 of half
                   // the address that the call returns to; 0: nobody knows.
};

#define TP_EVENT_CLOCK_BITS 12
#define TP_EVENTS_MAGIC     (0x7e11e7e5u ^ TIDEPOOL_EVENTS)

struct tp_events {
  uint32_t magic;  // TP_EVENTS_MAGIC iff the rest was written.
  uint32_t count;  // Events since power-on; wraps. The next one's place is this
                   // modulo TIDEPOOL_EVENTS.
  struct tp_event event[TIDEPOOL_EVENTS];
};

extern struct tp_events tp_events;

// Notes [kind] of the slot at [words], in the name of who called at [site]. Of
// two contexts the one that came first has the earlier place, and fills it when
// it goes on.
//
// Time     O(1), lib/COSTS.md. Nothing is locked where the core has LDREX and
//          STREX; else for one addition.
// Context  Any but an NMI or a HardFault, which may find a place half filled.
void tp_event_note(enum tp_event_kind kind, const void *words, tp_site_t site);

// Notes the fault of [record].
//
// Time, Context  as above.
void tp_event_note_fault(const volatile struct tp_fault_record *record);

#ifdef __cplusplus
}
#endif

#endif
#endif
