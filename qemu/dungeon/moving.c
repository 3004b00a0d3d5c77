// SPDX-License-Identifier: MIT
// moving.c - what moves in memory, and what comes and goes with it: motes side
// by side, maps that are compacted, bats of an attached cave, texts, a journal.
#include "dungeon.h"
#include "object/tp_build.h"

enum { NIGHT = 1200, DAWN = 1000, DEN_BYTES = 512 };

static uint32_t moves;

void mote_moved(struct mote *to, const struct mote *from, motes_handle_t handle)
{
  (void)handle;
  moves += to != from;
}

void spark_moved(struct mote *to, const struct mote *from,
                 sparks_handle_t handle)
{
  moves += to != from && sparks_get(handle) == to;
}

static void drift(void)
{
  motes_handle_t handle;
  for (struct mote *mote = motes_first(&handle); mote;
       mote = motes_next(&handle)) {
    if (--mote->frames_left == 0) (void)motes_free(handle);
  }
}

void play_motes(void)
{
  static motes_handle_t caught;
  motes_handle_t handle;
  struct mote *mote = dungeon_chance(3) == 0 ? motes_alloc(&handle) : 0;
  if (mote) *mote = (struct mote){.frames_left = 1 + dungeon_chance(120)};
  if (mote && dungeon_chance(10) == 0) {
    (void)motes_free(caught);  // Unless it was gone by itself.
    caught = handle;
  }
  drift();
  if (dungeon_chance(2400) == 0) motes_reset();
}

static void glow(void)
{
  sparks_handle_t handle;
  for (struct mote *spark = sparks_first(&handle); spark;
       spark = sparks_next(&handle)) {
    if (--spark->frames_left == 0) (void)sparks_free(handle);
  }
}

void play_sparks(void)
{
  static sparks_handle_t last;
  if (dungeon_chance(4) == 0) {
    struct mote *spark = sparks_alloc(&last);
    if (spark) *spark = (struct mote){.frames_left = 1 + dungeon_chance(99)};
  }
  if (sparks_get(last)) sparks_get(last)->colour++;
  if (sparks_count() > 0) sparks_get(sparks_handle(0))->colour--;
  glow();
  if (dungeon_chance(3600) == 0) sparks_reset();
}

// Whoever stands first is caught.
void play_rats(void)
{
  rats_handle_t rat;
  struct mote *born = dungeon_chance(20) == 0 ? rats_alloc(&rat) : 0;
  if (born) *born = (struct mote){.frames_left = 1, .colour = tp_clock_now};
  if (rats_count() > 0 && dungeon_chance(25) == 0) {
    (void)rats_free(rats_handle(0));
  }
}

static maps_handle_t maps[MAPS_COUNT];

void map_moved(void *to, const void *from, maps_handle_t handle)
{
  (void)handle;
  moves += to != from;
}

static void draw_map(maps_handle_t *map)
{
  *map = maps_alloc(16 + dungeon_chance(400));
  uint32_t *words = maps_lock(*map);
  if (!words) return;
  words[0] = tp_clock_now;
  (void)maps_unlock(*map);
}

void play_maps(void)
{
  maps_handle_t *map = &maps[dungeon_chance(MAPS_COUNT)];
  if (dungeon_chance(8) == 0 && !maps_free(*map)) draw_map(map);
  (void)maps_step();
}

static struct bat *flying;
static struct tp_pool den_pools[2];
static uint64_t den_memory[2][DEN_BYTES / 8];
static struct tp_chunk_state den_states[2];
static const struct tp_chunk dens[2] = {
    {.pool = &den_pools[0], .state = &den_states[0]},
    {.pool = &den_pools[1], .state = &den_states[1]},
};
static bool is_night;

// More caves, made while the game runs.
static void open_den(uint32_t number)
{
  const struct tp_build row = {.size = sizeof(struct bat),
                               .count = 8,
                               .align = 8,
                               .refuses = 1,
                               .policy = &tp_drop};
  if (tp_build_bytes(&row) > sizeof den_memory[0]) return;
  tp_pool_build(&den_pools[number], "den", &row, den_memory[number]);
  tp_chunk_attach(&bats_pool, &dens[number]);
}

static void fall_asleep(void)
{
  for (uint32_t i = 0; i < 2; i++) {
    if (!dens[i].state->attached) open_den(i);
  }
  is_night = true;
}

static void wake(void)
{
  is_night = false;
  for (uint32_t i = 0; i < 2; i++) {
    if (dens[i].state->attached && !tp_chunk_detach(&bats_pool, &dens[i])) {
      is_night = true;
    }
  }
}

static void fly(void)
{
  for (struct bat **link = &flying; *link;) {
    struct bat *bat = *link;
    if (--bat->frames_left > 0) {
      link = &bat->next;
    } else {
      *link = bat->next;
      bats_free(bat);
    }
  }
}

void play_bats(void)
{
  uint32_t hour = dungeon_frame() % NIGHT;
  bool comes = hour < DAWN && dungeon_chance(9) == 0;
  struct bat *bat = comes ? bats_alloc() : 0;
  if (bat) {
    *bat =
        (struct bat){.next = flying, .frames_left = 30 + dungeon_chance(150)};
    flying = bat;
  }
  fly();
  if (!is_night && hour == 0) fall_asleep();
  if (hour == NIGHT - 1 && !flying) {
    tp_spill_reset(&bats_pool);
    is_night = tp_spill_release(&bats_pool) > 0;
  }
  if (is_night && hour > 0 && hour < DAWN && dungeon_chance(600) == 0) {
    wake();
  }
  (void)tp_chunk_release(&cave_chunk);
}

static uint8_t *texts[25];

void play_texts(void)
{
  uint8_t **text = &texts[dungeon_chance(25)];
  if (*text) {
    texts_free(*text);
    *text = 0;
  } else {
    uint32_t length = 1 + dungeon_chance(dungeon_chance(3) ? 8 : 256);
    *text = texts_alloc(length);
    if (*text) (*text)[length - 1] = 0;
  }
}

void drop_texts(bool leave)
{
  for (uint32_t i = 0; i < 25; i++) {
    if (texts[i] && leave) texts_free(texts[i]);
    texts[i] = 0;
  }
}

// At power-on nothing is valid. Then as after a reset that came amid a write:
// what was written is there, and pinned by nobody any more.
void journal_open(void)
{
  journal_handle_t handle;
  (void)journal_validate();
  struct entry *entry = journal_alloc_handle(&handle);
  if (!entry) return;
  *entry = (struct entry){0};
  (void)journal_pin_handle(handle);
  if (!journal_validate() || !journal_pin_handle(handle)) return;
  (void)journal_free_handle(handle);
  (void)journal_validate();
}

void play_journal(void)
{
  journal_handle_t handle;
  if (dungeon_chance(60) > 0) return;
  struct entry *entry = journal_alloc_handle(&handle);
  if (!entry) return;
  *entry = (struct entry){.frame = tp_clock_now, .what = dungeon_chance(9)};
  if (journal_pin_handle(handle)) (void)journal_unpin_handle(handle);
  if (dungeon_chance(4) == 0) (void)journal_free_handle(handle);
}
