// SPDX-License-Identifier: MIT
// Somebody's firmware of two cores. The setting [mistake] of a scenario has the
// second one do what it must not.
#include "board.h"
#include "nvic.h"
#include "second.h"
#include "tp_pools.h"
#include "tp_soak.h"

// TIMER0 of an SSE-200, which both cores have.
#define TIMER(offset) REGISTER(0x50000000u + (offset))
#define TIMER_IRQ     3u
#define PRIORITIES    REGISTER(0xe000e400)
#define NVIC_DISABLE  REGISTER(0xe000e180)

enum { PLACES = 16, EVERY = 20000 };
enum mistake {
  NONE,
  USES_THE_FIRST_ONE_S,
  ASKS_FOR_PACKETS,
  FREES_TWICE,
  INTERRUPTS_ITSELF,
  STORES_AT_0,
  STORES_IN_CODE
};

// Filled by one, emptied by another.
struct line {
  void *volatile object[PLACES];
  volatile uint32_t filled, emptied;
};

static struct tp_soak soak = TP_SOAK;
static struct line by_player, by_radio, answers;
static uint32_t mistake;
static volatile uint32_t rounds;
static void *volatile kept;

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
  return core_number() ? "second" : "player";
}

static bool is_full(const struct line *line)
{
  return line->filled - line->emptied == PLACES;
}

static void put(struct line *line, void *object)
{
  line->object[line->filled % PLACES] = object;
  __asm volatile("dmb" : : : "memory");
  line->filled++;
}

static void *take(struct line *line)
{
  if (line->filled == line->emptied) return NULL;
  __asm volatile("dmb" : : : "memory");
  void *object = line->object[line->emptied % PLACES];
  line->emptied++;
  return object;
}

static void send(struct line *line)
{
  if (is_full(line)) return;
  void *packet = packets_alloc();
  if (packet) put(line, packet);
}

void board_handler(void)
{
  if (core_number() == 0) TIMER(12) = 1;
  if (core_number() == 0) send(&by_radio);
  if (core_number() == 1) kept = packets_alloc();
}

// Each core has its own.
static void let_in(void)
{
  PRIORITIES = 0x40000000u;
  nvic_enable(TIMER_IRQ);
}

static void start_radio(void)
{
  let_in();
  TIMER(4) = TIMER(8) = EVERY;
  TIMER(0) = 9;
}

static void play_a_sound(sounds_handle_t *sound)
{
  sounds_free_handle(*sound);
  sounds_alloc_handle(sound);
}

// The second core ------------------------------------------------------------

static bool makes(enum mistake one)
{
  return mistake == one && soak.frame == 100;
}

static void answer(struct line *line)
{
  void *packet = take(line), *reply = packet ? replies_alloc() : NULL;
  if (reply) put(&answers, reply);
  if (packet) packets_free(packet);
  if (packet && makes(FREES_TWICE)) packets_free(packet);
}

static void interrupt_myself(void)
{
  let_in();
  nvic_pend(TIMER_IRQ);
  NVIC_DISABLE = 1u << TIMER_IRQ;
}

static void store_at(uintptr_t address)
{
  __asm("" : "+r"(address));  // Else compilers know 0, and trap.
  *(volatile uint32_t *)address = 1;
}

static void serve(void)
{
  static sounds_handle_t sound;
  for (;;) {
    tp_soak_pause();
    answer(&by_player);
    answer(&by_radio);
    play_a_sound(&sound);
    void *own = theirs_alloc();
    if (own) theirs_free(own);
    if (makes(USES_THE_FIRST_ONE_S)) (void)mine_alloc();
    if (makes(ASKS_FOR_PACKETS)) packets_free(packets_alloc());
    if (makes(INTERRUPTS_ITSELF)) interrupt_myself();
    if (makes(STORES_AT_0)) store_at(0);
    if (makes(STORES_IN_CODE)) store_at((uintptr_t)store_at & ~(uintptr_t)3);
    rounds++;
  }
}

// The first ------------------------------------------------------------------

static void play_a_frame(void)
{
  static sounds_handle_t sound[2];
  for (uint32_t i = 0; i < 6; i++) {
    send(&by_player);
    play_a_sound(&sound[i % 2]);
    void *own = mine_alloc();
    if (own) mine_free(own);
    for (void *reply; (reply = take(&answers));) replies_free(reply);
    core_yield();
  }
}

int main(void)
{
  soak.task = name_of_task;
  tp_soak_begin(&soak);
  mistake = tp_soak_setting("mistake", NONE);
  start_radio();
  core_start(serve);
  for (uint32_t frame = 0; frame < soak.frames; frame++) {
    play_a_frame();
    soak.hash = soak.hash * 31 + rounds;
    tp_soak_frame(&soak);
  }
  tp_soak_end(&soak);
}
