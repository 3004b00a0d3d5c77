// SPDX-License-Identifier: MIT
// tp_soak_callers.c - who calls what: each request, free and wait is held
// against the contexts that its row names. On the host nobody is told apart.
#include "check/tp_called.h"
#include "check/tp_check.h"
#include "core/tp_cores.h"
#include "core/tp_words.h"
#include "tp_port.h"
#include "tp_soak.h"
#include "tp_soak_size.h"

#pragma weak tp_called_rows  // None where no row names anybody.

enum { STRANGER = 24, CALLER = 25 };

#ifdef TP_PORT_CONTEXT
enum { TOLD_APART = 1 };
#else
enum { TOLD_APART = 0 };
#define TP_PORT_CONTEXT() 0u
#endif

// In place of the priority of an NMI or a HardFault, which no row can name.
enum { NO_PRIORITY = 0xffff };

#define NVIC_IPR  0xe000e400u
#define SCB_VTOR  0xe000ed08u
#define SCB_SHPR1 0xe000ed18u

#define EXC_RETURN 0xf0000000u  // From here on: it ends a handler.

// One who called what his row does not say.
struct stranger {
  const struct tp_called *row;
  const void *caller;  // Where the call returns to.
  const char *task;    // What the application calls it; NULL: nothing.
  uint32_t frame;
  uint16_t exception;  // Its number; 0: a task.
  uint16_t priority;   // As struct tp_caller has it; NO_PRIORITY.
  uint8_t call;        // TP_CALLS_ALLOC or another.
};

static const struct tp_soak *running;  // NULL: nobody is looked at.
static struct stranger strangers[TP_SOAK_STRANGERS];
static uint32_t strangers_met, strangers_told;
bool tp_soak_between;

void tp_soak_callers_begin(const struct tp_soak *soak)
{
  if (TOLD_APART && tp_called_rows) running = soak;
}

const void *tp_soak_caller(tp_site_t site)
{
  const void *caller = tp_port_caller(site);
  uint32_t exception = TP_PORT_CONTEXT();
  if ((uintptr_t)caller < EXC_RETURN || exception == 0) return caller;
  const uint32_t *vectors =
      *(const uint32_t *const volatile *)(uintptr_t)SCB_VTOR;
  // As if it returned behind the first instruction.
  return (const void *)(uintptr_t)((vectors[exception] & ~1u) + 2);
}

// Words, since bytes of these are no registers of ARMv6-M.
static uint32_t byte_of(uintptr_t registers, uint32_t number)
{
  const volatile uint32_t *word = (const volatile uint32_t *)registers;
  return word[number / 4] >> 8 * (number % 4) & 0xff;
}

static uint32_t priority_of(uint32_t exception)
{
  if (exception == 0) return TP_CALLER_TASK;
  if (exception < 4) return NO_PRIORITY;
  if (exception < 16) return byte_of(SCB_SHPR1, exception - 4);
  return byte_of(NVIC_IPR, exception - 16);
}

// Of the core that runs, where anybody knows which.
static uint32_t told_of(uint32_t priority)
{
#if TP_CORES_NUMBERED
  if (priority == NO_PRIORITY) return priority;
  return priority + TP_CORES_PORT_NUMBER() * TP_CALLER_CORE;
#else
  return priority;
#endif
}

static struct stranger who_calls(const struct tp_called *row, uint32_t call)
{
  uint32_t exception = TP_PORT_CONTEXT();
  bool named = exception == 0 && running->task;
  return (struct stranger){
      .row = row,
      .caller = NULL,
      .task = named ? running->task() : NULL,
      .frame = tp_clock_now,
      .exception = (uint16_t)exception,
      .priority = (uint16_t)told_of(priority_of(exception)),
      .call = (uint8_t)call,
  };
}

// Of a reserve, that of its pool.
static const struct tp_called *row_of(const char *name)
{
  const struct tp_called *own = tp_called_rows;
  for (const struct tp_called *row = own; row->name; row++) {
    if (row->callers != own->callers) own = row;
    if (tp_text_same(row->name, name)) return own;
  }
  return NULL;
}

// What [call] needs one of. Where somebody waits, who frees hands on what was
// freed, and who waits gives back what nobody waits for any more.
static uint32_t needed(const struct tp_called *row, uint32_t call)
{
  uint32_t said = 0;
  for (const struct tp_caller *one = row->callers; one->name; one++) {
    said |= one->calls;
  }
  bool handed_on = said & TP_CALLS_WAIT && call != TP_CALLS_WAIT;
  return said & call && handed_on ? TP_CALLS_ALLOC | TP_CALLS_FREE
                                  : said & call;
}

static bool is_one(const struct tp_caller *one, const struct stranger *now)
{
  uint32_t priority = one->priority;
  if (!TP_CORES_NUMBERED) priority %= TP_CALLER_CORE;
  if (priority != now->priority) return false;
  return !now->task || tp_text_same(one->name, now->task);
}

// True, too, where the row does not say who makes such calls.
static bool is_expected(const struct stranger *now)
{
  uint32_t needs = needed(now->row, now->call);
  bool expected = needs == 0;
  for (struct tp_caller *one = now->row->callers; one->name; one++) {
    if (!is_one(one, now) || !(one->calls & needs)) continue;
    one->seen |= now->call;
    expected = true;
  }
  return expected;
}

static bool is_met(const struct stranger *now)
{
  for (uint32_t i = 0; i < strangers_met; i++) {
    const struct stranger *met = &strangers[i];
    if (met->row == now->row && met->call == now->call &&
        met->exception == now->exception && met->priority == now->priority &&
        met->task == now->task) {
      return true;
    }
  }
  return false;
}

static void note(const struct stranger *now)
{
  uint32_t key = tp_soak_lock();
  if (strangers_met < TP_SOAK_STRANGERS && !is_met(now)) {
    strangers[strangers_met++] = *now;
  }
  tp_soak_unlock(key);
}

void tp_soak_calls(const char *name, uint32_t call, const void *caller)
{
  const struct tp_called *row = running && !tp_ask_asking ? row_of(name) : NULL;
  if (!row) return;
  struct stranger now = who_calls(row, call);
  if (now.exception == 0 && tp_soak_between) return;
  now.caller = caller;
  if (!is_expected(&now)) note(&now);
}

void tp_soak_frees(const char *name, tp_site_t site)
{
  if (running) tp_soak_calls(name, TP_CALLS_FREE, tp_soak_caller(site));
}

void tp_soak_waits(const char *name, tp_site_t site)
{
  const void *caller = tp_soak_caller(site);
  tp_soak_spare(name, caller);
  if (running) tp_soak_calls(name, TP_CALLS_WAIT, caller);
}

static void put_stranger(const struct stranger *one)
{
  const char *task = one->task ? one->task : "";
  tp_record_begin(STRANGER, 20 + tp_record_length(task));
  tp_record_put32(one->frame);
  tp_record_put32(tp_registry_find(running->registry, one->row->name));
  tp_record_put32((uint32_t)(uintptr_t)one->caller);
  tp_record_put16(one->exception);
  tp_record_put16(one->priority);
  tp_record_put32(one->call);
  tp_record_put_text(task);
  tp_record_end();
}

static void put_caller(uint32_t index, const struct tp_caller *one)
{
  tp_record_begin(CALLER, 8 + tp_record_length(one->name));
  tp_record_put32(index);
  tp_record_put16(one->priority);
  tp_record_put8(one->calls);
  tp_record_put8(one->seen);
  tp_record_put_text(one->name);
  tp_record_end();
}

void tp_soak_callers_tell(void)
{
  while (strangers_told < strangers_met) {
    put_stranger(&strangers[strangers_told++]);
  }
}

void tp_soak_callers_report(void)
{
  if (!running) return;
  tp_soak_callers_tell();
  for (const struct tp_called *row = tp_called_rows; row->name; row++) {
    if (row_of(row->name) != row) continue;  // A reserve.
    uint32_t index = tp_registry_find(running->registry, row->name);
    const struct tp_caller *one = row->callers;
    for (; one->name; one++) put_caller(index, one);
  }
}
