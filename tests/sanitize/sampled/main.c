// SPDX-License-Identifier: MIT
// A pool one dead slot of which is covered, another one all the time: how often
// that finds who uses an object that he has freed, what it costs, and that it
// is in nobody's way. One question a run, by its name; "bare" behind it leaves
// the MPU off.
#include <setjmp.h>

#include "board.h"
#include "check/tp_crash.h"
#include "semihost.h"
#include "tp_mpu_sample.h"
#include "tp_pools.h"

enum { SLOTS = 16, DEAD = 8, WORDS = 16, SEEDS = 1000, LATE = 40, EVERY = 16 };

extern uint8_t flash_start[], flash_end[], stack_top[];
extern uint8_t tp_arena_radio_start[], tp_arena_radio_end[];

static const struct tp_mpu_row rows[] = {
    {"flash", flash_start, flash_end, TP_MPU_CODE},
    {"radio", tp_arena_radio_start, tp_arena_radio_end, TP_MPU_DATA},
};

static struct tp_mpu_past past[SLOTS];
static struct tp_mpu_sample sample = {
    .pool = &packets_pool, .every = EVERY, .past = past};

void other_fault(void);
void other_fault(void)
{
  semihost_exit(SEMIHOST_CPU_FAULT);
}

TP_MPU_HANDLER(board_mem_manage, other_fault)
TP_MPU_HANDLER(board_hard_fault, other_fault)

static void print_number(const char *name, uint32_t value)
{
  char digits[12] = {0};
  char *text = digits + sizeof digits - 1;
  do {
    *--text = (char)('0' + value % 10);
    value /= 10;
  } while (value);
  semihost_print(name);
  semihost_print(" ");
  semihost_print(text);
  semihost_print("\n");
}

// Faults ----------------------------------------------------------------------

static jmp_buf found;
static bool is_awaited;

static void go_on(void)
{
  longjmp(found, 1);
}

// Ends the exception, and goes on at [function] in the thread.
__attribute__((naked, noreturn)) static void leave_for(
    __attribute__((unused)) void (*function)(void))
{
  __asm volatile(
      "sub sp, #32\n str r0, [sp, #24]\n ldr r1, =0x01000000\n"
      "str r1, [sp, #28]\n ldr r1, =0xfffffff9\n bx r1\n .ltorg");
}

static void put(char character)
{
  semihost_print((const char[]){character, 0});
}

void tp_fault(const struct tp_fault_record *record)
{
  if (is_awaited) leave_for(go_on);
  tp_crash_save(record, stack_top);
  tp_crash_print(tp_crash_validate(), put);
  semihost_exit(1);
}

// Packets ---------------------------------------------------------------------

static uint32_t *packets[SLOTS];  // Those that live are first.
static uint32_t live;
static uint32_t chance = 1, frees;
static bool noted;

static uint32_t below(uint32_t bound)
{
  chance ^= chance << 13;
  chance ^= chance >> 17;
  chance ^= chance << 5;
  return chance % bound;
}

static void swap(uint32_t one, uint32_t other)
{
  uint32_t *packet = packets[one];
  packets[one] = packets[other];
  packets[other] = packet;
}

static void place(uint32_t *packet)
{
  uint32_t i = live;
  while (i < SLOTS - 1 && packets[i] && packets[i] != packet) i++;
  packets[i] = packet;
  swap(i, live++);
}

static void issue(void)
{
  uint32_t *packet = packets_alloc();
  if (!packet) return;
  if (noted) {
    tp_mpu_note_alloc(&sample, packet);  // issued
  }
  for (uint32_t i = 0; i < WORDS; i++) packet[i] = i;
  place(packet);
}

static void take_back(uint32_t i)
{
  uint32_t *packet = packets[i];
  swap(i, --live);
  packets_free(packet);
  frees++;
  if (noted) {
    tp_mpu_note_free(&sample, packet);  // freed
  }
}

// Some come and go, and then [DEAD] of all are dead.
static void step(void)
{
  for (uint32_t i = 0; i < 4; i++) {
    if (below(2)) {
      issue();
    } else if (live) {
      take_back(below(live));
    }
  }
  while (live < SLOTS - DEAD) issue();
  while (live > SLOTS - DEAD) take_back(below(live));
  if (noted) tp_mpu_step(&sample);
}

static bool start(bool bare)
{
  noted = !bare;
  if (noted && (tp_mpu_guard(rows, 2) || tp_mpu_sample(&sample))) return false;
  while (live < SLOTS) issue();
  while (live) take_back(below(live));
  return true;
}

// Questions -------------------------------------------------------------------

// Returns 1 iff it is noticed that a dead packet is read.
static uint32_t read_late(void)
{
  const volatile uint32_t *packet = packets[live + below(DEAD)];
  if (setjmp(found)) return 1;
  is_awaited = true;
  (void)packet[below(WORDS)];
  return 0;
}

static void seeds(void)
{
  uint32_t detected = 0;
  for (uint32_t seed = 1; seed <= SEEDS; seed++) {
    chance = seed * 2654435761u;
    for (uint32_t i = 0; i < LATE; i++) {
      is_awaited = false;
      step();
      detected += read_late();
    }
  }
  print_number("late", SEEDS * LATE);
  print_number("detected", detected);
}

static void late(void)
{
  for (uint32_t i = 0; i < 50; i++) step();
  for (uint32_t i = live; i < SLOTS; i++) {
    packets[i][3] = 0;  // late
  }
}

static void legal(void)
{
  uint32_t wrong = 0;
  for (uint32_t i = 0; i < 20000; i++) {
    step();
    for (uint32_t k = 0; k < live * WORDS; k++) {
      wrong += packets[k / WORDS][k % WORDS] != k % WORDS;
    }
  }
  if (noted) tp_mpu_show(&sample);
  print_number("wrong", wrong);
  print_number("sound", tp_pool_verify(&packets_pool, NULL));
}

// After what was refused and went on, a fault that the MPU has no part in.
static void other(void)
{
  for (uint32_t i = 0; i < 2000; i++) step();
  print_number("left", *(const volatile uint32_t *)0xe000ed28 |
                           *(const volatile uint32_t *)0xe000ed2c);
  __asm volatile("udf #0");
}

enum { URGENT = 3, INTERRUPTS = 3000 };

static uint32_t *urgent[URGENT];
static volatile uint32_t interrupts;

// An interrupt takes what packets there are, and gives back what it has.
void board_handler(void)
{
  uint32_t **packet = &urgent[interrupts++ % URGENT];
  if (*packet) {
    packets_free(*packet);
    tp_mpu_note_free(&sample, *packet);
    *packet = NULL;
  } else if ((*packet = packets_alloc())) {
    tp_mpu_note_alloc(&sample, *packet);
    for (uint32_t i = 0; i < WORDS; i++) (*packet)[i] = 0;
  }
}

// The distance of interrupts is prime to the length of whatever repeats.
static void interrupted(void)
{
  while (live > SLOTS - DEAD) take_back(0);
  board_timer_after(337);
  while (interrupts < INTERRUPTS) {
    step();
  }
  board_timer_stop();
  tp_mpu_show(&sample);
  print_number("sound", tp_pool_verify(&packets_pool, NULL));
}

// The same packets come and go with what is noted as without.
static void cost(void)
{
  chance = 7;
  frees = 0;
  board_clock_start();
  uint32_t begin = board_clock();
  for (uint32_t i = 0; i < 500; i++) step();
  print_number("instructions", board_instructions(board_clock() - begin));
  print_number("frees", frees);
}

static void answers(void)
{
  static struct tp_mpu_sample more[16];
  more[0].pool = &packets_pool;
  print_number("off", tp_mpu_sample(&more[0]));
  (void)tp_mpu_guard(rows, 2);
  more[0].pool = &crumbs_pool;
  print_number("small", tp_mpu_sample(&more[0]));
  more[0].pool = &outside_pool;
  print_number("outside", tp_mpu_sample(&more[0]));
  uint32_t i = 0;
  do more[i].pool = &packets_pool;
  while (tp_mpu_sample(&more[i]) == TP_MPU_ON && ++i < 15);
  print_number("regions left", i);
}

// How the first region of the MPU is set, which a row has.
static uint32_t first_region(void)
{
  *(volatile uint32_t *)0xe000ed98 = 0;
  return *(const volatile uint32_t *)0xe000eda0;
}

// All the calls of a sample whose pool cannot be covered.
static void refused(void)
{
  (void)tp_mpu_guard(rows, 2);
  sample.pool = &crumbs_pool;
  uint32_t before = first_region();
  print_number("refused", tp_mpu_sample(&sample));
  for (uint32_t i = 0; i < 2 * EVERY; i++) {
    void *crumb = crumbs_alloc();
    tp_mpu_note_alloc(&sample, crumb);
    crumbs_free(crumb);
    tp_mpu_note_free(&sample, crumb);
    tp_mpu_step(&sample);
  }
  tp_mpu_show(&sample);
  print_number("as it was", before == first_region());
}

static const struct {
  const char *name;
  void (*run)(void);
} questions[] = {
    {"seeds", seeds}, {"late", late},   {"legal", legal},
    {"cost", cost},   {"other", other}, {"interrupted", interrupted},
};

// Does [text] begin with [word]? Returns what follows it.
static const char *behind(const char *text, const char *word)
{
  while (*word && *text == *word) text++, word++;
  return *word ? NULL : text;
}

int main(void)
{
  static char words[80];
  if (!semihost_arguments(words, sizeof words)) return 2;
  if (behind(words, "answers")) return answers(), 0;
  if (behind(words, "refused")) return refused(), 0;
  for (uint32_t i = 0; i < sizeof questions / sizeof *questions; i++) {
    const char *rest = behind(words, questions[i].name);
    if (!rest) continue;
    if (!start(behind(rest, " bare"))) return 2;
    questions[i].run();
    return 0;
  }
  return 2;
}
