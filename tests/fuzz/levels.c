// SPDX-License-Identifier: MIT
// Scenes that cut what ends by more than a free: objects with hooks, and parts
// that slots retain, the classes of blocks, and a dense pool with handles
// of 64 bits.
#include <string.h>

#include "allocator/tp_blocks.h"
#include "allocator/tp_dense64.h"
#include "fuzz.h"
#include "object/tp_build.h"
#include "object/tp_object.h"
#include "object/tp_scene.h"

enum { SCENES = 3, SLOTS = 4, OBJECT = 16, OLD = 8, CLASSES = 2, PART = 2 };
enum part { THINGS, SMALL, LARGE, DENSE, PARTS };

struct thing {
  uint32_t number, more;
  uint32_t part[PART];  // What the slot retains.
};

// What lives in a part.
struct item {
  void *memory;  // Of a dense object: NULL.
  uint32_t number;
  tp_handle64_t handle;
};

struct kept {
  struct item items[SLOTS];
  uint32_t count, peak;
};

static struct {
  struct tp_pool pools[DENSE];
  struct tp_objects things;
  struct tp_retain retain;
  struct tp_blocks_class classes[CLASSES];
  struct tp_blocks blocks;
  struct tp_dense dense;
  struct tp_dense64 wide;
  struct tp_scene_part parts[PARTS];
  struct tp_seal seals[PARTS];
  struct tp_scenes scenes;
  uint32_t amounts[PARTS][SCENES];
  uint32_t scene;  // TP_NO_SCENE: none.
  struct kept kept[PARTS];
  uint32_t retained[SLOTS + 1][PART];  // By slot.
  bool retains;
  uint32_t numbers, ends;
  tp_handle64_t old[OLD];  // Handles of what is gone.
  uint32_t old_count;
} now;

static uint32_t amount_of(enum part part)
{
  return now.scene == TP_NO_SCENE ? 0 : now.amounts[part][now.scene];
}

static uint32_t slot_of(const void *thing)
{
  const struct tp_pool *pool = &now.pools[THINGS];
  return (uint32_t)(((uintptr_t)thing - pool->origin) / pool->stride);
}

static bool is_open(uint32_t slot)
{
  return now.retained[slot][0] || now.retained[slot][1];
}

// After each call ------------------------------------------------------------

static void check_item(enum part part, const struct item *item)
{
  void *memory = item->memory;
  uint32_t bytes = part == THINGS ? 8 : now.pools[part % DENSE].size;
  if (part == DENSE) bytes = OBJECT;
  if (part == DENSE) memory = tp_dense64_get(&now.wide, item->handle);
  EXPECT(memory && tp_is_filled(memory, bytes, item->number));
}

static void check_all(void)
{
  for (uint32_t i = 0; i < PARTS; i++) {
    enum part part = (enum part)i;
    const struct tp_scene_part *row = &now.parts[part];
    struct kept *kept = &now.kept[part];
    if (kept->peak < kept->count) kept->peak = kept->count;
    EXPECT(tp_seal_verify(row->seal));
    EXPECT(row->kind->live(row->allocator) == kept->count);
    EXPECT(row->kind->peak(row->allocator) == kept->peak);
    for (uint32_t j = 0; j < kept->count; j++) {
      check_item(part, &kept->items[j]);
    }
  }
  for (uint32_t i = 0; i < OLD; i++) {
    EXPECT(!tp_dense64_get(&now.wide, now.old[i]));
  }
  EXPECT(tp_pool_verify(&now.pools[THINGS], NULL));
  EXPECT(tp_blocks_verify(&now.blocks) && tp_dense_verify(&now.dense));
}

// Hooks ----------------------------------------------------------------------

// A newcomer finds what its slot retained.
static bool init(void *object, void *context)
{
  struct thing *thing = (struct thing *)object;
  uint32_t slot = slot_of(object);
  (void)context;
  EXPECT(slot - 1 < amount_of(THINGS));
  size_t bytes = now.retains ? sizeof thing->part : 0;
  EXPECT(memcmp(thing->part, now.retained[slot], bytes) == 0);
  tp_fill(thing, 8, now.numbers);
  thing->part[0] = fuzz_below(2) * now.numbers;
  thing->part[1] = thing->part[0] ? slot : 0;
  return true;
}

// Of what lives, and once.
static void deinit(void *object)
{
  struct thing *thing = (struct thing *)object;
  struct kept *kept = &now.kept[THINGS];
  uint32_t at = 0;
  while (at < kept->count && kept->items[at].memory != object) at++;
  EXPECT(at < kept->count);
  check_item(THINGS, &kept->items[at]);
  kept->items[at] = kept->items[--kept->count];
  size_t bytes = now.retains ? sizeof thing->part : 0;
  memcpy(now.retained[slot_of(object)], thing->part, bytes);
  now.ends++;
}

static void close_part(void *part)
{
  const uint32_t *words = (const uint32_t *)part;
  uint32_t slot = words[1];
  EXPECT(slot - 1 < SLOTS);
  EXPECT(memcmp(part, now.retained[slot], sizeof now.retained[0]) == 0);
  memset(now.retained[slot], 0, sizeof now.retained[0]);
}

// Calls ----------------------------------------------------------------------

static void add(enum part part, struct item item)
{
  struct kept *kept = &now.kept[part];
  EXPECT((item.memory != NULL) == (kept->count < amount_of(part)));
  if (!item.memory) return;
  if (part != THINGS) {
    uint32_t bytes = part == DENSE ? OBJECT : now.pools[part].size;
    EXPECT(fuzz_is_new(item.memory, bytes));
    tp_fill(item.memory, bytes, item.number);
  }
  if (part == DENSE) item.memory = NULL;  // It may move.
  kept->items[kept->count++] = item;
}

static void alloc(void)
{
  enum part part = (enum part)fuzz_below(PARTS);
  struct item item = {.number = ++now.numbers};
  if (part == THINGS) {
    GOOD(item.memory = tp_object_alloc(&now.things, NULL));
  } else if (part == DENSE) {
    GOOD(item.memory = tp_dense64_alloc(&now.wide, &item.handle));
  } else {
    uint32_t most = now.pools[part].size;
    GOOD(item.memory = tp_blocks_alloc(&now.blocks, most - fuzz_below(8)));
  }
  add(part, item);
}

static struct item take_out(enum part part)
{
  struct kept *kept = &now.kept[part];
  uint32_t at = fuzz_below(kept->count);
  struct item item = kept->items[at];
  kept->items[at] = kept->items[--kept->count];
  if (part == DENSE) now.old[now.old_count++ % OLD] = item.handle;
  return item;
}

static void free_one(void)
{
  enum part part = (enum part)fuzz_below(PARTS);
  struct kept *kept = &now.kept[part];
  bool freed = true;
  if (kept->count == 0) return;
  if (part == THINGS) {
    uint32_t at = fuzz_below(kept->count);
    GOOD(tp_object_free(&now.things, kept->items[at].memory));
  } else if (part == DENSE) {
    GOOD(freed = tp_dense64_free(&now.wide, take_out(part).handle));
  } else {
    GOOD(tp_blocks_free(&now.blocks, take_out(part).memory));
  }
  EXPECT(freed);
}

static void close_all(void)
{
  uint32_t ends = now.ends + now.kept[THINGS].count;
  if (!now.retains || fuzz_below(4)) return;
  GOOD(tp_retain_close(&now.things));
  EXPECT(now.ends == ends);
  for (uint32_t slot = 1; slot <= SLOTS; slot++) EXPECT(!is_open(slot));
}

// Scenes ---------------------------------------------------------------------

static void begin_scene(uint32_t scene)
{
  EXPECT(now.kept[THINGS].count == 0);
  for (uint32_t part = 0; part < PARTS; part++) now.kept[part].peak = 0;
  now.scene = scene;
}

static void switch_scene(void)
{
  uint32_t scene = fuzz_below(SCENES), blocking = 0, said = 0;
  struct tp_scene_holder holders[PARTS];
  for (uint32_t i = 0; i < PARTS; i++) blocking += now.kept[i].count > 0;
  GOOD(said = tp_scene_switch(&now.scenes, scene, holders));
  EXPECT(said == blocking);
  if (said == 0) begin_scene(scene);
}

// What slots retain is closed; of a switch, it is still there.
static void force_scene(void)
{
  uint32_t scene = fuzz_below(SCENES);
  uint32_t ends = now.ends + now.kept[THINGS].count;
  if (fuzz_below(2)) return;
  GOOD(tp_scene_force(&now.scenes, scene));
  EXPECT(now.ends == ends);
  for (uint32_t slot = 1; slot <= SLOTS; slot++) EXPECT(!is_open(slot));
  while (now.kept[DENSE].count > 0) (void)take_out(DENSE);
  now.kept[SMALL].count = now.kept[LARGE].count = 0;
  begin_scene(scene);
}

// The beginning --------------------------------------------------------------

static void put_pool(enum part part, const char *name, uint32_t size)
{
  struct tp_build row = {.size = (uint16_t)size,
                         .count = SLOTS,
                         .align = 8,
                         .tagged = 1,
                         .policy = &tp_drop};
  struct tp_pool *pool = &now.pools[part];
  tp_pool_build(pool, name, &row, fuzz_memory(tp_build_bytes(&row), 0));
  EXPECT(tp_scene_pool.close(pool));
}

static void put_things(void)
{
  put_pool(THINGS, "things", sizeof(struct thing));
  now.retain =
      (struct tp_retain){.kept = fuzz_memory(SLOTS * sizeof now.retained[0], 0),
                         .sum = fuzz_memory(SLOTS * sizeof(uint32_t), 0),
                         .close = close_part,
                         .save = tp_retain_save,
                         .restore = tp_retain_restore,
                         .offset = offsetof(struct thing, part),
                         .size = sizeof now.retained[0]};
  now.things = (struct tp_objects){.pool = &now.pools[THINGS],
                                   .init = init,
                                   .deinit = deinit,
                                   .retain = now.retains ? &now.retain : NULL,
                                   .slots = SLOTS};
}

static void put_blocks(void)
{
  for (uint32_t i = 0; i < CLASSES; i++) {
    enum part part = (enum part)(SMALL + i);
    put_pool(part, i ? "large" : "small", OBJECT << i);
    now.classes[i] = (struct tp_blocks_class){
        &now.pools[part], fuzz_memory((SLOTS + 1) * sizeof(uint16_t), 0),
        fuzz_memory(sizeof(struct tp_blocks_waste), 0)};
  }
  now.blocks =
      (struct tp_blocks){.classes = now.classes,
                         .waste = fuzz_memory(sizeof *now.blocks.waste, 0),
                         .name = "blocks",
                         .count = CLASSES};
}

static void put_dense(void)
{
  now.dense =
      (struct tp_dense){.place = fuzz_memory((SLOTS + 1) * sizeof(uint32_t), 0),
                        .entry = fuzz_memory(SLOTS * sizeof(tp_slot_t), 0),
                        .state = fuzz_memory(sizeof *now.dense.state, 0),
                        .storage = now.scenes.arena,
                        .name = "dense",
                        .stride = OBJECT,
                        .size = OBJECT,
                        .bits = TP_HANDLE_BITS(SLOTS)};
  now.wide = (struct tp_dense64){
      &now.dense, fuzz_memory((SLOTS + 1) * sizeof(uint16_t), 0)};
}

static void put_part(enum part part, const void *beside,
                     void (*end)(const struct tp_scene_part *, tp_site_t))
{
  void *pool = &now.pools[part % DENSE];
  now.seals[part] = (struct tp_seal){
      .descriptor = part == DENSE ? &now.dense : pool,
      .word = fuzz_memory(sizeof(uint32_t), 0),
      .name = "part",
      .count = (part == DENSE ? sizeof now.dense : sizeof(struct tp_pool)) / 4};
  now.parts[part] = (struct tp_scene_part){
      .kind = part == DENSE ? &tp_scene_dense : &tp_scene_pool,
      .allocator = part == DENSE ? &now.dense : pool,
      .beside = beside,
      .name = "part",
      .amounts = now.amounts[part],
      .peaks = fuzz_memory(SCENES * sizeof(uint32_t), 0),
      .end = end,
      .seal = &now.seals[part]};
  tp_seal_check(&now.seals[part]);  // The first time makes it.
}

static void begin(void)
{
  enum { BYTES = PARTS * (SLOTS * 64 + 8) };
  memset(&now, 0, sizeof now);
  now.scene = TP_NO_SCENE;
  now.retains = fuzz_below(2);
  for (uint32_t i = 0; i < PARTS * SCENES; i++) {
    now.amounts[i % PARTS][i / PARTS] = fuzz_below(SLOTS + 1);
  }
  now.scenes =
      (struct tp_scenes){.parts = now.parts,
                         .arena = fuzz_memory(BYTES, 0x33),
                         .state = fuzz_memory(sizeof *now.scenes.state, 0),
                         .name = "levels",
                         .bytes = BYTES,
                         .part_count = PARTS,
                         .scene_count = SCENES,
                         .align = 8};
  put_things();
  put_blocks();
  put_dense();
  put_part(THINGS, &now.things,
           now.retains ? tp_retain_end_scene : tp_object_end_scene);
  put_part(SMALL, &now.blocks, tp_blocks_end_scene);
  put_part(LARGE, &now.blocks, tp_blocks_end_scene);
  put_part(DENSE, &now.wide, tp_dense64_end_scene);
}

static void (*const calls[])(void) = {
    alloc,    alloc,     alloc,        alloc,       free_one,
    free_one, close_all, switch_scene, force_scene, free_one};
enum { CALLS = sizeof calls / sizeof calls[0] };

const struct world fuzz_levels = {
    .name = "levels",
    .begin = begin,
    .calls = calls,
    .count = CALLS,
    .end_in = CALLS,
    .check = check_all,
};
