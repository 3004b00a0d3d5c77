// SPDX-License-Identifier: MIT
#include "lines.h"

#include "tp_dma_port.h"

enum state { ABSENT = 0, CLEAN, DIRTY };

static uint8_t *base;
static uint32_t count;
static enum state states[LINES_MAX];
static uint8_t seen[LINES_MAX * LINE_BYTES];    // By the CPU, at the last look.
static uint8_t memory[LINES_MAX * LINE_BYTES];  // As the device sees it.

void (*lines_between)(void);
uint32_t lines_cleaned, lines_dropped, lines_barriers;

static void copy(volatile uint8_t *to, const volatile uint8_t *from)
{
  for (uint32_t i = 0; i < LINE_BYTES; i++) to[i] = from[i];
}

static uint8_t *cpu_line(uint32_t line)
{
  return &base[line * LINE_BYTES];
}

static uint8_t *memory_line(uint32_t line)
{
  return &memory[line * LINE_BYTES];
}

// What the CPU wrote since is in the cache.
static void look(uint32_t line)
{
  const volatile uint8_t *now = cpu_line(line);
  for (uint32_t i = 0; i < LINE_BYTES; i++) {
    if (now[i] != seen[line * LINE_BYTES + i]) states[line] = DIRTY;
  }
  copy(&seen[line * LINE_BYTES], now);
}

// The CPU sees memory.
static void show(uint32_t line)
{
  copy(cpu_line(line), memory_line(line));
  copy(&seen[line * LINE_BYTES], memory_line(line));
}

static void clean(uint32_t line)
{
  look(line);
  if (states[line] != DIRTY) return;
  copy(memory_line(line), cpu_line(line));
  states[line] = CLEAN;
}

static void drop(uint32_t line)
{
  look(line);
  states[line] = ABSENT;
  show(line);
}

static void clean_and_drop(uint32_t line)
{
  clean(line);
  drop(line);
}

static void fetch(uint32_t line)
{
  look(line);
  if (states[line] == ABSENT) states[line] = CLEAN;
}

static void look_at_all(void)
{
  for (uint32_t line = 0; line < count; line++) look(line);
}

static void all(void (*act)(uint32_t line))
{
  for (uint32_t line = 0; line < count; line++) act(line);
}

// Those that have one of the bytes.
static void each(uintptr_t begin, uint32_t bytes, void (*act)(uint32_t line))
{
  uint32_t offset = (uint32_t)(begin - (uintptr_t)base);
  uint32_t last = (offset + bytes - 1) / LINE_BYTES;
  if (offset >= count * LINE_BYTES) return;
  for (uint32_t line = offset / LINE_BYTES; line <= last; line++) act(line);
}

void lines_watch(void *begin, uint32_t bytes)
{
  base = begin;
  count = bytes / LINE_BYTES;
  for (uint32_t line = 0; line < count; line++) {
    states[line] = ABSENT;
    copy(memory_line(line), cpu_line(line));
    copy(&seen[line * LINE_BYTES], cpu_line(line));
  }
  lines_between = 0;
  lines_cleaned = lines_dropped = lines_barriers = 0;
}

void lines_fetch(void)
{
  all(fetch);
}

void lines_evict(void)
{
  all(clean_and_drop);
}

void lines_clean(const void *begin, uint32_t bytes)
{
  each((uintptr_t)begin, bytes, clean);
}

void lines_invalidate(const void *begin, uint32_t bytes)
{
  each((uintptr_t)begin, bytes, drop);
}

void device_writes(void *begin, uint32_t bytes, uint8_t value)
{
  uint32_t offset = (uint32_t)((uint8_t *)begin - base);
  look_at_all();
  for (uint32_t i = offset; i < offset + bytes; i++) memory[i] = value;
  for (uint32_t line = 0; line < count; line++) {
    if (states[line] == ABSENT) show(line);
  }
}

bool device_reads(const void *begin, uint32_t bytes, uint8_t value)
{
  uint32_t offset = (uint32_t)((const uint8_t *)begin - base);
  bool same = true;
  look_at_all();
  for (uint32_t i = offset; i < offset + bytes; i++) same &= memory[i] == value;
  return same;
}

void cpu_writes(void *begin, uint32_t bytes, uint8_t value)
{
  volatile uint8_t *to = begin;
  for (uint32_t i = 0; i < bytes; i++) to[i] = value;
  look_at_all();
}

bool cpu_reads(const void *begin, uint32_t bytes, uint8_t value)
{
  const volatile uint8_t *from = begin;
  bool same = true;
  for (uint32_t i = 0; i < bytes; i++) same &= from[i] == value;
  return same;
}

static void between(void)
{
  if (lines_between) lines_between();
}

void tp_dma_port_barrier(void)
{
  between();
  lines_barriers++;
}

void tp_dma_port_clean(uintptr_t begin, uint32_t bytes)
{
  between();
  lines_cleaned += bytes / LINE_BYTES;
  each(begin, bytes, clean);
}

void tp_dma_port_invalidate(uintptr_t begin, uint32_t bytes)
{
  between();
  lines_dropped += bytes / LINE_BYTES;
  each(begin, bytes, drop);
}
