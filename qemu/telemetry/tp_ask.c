// SPDX-License-Identifier: MIT
// tp_ask.c - puts the questions, a few a frame and by chance, catches the
// faults that they are answered with, and tells the host.
#include "tp_ask.h"

#include "core/tp_words.h"
#include "tp_port.h"
#include "tp_soak_size.h"

enum { QUESTION = 23, A_FRAME = 4, QUESTION_BYTES = 12 };
enum { QUESTIONS_MAX = TP_SOAK_SMALL ? 1 : 40 };

const struct tp_registry *tp_ask_registry;
volatile bool tp_ask_in_handler;
bool tp_ask_asking;

static const struct tp_question *questions[QUESTIONS_MAX];
static struct {
  uint32_t asked, wrong, first;  // The frame of the first wrong answer.
} answers[QUESTIONS_MAX];
static uint32_t count;
static uint32_t frames;  // In so many, from the first on.
static uint32_t chance;
static uint32_t put_now;  // The question that is being put.
static bool skipped;
// Of the compiler, which needs no C library: frame, place and stack.
typedef void *place_t[5];
static place_t *volatile resume;  // Where a fault is answered; NULL: nowhere.
static volatile uint32_t caught;

static void add(const struct tp_question *more)
{
  for (; more->name && count < QUESTIONS_MAX; more++) {
    questions[count++] = more;
  }
}

void tp_ask_begin(const struct tp_soak *soak)
{
  frames = TP_SOAK_SMALL ? 0 : (uint32_t)tp_soak_number("ask", 0);
  if (!frames) return;
  tp_ask_registry = soak->registry;
  chance = (uint32_t)soak->seed * 3266489917u | 1;
  add(tp_ask_free);
  add(tp_ask_pool);
  add(tp_ask_damage);
  add(tp_ask_other);
  add(tp_ask_lock);
}

uint32_t tp_ask_below(uint32_t bound)
{
  return (tp_soak_chance(&chance) >> 16) * bound >> 16;
}

// 0 but in an exception handler.
static uint32_t exception(void)
{
  uint32_t number = 0;
#ifdef __arm__
  __asm volatile("mrs %0, ipsr" : "=r"(number));
#endif
  return number;
}

uint32_t tp_ask_fault(tp_ask_deed *deed, const struct tp_pool *pool,
                      void *object)
{
  place_t here;
  place_t *volatile outer = resume;
  caught = TP_FAULT_NONE;
  if (__builtin_setjmp(here) == 0) {
    resume = &here;
    deed(pool, object);
  }
  resume = outer;
  return caught;
}

void tp_ask_do_alloc(const struct tp_pool *pool, void *object)
{
  (void)object;
  (void)tp_pool_alloc(pool);
}

void tp_ask_do_free(const struct tp_pool *pool, void *object)
{
  tp_pool_free(pool, object);
}

// What follows zeroed RAM, which is a pool with every slot free.
void tp_ask_empty(const struct tp_pool *pool)
{
  uint32_t links = (uint32_t)(pool->capacity + 1) * sizeof *pool->age;
  tp_clear_words(pool->state, sizeof *pool->state);
  tp_clear_words(pool->tag, (pool->capacity + 1u) * sizeof *pool->tag);
  if (pool->age) tp_clear_words(pool->age, links);
}

__attribute__((no_sanitize("address"), noinline)) uint32_t
tp_ask_peek(const void *word)
{
  return *(const volatile tp_word_t *)word;
}

__attribute__((no_sanitize("address"), noinline)) void tp_ask_flip(
    void *word, uint32_t bits)
{
  *(volatile tp_word_t *)word ^= bits;
}

static void tell(uint32_t index)
{
  const char *name = questions[index]->name;
  tp_record_begin(QUESTION, QUESTION_BYTES + tp_record_length(name));
  tp_record_put32(answers[index].asked);
  tp_record_put32(answers[index].wrong);
  tp_record_put32(answers[index].first);
  tp_record_put_text(name);
  tp_record_end();
}

void tp_ask_report(void)
{
  for (uint32_t i = 0; i < count; i++) tell(i);
}

static void empty_all(void)
{
  tp_ask_empty(&tp_ask_plain_pool);
  tp_ask_empty(&tp_ask_thief_pool);
  tp_ask_empty(&tp_ask_strict_pool);
  tp_ask_empty(&tp_ask_hurt_pool);
}

// Told at once: what comes of it may end the run.
static void note_wrong(uint32_t index)
{
  if (answers[index].wrong++ == 0) answers[index].first = tp_clock_now;
  if (answers[index].wrong == 1) tell(index);
}

// An answer with a fault that was not expected is a wrong one.
static bool is_right(const struct tp_question *question)
{
  place_t here;
  volatile bool right = false;
  if (__builtin_setjmp(here) == 0) {
    resume = &here;
    right = question->ask();
  }
  resume = NULL;
  return right;
}

// Not an assignment, which some compilers call memcpy() for.
static void copy(struct tp_fault_record *to, const struct tp_fault_record *from)
{
  tp_copy_words((tp_word_t *)to, (const tp_word_t *)from, sizeof *to / 4);
}

static void put(uint32_t index)
{
  if (TP_CHECKS < questions[index]->level) return;
  struct tp_fault_record before;
  copy(&before, &tp_fault_record);
  put_now = index;
  skipped = false;
  tp_ask_asking = true;
  bool right = is_right(questions[index]);
  tp_ask_lock_end();
  answers[index].asked += !skipped;
  if (!right) {
    note_wrong(index);
    empty_all();
  }
  tp_ask_asking = false;
  copy(&tp_fault_record, &before);
}

void tp_ask_frame(void)
{
  if (!frames) return;
  frames--;
  for (uint32_t i = 0; i < A_FRAME; i++) put(tp_ask_below(count));
}

void tp_ask_skip(void)
{
  skipped = true;
}

void tp_ask_caught(const struct tp_fault_record *record)
{
  if (tp_ask_asking && tp_ask_in_handler) note_wrong(put_now);
  if (!resume || exception() != 0) return;
  caught = record->kind;
  __builtin_longjmp(*resume, 1);
}
