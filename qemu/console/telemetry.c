// SPDX-License-Identifier: MIT
#include "telemetry.h"

#include "board.h"
#include "run.h"

enum { HELLO = 1, SAMPLE = 2, FAULT = 3, DONE = 4, AUDIT = 6, PLANTED = 7 };
enum { HELLO_BYTES = 28, SAMPLE_BYTES = 16, POOL_BYTES = 32 };

static uint32_t sum1, sum2;

static void put8(uint32_t value)
{
  sum1 += value & 255;
  if (sum1 >= 255) sum1 -= 255;
  sum2 += sum1;
  if (sum2 >= 255) sum2 -= 255;
  board_put((uint8_t)value);
}

static void put16(uint32_t value)
{
  put8(value);
  put8(value >> 8);
}

static void put32(uint32_t value)
{
  put16(value);
  put16(value >> 16);
}

static void put64(uint64_t value)
{
  put32((uint32_t)value);
  put32((uint32_t)(value >> 32));
}

static uint32_t length_of(const char *text)
{
  uint32_t length = 0;
  while (text[length]) length++;
  return length;
}

static void put_text(const char *text)
{
  while (*text) put8((uint8_t)*text++);
}

static void begin(uint32_t type, uint32_t length)
{
  board_put(0xb7);
  sum1 = sum2 = 0;
  put8(type);
  put16(length);
}

static void end(void)
{
  board_put((uint8_t)sum1);
  board_put((uint8_t)sum2);
}

#define POLICY_ASSERT       0
#define POLICY_DROP         1
#define POLICY_STEAL_OLDEST 2

static const struct {
  const struct tp_policy *policy;
  uint32_t code;
} policies[] = {
    {&tp_assert, POLICY_ASSERT},
    {&tp_drop, POLICY_DROP},
    {&tp_steal_oldest, POLICY_STEAL_OLDEST},
};

static uint32_t policy_code(const struct tp_policy *policy)
{
  uint32_t i = 0;
  while (policies[i].policy != policy) i++;
  return policies[i].code;
}

void telemetry_hello(const struct run *run)
{
  uint32_t length = HELLO_BYTES;
  for (uint32_t i = 0; i < TP_POOL_N; i++) {
    length += 6 + length_of(tp_pool_table[i]->name);
  }
  begin(HELLO, length);
  put32(1);
  put32(TP_CONFIG_HASH);
  put64(run->seed);
  put32(run->frames);
  put32(FRAMES_PER_SECOND);
  put8(TP_CHECKS);
  put8(TP_POOL_N);
  put8(run->timer);
  put8(0);
  for (uint32_t i = 0; i < TP_POOL_N; i++) {
    const struct tp_pool *pool = tp_pool_table[i];
    put16(pool->capacity);
    put16(pool->stride);
    put8(policy_code(pool->policy));
    put8(length_of(pool->name));
    put_text(pool->name);
  }
  end();
}

void telemetry_sample(uint32_t frame, uint64_t hash, uint32_t interrupts,
                      const struct pool_sample samples[TP_POOL_N])
{
  begin(SAMPLE, SAMPLE_BYTES + TP_POOL_N * POOL_BYTES);
  put32(frame);
  put64(hash);
  put32(interrupts);
  for (uint32_t i = 0; i < TP_POOL_N; i++) {
    const struct pool_sample *sample = &samples[i];
    put16(sample->live);
    put16(sample->peak);
    put16(sample->low);
    put16(sample->high);
    put32(sample->ledger.allocs);
    put32(sample->ledger.frees);
    put32(sample->ledger.steals);
    put32(sample->ledger.drops);
    put32(0);  // Spills.
    put32(sample->full_frames);
  }
  end();
}

static uint32_t index_of(const struct tp_pool *pool)
{
  for (uint32_t i = 0; i < TP_POOL_N; i++) {
    if (tp_pool_table[i] == pool) return i;
  }
  return 255;
}

void telemetry_fault(const struct tp_fault_record *record)
{
  begin(FAULT, 28);
  put32(record->frame);
  put8(record->kind);
  put8(index_of(record->pool));
  put16(record->slot);
  put32((uint32_t)(uintptr_t)record->address);
  put32(record->offset);
  put32(record->expected);
  put32(record->found);
  put32((uint32_t)(uintptr_t)record->caller);
  end();
}

void telemetry_done(uint32_t frame, uint64_t hash, uint32_t interrupts)
{
  begin(DONE, 16);
  put32(frame);
  put64(hash);
  put32(interrupts);
  end();
}

static void put_finding(uint32_t type, uint32_t frame,
                        const struct tp_pool *pool, uint32_t slot,
                        const char *text)
{
  begin(type, 8 + length_of(text));
  put32(frame);
  put8(index_of(pool));
  put8(0);
  put16(slot);
  put_text(text);
  end();
}

void telemetry_audit(uint32_t frame, const struct tp_pool *pool, uint32_t slot,
                     const char *text)
{
  put_finding(AUDIT, frame, pool, slot, text);
}

void telemetry_planted(uint32_t frame, const struct tp_pool *pool,
                       uint32_t slot, const char *name)
{
  put_finding(PLANTED, frame, pool, slot, name);
}
