// SPDX-License-Identifier: MIT
// A frame of one buffer or more: what lasts, and how long.
#include <string.h>

#include "allocator/tp_frame.h"
#include "core/tp_registry.h"
#include "fuzz.h"

enum { ITEMS = 20, BUFFERS = 4 };

struct item {
  void *memory;
  uint32_t bytes, number;
};

struct buffer {
  struct item items[ITEMS];
  uint32_t count, used, peak, refused;
};

static struct {
  struct tp_frame frame;
  uint8_t *base;
  uint32_t bytes;  // Of a buffer.
  struct buffer buffers[BUFFERS];
  uint32_t current, numbers;
} now;

static bool is_sound(void)
{
  struct tp_finding finding;
  return tp_frame_kind.verify(&now.frame, &finding);
}

// Above what a buffer holds is nothing but poison.
static void check_dead(uint32_t index)
{
  const struct buffer *buffer = &now.buffers[index];
  const uint8_t *base = now.base + index * now.bytes;
  if (TP_CHECKS < TP_CHECKS_POISON) return;
  for (uint32_t at = buffer->used; at < buffer->peak; at += 4) {
    EXPECT(*(const tp_word_t *)(base + at) == TP_POISON);
  }
}

// Of all buffers: what was allocated lasts as many frames as there are.
static void check_all(void)
{
  uint32_t peak = 0, refused = 0;
  struct tp_stats stats;
  for (uint32_t i = 0; i < now.frame.buffers; i++) {
    const struct buffer *buffer = &now.buffers[i];
    for (uint32_t j = 0; j < buffer->count; j++) {
      const struct item *item = &buffer->items[j];
      EXPECT(tp_is_filled(item->memory, item->bytes, item->number));
    }
    check_dead(i);
    if (peak < buffer->peak) peak = buffer->peak;
    refused += buffer->refused;
  }
  tp_frame_stats(&now.frame, &stats);
  EXPECT(stats.live == now.buffers[now.current].used && stats.peak == peak);
  EXPECT(stats.refused == refused && is_sound());
}

// Where so many bytes begin, in the current buffer; NULL: they do not fit.
static uint8_t *place_of(uint32_t bytes, uint32_t align)
{
  uint8_t *base = now.base + now.current * now.bytes;
  uintptr_t at = (uintptr_t)base + now.buffers[now.current].used;
  at = (at + align - 1) / align * align;
  uintptr_t offset = at - (uintptr_t)base;
  bool fits = offset + (bytes + 3) / 4 * 4 <= now.bytes;
  return fits ? (uint8_t *)at : NULL;
}

static void refused(uint32_t bytes, const void *object)
{
  if (TP_CHECKS > 0 && bytes > now.bytes) {
    EXPECT(fuzz_fault == TP_FAULT_LARGE);
    return;
  }
  now.buffers[now.current].refused++;
  EXPECT(object == NULL);
  EXPECT(fuzz_fault == (now.frame.region.full ? TP_FAULT_FULL : 0u));
}

static void alloc(void)
{
  struct buffer *buffer = &now.buffers[now.current];
  uint32_t bytes = 1 + fuzz_below(30);
  uint32_t align = 1u << fuzz_below(6);
  void *object = NULL;
  if (buffer->count == ITEMS) return;
  uint8_t *place = place_of(bytes, align);
  CALL(object = tp_frame_alloc(&now.frame, bytes, align));
  if (!place) {
    refused(bytes, object);
    return;
  }
  EXPECT(fuzz_fault == 0 && object == place && fuzz_is_new(object, bytes));
  struct item item = {object, bytes / 4 * 4, ++now.numbers};
  tp_fill(object, item.bytes, item.number);
  buffer->items[buffer->count++] = item;
  uint8_t *end = place + (bytes + 3) / 4 * 4;
  buffer->used = (uint32_t)(end - now.base) - now.current * now.bytes;
  if (buffer->peak < buffer->used) buffer->peak = buffer->used;
}

static void end_frame(void)
{
  now.current = (now.current + 1) % now.frame.buffers;
  struct buffer *buffer = &now.buffers[now.current];
  buffer->count = buffer->used = 0;
  GOOD(tp_frame_end(&now.frame));
}

static void call_wrongly(void)
{
  if (TP_CHECKS == 0) return;
  WRONG(TP_FAULT_SIZE, tp_frame_alloc(&now.frame, 0, 4));
  WRONG(TP_FAULT_SIZE, tp_frame_alloc(&now.frame, 4, 12));
  WRONG(TP_FAULT_LARGE, tp_frame_alloc(&now.frame, now.bytes + 1, 4));
}

// Somebody writes to what was of a frame that is over.
static bool write_late(void)
{
  struct buffer *buffer = &now.buffers[now.current];
  uint8_t *base = now.base + now.current * now.bytes;
  if (fuzz_below(32) > 0 || TP_CHECKS < TP_CHECKS_POISON) return false;
  if (buffer->used + 4 > buffer->peak) return false;
  tp_word_t *word = (tp_word_t *)(base + buffer->used);
  *word ^= 1u << fuzz_below(32);
  CALL(tp_frame_alloc(&now.frame, 4, 4));
  EXPECT(fuzz_fault == TP_FAULT_POISON);
  return true;
}

static void begin(void)
{
  memset(&now, 0, sizeof now);
  uint32_t buffers = 1 + fuzz_below(BUFFERS);
  now.bytes = 8 * (1 + fuzz_below(20));
  uint32_t before = 4 * fuzz_below(16);
  now.base = fuzz_memory(before + now.bytes * (size_t)buffers, 0x5a);
  now.base += before;
  now.frame = (struct tp_frame){
      .region = {(tp_word_t *)now.base, "frame", NULL, now.bytes,
                 (uint8_t)fuzz_below(2)},
      .state = fuzz_memory(sizeof *now.frame.state, 0),
      .bump = fuzz_memory(buffers * sizeof *now.frame.bump, 0),
      .buffers = (uint8_t)buffers};
}

static void (*const calls[])(void) = {
    alloc, alloc,     alloc,     alloc,     alloc,       alloc,
    alloc, end_frame, end_frame, end_frame, call_wrongly};
enum { CALLS = sizeof calls / sizeof calls[0] };

const struct world fuzz_frames = {
    .name = "frames",
    .begin = begin,
    .calls = calls,
    .count = CALLS,
    .end_in = CALLS + 1,
    .end = write_late,
    .check = check_all,
};
