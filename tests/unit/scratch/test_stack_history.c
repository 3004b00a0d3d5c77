// SPDX-License-Identifier: MIT
// Random pushes, marks and pops beside a model: a list of what must be there.
#include "scratch.h"

enum { OBJECTS = 64, MARKS = 12, STEPS = 200000 };

struct object {
  tp_word_t *words;
  uint32_t end;    // Offset behind it.
  uint32_t stamp;  // What its first and its last word say.
};

static struct object objects[OBJECTS];
static uint32_t object_count;
static struct {
  struct tp_mark mark;
  uint32_t objects;  // As many there were.
} marks[MARKS];
static uint32_t mark_count, refused, peak;

static uint32_t model_used(void)
{
  return object_count ? objects[object_count - 1].end : 0;
}

// Where an object of [size] would end, by plain counting.
static uint32_t end_of(uint32_t size, uint32_t align)
{
  uintptr_t start = (uintptr_t)level_stack.region.storage;
  uint32_t offset = model_used();
  while ((start + offset) % align) offset++;
  offset += size;
  while (offset % 4) offset++;
  return offset;
}

static void push(void)
{
  uint32_t size = tp_test_random() % 40 + 1;
  uint32_t align = 1u << tp_test_random() % 6;
  uint32_t end = end_of(size, align < 4 ? 4 : align);
  if (object_count == OBJECTS) return;

  tp_word_t *words = level_alloc(size, align);

  CHECK((words != NULL) == (end <= 256));
  refused += !words;
  if (!words) return;
  CHECK_EQ((uintptr_t)words % align, 0);
  uint32_t whole = (size + 3) / 4;
  CHECK((uintptr_t)(words + whole) ==
        (uintptr_t)level_stack.region.storage + end);
  uint32_t stamp = tp_test_random();
  words[0] = stamp;
  words[whole - 1] = stamp;
  objects[object_count++] = (struct object){words, end, stamp};
  if (peak < end) peak = end;
}

static void mark(void)
{
  if (mark_count == MARKS) return;
  marks[mark_count].mark = level_mark();
  marks[mark_count++].objects = object_count;
}

static void pop(void)
{
  if (mark_count == 0) return;
  uint32_t before = model_used();
  level_release(marks[--mark_count].mark);
  object_count = marks[mark_count].objects;
  if (TP_CHECKS < TP_CHECKS_POISON) return;
  uint32_t used = model_used();
  CHECK(
      all_are(level_stack.region.storage + used / 4, before - used, TP_POISON));
}

static void stack_is_as_the_model_says(void)
{
  CHECK_EQ(stack_stats(&level_stack).live, model_used());
  CHECK_EQ(stack_stats(&level_stack).peak, peak);
  CHECK_EQ(stack_stats(&level_stack).refused, refused);
  if (object_count == 0) return;
  struct object *newest = &objects[object_count - 1];
  uintptr_t end = (uintptr_t)level_stack.region.storage + newest->end;
  CHECK_EQ(newest->words[0], newest->stamp);
  CHECK_EQ(word_at((const tp_word_t *)end - 1), newest->stamp);
}

static void random_pushes_and_pops_agree_with_a_model(void)
{
  forget_stack(&level_stack);
  tp_test_seed(14);
  for (uint32_t step = 0; step < STEPS; step++) {
    uint32_t dice = tp_test_random() % 8;
    if (dice < 4) push();
    if (dice == 4 || dice == 5) mark();
    if (dice > 5) pop();
    stack_is_as_the_model_says();
  }
  CHECK(refused > STEPS / 100);
  CHECK(peak > 200);
}

void suite_stack_history(void)
{
  RUN(random_pushes_and_pops_agree_with_a_model);
}
