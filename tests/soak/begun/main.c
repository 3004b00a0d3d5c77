// SPDX-License-Identifier: MIT
// A soak of a pool on the host, from its beginning to its end. What is done in
// it is named by an argument; the records that it makes come on standard
// output.
#include <stdio.h>
#include <string.h>

#include "begun.h"
#include "config/tp_define.h"
#include "core/tp_registry.h"
#include "tidepool.h"

enum { SLOTS = 4, LONG = 300 };

TP_POOL_DEFINE_TAGGED(some, 16, SLOTS, 4, .policy = &tp_drop, .refuses = 1);

static char long_name[LONG + 1];
static struct tp_entry entry = {.name = "some",
                                .kind = &tp_pool_kind,
                                .allocator = &some_pool,
                                .policy = "drop",
                                .most = SLOTS,
                                .bytes = 64,
                                .stride = 16};
static const struct tp_entry *const entries[] = {&entry};
const struct tp_registry tp_registry = {.entries = entries, .count = 1};
static struct tp_soak soak = {
    .registry = &tp_registry, .board = "", .checks = TP_CHECKS};

void tp_soak_put(uint8_t byte)
{
  putchar(byte);
}

void tp_fault(const struct tp_fault_record *record)
{
  tp_soak_fault(record);
  __builtin_trap();
}

static void frames(uint32_t count)
{
  for (uint32_t i = 0; i < count; i++) tp_soak_frame(&soak);
}

static void nothing(void)
{
}

static void long_names(void)
{
  memset(long_name, 'n', LONG);
  entry.name = long_name;
  soak.board = long_name;
}

// Two, three and two again at the ends of frames, behind a second with two.
static void use(void)
{
  void *objects[3];
  for (uint32_t i = 0; i < 2; i++) objects[i] = tp_pool_alloc(&some_pool);
  frames(2);
  objects[2] = tp_pool_alloc(&some_pool);
  frames(1);
  tp_pool_free(&some_pool, objects[2]);
  frames(1);
}

static void unnamed(void)
{
  static const struct tp_fault_record record = {.kind = TP_FAULT_SCENE,
                                                .slot = 7};
  tp_soak_fault(&record);
}

static void named(void)
{
  tp_pool_free(&some_pool, NULL);
}

// A fault behind it is the firmware's.
static void questions(void)
{
  ask_only(tp_soak_argument("question"));
  frames(1);
  tp_soak_scene(is_left_as_it_was() ? "as it was" : "changed");
  frames(1);
  if (tp_soak_argument("then")) named();
}

// An interrupt that comes at once.
static uint32_t soonest = UINT32_MAX;

static void fire(uint32_t instructions)
{
  if (instructions < soonest) soonest = instructions;
  soak.interrupts++;
}

static void with_timer(void)
{
  soak.timer = fire;
}

static void timed(void)
{
  frames(300);
  tp_soak_scene(soonest < 16 ? "too soon" : "in time");
}

static const struct {
  const char *name;
  void (*prepare)(void);
  void (*play)(void);
} deeds[] = {{"none", nothing, nothing},  {"long", long_names, nothing},
             {"use", nothing, use},       {"unnamed", nothing, unnamed},
             {"named", nothing, named},   {"questions", nothing, questions},
             {"timed", with_timer, timed}};

int main(void)
{
  const char *deed = tp_soak_argument("deed");
  for (uint32_t i = 0; i < sizeof deeds / sizeof *deeds; i++) {
    if (!tp_soak_is_word(deed, deeds[i].name)) continue;
    deeds[i].prepare();
    tp_soak_begin(&soak);
    deeds[i].play();
    tp_soak_end(&soak);
  }
}
