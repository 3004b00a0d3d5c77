// SPDX-License-Identifier: MIT
// Accesses that an interrupt comes in the middle of, at each instruction of
// what the sanitizer asks, and accesses of its own memory there: each is judged
// as if it were alone.
#include "armed.h"
#include "check/tp_sanitize.h"
#include "tp_pools.h"
#include "tp_test.h"

enum { SPARK, OTHER, DEAD, VOICE, DRAFT, BLOCK, OWN, OBJECTS };
static uint8_t *objects[OBJECTS];

// An access of the thread's, and what is wrong with it.
static const struct subject {
  uint32_t object, offset;
  enum tp_fault_kind kind;
} subjects[] = {
    {OWN, 0, TP_FAULT_NONE},      {SPARK, 21, TP_FAULT_NONE},
    {VOICE, 99, TP_FAULT_NONE},   {DRAFT, 8, TP_FAULT_NONE},
    {BLOCK, 59, TP_FAULT_NONE},   {SPARK, 22, TP_FAULT_BESIDE},
    {BLOCK, 60, TP_FAULT_BESIDE}, {DEAD, 8, TP_FAULT_DEAD},
};
enum { SUBJECTS = sizeof subjects / sizeof *subjects };

// Of external linkage: no compiler knows what a read leads to.
extern struct tp_fault_record heard[4];
extern uint32_t reports;
struct tp_fault_record heard[4];
uint32_t reports;

static void note(const struct tp_fault_record *record)
{
  if (reports < 4) heard[reports] = *record;
  reports++;
}

// Places of their own: of the thread, and of the interrupt --------------------

// Different ones, lest they become one.
#define PLACE(name, access)                                             \
  __attribute__((noinline)) static void name(volatile uint8_t *address) \
  {                                                                     \
    access;                                                             \
    __asm volatile("@ " #name ::: "memory");                            \
  }

PLACE(touch, *address)
PLACE(touch_again, *address)
PLACE(interrupt_reads, *address)
PLACE(interrupt_touches, *address = 3)

static bool is_of(const struct tp_fault_record *record, enum tp_fault_kind kind,
                  void (*place)(volatile uint8_t *))
{
  uintptr_t begin = (uintptr_t)place & ~(uintptr_t)1;
  return record->kind == kind && (uintptr_t)record->caller - begin < 32;
}

// What a run begins with, and ends with ---------------------------------------

static void fresh(uint32_t last)
{
  static uint8_t own[4];
  objects[SPARK] = sparks_alloc();
  objects[DEAD] = sparks_alloc();
  objects[OTHER] = sparks_alloc();
  objects[VOICE] = voices_alloc();
  objects[DRAFT] = drafts_alloc();
  objects[BLOCK] = text_alloc(60);
  objects[OWN] = own;
  sparks_free(objects[DEAD]);
  objects[DRAFT][8] = 1;
  touch(objects[last]);
  reports = 0;
  tp_sanitize_report(note);
}

static void clear(void)
{
  if (objects[SPARK]) sparks_free(objects[SPARK]);
  sparks_free(objects[OTHER]);
  voices_free(objects[VOICE]);
  drafts_free(objects[DRAFT]);
  text_free(objects[BLOCK]);
}

// What the interrupt does; what it is wrong in, is told of by itself ----------

static void nothing_wrong(void)
{
  interrupt_touches(objects[OTHER]);
  interrupt_touches(objects[VOICE] + 99);
}

static void another_is_issued_and_freed(void)
{
  uint8_t *voice = voices_alloc();
  interrupt_touches(voice);
  voices_free(voice);
  interrupt_touches(objects[BLOCK] + 59);
}

static void a_dead_one(void)
{
  interrupt_reads(objects[DEAD]);
}

static uint8_t *dead;

static void the_spark_dies(void)
{
  dead = objects[SPARK];
  sparks_free(objects[SPARK]);
  objects[SPARK] = NULL;
}

// Runs ------------------------------------------------------------------------

// Returns whether the interrupt came.
static bool run(const struct subject *subject, uint32_t last, uint32_t load)
{
  fresh(last);
  struct armed_call call = {
      .function = (void *)touch,
      .arguments = {(uintptr_t)(objects[subject->object] + subject->offset)},
      .load = load,
  };
  armed_reset();
  armed_call(&call);
  return armed_hits == 1 && armed_pc != (uint32_t)(uintptr_t)armed_return;
}

static bool thread_was_told_of(enum tp_fault_kind kind)
{
  if (kind == TP_FAULT_NONE) return reports == 0;
  return reports == 1 && is_of(&heard[0], kind, touch);
}

// Of an interrupt that does nothing wrong.
static void each_is_told_of_as_if_alone(void (*move)(void))
{
  armed_handler = move;
  for (uint32_t i = 0; i < SUBJECTS; i++) {
    for (uint32_t last = 0; last < OBJECTS; last++) {
      if (last == DEAD) continue;
      for (uint32_t at = 0; run(&subjects[i], last, armed_load(at)); at++) {
        CHECK(thread_was_told_of(subjects[i].kind));
        clear();
      }
      clear();
    }
  }
}

static void what_interrupts_may_touch_objects_of_its_own(void)
{
  each_is_told_of_as_if_alone(nothing_wrong);
}

static void what_interrupts_may_allocate_and_free(void)
{
  each_is_told_of_as_if_alone(another_is_issued_and_freed);
}

static void what_interrupts_is_told_of_what_it_does_wrong(void)
{
  armed_handler = a_dead_one;
  for (uint32_t last = 0; last < OBJECTS; last++) {
    if (last == DEAD) continue;
    for (uint32_t at = 0; run(&subjects[1], last, armed_load(at)); at++) {
      CHECK_EQ(reports, 1);
      CHECK(is_of(&heard[0], TP_FAULT_DEAD, interrupt_reads));
      clear();
    }
    clear();
  }
}

static void what_dies_in_between_is_dead_from_then_on(void)
{
  armed_handler = the_spark_dies;
  for (uint32_t last = 0; last < OBJECTS; last++) {
    if (last == DEAD) continue;
    for (uint32_t at = 0; run(&subjects[1], last, armed_load(at)); at++) {
      CHECK(reports == 0 || thread_was_told_of(TP_FAULT_DEAD));
      reports = 0;
      touch_again(dead);
      CHECK(reports == 1 && is_of(&heard[0], TP_FAULT_DEAD, touch_again));
      clear();
    }
    clear();
  }
}

int main(void)
{
  armed_calibrate();
  RUN(what_interrupts_may_touch_objects_of_its_own);
  RUN(what_interrupts_may_allocate_and_free);
  RUN(what_interrupts_is_told_of_what_it_does_wrong);
  RUN(what_dies_in_between_is_dead_from_then_on);
  return tp_test_end();
}
