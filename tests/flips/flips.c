// SPDX-License-Identifier: MIT
// Flips each bit of each allocator, and sorts what comes of it.
//
//   flips               every subject: a line for each kind of its words
//   flips SUBJECT       one of them
//   flips SUBJECT BYTE  and of that the flips of one byte, each with its end
#define _GNU_SOURCE  // For the registers that a signal tells of.
#include "flips.h"

#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <ucontext.h>

#include "tp_port.h"

// What came of a flip. The first that applies.
enum outcome {
  OUTSIDE,   // A write to what is not the allocator's, or no memory at all.
  ASTRAY,    // A read of no memory: of most targets, a fault of the bus.
  HANG,      // A call did not end.
  NAMED,     // A fault, with the allocator's name and a place.
  LATE,      // The same, but the application had got something wrong before.
  VERIFY,    // What the application got may be wrong, and verify tells.
  CAPACITY,  // Less, or more, can be had than there is.
  SILENT,    // The application got something wrong.
  FIGURE,    // Statistics are wrong, and nothing else.
  NONE,
  OUTCOMES
};

static const char *const outcomes[OUTCOMES] = {
    "outside", "astray",   "hang",   "named",  "late",
    "verify",  "capacity", "silent", "figure", "none"};

enum { STATES = 4, STEPS = 300, KINDS = 32, WORDS = 4000000 };

// So many calls precede a flip: few slots were issued, or all, often.
static const uint32_t warm[STATES] = {6, 40, 150, 400};

static const struct subject *subject;
static sigjmp_buf escape;
static uint32_t random_state;
static bool was_wrong;
static uint32_t budget;
static uint8_t saved_pages[1 << 17];
static uint8_t saved_application[1 << 14];
static uint32_t saved_random, saved_clock;
static uint8_t ours[sizeof saved_pages];  // 1: a byte of the allocator.

// The library is compiled so that it calls this in every basic block: a bound
// of what a call does that knows neither clock nor processor.
void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void)
{
  if (--budget == 0) siglongjmp(escape, HANG + 1);
}

uint32_t flips_random(uint32_t limit)
{
  random_state = random_state * 1664525u + 1013904223u;
  return (uint32_t)((uint64_t)random_state * limit >> 32);
}

void flips_expect(bool holds)
{
  was_wrong |= !holds;
}

void flips_inside(bool holds)
{
  if (!holds) siglongjmp(escape, OUTSIDE + 1);
}

void tp_fault(const struct tp_fault_record *record)
{
  bool whole = record->name && record->address;
  tp_port_depth = 0;
  if (whole && !was_wrong) siglongjmp(escape, NAMED + 1);
  siglongjmp(escape, whole ? LATE + 1 : SILENT + 1);
}

// Bit 1 of the error says that it was a write.
static void on_signal(int number, siginfo_t *signal, void *context)
{
  const ucontext_t *at = (const ucontext_t *)context;
  bool reads = signal->si_addr && !(at->uc_mcontext.gregs[REG_ERR] & 2);
  (void)number;
  siglongjmp(escape, (reads ? ASTRAY : OUTSIDE) + 1);
}

static void catch_signals(void)
{
  static uint8_t stack[1 << 16];
  stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
  struct sigaction action = {.sa_sigaction = on_signal,
                             .sa_flags = SA_ONSTACK | SA_NODEFER | SA_SIGINFO};
  sigaltstack(&alternate, NULL);
  sigaction(SIGSEGV, &action, NULL);
  sigaction(SIGBUS, &action, NULL);
}

static void save(void)
{
  memcpy(saved_pages, subject->pages, subject->page_bytes);
  memcpy(saved_application, subject->application, subject->application_bytes);
  saved_random = random_state;
  saved_clock = tp_clock_now;
}

static void restore(void)
{
  memcpy(subject->pages, saved_pages, subject->page_bytes);
  memcpy(subject->application, saved_application, subject->application_bytes);
  random_state = saved_random;
  tp_clock_now = saved_clock;
  tp_port_depth = 0;
  was_wrong = false;
}

static void mark_ours(void)
{
  memset(ours, 0, sizeof ours);
  for (uint32_t i = 0; i < subject->count; i++) {
    const struct part *part = &subject->parts[i];
    size_t offset =
        (size_t)((uint8_t *)part->memory - (uint8_t *)subject->pages);
    memset(ours + offset, 1, part->bytes);
  }
}

// Is what lies between the parts as it was?
static bool stayed_inside(void)
{
  const uint8_t *now = (const uint8_t *)subject->pages;
  for (uint32_t i = 0; i < subject->page_bytes; i++) {
    if (!ours[i] && now[i] != saved_pages[i]) return false;
  }
  return true;
}

static void call(void (*what)(void))
{
  budget = WORDS;
  what();
}

// What is left and what the statistics say, if nothing is flipped.
static struct tp_stats figures;
static uint32_t all;

static void go_on(uint32_t steps)
{
  for (uint32_t i = 0; i < steps; i++) call(subject->step);
  budget = WORDS;
}

static enum outcome compare(bool sound, uint32_t left,
                            const struct tp_stats *stats)
{
  if (!sound) return VERIFY;
  if (left != all) return CAPACITY;
  if (was_wrong) return SILENT;
  return memcmp(stats, &figures, sizeof figures) ? FIGURE : NONE;
}

// The application goes on. What came of it.
static enum outcome outcome_of_run(void)
{
  struct tp_stats stats;
  int jumped = sigsetjmp(escape, 0);
  if (jumped) {
    return !stayed_inside() ? OUTSIDE : (enum outcome)(jumped - 1);
  }
  go_on(STEPS);
  bool sound = subject->verify();
  budget = WORDS;
  subject->stats(&stats);
  budget = WORDS;
  uint32_t left = subject->left();
  if (!stayed_inside()) return OUTSIDE;
  return compare(sound, left, &stats);
}

// The same of an allocator that nobody harmed. Only an error in this suite, or
// a fault of the library, makes it end otherwise.
static void measure_unharmed(void)
{
  restore();
  if (sigsetjmp(escape, 0)) {
    fprintf(stderr, "%s: unharmed, it faults: %s\n", subject->name,
            tp_fault_name(tp_fault_record.kind));
    exit(2);
  }
  go_on(STEPS);
  bool sound = subject->verify();
  subject->stats(&figures);
  budget = WORDS;
  all = subject->left();
  if (!sound || was_wrong || !stayed_inside()) {
    fprintf(stderr, "%s: unharmed, it is not as expected\n", subject->name);
    exit(2);
  }
}

// Lines of the table: what kinds of words a subject has.
static const char *kinds[KINDS];
static uint32_t counts[KINDS][OUTCOMES];
static uint32_t kind_count;

static uint32_t kind_of(const char *name)
{
  uint32_t kind = 0;
  while (kind < kind_count && strcmp(kinds[kind], name)) kind++;
  if (kind == kind_count) kinds[kind_count++] = name;
  return kind;
}

static void flip_byte(const struct part *part, uint32_t byte, long wanted)
{
  const char *name = subject->owns(part, byte);
  uint8_t *victim = (uint8_t *)part->memory + byte;
  if (!name) return;
  for (uint32_t bit = 0; bit < 8; bit++) {
    restore();
    *victim ^= (uint8_t)(1u << bit);
    enum outcome outcome = outcome_of_run();
    counts[kind_of(name)][outcome]++;
    if (wanted < 0) continue;
    printf("%s %s byte %u bit %u: %s %s\n", subject->name, name, byte, bit,
           outcomes[outcome],
           outcome == NAMED || outcome == LATE
               ? tp_fault_name(tp_fault_record.kind)
               : "");
  }
}

static void flip_all(long wanted)
{
  for (uint32_t i = 0; i < subject->count; i++) {
    const struct part *part = &subject->parts[i];
    for (uint32_t byte = 0; byte < part->bytes; byte++) {
      restore();
      if (wanted < 0 || wanted == (long)byte) flip_byte(part, byte, wanted);
    }
  }
}

static void print_counts(void)
{
  for (uint32_t kind = 0; kind < kind_count; kind++) {
    printf("flips %s/%s", subject->name, kinds[kind]);
    for (uint32_t i = 0; i < OUTCOMES; i++) {
      printf(" %s=%u", outcomes[i], counts[kind][i]);
    }
    printf("\n");
  }
}

static void guard(const struct subject *of, int around)
{
  uint8_t *pages = (uint8_t *)of->pages;
  mprotect(pages - FAR_AWAY, FAR_AWAY, around);
  mprotect(pages + of->page_bytes, FAR_AWAY, around);
}

// Of all subjects: what a wild write hits is not another's.
static void guard_all(void)
{
  for (uint32_t i = 0; i < flips_count; i++) {
    guard(flips_subjects[i], PROT_READ);
  }
}

// Noise around the pages, and between the parts.
static void make_noise(void)
{
  uint8_t *pages = (uint8_t *)subject->pages;
  random_state = 1;
  for (uint32_t i = 0; i < PAGE * 16; i++) {
    pages[-1 - (int)i] = (uint8_t)flips_random(256);
    pages[subject->page_bytes + i] = (uint8_t)flips_random(256);
  }
  for (uint32_t i = 0; i < subject->page_bytes; i++) {
    if (!ours[i]) pages[i] = (uint8_t)flips_random(256);
  }
}

static void warm_up(uint32_t state)
{
  memset(subject->application, 0, subject->application_bytes);
  for (uint32_t i = 0; i < subject->count; i++) {
    memset(subject->parts[i].memory, 0, subject->parts[i].bytes);
  }
  random_state = state * 77 + 5;
  tp_clock_now = 0;
  was_wrong = false;
  if (sigsetjmp(escape, 0)) exit(2);
  go_on(warm[state]);
  save();
}

static void try_subject(const struct subject *which, uint32_t states,
                        long wanted)
{
  subject = which;
  if (subject->page_bytes > sizeof saved_pages ||
      subject->application_bytes > sizeof saved_application)
    abort();
  kind_count = 0;
  memset(counts, 0, sizeof counts);
  mark_ours();
  guard(subject, PROT_READ | PROT_WRITE);
  make_noise();
  guard(subject, PROT_READ);
  for (uint32_t state = 0; state < states; state++) {
    warm_up(state);
    measure_unharmed();
    flip_all(wanted);
  }
  print_counts();
}

int main(int count, char **words)
{
  struct rlimit limit = {600, 600};  // Ends what this suite does wrong.
  setrlimit(RLIMIT_CPU, &limit);
  catch_signals();
  guard_all();
  for (uint32_t i = 0; i < flips_count; i++) {
    const struct subject *which = flips_subjects[i];
    if (count > 1 && strcmp(words[1], which->name)) continue;
    try_subject(which, STATES, count > 2 ? atol(words[2]) : -1);
  }
  return 0;
}
