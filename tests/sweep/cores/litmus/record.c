// SPDX-License-Identifier: MIT
#include "record.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tp_cores_port.h"

enum { STORES = 128, YOURS = 16, SHARED = 8, BYTES = 1024, CHOICES = 16 };

struct store {
  uint8_t *where;
  uint32_t bytes;
  uint32_t behind;    // Barriers before it.
  uint8_t value[16];  // Known when the next thing happens.
};

static struct {
  uint8_t *begin;
  uint32_t bytes;
  uint8_t before[BYTES];
} shared[SHARED];
static struct store stores[STORES];
static uint32_t yours[YOURS];  // Barriers before each.
static uint32_t shared_count, store_count, yours_count;
static bool recording, looking, early;

bool record_releases = true, record_acquires = true;
uint32_t record_barriers;

static void must(bool holds, const char *what)
{
  if (holds) return;
  printf("litmus: %s\n", what);
  exit(2);
}

static void settle(void)
{
  if (store_count == 0) return;
  struct store *last = &stores[store_count - 1];
  memcpy(last->value, last->where, last->bytes);
}

static bool is_shared(const uint8_t *where)
{
  for (uint32_t i = 0; i < shared_count; i++) {
    size_t offset = (size_t)((uintptr_t)where - (uintptr_t)shared[i].begin);
    if (offset < shared[i].bytes) return true;
  }
  return false;
}

// Is about to happen.
static void note(void *where, uint32_t bytes)
{
  if (!recording || !is_shared(where)) return;
  settle();
  must(store_count < STORES && bytes <= 16, "too many stores");
  stores[store_count++] = (struct store){where, bytes, record_barriers, {0}};
}

void record_share(void *begin, uint32_t bytes)
{
  must(shared_count < SHARED && bytes <= BYTES, "too much is shared");
  shared[shared_count].begin = begin;
  shared[shared_count++].bytes = bytes;
}

static void restore(void)
{
  for (uint32_t i = 0; i < shared_count; i++) {
    memcpy(shared[i].begin, shared[i].before, shared[i].bytes);
  }
}

void record_begin(void)
{
  for (uint32_t i = 0; i < shared_count; i++) {
    memcpy(shared[i].before, shared[i].begin, shared[i].bytes);
  }
  store_count = yours_count = record_barriers = 0;
  recording = true;
}

void record_look(void)
{
  looking = true;
  early = false;
}

bool record_looked_late(void)
{
  looking = false;
  return !early;
}

// Is about to be read.
static void look(const void *where)
{
  if (looking && is_shared(where)) early = true;
}

void record_store(void *word, uint32_t value)
{
  note(word, sizeof value);
  *(volatile uint32_t *)word = value;
}

void record_barrier(void)
{
  record_barriers++;
  looking = false;
}

void record_yours(void)
{
  if (!recording) return;
  must(yours_count < YOURS, "too many hand over");
  yours[yours_count++] = record_barriers;
}

// May whoever sees the store that says so be without this one?
static bool is_choice(const struct store *store, uint32_t behind)
{
  return store->behind == behind || !record_acquires;
}

// Memory as who sees it that has the stores of the choices in [chosen]. Returns
// how many choices there are.
static uint32_t show(uint32_t behind, uint32_t chosen)
{
  uint32_t choices = 0;
  restore();
  for (uint32_t i = 0; i < store_count; i++) {
    const struct store *store = &stores[i];
    if (store->behind > behind) break;
    bool seen = true;
    if (is_choice(store, behind)) seen = (chosen >> choices++ & 1) != 0;
    if (seen) memcpy(store->where, store->value, store->bytes);
  }
  must(choices <= CHOICES, "too many choices");
  return choices;
}

uint32_t record_judge(bool (*judge)(bool last), uint32_t *states)
{
  uint32_t wrong = 0;
  settle();
  recording = false;
  must(yours_count > 0, "nothing is handed over");
  for (uint32_t i = 0; i < yours_count; i++) {
    uint32_t all = 1u << show(yours[i], 0);
    for (uint32_t chosen = 0; chosen < all; chosen++) {
      (void)show(yours[i], chosen);
      wrong += !judge(i + 1 == yours_count);
      ++*states;
    }
  }
  shared_count = 0;
  return wrong;
}

bool tp_cores_port_take(void)
{
  record_barrier();
  return true;
}

void tp_cores_port_give(void)
{
  if (record_releases) record_barrier();
  record_yours();
}

// What the compiler calls.

#define WRITES(name, bytes)        \
  void __tsan_##name(void *where); \
  void __tsan_##name(void *where)  \
  {                                \
    note(where, bytes);            \
  }

WRITES(write1, 1)
WRITES(write2, 2)
WRITES(write4, 4)
WRITES(write8, 8)
WRITES(write16, 16)
WRITES(unaligned_write2, 2)
WRITES(unaligned_write4, 4)
WRITES(unaligned_write8, 8)

#define READS(name)                \
  void __tsan_##name(void *where); \
  void __tsan_##name(void *where)  \
  {                                \
    look(where);                   \
  }

READS(read1)
READS(read2)
READS(read4)
READS(read8)
READS(read16)
READS(unaligned_read2)
READS(unaligned_read4)
READS(unaligned_read8)

#define IGNORED(name)              \
  void __tsan_##name(void *where); \
  void __tsan_##name(void *where)  \
  {                                \
    (void)where;                   \
  }

IGNORED(func_entry)
IGNORED(func_exit)
IGNORED(init)

void __tsan_read_range(void *where, size_t bytes);
void __tsan_read_range(void *where, size_t bytes)
{
  (void)bytes;
  look(where);
}

void __tsan_write_range(void *where, size_t bytes);
void __tsan_write_range(void *where, size_t bytes)
{
  note(where, (uint32_t)bytes);
}
