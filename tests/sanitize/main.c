// SPDX-License-Identifier: MIT
#include "check/tp_sanitize.h"
#include "object/tp_scene.h"
#include "sanitize.h"
#include "tp_pools.h"
#include "tp_test.h"

struct tp_fault_record reported;
uint32_t reports;

struct whole {
  uint8_t bytes[22];
};

__attribute__((noinline)) uint32_t read_word(const void *address)
{
  return *(const volatile uint32_t *)address;
}

__attribute__((noinline)) void write_word(void *address)
{
  *(volatile uint32_t *)address = 3;
}

__attribute__((noinline)) uint32_t read_byte(const void *address)
{
  return *(const volatile uint8_t *)address;
}

__attribute__((noinline)) void write_byte(void *address)
{
  *(volatile uint8_t *)address = 3;
}

__attribute__((noinline)) uint32_t read_wide(const void *address)
{
  return (uint32_t)*(const volatile uint64_t *)address;
}

__attribute__((noinline)) void copy_all(void *to, const void *from)
{
  *(struct whole *)to = *(const struct whole *)from;
}

static void note(const struct tp_fault_record *record)
{
  reported = *record;
  reports++;
}

void listen(void)
{
  reports = 0;
  tp_sanitize_report(note);
}

static bool is_text(const char *a, const char *b)
{
  while (*a && *a == *b) a++, b++;
  return *a == *b;
}

bool heard(uint32_t kind, const char *name, uint32_t slot, uint32_t offset)
{
  return reports == 1 && reported.magic == TP_FAULT_MAGIC &&
         reported.kind == kind && reported.slot == slot &&
         reported.offset == offset &&
         (name ? reported.name && is_text(reported.name, name)
               : !reported.name);
}

bool heard_of(uint32_t bytes, bool writes)
{
  return reported.found == bytes && reported.expected == writes;
}

// Before anything is looked at: what a part of a scene has then lies in the
// arena, and is found there.
TP_UNSANITIZED static bool begin(void)
{
  return tp_scene_switch(&scenes_scenes, 1, NULL) == 0;
}

int main(void)
{
  if (!begin()) return 1;
  cases_of_pools();
  cases_of_bytes();
  cases_of_kinds();
  cases_of_writes();
  cases_of_loans();
  cases_of_copies();
  cases_of_room();
  return tp_test_end();
}
