// SPDX-License-Identifier: MIT
#include "tp_record.h"

enum { HELLO = 1, SAMPLE = 2, FAULT = 3, DONE = 4, AUDIT = 6 };
enum { HELLO_BYTES = 28, HELLO_POOL_BYTES = 6, MOMENT_BYTES = 16 };
enum {
  USAGE_BYTES = 32,
  FAULT_BYTES = 28,
  VERSION = 1,
  FRAMES_PER_SECOND = 60
};

static uint32_t sum1, sum2;

void tp_record_put8(uint32_t value)
{
  sum1 += value & 255;
  if (sum1 >= 255) sum1 -= 255;
  sum2 += sum1;
  if (sum2 >= 255) sum2 -= 255;
  tp_soak_put((uint8_t)value);
}

void tp_record_put16(uint32_t value)
{
  tp_record_put8(value);
  tp_record_put8(value >> 8);
}

void tp_record_put32(uint32_t value)
{
  tp_record_put16(value);
  tp_record_put16(value >> 16);
}

static void put64(uint64_t value)
{
  tp_record_put32((uint32_t)value);
  tp_record_put32((uint32_t)(value >> 32));
}

uint32_t tp_record_length(const char *text)
{
  uint32_t length = 0;
  while (text[length]) length++;
  return length;
}

void tp_record_put_text(const char *text)
{
  while (*text) tp_record_put8((uint8_t)*text++);
}

void tp_record_begin(uint32_t type, uint32_t length)
{
  tp_soak_put(0xb7);
  sum1 = sum2 = 0;
  tp_record_put8(type);
  tp_record_put16(length);
}

void tp_record_end(void)
{
  tp_soak_put((uint8_t)sum1);
  tp_soak_put((uint8_t)sum2);
}

static void put_pool(const struct tp_record_pool *pool)
{
  tp_record_put16(pool->capacity);
  tp_record_put16(pool->stride);
  tp_record_put8(pool->policy);
  tp_record_put8(tp_record_length(pool->name));
  tp_record_put_text(pool->name);
}

void tp_record_hello(const struct tp_record_hello *hello)
{
  uint32_t length = HELLO_BYTES;
  for (uint32_t i = 0; i < hello->pools; i++) {
    length += HELLO_POOL_BYTES + tp_record_length(hello->pool(i).name);
  }
  tp_record_begin(HELLO, length);
  tp_record_put32(VERSION);
  tp_record_put32(hello->config);
  put64(hello->seed);
  tp_record_put32(hello->frames);
  tp_record_put32(FRAMES_PER_SECOND);
  tp_record_put8(hello->checks);
  tp_record_put8(hello->pools);
  tp_record_put8(hello->timer);
  tp_record_put8(0);
  for (uint32_t i = 0; i < hello->pools; i++) {
    struct tp_record_pool pool = hello->pool(i);
    put_pool(&pool);
  }
  tp_record_end();
}

static void put_moment(const struct tp_record_moment *moment)
{
  tp_record_put32(moment->frame);
  put64(moment->hash);
  tp_record_put32(moment->interrupts);
}

static void put_usage(const struct tp_record_usage *usage)
{
  tp_record_put16(usage->live);
  tp_record_put16(usage->peak);
  tp_record_put16(usage->low);
  tp_record_put16(usage->high);
  tp_record_put32(usage->allocs);
  tp_record_put32(usage->frees);
  tp_record_put32(usage->steals);
  tp_record_put32(usage->refused);
  tp_record_put32(usage->spills);
  tp_record_put32(usage->full_frames);
}

void tp_record_sample(const struct tp_record_moment *moment,
                      const struct tp_record_usage *usages, uint32_t count)
{
  tp_record_begin(SAMPLE, MOMENT_BYTES + count * USAGE_BYTES);
  put_moment(moment);
  for (uint32_t i = 0; i < count; i++) put_usage(&usages[i]);
  tp_record_end();
}

void tp_record_fault(const struct tp_fault_record *record, uint32_t pool)
{
  tp_record_begin(FAULT, FAULT_BYTES);
  tp_record_put32(record->frame);
  tp_record_put8(record->kind);
  tp_record_put8(pool);
  tp_record_put16(record->slot);
  tp_record_put32((uint32_t)(uintptr_t)record->address);
  tp_record_put32(record->offset);
  tp_record_put32(record->expected);
  tp_record_put32(record->found);
  tp_record_put32((uint32_t)(uintptr_t)record->caller);
  tp_record_end();
}

void tp_record_finding(uint32_t type, uint32_t frame, uint32_t pool,
                       uint32_t slot, const char *text)
{
  tp_record_begin(type, 8 + tp_record_length(text));
  tp_record_put32(frame);
  tp_record_put8(pool);
  tp_record_put8(0);
  tp_record_put16(slot);
  tp_record_put_text(text);
  tp_record_end();
}

void tp_record_audit(uint32_t frame, uint32_t pool, uint32_t slot,
                     const char *text)
{
  tp_record_finding(AUDIT, frame, pool, slot, text);
}

void tp_record_done(const struct tp_record_moment *moment)
{
  tp_record_begin(DONE, MOMENT_BYTES);
  put_moment(moment);
  tp_record_end();
}
