// SPDX-License-Identifier: MIT
// lines.h - a data cache that writes back, as a model of its lines, and a
// device that reads and writes the memory behind it.
//
// What C reads and writes is what the CPU sees: the line, where the cache has
// it, else memory. The model keeps memory apart, and finds by comparing what
// the CPU wrote since it looked last. A line that the CPU may fetch at any
// moment, speculating, it fetches where a test says so; and drops where one
// says that another line needs its place.
#ifndef LINES_H
#define LINES_H

#include <stdbool.h>
#include <stdint.h>

enum { LINE_BYTES = 32, LINES_MAX = 16 };

// From now on the cache is that of [bytes] at [begin], whole lines, of which it
// has none.
void lines_watch(void *begin, uint32_t bytes);

// What the cache does by itself to all of its lines: it fetches those that it
// has not; or drops what it has, writing back what was changed.
void lines_fetch(void);
void lines_evict(void);

// What software asks for, of every line that has one of the bytes.
void lines_clean(const void *begin, uint32_t bytes);
void lines_invalidate(const void *begin, uint32_t bytes);

// The device sets the bytes to [value]; returns whether it reads that in all.
void device_writes(void *begin, uint32_t bytes, uint8_t value);
bool device_reads(const void *begin, uint32_t bytes, uint8_t value);

// The CPU's own.
void cpu_writes(void *begin, uint32_t bytes, uint8_t value);
bool cpu_reads(const void *begin, uint32_t bytes, uint8_t value);

// Called by each function of the port before it does anything; may be NULL.
extern void (*lines_between)(void);

// How often the library asked for something.
extern uint32_t lines_cleaned, lines_dropped, lines_barriers;

#endif
