// SPDX-License-Identifier: MIT
// flips.h - one bit of an allocator's own bytes is flipped, and then the
// application goes on: what comes of it?
#ifndef FLIPS_H
#define FLIPS_H

#include "core/tp_shape.h"
#include "tidepool.h"
#include "tp_filled.h"

// Around the pages of an allocator, more than 16 bits times a slot lead to: it
// can be read, like all RAM of a microcontroller; a write there is noticed.
#define PAGE     4096
#define FAR_AWAY (32u << 20)

#define FLIPS_PAGES(...)                     \
  static struct {                            \
    _Alignas(PAGE) uint8_t before[FAR_AWAY]; \
    _Alignas(PAGE) struct {                  \
      __VA_ARGS__                            \
    } at;                                    \
    _Alignas(PAGE) uint8_t behind[FAR_AWAY]; \
  } pages
#define GAP(name)  uint8_t name##_gap[64]
#define PAGE_BYTES ((uint32_t)(pages.behind - (uint8_t *)&pages.at))

// What an allocator has in RAM: all that it may write to.
struct part {
  const char *name;
  void *memory;
  uint32_t bytes;
};

// The part that [member] of the pages is.
#define PART(title, member) {title, &pages.at.member, sizeof pages.at.member}

// An allocator, and an application that uses it and knows what to expect.
struct subject {
  const char *name;
  void *pages;  // Those that its parts lie in.
  uint32_t page_bytes;
  void *application;  // What is restored with them.
  uint32_t application_bytes;
  const struct part *parts;
  uint32_t count;
  // Does [byte] of a part hold what the allocator wrote, at this moment? Says
  // what; NULL: it is the application's, or nobody's.
  const char *(*owns)(const struct part *part, uint32_t byte);
  void (*step)(void);      // A random call, and what must hold then.
  bool (*verify)(void);    // What an application that doubts calls.
  uint32_t (*left)(void);  // How much can be had once all was given back.
  void (*stats)(struct tp_stats *stats);
};

extern const struct subject *const flips_subjects[];
extern const uint32_t flips_count;

// Defines both, of the names that [all] gives to each of these.
#define FLIPS_SUBJECT(name) extern const struct subject name##_subject;
#define FLIPS_NAME(name)    &name##_subject,
#define FLIPS_SUBJECTS(all)                                             \
  all(FLIPS_SUBJECT)                                                    \
      const struct subject *const flips_subjects[] = {all(FLIPS_NAME)}; \
  const uint32_t flips_count = sizeof flips_subjects / sizeof *flips_subjects;

// A number below [limit], the same in every run.
uint32_t flips_random(uint32_t limit);

// The application got what it must not get, unless [holds].
void flips_expect(bool holds);

// An allocator gave out what is not its own, unless [holds]. The application
// would write there.
void flips_inside(bool holds);

#endif
