// SPDX-License-Identifier: MIT
// tp_plant_lasting.c - the mistakes of --plant that go on and on, and that no
// check of a call can find: what they cost shows over minutes.
#include "allocator/tp_reloc.h"
#include "core/tp_core.h"
#include "core/tp_registry.h"
#include "tp_soak.h"

enum { LEAK_EVERY = 300, SPIKE_EVERY = 600, CREEP_EVERY = 600, HELD = 64 };
enum { SLOW_TURNS = 16000, SPIKE_TURNS = 1000000, DEEP_WORDS = 8448 };
enum { HOLE_EVERY = 900, HOLES_PART = 64, STORM_EVERY = 1800 };
enum { LOST_OF = 8, LOSE_EVERY = 1800 };

// With a pool, or whatever else the mistake fits.
typedef void deed(const void *pool, uint32_t frames);

static void leak(const void *pool, uint32_t frames)
{
  if (frames % LEAK_EVERY == 0) (void)tp_pool_alloc(pool);
}

static void take_all(const void *pool, uint32_t frames)
{
  (void)frames;
  while (tp_pool_alloc(pool)) {
  }
}

// From one frame to the next, and each time some more for longer.
static void creep(const void *pool, uint32_t frames)
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

static void slow_down(const void *pool, uint32_t frames)
{
  (void)pool, (void)frames;
  burn(SLOW_TURNS);
}

static void spike(const void *pool, uint32_t frames)
{
  (void)pool;
  if (frames % SPIKE_EVERY == 0) burn(SPIKE_TURNS);
}

static void go_deep(const void *pool, uint32_t frames)
{
  volatile uint32_t words[DEEP_WORDS];
  (void)pool;
  for (uint32_t i = 0; frames == 0 && i < DEEP_WORDS; i++) {
    words[i] = i;
    (void)words[i];
  }
}

static void store_at_0(const void *pool, uint32_t frames)
{
  (void)pool, (void)frames;
  uintptr_t nowhere = 0;
  __asm("" : "+r"(nowhere));  // Else compilers know, and trap.
  *(volatile uint32_t *)nowhere = 1;
}

static void store_in_code(const void *pool, uint32_t frames)
{
  (void)pool;
  uintptr_t code = (uintptr_t)store_at_0 & ~(uintptr_t)3;
  *(volatile uint32_t *)code = frames;
}

// Its object outlives what the row of its pool says; where objects are stolen,
// it is pinned, and never unpinned.
static void keep_one(const void *pool, uint32_t frames)
{
  static void *kept;
  (void)frames;
  if (kept) return;
  kept = tp_pool_alloc(pool);  // It may be full for now.
  if (kept) tp_pool_pin(pool, kept);
}

// Frees what it holds if it is later now, which is not so once the clock has
// wrapped.
static void compare_clocks(const void *pool, uint32_t frames)
{
  static uint32_t last;
  static void *held;
  (void)frames;
  void *object = tp_pool_alloc(pool);
  if (!object || (held && tp_clock_now <= last)) return;
  if (held) tp_pool_free(pool, held);
  held = object;
  last = tp_clock_now;
}

// A block that stays where it is, and a hole before it, ever again.
static void cut_up(const void *arena, uint32_t frames)
{
  const struct tp_reloc *reloc = (const struct tp_reloc *)arena;
  size_t bytes = (size_t)reloc->units * TP_RELOC_UNIT / HOLES_PART;
  if (frames % HOLE_EVERY != 0) return;
  tp_handle_t hole = tp_reloc_alloc(reloc, bytes);
  tp_handle_t block = tp_reloc_alloc(reloc, bytes);
  if (block) (void)tp_reloc_lock(reloc, block);
  if (hole) (void)tp_reloc_free(reloc, hole);
}

// A figure that is said to be flat, and goes up and up.
static void tell_more(const void *pool, uint32_t frames)
{
  (void)pool;
  tp_soak_figure("what was planted", "frames", frames, true);
}

static struct tp_soak *running;

// One more of the application's interrupts, and each time some more.
static void storm(const void *pool, uint32_t frames)
{
  const volatile uint32_t *came = &running->interrupts;
  (void)pool;
  for (uint32_t i = frames / STORM_EVERY + 1; i > 0; i--) {
    uint32_t before = *came;
    running->timer(TP_SOAK_SOONEST);
    while (*came == before) {
    }
  }
}

// At first one of so many frames is without, then two of them, and so on.
static void lose(const void *pool, uint32_t frames)
{
  (void)pool;
  running->by_timer = frames % LOST_OF > frames / LOSE_EVERY;
}

// Whether a mistake can be made with an allocator.

// A pool that refuses when it is full.
static bool refuses(const struct tp_entry *entry)
{
  return entry->kind == &tp_pool_kind &&
         tp_soak_is_word("drop", entry->policy) && tp_entry_capacity(entry);
}

static bool says_life(const struct tp_entry *entry)
{
  return entry->kind == &tp_pool_kind && entry->lifetime &&
         entry->lifetime != UINT32_MAX;
}

static bool moves(const struct tp_entry *entry)
{
  return entry->kind == &tp_reloc_kind;
}

static bool has_timer(const struct tp_entry *entry)
{
  (void)entry;
  return running->timer && running->by_timer;
}

typedef bool chooser(const struct tp_entry *entry);

static const struct mistake {
  const char *name;
  deed *make;
  chooser *fits;
  bool early;  // From the first frame on: what it costs shows half-way.
} mistakes[] = {
    {"slow-leak", leak, refuses, false},
    {"dead-pool", take_all, refuses, false},
    {"creeping-peak", creep, refuses, false},
    {"slow-frames", slow_down, refuses, false},
    {"slow-frame", spike, refuses, false},
    {"deep-stack", go_deep, refuses, false},
    {"null-store", store_at_0, refuses, false},
    {"flash-store", store_in_code, refuses, false},
    {"outlived", keep_one, says_life, false},
    {"wrapped-clock", compare_clocks, refuses, true},
    {"storm", storm, has_timer, false},
    {"lost-interrupts", lose, has_timer, false},
    {"holes", cut_up, moves, false},
    {"figure-drift", tell_more, refuses, false},
};

static const struct mistake *wanted;
static const struct tp_entry *victim;
static uint32_t from, victim_index;

// The first that it can be made with.
static void choose(const struct tp_registry *registry)
{
  for (uint32_t i = registry->count; i-- > 0;) {
    if (!wanted->fits(registry->entries[i])) continue;
    victim = registry->entries[i];
    victim_index = i;
  }
}

void tp_plant_lasting_begin(struct tp_soak *soak)
{
  const char *word = tp_soak_argument("plant");
  running = soak;
  from = (uint32_t)tp_soak_number("plant_frame", 600);
  for (uint32_t i = 0; word && i < sizeof mistakes / sizeof *mistakes; i++) {
    if (tp_soak_is_word(word, mistakes[i].name)) wanted = &mistakes[i];
  }
  if (wanted) choose(soak->registry);
}

void tp_plant_lasting_frame(void)
{
  if (!victim) return;
  uint32_t frame = tp_clock_now - tp_soak_start();
  if (frame == from) {
    tp_record_planted(tp_clock_now, victim_index, 0, wanted->name);
  }
  if (wanted->early || frame >= from) {
    wanted->make(victim->allocator, frame - from);
  }
}
