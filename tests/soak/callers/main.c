// SPDX-License-Identifier: MIT
// Somebody's firmware, whose rows say who calls. The setting [mistake] of a
// scenario has one do what no row says of it.
#include "board.h"
#include "nvic.h"
#include "tp_pools.h"
#include "tp_soak.h"

enum { FIRST_IRQ = 16, RADIO = 8, MOTOR = 9, NOBODY = 0x20 };
enum { RADIO_TIMER = 0x40000000, RADIO_CYCLES = 25000 };

enum mistake {
  NONE,
  MOTOR_ALLOCATES,
  RADIO_FREES,
  LOADER_WAITS,
  MOTOR_RELEASES,
  RADIO_IS_URGENT,
  PLAYER_FREES_ALL,
  LOADER_ENDS_A_FRAME,
  LOADER_FREES_BY_HANDLE,
  LOADER_ALLOCATES,
  MOTOR_FREES_A_BLOCK,
  PLAYER_RESETS,
  MOTOR_FREES_IN_TURNS,
  LOADER_TAKES_OF_THE_RESERVE,
  MOTOR_FREES_LAST,
};

static struct tp_soak soak = TP_SOAK;
static const char *task;
static uint32_t mistake;
static void *volatile received, *volatile on_air;
static pulses_handle_t volatile pulse;

void tp_soak_put(uint8_t byte)
{
  board_put(byte);
}

void tp_fault(const struct tp_fault_record *record)
{
  tp_soak_fault(record);
}

static const char *name_of_task(void)
{
  return task;
}

static bool makes(enum mistake one)
{
  return mistake == one && soak.frame == 100;
}

static void radio_interrupt(void)
{
  if (on_air) replies_free(on_air);
  on_air = NULL;
  if (makes(RADIO_FREES)) packets_free(packets_alloc());
  if (!received) received = packets_alloc();
}

// By itself: who has a variable that others know the address of makes no jumps.
__attribute__((noinline)) static void begin_a_pulse(void)
{
  pulses_handle_t handle;
  if (pulses_alloc_handle(&handle)) pulse = handle;
}

static void motor_interrupt(void)
{
  begin_a_pulse();
  if (makes(MOTOR_FREES_IN_TURNS)) ticks_free(ticks_alloc());
  if (makes(MOTOR_ALLOCATES)) packets_free(packets_alloc());
  if (makes(MOTOR_RELEASES)) level_release(level_mark());
  if (makes(MOTOR_FREES_A_BLOCK)) level_free(level_alloc_block(16, 8));
  // The last that the handler does, which is a jump.
  if (makes(MOTOR_FREES_LAST)) packets_free(packets_alloc());
}

void board_handler(void)
{
  uint32_t exception;
  __asm volatile("mrs %0, ipsr" : "=r"(exception));
  if (exception == FIRST_IRQ + RADIO) {
    REGISTER(RADIO_TIMER + 12) = 1;
    radio_interrupt();
  }
  if (exception == FIRST_IRQ + MOTOR) motor_interrupt();
}

static void set_priority(uint32_t irq, uint8_t priority)
{
  *(volatile uint8_t *)(uintptr_t)(0xe000e400 + irq) = priority;
}

static void start_devices(void)
{
  set_priority(RADIO, mistake == RADIO_IS_URGENT ? NOBODY : 0x80);
  set_priority(MOTOR, 0x40);
  nvic_enable(RADIO);
  nvic_enable(MOTOR);
  REGISTER(RADIO_TIMER + 8) = RADIO_CYCLES - 1;
  REGISTER(RADIO_TIMER) = 1 | 1 << 3;  // On, with interrupt.
}

// What was refused on purpose is not.
static inline void give_back(void (*give)(void *object), void *object)
{
  if (object) give(object);
}

// All of them, so that the last are of the reserve.
static void raise_alarms(void)
{
  static void *alarms[4];
  for (uint32_t i = 0; i < 4; i++) {
    if (makes(LOADER_TAKES_OF_THE_RESERVE) && i == 3) task = "loader";
    alarms[i] = alarms_alloc_urgent();
  }
  for (uint32_t i = 4; i-- > 0;) {
    give_back(alarms_free, alarms[i]);
    task = "player";
  }
}

// It waits until the radio has sent what was on the air.
static void play(void)
{
  static void *sparks[3];
  void *reply = replies_alloc_wait(TP_WAIT_FOREVER);
  if (received) packets_free(received);
  received = NULL;
  on_air = reply;
  nvic_pend(MOTOR);
  pulses_free_handle(pulse);
  for (uint32_t i = 0; i < 3; i++) sparks[i] = sparks_alloc();
  for (uint32_t i = 0; i < 3; i++) give_back(sparks_free, sparks[i]);
  give_back(others_free, others_alloc());
  give_back(ticks_free, ticks_alloc());
  raise_alarms();
  draw_alloc(16, 8);
  draw_end();
}

static void load(void)
{
  notes_handle_t note;
  struct tp_mark mark = level_mark();
  level_alloc(32, 8);
  level_release(mark);
  give_back(embers_free, embers_alloc());
  void *text = texts_alloc(12);
  meshes_handle_t mesh = meshes_alloc(40);
  notes_alloc(&note);
  if (makes(PLAYER_FREES_ALL)) task = "player";
  notes_free(note);
  meshes_free(mesh);
  give_back(texts_free, text);
  task = "loader";
  if (makes(LOADER_WAITS)) on_air = replies_alloc_wait(TP_WAIT_FOREVER);
  if (makes(LOADER_ENDS_A_FRAME)) draw_end();
  nvic_pend(MOTOR);
  if (makes(LOADER_FREES_BY_HANDLE)) pulses_free_handle(pulse);
  if (makes(LOADER_ALLOCATES)) sparks_free(sparks_alloc());
  if (makes(PLAYER_RESETS)) task = "player";
  tp_stack_reset(&level_stack);
  notes_reset();
  task = "loader";
}

int main(void)
{
  if (!tp_soak_setting("nameless", 0)) soak.task = name_of_task;
  tp_soak_begin(&soak);
  mistake = tp_soak_setting("mistake", NONE);
  start_devices();
  for (uint32_t i = 0; i < soak.frames; i++) {
    task = "player";
    play();
    task = "loader";
    load();
    soak.hash = soak.hash * 31 + soak.frame;
    tp_soak_frame(&soak);
  }
  tp_soak_end(&soak);
}
