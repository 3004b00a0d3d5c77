// SPDX-License-Identifier: MIT
// Accesses that the MPU shall refuse, and those that it must let be: one a run,
// by its name; "bare" behind it leaves the MPU off. test_guard.py reads what
// the fault record says.
#include "check/tp_crash.h"
#include "guard.h"
#include "semihost.h"
#include "tp_mpu.h"
#include "tp_pools.h"
#include "tp_port.h"

extern uint8_t flash_start[], flash_end[], stack_top[];
extern uint8_t tp_arena_first_start[], tp_arena_first_end[];
extern uint8_t tp_arena_second_start[], tp_arena_second_end[];

TP_MPU_FENCE(first_fence, first);
TP_MPU_FENCE(second_fence, second);

static const struct tp_mpu_row rows[] = {
    {"flash", flash_start, flash_end, TP_MPU_CODE},
    {"first", tp_arena_first_start, tp_arena_first_end, TP_MPU_DATA},
    {"second", tp_arena_second_start, tp_arena_second_end, TP_MPU_DATA},
    {"a fence", first_fence, first_fence + TP_MPU_FENCE_BYTES, TP_MPU_NONE},
    {"a fence", second_fence, second_fence + TP_MPU_FENCE_BYTES, TP_MPU_NONE},
};
enum { ROWS = sizeof rows / sizeof *rows };

void other_fault(void);
void other_fault(void)
{
  semihost_print("another fault\n");
  semihost_exit(SEMIHOST_CPU_FAULT);
}

TP_MPU_HANDLER(board_mem_manage, other_fault)
TP_MPU_HANDLER(board_hard_fault, other_fault)

static void put(char character)
{
  semihost_print((const char[]){character, 0});
}

void tp_fault(const struct tp_fault_record *record)
{
  tp_crash_save(record, stack_top);
  tp_crash_print(tp_crash_validate(), put);
  semihost_exit(1);
}

// The compiler knows nothing of where it leads.
static volatile uint32_t *at(const void *address)
{
  __asm volatile("" : "+r"(address));
  return (volatile uint32_t *)(uintptr_t)address;
}

// What is refused -------------------------------------------------------------

static void overrun(void)
{
  volatile uint32_t *word = at(sparks_alloc());
  for (uint32_t i = 0; i < 64; i++) {
    word[i] = 0;  // overrun
  }
}

static void read_behind(void)
{
  (void)*at(second_fence + TP_MPU_FENCE_BYTES - 4);  // read_behind
}

static void execute(void)
{
  uint16_t *words = (uint16_t *)voices_alloc();
  words[0] = 0x4770;  // bx lr
  uintptr_t thumb = (uintptr_t)at(words) | 1;
  ((void (*)(void))thumb)();  // execute
  (void)at(words);
}

static void write_flash(void)
{
  *at(rows) = 0;  // write_flash
}

static void write_null(void)
{
  *at(NULL) = 0;  // write_null
}

static void read_null(void)
{
  (void)at(NULL)[3];  // read_null
}

// While interrupts are masked it is a HardFault.
static void locked(void)
{
  uint32_t key = tp_port_lock();
  *at(first_fence) = 0;  // locked
  tp_port_unlock(key);
}

// As a task of an RTOS, on a stack of its own.
static void on_psp(void)
{
  static uint32_t stack[64] __attribute__((aligned(8)));
  __asm volatile("msr psp, %0\n msr control, %1\n isb"
                 :
                 : "r"(stack + 64), "r"(2)
                 : "memory");
  *at(first_fence) = 0;  // on_psp
  __asm volatile("msr control, %0\n isb" : : "r"(0) : "memory");
}

// What must be let be ---------------------------------------------------------

static uint32_t chance = 1;

static uint32_t below(uint32_t bound)
{
  chance = chance * 1664525u + 1013904223u;
  return (chance >> 16) % bound;
}

static void fill(uint32_t *words, uint32_t bytes)
{
  for (uint32_t i = 0; i < bytes / 4; i++) words[i] += i;
}

// Each object is written from its first to its last word, all the time.
static void legal(void)
{
  struct spark *sparks[8] = {0};
  struct voice *voices[8] = {0};
  for (uint32_t step = 0; step < 4000; step++) {
    uint32_t i = below(8);
    if (sparks[i]) sparks_free(sparks[i]);
    sparks[i] = sparks[i] ? NULL : sparks_alloc();
    i = below(8);
    if (voices[i]) voices_free(voices[i]);
    voices[i] = voices[i] ? NULL : voices_alloc();
    for (i = 0; i < 8; i++) {
      if (sparks[i]) fill(sparks[i]->words, sizeof *sparks[i]);
      if (voices[i]) fill(voices[i]->words, sizeof *voices[i]);
    }
  }
  bool sound =
      tp_pool_verify(&sparks_pool, NULL) && tp_pool_verify(&voices_pool, NULL);
  semihost_print(sound ? "all is sound\n" : "not sound\n");
}

static void other(void)
{
  __asm volatile("udf #1");
}

// What is answered ------------------------------------------------------------

static const char *const answers[] = {
    [TP_MPU_ON] = "on",       [TP_MPU_ABSENT] = "absent",
    [TP_MPU_TAKEN] = "taken", [TP_MPU_EMPTY] = "empty",
    [TP_MPU_FEW] = "few",
};

static enum tp_mpu_answer guard(const struct tp_mpu_row *some, uint32_t count)
{
  enum tp_mpu_answer answer = tp_mpu_guard(some, count);
  semihost_print(answers[answer]);
  semihost_print("\n");
  return answer;
}

// Two rows of DATA meet within 32 bytes, and a fence lies in neither.
static void adjacent(void)
{
  const uint8_t *middle = tp_arena_first_start + 40;
  static struct tp_mpu_row some[4];
  some[0] = (struct tp_mpu_row){"flash", flash_start, flash_end, TP_MPU_CODE};
  some[1] =
      (struct tp_mpu_row){"one", tp_arena_first_start, middle, TP_MPU_DATA};
  some[2] = (struct tp_mpu_row){"other", middle, first_fence, TP_MPU_DATA};
  some[3] = (struct tp_mpu_row){"a fence", first_fence,
                                first_fence + TP_MPU_FENCE_BYTES, TP_MPU_NONE};
  guard(some, 4);
  legal();
  *at(first_fence) = 0;  // adjacent
}

#define MPU_CTRL (*(volatile uint32_t *)0xe000ed94)

static void refusals(void)
{
  struct tp_mpu_row many[17];
  for (uint32_t i = 0; i < 17; i++) many[i] = rows[0];
  guard(many, 17);
  const struct tp_mpu_row little = {"", first_fence + 4, first_fence + 36,
                                    TP_MPU_NONE};
  guard(&little, 1);
  semihost_print(MPU_CTRL ? "not off\n" : "off\n");
  guard(rows, ROWS);
  guard(rows, ROWS);
}

static const struct {
  const char *name;
  void (*run)(void);
} cases[] = {
    {"overrun", overrun},       {"read_behind", read_behind},
    {"execute", execute},       {"write_flash", write_flash},
    {"write_null", write_null}, {"read_null", read_null},
    {"locked", locked},         {"on_psp", on_psp},
    {"legal", legal},           {"other", other},
    {"refusals", refusals},     {"adjacent", adjacent},
};

// Does [text] begin with [word]? Returns what follows it.
static const char *behind(const char *text, const char *word)
{
  while (*word && *text == *word) text++, word++;
  return *word || (*text && *text != ' ') ? NULL : text;
}

int main(void)
{
  static char words[80];
  if (!semihost_arguments(words, sizeof words)) return 2;
  for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *rest = behind(words, cases[i].name);
    if (!rest) continue;
    bool asks = cases[i].run == refusals || cases[i].run == adjacent;
    if (!asks && !behind(rest, " bare")) guard(rows, ROWS);
    cases[i].run();
    semihost_print("it goes on\n");
    return 0;
  }
  return 2;
}
