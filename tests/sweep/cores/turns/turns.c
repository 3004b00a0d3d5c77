// SPDX-License-Identifier: MIT
#include "turns.h"

#include <setjmp.h>
#include <string.h>
#include <ucontext.h>

#include "deeds.h"
#include "tp_cores_port.h"

enum { STACK = 65536, CORES = 2 };

static ucontext_t contexts[CORES], outside;
static char stacks[CORES][STACK];
static jmp_buf cores[CORES], home;
static bool ended[CORES], waits[CORES], runs, taken;
static uint32_t core, next;
static uint32_t depth[CORES];  // In functions of the library.
static void (*play)(uint32_t core);
static const struct turns *asked;
static struct trace *seen;
static const char *failure;

static void go_on(uint32_t other)
{
  if (_setjmp(cores[core]) != 0) return;
  core = other;
  _longjmp(cores[other], 1);
}

static void end(void)
{
  ended[core] = true;
  if (!ended[!core]) {
    go_on(!core);
    return;
  }
  if (_setjmp(cores[core]) == 0) _longjmp(home, 1);
}

// A core: a script, again and again. It begins by going back to where it was
// set up.
static void enter(void)
{
  uint32_t self = core;
  if (_setjmp(cores[self]) == 0) setcontext(&outside);
  for (;;) {
    if (runs) deeds_note_script(self);
    play(self);
    end();
  }
}

void turns_setup(void (*script)(uint32_t core))
{
  play = script;
  for (core = 0; core < CORES; core++) {
    getcontext(&contexts[core]);
    contexts[core].uc_stack.ss_sp = stacks[core];
    contexts[core].uc_stack.ss_size = STACK;
    makecontext(&contexts[core], enter, 0);
    swapcontext(&outside, &contexts[core]);
  }
}

const char *turns_run(const struct turns *turns, struct trace *trace)
{
  asked = turns;
  seen = trace;
  seen->points = 0;
  next = 0;
  core = 0;
  taken = false;
  failure = NULL;
  memset(ended, 0, sizeof ended);
  memset(waits, 0, sizeof waits);
  memset(depth, 0, sizeof depth);
  deeds_begin();
  runs = true;
  if (_setjmp(home) == 0) _longjmp(cores[0], 1);
  runs = false;
  seen->same = deeds_same();
  return failure;
}

void turns_fail(const char *why)
{
  failure = why;
  _longjmp(home, 1);
}

void turns_point(const void *place, size_t bytes, bool writes)
{
  if (!runs) return;
  uint32_t point = seen->points++;
  if (point >= POINTS_MOST) turns_fail("a core does not get on");
  seen->open[point] = !ended[!core] && !(waits[!core] && taken);
  if (next < asked->count && asked->at[next] == point) {
    next++;
    deeds_switch();
    go_on(!core);
  }
  deeds_note(core, place, bytes, writes, true);
}

void turns_enter(void)
{
  depth[core]++;
}

void turns_leave(void)
{
  if (--depth[core] == 0 && runs) deeds_note_script(core);
}

uint32_t turns_core(void)
{
  return TURNS_ALIKE ? 0 : core;
}

// The other core has it, and goes on.
static void wait(void)
{
  uint32_t self = core;
  waits[self] = true;
  go_on(!self);
  waits[self] = false;
  deeds_note(self, &taken, sizeof taken, true, false);
}

bool tp_cores_port_take(void)
{
  turns_point(&taken, sizeof taken, true);
  if (taken && runs) wait();
  if (taken) return false;
  taken = true;
  return true;
}

void tp_cores_port_give(void)
{
  turns_point(&taken, sizeof taken, true);
  taken = false;
}
