// SPDX-License-Identifier: MIT
// What a firmware says of itself, and its interrupts by timer, at the limits:
// on the host, with nothing behind it. What is done is named; the records that
// it makes come on standard output.
#include <stdio.h>
#include <string.h>

#include "allocator/tp_reloc.h"
#include "core/tp_registry.h"
#include "told.h"
#include "tp_record.h"
#include "tp_soak.h"
#include "tp_soak_size.h"

enum { WORDS = 400, HOUR = 216000, TIMED = 400000 };

uint32_t tp_clock_now;
static uint32_t start;  // What it says before the first frame.

uint32_t tp_soak_start(void)
{
  return start;
}

void tp_soak_put(uint8_t byte)
{
  putchar(byte);
}

void tp_soak_cores_write(bool begins)
{
  (void)begins;
}

uint64_t tp_soak_number(const char *key, uint64_t otherwise)
{
  (void)key;
  return otherwise;
}

const char *tp_soak_argument(const char *key)
{
  return strcmp(key, "interrupts") == 0 ? "timer" : NULL;
}

bool tp_soak_is_word(const char *text, const char *word)
{
  return strcmp(text, word) == 0;
}

uint32_t tp_soak_chance(uint32_t *state)
{
  return *state = *state * 1664525u + 1013904223u;
}

static const char *name(uint32_t number)
{
  static char names[64][8];
  snprintf(names[number], sizeof names[number], "%u", (unsigned)number);
  return names[number];
}

// One more than there may be, the last of them twice.
static void figures(void)
{
  for (uint32_t i = 0; i <= TP_SOAK_FIGURES; i++) {
    tp_soak_figure(name(i), "m", 100 + i, i == 1);
  }
  tp_soak_own_report();
}

static void expectations(void)
{
  for (tp_clock_now = 1; tp_clock_now < 9; tp_clock_now++) {
    tp_soak_expect("even", tp_clock_now != 3 && tp_clock_now != 5);
  }
  for (uint32_t i = 0; i < TP_SOAK_EXPECTATIONS; i++) {
    tp_soak_expect(name(i), true);
  }
  tp_soak_own_end();
}

static void costs(void)
{
  static const uint32_t all[] = {0, 7, 8, 15, 16, 87, 88, 95, 96, 100000};
  for (uint32_t i = 0; i < sizeof all / sizeof *all; i++) {
    tp_soak_cost("a call", 8, all[i]);
  }
  for (uint32_t i = 0; i < TP_SOAK_COSTS; i++) tp_soak_cost(name(i), 1, 0);
  tp_soak_own_end();
}

// A scene is told in each second, so that who reads sees when costs are.
static void minutes(void)
{
  tp_soak_cost("a call", 8, 0);
  for (uint32_t i = 1; i <= 130; i++) {
    tp_clock_now += 60;
    tp_soak_scene("a second");
    tp_soak_own_report();
  }
}

static uint32_t words[WORDS];

// As deep as that, and no word between.
static void look(uint32_t frame, uint32_t depth)
{
  words[WORDS - depth] = 1;
  tp_clock_now = start + frame;
  tp_soak_stack_report();
}

static void stack(void)
{
  tp_soak_stack("a task", words, words + WORDS);
  look(60, 10);
  look(120, 10);
  for (uint32_t i = 10; i < 103; i++) words[WORDS - i] = 1;
  look(180, 103);
  look(240, 300);
  look(3600, 300);
  for (uint32_t i = 300; i < WORDS; i++) words[WORDS - i] = 1;
  look(3660, WORDS);
  look(3720, WORDS);
}

static void stacks(void)
{
  for (uint32_t i = 0; i < 9; i++) {
    tp_soak_stack(name(i), words + 4 * i, words + 4 * i + 4);
  }
  tp_soak_stack_report();
}

// It runs on the stack that it tells of.
static void own_stack(void)
{
  uint32_t here[2 * WORDS];
  __asm("" : : "r"(here) : "memory");
  for (uint32_t i = 0; i < 2 * WORDS; i++) here[i] = i;
  __asm("" : : "r"(here) : "memory");
  uint32_t *now = (uint32_t *)__builtin_frame_address(0);
  tp_soak_stack("main", now - 4096, now + 64);
  uint32_t changed = 0;
  for (uint32_t i = 0; i < 2 * WORDS; i++) changed += here[i] != i;
  tp_soak_scene(name(changed != 0));
}

// The memory of the second allocator is cut up.
const struct tp_kind tp_arena_kind, tp_pool_kind;

void tp_reloc_layout(const struct tp_reloc *reloc,
                     struct tp_reloc_figures *figures)
{
  *figures = (struct tp_reloc_figures){
      .largest = reloc->units, .holes = 3, .hole_bytes = 500};
}

static void holes(void)
{
  static const struct tp_reloc reloc = {.units = 300};
  static const struct tp_entry pool = {.kind = &tp_pool_kind},
                               arena = {.kind = &tp_arena_kind,
                                        .allocator = &reloc};
  static const struct tp_entry *const entries[] = {&pool, &arena, &pool};
  const struct tp_registry registry = {.entries = entries, .count = 3};
  tp_clock_now = 60;
  tp_soak_holes_report(&registry);
}

// An interrupt that counts itself so often.
static struct tp_soak soak;
static uint32_t counted = 1, soonest = UINT32_MAX, latest;

static void fire(uint32_t instructions)
{
  soak.interrupts += counted;
  if (instructions < soonest) soonest = instructions;
  if (instructions > latest) latest = instructions;
}

// After so many frames none comes any more, or two at once.
static void timer(uint32_t after, uint32_t then)
{
  soak.timer = fire;
  tp_soak_timer_begin(&soak);
  for (uint32_t i = 0; i < TIMED; i++, tp_clock_now++) {
    tp_soak_timer_await(&soak);
    counted = i < after ? 1 : then;
    tp_soak_timer_start(&soak);
  }
  tp_soak_scene(name(soak.by_timer));
  tp_soak_scene(soonest == 16 ? "soon" : "not soon");
  tp_soak_scene(latest == 30000 ? "late" : "not late");
}

static void comes(void)
{
  timer(TIMED, 1);
}

static void stays_away(void)
{
  timer(100, 0);
}

static void comes_twice(void)
{
  timer(100, 2);
}

static void far_slots(void)
{
  tp_record_audit(1, 0, UINT16_MAX, "the last");
  tp_record_audit(2, 0, UINT16_MAX + 1u + 172u, "none");
}

// Of a row with link = 8, whose slots begin there to the library.
static void given(void)
{
  static const uint8_t kinds[] = {TP_FAULT_FOREIGN, TP_FAULT_INTERIOR,
                                  TP_FAULT_DOUBLE_FREE, TP_FAULT_POISON};
  const struct tp_pool linked = {.stride = 40, .size = 24, .zone = 8};
  for (uint32_t i = 0; i < sizeof kinds; i++) {
    const struct tp_fault_record record = {.kind = kinds[i],
                                           .pool = &linked,
                                           .address = (void *)0x1018,
                                           .offset = 4};
    tp_record_fault(&record, 0, "");
  }
}

static const struct {
  const char *name;
  void (*play)(void);
} deeds[] = {{"figures", figures},
             {"expectations", expectations},
             {"costs", costs},
             {"minutes", minutes},
             {"stack", stack},
             {"stacks", stacks},
             {"own_stack", own_stack},
             {"comes", comes},
             {"holes", holes},
             {"lives", lives},
             {"places", places_told},
             {"strangers", strangers_issue},
             {"before", issued_before},
             {"seals", seals},
             {"stranger", issued_by_a_stranger},
             {"refused", refused_to_strangers},
             {"served", served_twice},
             {"interrupted", interrupted},
             {"stays_away", stays_away},
             {"comes_twice", comes_twice},
             {"far_slots", far_slots},
             {"given", given}};

// Its name, and what the clock says.
int main(int count, char **arguments)
{
  for (uint32_t i = 0; i < sizeof deeds / sizeof *deeds; i++) {
    if (strcmp(arguments[1], deeds[i].name) != 0) continue;
    if (count > 2) tp_clock_now = start = 0u - HOUR / 50;
    deeds[i].play();
  }
}
