// SPDX-License-Identifier: MIT
// Every script of up to eight steps, each at one of the two ends: take, mark
// or release. A tree is searched: each step is taken once for all scripts that
// begin alike, and undone by putting state and memory back.
#include "scratch.h"

enum { LENGTH = 8, WORDS = 10, STEPS = 6 };

// What the model knows: the objects and marks of each end.
struct model {
  uint8_t objects[2];       // How many.
  uint8_t from[2][LENGTH];  // Offsets where they begin
  uint8_t to[2][LENGTH];    // and end.
  uint8_t marks[2];         // How many.
  uint8_t objects_at[2][LENGTH];
  struct tp_mark mark[2][LENGTH];
};

static struct model model;
static uint32_t scripts;

static uint32_t model_used(enum tp_end end)
{
  uint32_t count = model.objects[end];
  if (count == 0) return 0;
  return end == TP_LOW ? model.to[end][count - 1]
                       : WORDS * 4u - model.from[end][count - 1];
}

static bool overlaps_another(uint32_t from, uint32_t to)
{
  for (uint32_t end = 0; end < 2; end++) {
    for (uint32_t i = 0; i < model.objects[end]; i++) {
      if (from < model.to[end][i] && to > model.from[end][i]) return true;
    }
  }
  return false;
}

// At the low end 12 bytes, at the high end 5, which take 8.
static void take(enum tp_end end)
{
  uint32_t size = end == TP_LOW ? 12 : 8;
  uint32_t room = WORDS * 4 - model_used(TP_LOW) - model_used(TP_HIGH);
  void *object = narrow_alloc(end, end == TP_LOW ? 12 : 5, 4);
  CHECK((object != NULL) == (size <= room));
  if (!object) return;
  uint32_t from =
      (uint32_t)((uintptr_t)object - (uintptr_t)narrow_dstack.region.storage);
  CHECK(from + size <= WORDS * 4);
  CHECK(!overlaps_another(from, from + size));
  model.from[end][model.objects[end]] = (uint8_t)from;
  model.to[end][model.objects[end]++] = (uint8_t)(from + size);
}

static void mark(enum tp_end end)
{
  uint32_t count = model.marks[end]++;
  model.mark[end][count] = narrow_mark(end);
  model.objects_at[end][count] = model.objects[end];
}

static void release(enum tp_end end)
{
  uint32_t newest = --model.marks[end];
  narrow_release(end, model.mark[end][newest]);
  model.objects[end] = model.objects_at[end][newest];
}

// Low at most high, and the sum conserved.
static void ends_are_as_the_model_says(void)
{
  uint32_t low = dstack_stats(&narrow_dstack, TP_LOW).live;
  uint32_t high = dstack_stats(&narrow_dstack, TP_HIGH).live;
  CHECK_EQ(low, model_used(TP_LOW));
  CHECK_EQ(high, model_used(TP_HIGH));
  CHECK(low <= WORDS * 4 - high);
  CHECK_EQ(low + high + tp_dstack_room(&narrow_dstack), WORDS * 4);
}

// Takes [step] and returns true; false iff there is nothing to release.
static bool take_step(uint32_t step)
{
  enum tp_end end = (enum tp_end)(step & 1);
  if (step / 2 == 2 && model.marks[end] == 0) return false;
  if (step / 2 == 0) take(end);
  if (step / 2 == 1) mark(end);
  if (step / 2 == 2) release(end);
  ends_are_as_the_model_says();
  return true;
}

static struct saved {
  struct model model;
  struct tp_dstack_state state;
  uint32_t words[WORDS];
} saved[LENGTH];

static void save(struct saved *to)
{
  to->model = model;
  to->state = *narrow_dstack.state;
  for (uint32_t i = 0; i < WORDS; i++) {
    to->words[i] = narrow_dstack.region.storage[i];
  }
}

static void restore(const struct saved *from)
{
  model = from->model;
  *narrow_dstack.state = from->state;
  for (uint32_t i = 0; i < WORDS; i++) {
    narrow_dstack.region.storage[i] = from->words[i];
  }
}

static void search(uint32_t depth)
{
  scripts++;
  if (depth == LENGTH) return;
  save(&saved[depth]);
  for (uint32_t step = 0; step < STEPS; step++) {
    if (take_step(step)) search(depth + 1);
    restore(&saved[depth]);
  }
}

static void every_script_of_eight_steps_keeps_the_ends_apart(void)
{
  forget_dstack(&narrow_dstack);
  model = (struct model){0};
  scripts = 0;
  search(0);
  CHECK(scripts > 400000);
}

void suite_dstack_scripts(void)
{
  RUN(every_script_of_eight_steps_keeps_the_ends_apart);
}
