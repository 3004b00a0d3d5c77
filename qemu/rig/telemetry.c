// SPDX-License-Identifier: MIT
#include "telemetry.h"

#include "board.h"
#include "run.h"
#include "site.h"
#include "tp_picture.h"
#include "tp_record.h"

enum { FIGURE = 8, FIGURES_READ = 9, COSTS = 10, SCENE = 11, REFUSALS = 12 };

void tp_soak_put(uint8_t byte)
{
  board_put(byte);
}

static uint32_t index_of(const struct tp_pool *pool)
{
  return pool ? tp_registry_find(&tp_registry, pool->name) : TP_RECORD_NO_POOL;
}

void telemetry_hello(const struct run *run)
{
  const struct tp_record_hello hello = {
      .registry = &tp_registry,
      .board = TIDEPOOL_BOARD_NAME,
      .seed = run->seed,
      .frames = run->frames,
      .checks = TP_CHECKS,
      .timer = run->interrupts == INTERRUPTS_BY_TIMER,
  };
  tp_record_hello(&hello);
}

void telemetry_fault(const struct tp_fault_record *record)
{
  tp_picture_send();
  tp_record_fault(record, tp_registry_find(&tp_registry, record->name));
}

void telemetry_audit(uint32_t frame, const struct tp_pool *pool, uint32_t slot,
                     const char *text)
{
  tp_record_audit(frame, index_of(pool), slot, text);
}

void telemetry_planted(uint32_t frame, const struct tp_pool *pool,
                       uint32_t slot, const char *name)
{
  tp_record_planted(frame, index_of(pool), slot, name);
}

static void put_figure(uint32_t index, const struct figure_words *words)
{
  tp_record_begin(FIGURE, 9 + tp_record_length(words->name) +
                              tp_record_length(words->unit));
  tp_record_put8(index);
  tp_record_put8(words->flat);
  tp_record_put16(0);
  tp_record_put32(0);  // Its drift is measured by its own highest value.
  tp_record_put_text(words->name);
  tp_record_put_text("|");
  tp_record_put_text(words->unit);
  tp_record_end();
}

void telemetry_figure_names(void)
{
  for (uint32_t i = 0; i < FIGURE_N; i++) put_figure(i, &figure_words[i]);
}

void telemetry_figures(uint32_t frame, const uint32_t values[FIGURE_N])
{
  tp_record_begin(FIGURES_READ, 4 + 4 * FIGURE_N);
  tp_record_put32(frame);
  for (uint32_t i = 0; i < FIGURE_N; i++) tp_record_put32(values[i]);
  tp_record_end();
}

static void put_costs(uint32_t site)
{
  uint32_t length = tp_record_length(site_names[site]);
  tp_record_begin(COSTS, 6 + length + 4 * SITE_BUCKETS);
  tp_record_put8(length);
  tp_record_put8(0);
  tp_record_put16(0);  // Where the first bucket begins.
  tp_record_put16(site_steps[site]);
  tp_record_put_text(site_names[site]);
  for (uint32_t i = 0; i < SITE_BUCKETS; i++) {
    tp_record_put32(site_uses[site].costs[i]);
  }
  tp_record_end();
}

void telemetry_costs(void)
{
  for (uint32_t i = 0; i < SITE_N; i++) put_costs(i);
}

void telemetry_scene(uint32_t frame, const char *name)
{
  tp_record_begin(SCENE, 4 + tp_record_length(name));
  tp_record_put32(frame);
  tp_record_put_text(name);
  tp_record_end();
}

void telemetry_refusals(void)
{
  for (uint32_t i = 0; i < SITE_REQUEST_N; i++) {
    tp_record_begin(REFUSALS, 8 + tp_record_length(site_names[i]));
    tp_record_put32(site_uses[i].requests);
    tp_record_put32(site_uses[i].refused);
    tp_record_put_text(site_names[i]);
    tp_record_end();
  }
}
