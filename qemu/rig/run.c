// SPDX-License-Identifier: MIT
#include "run.h"

#include "game.h"
#include "settings.h"

// The rest of [text] behind [prefix], or 0 iff it begins otherwise.
static const char *after(const char *text, const char *prefix)
{
  while (*prefix) {
    if (*text++ != *prefix++) return 0;
  }
  return text;
}

static int at_end(const char *text)
{
  return *text == ' ' || *text == 0;
}

static int is_word(const char *text, const char *word)
{
  const char *rest = after(text, word);
  return rest && at_end(rest);
}

// Reads a decimal number up to the next blank. Returns 0 iff there is none.
static int number(const char *text, uint64_t *value)
{
  *value = 0;
  if (at_end(text)) return 0;
  for (; !at_end(text); text++) {
    if (*text < '0' || *text > '9') return 0;
    *value = *value * 10 + (uint64_t)(*text - '0');
  }
  return 1;
}

static int number32(const char *text, uint32_t *value)
{
  uint64_t wide;
  int good = number(text, &wide);
  *value = (uint32_t)wide;
  return good && wide <= UINT32_MAX;
}

static int interrupts(const char *text, struct run *run)
{
  static const char *const names[] = {[INTERRUPTS_SCHEDULED] = "scheduled",
                                      [INTERRUPTS_BY_TIMER] = "timer",
                                      [INTERRUPTS_FIRST] = "first"};
  for (uint32_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    if (!is_word(text, names[i])) continue;
    run->interrupts = (enum interrupts)i;
    if (run->interrupts == INTERRUPTS_BY_TIMER) run->clock = false;
    return 1;
  }
  return 0;
}

static int plant(const char *text, struct run *run)
{
  for (enum plant what = PLANT_NOTHING + 1; what < PLANT_N; what++) {
    if (is_word(text, plant_name(what))) run->plant = what;
  }
  return run->plant != PLANT_NOTHING;
}

static int site(const char *text, struct run *run)
{
  for (uint32_t i = 0; i < SITE_REQUEST_N; i++) {
    if (is_word(text, site_names[i])) run->refusals.site = i;
  }
  return run->refusals.site != SITE_N;
}

// One of the scenario's numbers.
static int setting(const char *text)
{
  uint32_t *kept = settings_entry(text);
  if (!kept) return 0;
  while (*text++ != '=') {
  }
  return number32(text, kept);
}

static int argument(const char *text, struct run *run)
{
  const char *value;
  if (is_word(text, "soak")) return 1;
  if (is_word(text, "clock=none")) {
    run->clock = false;
    return 1;
  }
  if ((value = after(text, "seed="))) return number(value, &run->seed);
  if ((value = after(text, "frames="))) return number32(value, &run->frames);
  if ((value = after(text, "interrupts="))) return interrupts(value, run);
  if ((value = after(text, "plant="))) return plant(value, run);
  if ((value = after(text, "fail_nth="))) {
    return number32(value, &run->refusals.nth);
  }
  if ((value = after(text, "fail_per_million="))) {
    return number32(value, &run->refusals.per_million);
  }
  if ((value = after(text, "fail_site="))) return site(value, run);
  if ((value = after(text, "report_every="))) {
    return number32(value, &run->report_every);
  }
  if ((value = after(text, "picture_every="))) {
    return number32(value, &run->picture_every);
  }
  if ((value = after(text, "plant_frame="))) {
    return number32(value, &run->plant_frame);
  }
  return setting(text);
}

int run_parse(struct run *run, const char *arguments)
{
  *run = (struct run){.seed = 1,
                      .frames = 3600,
                      .clock = true,
                      .refusals = {.site = SITE_N},
                      .report_every = FRAMES_PER_SECOND,
                      .plant_frame = 600};
  while (*arguments) {
    if (*arguments == ' ') {
      arguments++;
      continue;
    }
    if (!argument(arguments, run)) return 0;
    while (!at_end(arguments)) arguments++;
  }
  return 1;
}
