// SPDX-License-Identifier: MIT
// Tasks that wait for a slot of a full pool, by the port of tests/unit/wait:
// what others do while one sleeps is calls too, which may wait in turn. So who
// waits inside returns first, whoever was served first.
#include <string.h>

#include "fuzz.h"
#include "model.h"
#include "object/tp_build.h"
#include "policy/tp_wait.h"
#include "tp_port.h"

enum { TASKS = 4, ENDLESS = 16 };

enum phase { WAITS, SERVED, SENT_AWAY };

// A task that asked and has no answer yet.
struct task {
  enum phase phase;
  uint32_t urgency, slot;
};

static struct {
  struct model model;
  struct tp_pool pool;
  struct tp_wait wait;
  struct task tasks[TASKS];
  uint32_t asleep;        // So many of them, each within the one before.
  uint32_t queue[TASKS];  // Who waits, the next first.
  uint32_t queued;
  uint32_t
      number[SLOTS_MOST + 1];  // Of the object in a slot, 0: nobody has it.
  uint32_t numbers, refused, urgency;
  bool can_sleep, counts;
} now;

static tp_word_t *words_of(uint32_t slot)
{
  return now.pool.storage + (slot - 1) * (now.pool.stride / 4u);
}

static bool is_live(uint32_t slot)
{
  return model_is_live(&now.model, slot);
}

// Who waits -------------------------------------------------------------------

static void join(uint32_t task)
{
  uint32_t at = now.queued++;
  for (; at > 0; at--) {
    uint32_t before = now.queue[at - 1];
    if (now.tasks[before].urgency >= now.tasks[task].urgency) break;
    now.queue[at] = before;
  }
  now.queue[at] = task;
}

static void leave(uint32_t task)
{
  uint32_t kept = 0;
  for (uint32_t i = 0; i < now.queued; i++) {
    if (now.queue[i] != task) now.queue[kept++] = now.queue[i];
  }
  now.queued = kept;
}

// What is free goes to those who wait.
static void serve(void)
{
  while (now.queued > 0) {
    int slot = model_alloc(&now.model, DROPS);
    if (slot == MODEL_NULL) return;
    struct task *task = &now.tasks[now.queue[0]];
    task->phase = SERVED;
    task->slot = (uint32_t)slot;
    leave(now.queue[0]);
  }
}

static uint32_t send_away(void)
{
  uint32_t count = now.queued;
  for (; now.queued > 0; leave(now.queue[0])) {
    now.tasks[now.queue[0]].phase = SENT_AWAY;
  }
  return count;
}

static bool is_any_served(void)
{
  uint32_t served = 0;
  for (uint32_t i = 0; i < now.asleep; i++) {
    served += now.tasks[i].phase == SERVED;
  }
  return served > 0;
}

// After each call ------------------------------------------------------------

static void check_all(void)
{
  struct tp_stats stats;
  for (uint32_t slot = 1; slot <= now.pool.capacity; slot++) {
    if (!is_live(slot) || now.number[slot] == 0) continue;
    EXPECT(tp_is_filled(words_of(slot), now.pool.size, now.number[slot]));
  }
  EXPECT(tp_wait_is_awaited(&now.wait) == (now.queued > 0));
  EXPECT(tp_pool_verify(&now.pool, NULL));
  tp_pool_stats(&now.pool, &stats);
  if (!now.counts) return;
  EXPECT(stats.live == now.model.home.lives && stats.refused == now.refused);
}

// Calls -----------------------------------------------------------------------

static void begin_life(const void *object, uint32_t slot)
{
  EXPECT(object == words_of(slot) && is_live(slot));
  EXPECT(fuzz_is_new(object, now.pool.size));
  now.number[slot] = ++now.numbers;
  tp_fill(words_of(slot), now.pool.size, now.number[slot]);
}

// Of a request that does not wait: before those who do.
static void answered(const void *object, int wanted)
{
  if (wanted == MODEL_NULL) {
    EXPECT(object == NULL);
    now.refused++;
  } else {
    begin_life(object, (uint32_t)wanted);
  }
}

static void alloc(void)
{
  void *object = NULL;
  int wanted = model_alloc(&now.model, DROPS);
  now.can_sleep = fuzz_below(2);
  GOOD(object = now.can_sleep ? tp_wait_alloc(&now.wait, 0)
                              : tp_pool_alloc(&now.pool));
  now.can_sleep = false;
  answered(object, wanted);
}

// The call is not within GOOD: others are made within it, each for itself.
static void wait(void)
{
  uint32_t number = now.asleep;
  struct task *task = &now.tasks[number];
  uint32_t ticks = fuzz_below(8);
  if (number == TASKS) return;
  *task = (struct task){WAITS, fuzz_below(3), 0};
  int wanted = now.queued == 0 ? model_alloc(&now.model, DROPS) : MODEL_NULL;
  now.asleep++;
  if (wanted == MODEL_NULL) {
    join(number);
    serve();
  } else {
    task->phase = SERVED;
    task->slot = (uint32_t)wanted;
  }
  now.urgency = task->urgency;
  now.can_sleep = true;
  void *object =
      tp_wait_alloc(&now.wait, ticks < 7 ? ticks + 1 : TP_WAIT_FOREVER);
  now.can_sleep = false;
  EXPECT(tp_port_depth == 0);
  now.asleep = number;
  leave(number);  // Nobody came in time.
  answered(object, task->phase == SERVED ? (int)task->slot : MODEL_NULL);
}

// A live object that somebody has; 0: there is none.
static uint32_t any_held(void)
{
  uint32_t first = fuzz_below(now.pool.capacity);
  for (uint32_t i = 0; i < now.pool.capacity; i++) {
    uint32_t slot = (first + i) % now.pool.capacity + 1;
    if (is_live(slot) && now.number[slot] != 0) return slot;
  }
  return 0;
}

static void free_one(void)
{
  uint32_t slot = any_held();
  bool hands_on = fuzz_below(4) > 0;
  if (slot == 0) return;
  model_free(&now.model, slot);
  now.number[slot] = 0;
  if (hands_on) {
    serve();
    GOOD(tp_wait_free(&now.wait, words_of(slot)));
  } else {
    GOOD(tp_pool_free(&now.pool, words_of(slot)));
  }
}

static void hand_over(void)
{
  serve();
  GOOD(tp_wait_serve(&now.wait));
}

static void cancel(void)
{
  uint32_t gone = 0;
  if (fuzz_below(4)) return;
  GOOD(gone = tp_wait_cancel(&now.wait));
  EXPECT(gone == send_away());
}

// Who was served has an object of it, and does not know of that yet.
static void reset(void)
{
  if (fuzz_below(4) || is_any_served()) return;
  GOOD(tp_pool_reset(&now.pool));
  model_reset(&now.model, now.counts);
  memset(now.number, 0, sizeof now.number);
  hand_over();
}

static void call_wrongly(void)
{
  uint32_t slot = 1 + fuzz_below(now.pool.capacity);
  char *interior = (char *)words_of(1) + 4;
  if (TP_CHECKS == 0) return;
  WRONG(TP_FAULT_CONTEXT, tp_wait_alloc(&now.wait, 1));
  WRONG(TP_FAULT_INTERIOR, tp_wait_free(&now.wait, interior));
  WRONG(TP_FAULT_FOREIGN, tp_wait_free(&now.wait, NULL));
  if (is_live(slot)) return;
  WRONG(TP_FAULT_DOUBLE_FREE, tp_wait_free(&now.wait, words_of(slot)));
}

static void (*const calls[])(void) = {
    alloc,    wait,      wait,   wait,  free_one,    free_one,
    free_one, hand_over, cancel, reset, call_wrongly};
enum { CALLS = sizeof calls / sizeof calls[0] };

// The port --------------------------------------------------------------------

bool tp_wait_port_can_sleep(void)
{
  return now.can_sleep;
}

uint32_t tp_wait_port_urgency(void)
{
  return now.urgency;
}

void tp_wait_port_prepare(struct tp_wait_sleeper *sleeper)
{
  sleeper->woken = false;
}

void tp_wait_port_end(struct tp_wait_sleeper *sleeper)
{
  EXPECT(tp_port_depth == 0);
  (void)sleeper;
}

void tp_wait_port_wake(struct tp_wait_sleeper *sleeper)
{
  EXPECT(tp_port_depth == 0 && !sleeper->woken);
  sleeper->woken = true;
}

// A tick is a call of another. Who sleeps without end is sent away at last. One
// that is woken at the very end of its time may be told that it is over: then
// it sleeps again, to hear of it.
bool tp_wait_port_sleep(struct tp_wait_sleeper *sleeper, uint32_t ticks)
{
  EXPECT(tp_port_depth == 0);
  now.can_sleep = false;
  bool endless = ticks == TP_WAIT_FOREVER;
  for (uint32_t i = 0; i < (endless ? ENDLESS : ticks); i++) {
    if (sleeper->woken) return endless || fuzz_below(4) > 0;
    calls[fuzz_below(CALLS)]();
    check_all();
  }
  if (endless && !sleeper->woken) {
    uint32_t gone = tp_wait_cancel(&now.wait);
    EXPECT(gone == send_away() && sleeper->woken);
  }
  return sleeper->woken && (endless || fuzz_below(4) > 0);
}

// The beginning ---------------------------------------------------------------

static void begin(void)
{
  memset(&now, 0, sizeof now);
  struct tp_build row = {.size = (uint16_t)(4 * (1 + fuzz_below(4))),
                         .count = (tp_slot_t)(1 + fuzz_below(4)),
                         .align = 8,
                         .tagged = (uint8_t)fuzz_below(2),
                         .refuses = 1,
                         .policy = &tp_drop};
  now.counts = TP_CHECKS > 0 || row.tagged;
  tp_pool_build(&now.pool, "awaited", &row,
                fuzz_memory(tp_build_bytes(&row), 0));
  model_begin(&now.model, DROPS, row.count);
  now.wait =
      (struct tp_wait){&now.pool, fuzz_memory(sizeof(struct tp_wait_state), 0)};
}

const struct world fuzz_waits = {
    .name = "waits",
    .begin = begin,
    .calls = calls,
    .count = CALLS,
    .end_in = CALLS,
    .check = check_all,
};
