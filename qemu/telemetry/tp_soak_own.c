// SPDX-License-Identifier: MIT
// tp_soak_own.c - what a firmware has to say of itself: figures, expectations,
// costs, scenes, and the settings of its own scenarios.
#include "core/tp_words.h"
#include "tp_soak.h"
#include "tp_soak_size.h"

enum {
  FIGURE = 8,
  FIGURES_READ = 9,
  COSTS = 10,
  SCENE = 11,
  SETTING = 13,
  EXPECTATION = 14
};
enum { COSTS_EVERY = 3600 };  // Frames, for what they are over time.

// The names of one kind that came so far, in the order in which they came.
struct names {
  const char **names;
  uint32_t count, most;
  const char *too_many;  // What is said of one more.
};

static const char *figure_names[TP_SOAK_FIGURES];
static const char *expectation_names[TP_SOAK_EXPECTATIONS];
static const char *cost_names[TP_SOAK_COSTS];

static struct names figures = {figure_names, 0, TP_SOAK_FIGURES,
                               "the firmware has too many figures"};
static struct names expectations = {expectation_names, 0, TP_SOAK_EXPECTATIONS,
                                    "the firmware has too many expectations"};
static struct names costs = {cost_names, 0, TP_SOAK_COSTS,
                             "the firmware has too many costs"};

static uint32_t values[TP_SOAK_FIGURES];
static struct {
  uint32_t asked, failed, first;  // The frame of the first failure.
} answers[TP_SOAK_EXPECTATIONS];
static struct {
  uint32_t step;
  uint32_t counts[TP_SOAK_BUCKETS];
} tallies[TP_SOAK_COSTS];
static uint32_t costs_told;  // When, but at the end.

// The index of [name], which is added if it is new; as many as there may be iff
// there is no room.
static uint32_t find(struct names *all, const char *name)
{
  uint32_t i = 0;
  while (i < all->count && !tp_text_same(all->names[i], name)) i++;
  if (i == all->most) {
    tp_record_audit(tp_clock_now, TP_RECORD_NO_POOL, 0, all->too_many);
  } else if (i == all->count) {
    all->names[all->count++] = name;
  }
  return i;
}

static void declare(uint32_t index, const char *unit, bool flat)
{
  const char *name = figures.names[index];
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
  uint32_t known = figures.count;
  uint32_t i = find(&figures, name);
  if (i == figures.most) return;
  if (i == known) declare(i, unit, flat);
  values[i] = value;
}

TP_STOPPED_AT void tp_soak_expect(const char *name, bool holds)
{
  uint32_t i = find(&expectations, name);
  if (i == expectations.most) return;
  answers[i].asked++;
  if (holds) return;
  if (answers[i].failed++ == 0) answers[i].first = tp_clock_now;
}

void tp_soak_cost(const char *name, uint32_t step, uint32_t cost)
{
  uint32_t i = find(&costs, name), bucket = 0, last = TP_SOAK_BUCKETS - 1;
  if (i == costs.most) return;
  while (bucket < last && cost >= (bucket + 1) * step) bucket++;
  tallies[i].step = step;
  tallies[i].counts[bucket]++;
}

static void put_named(uint32_t type, uint32_t number, const char *name)
{
  tp_record_begin(type, 4 + tp_record_length(name));
  tp_record_put32(number);
  tp_record_put_text(name);
  tp_record_end();
}

void tp_soak_scene(const char *name)
{
  put_named(SCENE, tp_clock_now, name);
}

uint32_t tp_soak_setting(const char *name, uint32_t otherwise)
{
  uint32_t value = (uint32_t)tp_soak_number(name, otherwise);
  put_named(SETTING, value, name);
  return value;
}

static void put_costs(uint32_t index)
{
  const char *name = costs.names[index];
  uint32_t length = tp_record_length(name);
  tp_record_begin(COSTS, 6 + length + 4 * TP_SOAK_BUCKETS);
  tp_record_put8(length);
  tp_record_put8(0);
  tp_record_put16(0);  // Where the first bucket begins.
  tp_record_put16(tallies[index].step);
  tp_record_put_text(name);
  for (uint32_t i = 0; i < TP_SOAK_BUCKETS; i++) {
    tp_record_put32(tallies[index].counts[i]);
  }
  tp_record_end();
}

static void put_expectation(uint32_t index)
{
  const char *name = expectations.names[index];
  tp_record_begin(EXPECTATION, 12 + tp_record_length(name));
  tp_record_put32(answers[index].asked);
  tp_record_put32(answers[index].failed);
  tp_record_put32(answers[index].first);
  tp_record_put_text(name);
  tp_record_end();
}

static void put_all_costs(void)
{
  for (uint32_t i = 0; i < costs.count; i++) put_costs(i);
}

void tp_soak_own_report(void)
{
  if (tp_clock_now - costs_told >= COSTS_EVERY) {
    costs_told = tp_clock_now;
    put_all_costs();
  }
  if (!figures.count) return;
  tp_record_begin(FIGURES_READ, 4 + 4 * figures.count);
  tp_record_put32(tp_clock_now);
  for (uint32_t i = 0; i < figures.count; i++) tp_record_put32(values[i]);
  tp_record_end();
}

void tp_soak_own_end(void)
{
  put_all_costs();
  for (uint32_t i = 0; i < expectations.count; i++) put_expectation(i);
}
