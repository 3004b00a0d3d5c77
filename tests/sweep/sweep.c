// SPDX-License-Identifier: MIT
#include "sweep.h"

#include <string.h>

#include "model.h"
#include "line.h"
#include "tp_test.h"
#include "tp_test_print.h"

#ifndef LENGTH_MOST  // Instructions of an operation.
#define LENGTH_MOST (TP_CHECKS >= TP_CHECKS_POISON ? 1100 : 1200)
#endif

static struct row {
  const struct subject *subject;
  const struct operation *operation;
  const struct move *move;
  enum kind kind;
  uint32_t runs, broken, reached;
  bool told;                       // Of a double free.
  uint32_t hits[LENGTH_MOST + 1];  // By boundary: the PC found stacked.
} row;

bool sweep_traces, sweep_each;
void (*sweep_enter)(struct armed_call *call) = armed_call;

static void arm(void (*make)(void))
{
  armed_handler = make;
}

void (*sweep_arm)(void (*make)(void)) = arm;

static void add_row_name(void)
{
  line_add(row.subject->name);
  line_add(".");
  line_add(row.operation->name);
}

// Where the interrupt must have come if the caller had masked it: nowhere in
// the call. Otherwise any place is good; the trace decides whether it is right.
static void check_the_hit(const struct armed_call *call)
{
  uint32_t masked = row.kind == MASKED;
  if (armed_hits != 1) complain("the handler did not run exactly once");
  if (call->primask != masked) complain("PRIMASK is not as it was");
  if (masked && armed_pc != (uint32_t)(uintptr_t)armed_unmasked) {
    complain("a masked caller was interrupted");
  }
}

static void prepare(struct armed_call *call, uint32_t load)
{
  *call = (struct armed_call){.load = load, .masked = row.kind == MASKED};
  complaint = NULL;
  row.told = false;
  sweep_arm(row.move->make);
  armed_reset();
  model_open(row.subject, row.operation->state);
  row.operation->aim(call);
}

static void call_and_compare(uint32_t load)
{
  struct armed_call call;
  prepare(&call, load);
  sweep_enter(&call);
  check_the_hit(&call);
  if (row.kind == DOUBLE && !row.told) complain("a double free was not told");
  row.operation->settle(&call);
  model_find_thefts();
  model_close();
}

// Of what is taken from a device before it is freed, the second take is. What a
// pool borrowed is no longer its own as soon as the first free is under way.
static bool is_double(const struct tp_fault_record *fault)
{
  if (fault->kind == TP_FAULT_FOREIGN) return fault->pool->takes_foreign;
  return fault->kind == TP_FAULT_DOUBLE_FREE || fault->kind == TP_FAULT_LENT;
}

void sweep_note_fault(void)
{
  armed_abandon();
  row.told = row.kind == DOUBLE && is_double(&tp_fault_record);
  if (!row.told) complain(tp_fault_name(tp_fault_record.kind));
}

// A fault may be raised in the thread or in the handler: both end here.
static void run(uint32_t load)
{
  if (setjmp(tp_test_resume) == 0) {
    tp_test_expect_fault();
    call_and_compare(load);
    return;
  }
  sweep_note_fault();
}

static void print_complaint(uint32_t boundary)
{
  line_add("broken ");
  add_row_name();
  line_add(" at boundary ");
  line_add_number(boundary, 10);
  line_add(": ");
  line_add(complaint);
  line_end();
}

// Of each row only the first that broke is told.
static void run_at(uint32_t boundary)
{
  run(armed_load(boundary));
  row.runs++;
  if (complaint && row.broken++ == 0) print_complaint(boundary);
}

// What was due where interrupts are masked came late, at the first boundary
// where they are not: so would what is due at each in between, and what had
// waited since before them has shown that none of them is open.
static void note_hits(uint32_t length)
{
  uint32_t more = sweep_each || armed_late == 0 ? 1 : armed_late;
  for (; more && row.reached <= length; more--) {
    row.hits[row.reached++] = armed_pc;
  }
}

static uint32_t measure(void)
{
  struct armed_call call;
  prepare(&call, ARMED_NEVER);
  sweep_enter(&call);
  return armed_length(&call);
}

static uint32_t print_length(void)
{
  uint32_t length = measure();
  line_add("operation ");
  add_row_name();
  line_add(" has ");
  line_add_number(length, 10);
  line_add(" instructions");
  line_end();
  return length;
}

// Where the interrupts came, in the order of the boundaries.
static void print_hits(void)
{
  line_add("at");
  for (uint32_t i = 0; i < row.reached; i++) {
    line_add(" ");
    line_add_number(row.hits[i], 16);
    if (!line_is_long()) continue;
    line_end();
    line_add("at");
  }
  line_end();
}

static void print_result(void)
{
  static const char *const kinds[] = {"swept", "masked", "control", "double"};
  line_add("row ");
  add_row_name();
  line_add(" ");
  line_add(row.move->name);
  line_add(" ");
  line_add(kinds[row.kind]);
  line_add(" runs ");
  line_add_number(row.runs, 10);
  line_add(" broken ");
  line_add_number(row.broken, 10);
  line_end();
}

// There are not as many counters.
static void stop_at_length(void)
{
  line_add("LENGTH_MOST is less than the instructions of ");
  add_row_name();
  line_end();
  tp_test_stop(1);
}

static void sweep(void)
{
  uint32_t length = print_length();
  if (sweep_traces) return;
  if (length > LENGTH_MOST) stop_at_length();
  while (row.reached <= length && !(row.kind == CONTROL && row.broken)) {
    run_at(row.reached);
    note_hits(length);
  }
  print_hits();
  print_result();
}

static void case_of_the_row(void)
{
  sweep();
  CHECK_EQ(row.broken, 0);
}

static void run_as_a_case(void)
{
  static const char *const claims[] = {
      [SWEPT] = "_is_whole_wherever_interrupted_by_",
      [MASKED] = "_by_a_masked_caller_is_not_interrupted_by_",
      [DOUBLE] = "_faults_wherever_interrupted_by_"};
  static char name[160];
  add_row_name();
  line_add(claims[row.kind]);
  line_add(row.move->name);
  strncpy(name, line_take(), sizeof name - 1);
  tp_test_run(name, case_of_the_row);
}

uint32_t sweep_row(const struct subject *of, const struct operation *operation,
                   const struct move *move, enum kind kind)
{
  row.subject = of;
  row.operation = operation;
  row.move = move;
  row.kind = kind;
  row.runs = row.broken = row.reached = 0;
  if (kind == CONTROL || sweep_traces) {
    sweep();
  } else {
    run_as_a_case();
  }
  return row.broken;
}
