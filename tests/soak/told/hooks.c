// SPDX-License-Identifier: MIT
// Who asked for what, how long it lives and what was refused, by the calls that
// the library makes: here there is none, and two pools of which all is made up.
#include "tp_soak_hooks.c"

#include "told.h"

bool tp_ask_asking;
static uint32_t first_tag[4], second_tag[4], third_tag[4];
static struct tp_pool_state first_state, second_state, third_state;
static const struct tp_pool first_pool = {
    .name = "first", .state = &first_state, .tag = first_tag, .capacity = 3};
static const struct tp_pool second_pool = {
    .name = "second", .state = &second_state, .tag = second_tag, .capacity = 3};

static const struct tp_pool third_pool = {
    .name = "third", .state = &third_state, .tag = third_tag, .capacity = 3};

static const struct tp_entry first_entry = {
    .name = "first", .allocator = &first_pool, .policy = "drop", .most = 3};
static const struct tp_entry second_entry = {.name = "second",
                                             .allocator = &second_pool,
                                             .policy = "drop",
                                             .most = 3,
                                             .lifetime = 1000};
static const struct tp_entry third_entry = {.name = "third",
                                            .allocator = &third_pool,
                                            .policy = "assert",
                                            .most = 3,
                                            .lifetime = 2000};
static const struct tp_entry *const all[] = {&first_entry, &second_entry,
                                             &third_entry};
static const struct tp_registry pools = {.entries = all, .count = 3};
static const struct tp_soak with = {.registry = &pools, .seed = 1};
static const char code[TP_SOAK_PLACES + 8];  // Where calls return to.

const struct tp_pool *tp_soak_pool(const struct tp_entry *entry)
{
  return (const struct tp_pool *)entry->allocator;
}

uint32_t tp_registry_find(const struct tp_registry *registry, const char *name)
{
  (void)registry;
  if (name == first_pool.name) return 0;
  return name == second_pool.name ? 1 : 2;
}

const void *tp_soak_caller(tp_site_t site)
{
  return site;
}

void tp_soak_calls(const char *name, uint32_t call, const void *caller)
{
  (void)name, (void)call, (void)caller;
}

uint32_t tp_soak_lock(void)
{
  return 0;
}

void tp_soak_unlock(uint32_t key)
{
  (void)key;
}

bool tp_soak_is_home(void)
{
  return true;
}

static void issue(const struct tp_pool *pool, uint32_t slot, uint32_t times,
                  const char *caller)
{
  pool->tag[slot] = TP_LIVE | times;
  if (pool->state->fresh < slot) pool->state->fresh = (tp_slot_t)slot;
  tp_soak_issued(pool, slot, caller);
}

void lives(void)
{
  tp_soak_hooks_begin(&with);
  tp_clock_now = 10;
  issue(&second_pool, 1, 1, code + 1);
  tp_clock_now = 20;
  issue(&second_pool, 2, 1, code + 2);
  issue(&third_pool, 1, 1, code + 4);
  tp_clock_now = 50;
  issue(&first_pool, 1, 1, code + 3);
  tp_clock_now = 100;
  tp_soak_hooks_oldest();
  second_pool.tag[1] = 1;  // It was freed.
  tp_soak_hooks_oldest();
}

// Of the last two nothing is known but that they are there.
void places_told(void)
{
  tp_soak_hooks_begin(&with);
  for (uint32_t i = 0; i < TP_SOAK_PLACES + 2; i++) {
    (void)tp_soak_refuses(first_pool.name, code + i);
  }
  tp_soak_hooks_report();
}

void strangers_issue(void)
{
  places_told();
  issue(&first_pool, 1, 1, code);
  issue(&first_pool, 1, 2, code + TP_SOAK_PLACES + 1);
  tp_soak_hooks_verify();
  issue(&first_pool, 2, 1, code);
  first_pool.tag[2] ^= 4;
  tp_soak_hooks_verify();
}

// Slots of each are issued again where there is no room for the place.
void issued_by_a_stranger(void)
{
  places_told();
  tp_clock_now = 10;
  issue(&second_pool, 1, 1, code + TP_SOAK_PLACES + 2);
  tp_clock_now = 20;
  issue(&first_pool, 1, 1, code);
  tp_clock_now = 5000;
  issue(&second_pool, 1, 2, code + TP_SOAK_PLACES + 3);
  issue(&first_pool, 1, 2, code + TP_SOAK_PLACES + 3);
  tp_clock_now = 5060;
  tp_soak_hooks_oldest();
  tp_soak_hooks_report();
}

// Where every request is refused that may be.
void refused_to_strangers(void)
{
  places_told();
  nth = 1, refusing = true;
  for (uint32_t i = 0; i < 2; i++) {
    tp_soak_full(first_pool.name, code + TP_SOAK_PLACES);
    bool is_refused = tp_soak_refuses(i ? third_pool.name : second_pool.name,
                                      code + TP_SOAK_PLACES + 4);
    tp_soak_scene(is_refused ? "refused" : "served");
  }
}

void served_twice(void)
{
  tp_soak_hooks_begin(&with);
  for (uint32_t slot = 1; slot <= 2; slot++) {
    (void)tp_soak_refuses(first_pool.name, code + 1);
    issue(&first_pool, slot, 1, code + 1);
  }
  first_pool.tag[1] = 1;  // It was freed.
  tp_soak_hooks_report();
}

// At one place before the soak begins and behind, at another between.
void issued_before(void)
{
  for (uint32_t times = 1; times <= 3; times++) {
    const char *caller = code + times % 2;
    (void)tp_soak_refuses(first_pool.name, caller);
    issue(&first_pool, 1, times, caller);
    if (times == 1) tp_soak_hooks_begin(&with);
  }
  tp_soak_hooks_verify();
  tp_soak_hooks_report();
}

void seals(void)
{
  for (uint32_t bit = 0; bit < 31; bit++) {
    for (uint32_t number = 0; number < 999; number++) {
      uint32_t other = number * 99991u ^ 1u << bit;
      if (sealed(number * 99991u) == sealed(other)) tp_soak_scene("equal");
    }
  }
}

// While an interrupt asks, too, what a task asked goes on.
void interrupted(void)
{
  tp_soak_hooks_begin(&with);
  (void)tp_soak_refuses(first_pool.name, code + 1);
  tp_port_runs = 1;
  (void)tp_soak_refuses(first_pool.name, code + 2);
  issue(&first_pool, 1, 1, code + 2);
  tp_port_runs = 0;
  (void)tp_soak_refuses(first_pool.name, code + 1);
  tp_soak_full(first_pool.name, code + 1);
  (void)tp_soak_refuses(first_pool.name, code + 1);
  tp_soak_hooks_report();
}
