// SPDX-License-Identifier: MIT
// What libFuzzer calls with each input.
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tp_port.h"

// Every address is a multiple of ALIGN: an input is the same every time.
enum { ALIGN = 64, BLOCKS_MOST = 128, SAVED_MOST = 1 << 16 };

jmp_buf fuzz_escape;
uint32_t fuzz_fault;
static bool may_fault;
static const uint8_t *input;
static size_t left;
static const struct world *world;

// What fuzz_memory() gave.
static struct {
  void *memory;
  size_t bytes;
} blocks[BLOCKS_MOST];
static uint32_t block_count;
static uint8_t saved[SAVED_MOST];

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

static uint32_t next_byte(void)
{
  if (left == 0) return 0;
  left--;
  return *input++;
}

uint32_t fuzz_below(uint32_t limit)
{
  uint32_t number = next_byte();
  if (limit > 256) number |= next_byte() << 8;
  return number % limit;
}

void fuzz_fail(const char *file, int line, const char *claim)
{
  fprintf(stderr, "fuzz: %s at %s:%d: %s; last fault %s\n", world->name, file,
          line, claim, tp_fault_name(fuzz_fault));
  abort();
}

void fuzz_begin_call(void)
{
  fuzz_fault = 0;
  may_fault = true;
}

void fuzz_end_call(void)
{
  may_fault = false;
  EXPECT(tp_port_depth == 0);
}

void tp_fault(const struct tp_fault_record *record)
{
  fuzz_fault = record->kind;
  EXPECT(may_fault);
  EXPECT(tp_port_depth == 0);
  EXPECT(record == &tp_fault_record && record->magic == TP_FAULT_MAGIC);
  EXPECT(record->name || record->kind == TP_FAULT_CLOSED);  // Never opened.
  EXPECT(record->frame == tp_clock_now);
  longjmp(fuzz_escape, 1);
}

void *fuzz_memory(size_t bytes, uint8_t fill)
{
  void *memory = NULL;
  if (block_count == BLOCKS_MOST || posix_memalign(&memory, ALIGN, bytes)) {
    abort();
  }
  memset(memory, fill, bytes);
  blocks[block_count].memory = memory;
  blocks[block_count++].bytes = bytes;
  return memory;
}

void fuzz_remember(void)
{
  uint8_t *to = saved;
  for (uint32_t i = 0; i < block_count; i++) {
    if (blocks[i].bytes > (size_t)(saved + SAVED_MOST - to)) abort();
    memcpy(to, blocks[i].memory, blocks[i].bytes);
    to += blocks[i].bytes;
  }
}

bool fuzz_is_unchanged(void)
{
  const uint8_t *from = saved;
  for (uint32_t i = 0; i < block_count; i++) {
    if (memcmp(from, blocks[i].memory, blocks[i].bytes) != 0) return false;
    from += blocks[i].bytes;
  }
  return true;
}

bool fuzz_is_new(const void *object, uint32_t bytes)
{
  const tp_word_t *words = (const tp_word_t *)object;
  for (uint32_t i = 0; TP_CHECKS >= TP_CHECKS_POISON && i < bytes / 4; i++) {
    if (words[i] != TP_POISON_NEW) return false;
  }
  return true;
}

static void play(void)
{
  world->begin();
  while (left > 0) {
    uint32_t which = fuzz_below(world->end_in);
    if (world->end && which == world->end_in - 1) {
      if (world->end()) return;
    } else {
      world->calls[which % world->count]();
    }
    world->check();
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
  input = bytes;
  left = count;
  tp_clock_now = 0;
  world = fuzz_worlds[fuzz_below(fuzz_world_count)];
  play();
  while (block_count > 0) free(blocks[--block_count].memory);
  return 0;
}
