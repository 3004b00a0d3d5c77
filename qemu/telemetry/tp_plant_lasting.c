// SPDX-License-Identifier: MIT
// tp_plant_lasting.c - the mistakes of --plant that go on and on, and that no
// check of a call can find: what they cost shows over minutes.
#include "core/tp_core.h"
#include "tp_soak.h"

enum { LEAK_EVERY = 300, SPIKE_EVERY = 600, CREEP_EVERY = 600, HELD = 64 };
enum { SLOW_TURNS = 4000, SPIKE_TURNS = 1000000, DEEP_WORDS = 8448 };

typedef void deed(const struct tp_pool *pool, uint32_t frames);

static void leak(const struct tp_pool *pool, uint32_t frames)
{
  if (frames % LEAK_EVERY == 0) (void)tp_pool_alloc(pool);
}

static void take_all(const struct tp_pool *pool, uint32_t frames)
{
  (void)frames;
  while (tp_pool_alloc(pool)) {
  }
}

// From one frame to the next, and each time some more for longer.
static void creep(const struct tp_pool *pool, uint32_t frames)
{
  static void *held[HELD];
  uint32_t most = frames / CREEP_EVERY + 1;
  for (uint32_t i = 0; i < HELD; i++) {
    if (held[i]) tp_pool_free(pool, held[i]);
    if (i >= most) return;
    held[i] = tp_pool_alloc(pool);
  }
}

static void burn(uint32_t turns)
{
  for (volatile uint32_t i = 0; i < turns; i++) {
  }
}

static void slow_down(const struct tp_pool *pool, uint32_t frames)
{
  (void)pool, (void)frames;
  burn(SLOW_TURNS);
}

static void spike(const struct tp_pool *pool, uint32_t frames)
{
  (void)pool;
  if (frames % SPIKE_EVERY == 0) burn(SPIKE_TURNS);
}

static void go_deep(const struct tp_pool *pool, uint32_t frames)
{
  volatile uint32_t words[DEEP_WORDS];
  (void)pool;
  for (uint32_t i = 0; frames == 0 && i < DEEP_WORDS; i++) {
    words[i] = i;
    (void)words[i];
  }
}

static void store_at_0(const struct tp_pool *pool, uint32_t frames)
{
  (void)pool, (void)frames;
  uintptr_t nowhere = 0;
  __asm("" : "+r"(nowhere));  // Else compilers know, and trap.
  *(volatile uint32_t *)nowhere = 1;
}

static void store_in_code(const struct tp_pool *pool, uint32_t frames)
{
  (void)pool;
  uintptr_t code = (uintptr_t)store_at_0 & ~(uintptr_t)3;
  *(volatile uint32_t *)code = frames;
}

static const struct {
  const char *name;
  deed *make;
} mistakes[] = {
    {"slow-leak", leak},        {"dead-pool", take_all},
    {"creeping-peak", creep},   {"slow-frames", slow_down},
    {"slow-frame", spike},      {"deep-stack", go_deep},
    {"null-store", store_at_0}, {"flash-store", store_in_code},
};

static deed *wanted;
static const struct tp_pool *victim;
static uint32_t from, victim_index;
static const char *name;

// The first pool that refuses when it is full.
static void choose(const struct tp_registry *registry)
{
  for (uint32_t i = registry->count; i-- > 0;) {
    const struct tp_entry *entry = registry->entries[i];
    const struct tp_pool *pool = (const struct tp_pool *)entry->allocator;
    if (entry->kind != &tp_pool_kind ||
        !tp_soak_is_word("drop", entry->policy) || pool->capacity == 0) {
      continue;
    }
    victim = pool;
    victim_index = i;
  }
}

void tp_plant_lasting_begin(const struct tp_registry *registry)
{
  const char *word = tp_soak_argument("plant");
  from = (uint32_t)tp_soak_number("plant_frame", 600);
  for (uint32_t i = 0; word && i < sizeof mistakes / sizeof *mistakes; i++) {
    if (!tp_soak_is_word(word, mistakes[i].name)) continue;
    wanted = mistakes[i].make;
    name = mistakes[i].name;
  }
  if (wanted) choose(registry);
}

void tp_plant_lasting_frame(void)
{
  if (!wanted || !victim || tp_clock_now < from) return;
  if (tp_clock_now == from) {
    tp_record_planted(tp_clock_now, victim_index, 0, name);
  }
  wanted(victim, tp_clock_now - from);
}
