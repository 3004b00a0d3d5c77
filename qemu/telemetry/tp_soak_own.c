// SPDX-License-Identifier: MIT
// tp_soak_own.c - what a firmware has to say of itself: figures, expectations,
// costs, scenes, and the settings of its own scenarios.
#include "tp_soak.h"

enum {
  FIGURE = 8,
  FIGURES_READ = 9,
  COSTS = 10,
  SCENE = 11,
  SETTING = 13,
  EXPECTATION = 14
};
enum { FIGURES = 32, EXPECTATIONS = 32, COSTED = 16, BUCKETS = 12 };

static struct {
  const char *name;
  uint32_t value;
} figures[FIGURES];
static uint32_t figure_count;

static struct {
  const char *name;
  uint32_t asked, failed, first;  // The frame of the first failure.
} expectations[EXPECTATIONS];
static uint32_t expectation_count;

static struct {
  const char *name;
  uint32_t step;
  uint32_t counts[BUCKETS];
} costs[COSTED];
static uint32_t cost_count;

static bool same(const char *a, const char *b)
{
  while (*a && *a == *b) a++, b++;
  return *a == *b;
}

static void too_many(const char *what)
{
  tp_record_audit(tp_clock_now, TP_RECORD_NO_POOL, 0, what);
}

static void declare(uint32_t index, const char *name, const char *unit,
                    bool flat)
{
  uint32_t length = tp_record_length(name) + 1 + tp_record_length(unit);
  tp_record_begin(FIGURE, 8 + length);
  tp_record_put8(index);
  tp_record_put8(flat);
  tp_record_put16(0);
  tp_record_put32(0);  // Its drift is measured by its own highest value.
  tp_record_put_text(name);
  tp_record_put_text("|");
  tp_record_put_text(unit);
  tp_record_end();
}

void tp_soak_figure(const char *name, const char *unit, uint32_t value,
                    bool flat)
{
  uint32_t i = 0;
  while (i < figure_count && !same(figures[i].name, name)) i++;
  if (i == FIGURES) {
    too_many("the firmware has more than 32 figures");
    return;
  }
  if (i == figure_count) {
    figures[figure_count++].name = name;
    declare(i, name, unit, flat);
  }
  figures[i].value = value;
}

void tp_soak_expect(const char *name, bool holds)
{
  uint32_t i = 0;
  while (i < expectation_count && !same(expectations[i].name, name)) i++;
  if (i == EXPECTATIONS) {
    too_many("the firmware has more than 32 expectations");
    return;
  }
  if (i == expectation_count) expectations[expectation_count++].name = name;
  expectations[i].asked++;
  if (holds) return;
  if (expectations[i].failed++ == 0) expectations[i].first = tp_clock_now;
}

void tp_soak_cost(const char *name, uint32_t step, uint32_t cost)
{
  uint32_t i = 0, bucket = 0;
  while (i < cost_count && !same(costs[i].name, name)) i++;
  if (i == COSTED) {
    too_many("the firmware has more than 16 costs");
    return;
  }
  if (i == cost_count) {
    costs[cost_count].name = name;
    costs[cost_count++].step = step;
  }
  while (bucket < BUCKETS - 1 && cost >= (bucket + 1) * costs[i].step) bucket++;
  costs[i].counts[bucket]++;
}

void tp_soak_scene(const char *name)
{
  tp_record_begin(SCENE, 4 + tp_record_length(name));
  tp_record_put32(tp_clock_now);
  tp_record_put_text(name);
  tp_record_end();
}

uint32_t tp_soak_setting(const char *name, uint32_t otherwise)
{
  uint32_t value = (uint32_t)tp_soak_number(name, otherwise);
  tp_record_begin(SETTING, 4 + tp_record_length(name));
  tp_record_put32(value);
  tp_record_put_text(name);
  tp_record_end();
  return value;
}

static void put_costs(uint32_t index)
{
  uint32_t length = tp_record_length(costs[index].name);
  tp_record_begin(COSTS, 6 + length + 4 * BUCKETS);
  tp_record_put8(length);
  tp_record_put8(0);
  tp_record_put16(0);  // Where the first bucket begins.
  tp_record_put16(costs[index].step);
  tp_record_put_text(costs[index].name);
  for (uint32_t i = 0; i < BUCKETS; i++) {
    tp_record_put32(costs[index].counts[i]);
  }
  tp_record_end();
}

static void put_expectation(uint32_t index)
{
  const char *name = expectations[index].name;
  tp_record_begin(EXPECTATION, 12 + tp_record_length(name));
  tp_record_put32(expectations[index].asked);
  tp_record_put32(expectations[index].failed);
  tp_record_put32(expectations[index].first);
  tp_record_put_text(name);
  tp_record_end();
}

void tp_soak_own_report(void)
{
  if (!figure_count) return;
  tp_record_begin(FIGURES_READ, 4 + 4 * figure_count);
  tp_record_put32(tp_clock_now);
  for (uint32_t i = 0; i < figure_count; i++) tp_record_put32(figures[i].value);
  tp_record_end();
}

void tp_soak_own_end(void)
{
  for (uint32_t i = 0; i < cost_count; i++) put_costs(i);
  for (uint32_t i = 0; i < expectation_count; i++) put_expectation(i);
}
