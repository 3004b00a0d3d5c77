// SPDX-License-Identifier: MIT
#include "telemetry.h"

#include "board.h"
#include "run.h"
#include "site.h"

enum {
  HELLO = 1,
  SAMPLE = 2,
  FAULT = 3,
  DONE = 4,
  AUDIT = 6,
  PLANTED = 7,
  FIGURE = 8,
  FIGURES_READ = 9,
  COSTS = 10,
  SCENE = 11,
  REFUSALS = 12
};
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

void telemetry_hello(const struct run *run)
{
  uint32_t length = HELLO_BYTES;
  for (uint32_t i = 0; i < ROSTER_N; i++) {
    length += 6 + length_of(roster[i].pool->name);
  }
  begin(HELLO, length);
  put32(1);
  put32(TP_CONFIG_HASH);
  put64(run->seed);
  put32(run->frames);
  put32(FRAMES_PER_SECOND);
  put8(TP_CHECKS);
  put8(ROSTER_N);
  put8(run->timer);
  put8(0);
  for (uint32_t i = 0; i < ROSTER_N; i++) {
    const struct tp_pool *pool = roster[i].pool;
    put16(roster[i].capacity);
    put16(pool->stride);
    put8(roster[i].policy);
    put8(length_of(pool->name));
    put_text(pool->name);
  }
  end();
}

void telemetry_sample(uint32_t frame, uint64_t hash, uint32_t interrupts,
                      const struct pool_sample samples[ROSTER_N])
{
  begin(SAMPLE, SAMPLE_BYTES + ROSTER_N * POOL_BYTES);
  put32(frame);
  put64(hash);
  put32(interrupts);
  for (uint32_t i = 0; i < ROSTER_N; i++) {
    const struct pool_sample *sample = &samples[i];
    put16(sample->live);
    put16(sample->peak);
    put16(sample->low);
    put16(sample->high);
    put32(sample->ledger.allocs);
    put32(sample->ledger.frees);
    put32(sample->ledger.steals);
    put32(sample->ledger.drops);
    put32(sample->ledger.spills);
    put32(sample->full_frames);
  }
  end();
}

void telemetry_fault(const struct tp_fault_record *record)
{
  begin(FAULT, 28);
  put32(record->frame);
  put8(record->kind);
  put8(roster_index(record->pool));
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
  put8(roster_index(pool));
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

static void put_figure(uint32_t index, const struct figure_words *words)
{
  begin(FIGURE, 9 + length_of(words->name) + length_of(words->unit));
  put8(index);
  put8(words->flat);
  put16(0);
  put32(0);  // Its drift is measured by its own highest value.
  put_text(words->name);
  put_text("|");
  put_text(words->unit);
  end();
}

void telemetry_figure_names(void)
{
  for (uint32_t i = 0; i < FIGURE_N; i++) put_figure(i, &figure_words[i]);
}

void telemetry_figures(uint32_t frame, const uint32_t values[FIGURE_N])
{
  begin(FIGURES_READ, 4 + 4 * FIGURE_N);
  put32(frame);
  for (uint32_t i = 0; i < FIGURE_N; i++) put32(values[i]);
  end();
}

static void put_costs(uint32_t site)
{
  uint32_t length = length_of(site_names[site]);
  begin(COSTS, 6 + length + 4 * SITE_BUCKETS);
  put8(length);
  put8(0);
  put16(0);  // Where the first bucket begins.
  put16(site_steps[site]);
  put_text(site_names[site]);
  for (uint32_t i = 0; i < SITE_BUCKETS; i++) {
    put32(site_uses[site].costs[i]);
  }
  end();
}

void telemetry_costs(void)
{
  for (uint32_t i = 0; i < SITE_N; i++) put_costs(i);
}

void telemetry_scene(uint32_t frame, const char *name)
{
  begin(SCENE, 4 + length_of(name));
  put32(frame);
  put_text(name);
  end();
}

void telemetry_refusals(void)
{
  for (uint32_t i = 0; i < SITE_REQUEST_N; i++) {
    begin(REFUSALS, 8 + length_of(site_names[i]));
    put32(site_uses[i].requests);
    put32(site_uses[i].refused);
    put_text(site_names[i]);
    end();
  }
}
