// SPDX-License-Identifier: MIT
// A pool, a stack, a double-ended one, a frame and a dense pool, which scenes
// cut: who stands in the way of a switch, and that nothing of an old scene is
// good in the next.
#include <string.h>

#include "allocator/tp_dense.h"
#include "allocator/tp_dstack.h"
#include "allocator/tp_frame.h"
#include "allocator/tp_stack.h"
#include "core/tp_registry.h"
#include "fuzz.h"
#include "object/tp_build.h"
#include "object/tp_scene.h"

enum { SCENES = 3, ITEMS = 10, MARKS = 3, OLD = 12, BUFFERS = 2, FRONT = 16 };
enum { SLOTS = 4, OBJECT = 16 };
enum part { POOL, DENSE, STACK, DSTACK, FRAME, PARTS };

// An object, or a block that is freed without a mark.
struct item {
  void *memory;
  uint32_t bytes, number;
  tp_handle_t handle;
  bool is_block;
  uint32_t before, newest;  // How full the end was, and its newest mark.
};

// What a part, an end of it, or a buffer holds.
struct kept {
  struct item items[ITEMS];
  uint32_t count;
  uint32_t used, peak;  // Bytes, or objects.
};

struct marked {
  struct tp_mark mark;
  uint32_t used, count, serial;
};

static struct {
  struct tp_pool pool;
  struct tp_dense dense;
  struct tp_stack stack;
  struct tp_dstack dstack;
  struct tp_frame frame;
  struct tp_scene_part parts[PARTS];
  struct tp_seal seals[PARTS];
  struct tp_scenes scenes;
  uint32_t amounts[PARTS][SCENES];
  uint32_t peaks[PARTS][SCENES];
  uint32_t scene;              // TP_NO_SCENE: none.
  struct kept kept[PARTS][2];  // By end or buffer.
  uint32_t buffer, numbers, serials, told, switches, refused;
  struct marked marks[MARKS];  // Of the stack, that can be released.
  uint32_t mark_count;
  // What was good once: handles of the first two parts, blocks and marks of the
  // stack.
  tp_handle_t old[2][OLD];
  void *old_blocks[OLD];
  struct tp_mark old_marks[OLD];
  uint32_t old_count[2], old_block_count, old_mark_count;
} now;

static const char *const names[PARTS] = {"pool", "dense", "stack", "dstack",
                                         "frame"};

// The model ------------------------------------------------------------------

static uint32_t amount_of(enum part part)
{
  return now.scene == TP_NO_SCENE ? 0 : now.amounts[part][now.scene];
}

static uint32_t live_in(enum part part)
{
  return now.kept[part][0].used + now.kept[part][1].used;
}

static uint32_t peak_of(enum part part)
{
  uint32_t one = now.kept[part][0].peak, other = now.kept[part][1].peak;
  if (part == FRAME) return one > other ? one : other;
  if (part != DSTACK) return one;
  return one + other < amount_of(part) ? one + other : amount_of(part);
}

static uint32_t bytes_of(enum part part, uint32_t scene)
{
  uint32_t amount = now.amounts[part][scene];
  if (amount == 0) return 0;
  uint32_t bytes = amount;
  if (part == POOL) bytes = now.pool.zone + amount * now.pool.stride;
  if (part == DENSE) bytes = amount * OBJECT;
  if (part == FRAME) bytes = amount * BUFFERS;
  return (bytes + 7) / 8 * 8;
}

static uint32_t bytes_in(uint32_t scene)
{
  uint32_t bytes = 0;
  for (uint32_t part = 0; part < PARTS; part++) {
    bytes += bytes_of((enum part)part, scene);
  }
  return bytes;
}

static void forget_block(const struct item *item)
{
  if (!item->is_block) return;
  now.old_blocks[now.old_block_count++ % OLD] = item->memory;
}

static void forget_marks(uint32_t count)
{
  while (now.mark_count > count) {
    struct tp_mark mark = now.marks[--now.mark_count].mark;
    now.old_marks[now.old_mark_count++ % OLD] = mark;
  }
}

// Those from the one at [index] on are gone.
static void forget_items(enum part part, uint32_t end, uint32_t index)
{
  struct kept *kept = &now.kept[part][end];
  for (uint32_t i = index; i < kept->count; i++) {
    const struct item *item = &kept->items[i];
    if (part == STACK) forget_block(item);
    if (part > DENSE) continue;
    now.old[part][now.old_count[part]++ % OLD] = item->handle;
  }
  kept->count = index;
}

static void forget(enum part part, uint32_t end)
{
  forget_items(part, end, 0);
  now.kept[part][end].used = 0;
  if (part == STACK) forget_marks(0);
}

static void begin_scene(uint32_t scene)
{
  for (uint32_t i = 0; i < PARTS; i++) {
    enum part part = (enum part)i;
    uint32_t peak = peak_of(part);
    if (now.scene != TP_NO_SCENE && now.peaks[part][now.scene] < peak) {
      now.peaks[part][now.scene] = peak;
    }
    for (uint32_t end = 0; end < 2; end++) {
      forget(part, end);
      now.kept[part][end].peak = 0;
    }
  }
  now.scene = scene;
  now.switches++;
}

// After each call ------------------------------------------------------------

static void *memory_of(enum part part, const struct item *item)
{
  if (part == POOL) return tp_handle_get(&now.pool, item->handle);
  if (part == DENSE) return tp_dense_get(&now.dense, item->handle);
  return item->memory;
}

static void check_items(enum part part, const struct kept *kept)
{
  for (uint32_t i = 0; i < kept->count; i++) {
    const struct item *item = &kept->items[i];
    void *memory = memory_of(part, item);
    EXPECT(memory && tp_is_filled(memory, item->bytes, item->number));
  }
}

static void check_part(enum part part)
{
  const struct tp_scene_kind *kind = now.parts[part].kind;
  EXPECT(kind->live(now.parts[part].allocator) == live_in(part));
  EXPECT(kind->peak(now.parts[part].allocator) == peak_of(part));
  for (uint32_t scene = 0; scene < SCENES; scene++) {
    EXPECT(now.parts[part].peaks[scene] == now.peaks[part][scene]);
  }
  tp_seal_check(&now.seals[part]);
  check_items(part, &now.kept[part][0]);
  check_items(part, &now.kept[part][1]);
}

static void check_all(void)
{
  struct tp_finding finding;
  for (uint32_t part = 0; part < PARTS; part++) check_part((enum part)part);
  for (uint32_t i = 0; i < OLD; i++) {
    EXPECT(!tp_handle_get(&now.pool, now.old[POOL][i]));
    EXPECT(!tp_dense_get(&now.dense, now.old[DENSE][i]));
  }
  EXPECT(tp_scene_current(&now.scenes) == now.scene);
  EXPECT(now.scenes.state->switches == now.switches);
  EXPECT(now.scenes.state->refused == now.refused);
  EXPECT(tp_pool_verify(&now.pool, NULL) && tp_dense_verify(&now.dense));
  EXPECT(tp_stack_kind.verify(&now.stack, &finding));
  EXPECT(tp_dstack_kind.verify(&now.dstack, &finding));
  EXPECT(tp_frame_kind.verify(&now.frame, &finding));
}

// Allocs and frees -----------------------------------------------------------

static void *ask(enum part part, enum tp_end end, struct item *item)
{
  size_t bytes = item->bytes;
  if (part == POOL) return tp_handle_alloc(&now.pool, &item->handle);
  if (part == DENSE) return tp_dense_alloc(&now.dense, &item->handle);
  if (part == DSTACK) return tp_dstack_alloc(&now.dstack, end, bytes, 4);
  if (part == FRAME) return tp_frame_alloc(&now.frame, bytes, 4);
  return item->is_block ? tp_stack_alloc_block(&now.stack, bytes, 4)
                        : tp_stack_alloc(&now.stack, bytes, 4);
}

// What of the part's amount it takes, and what is left.
static uint32_t taken_by(enum part part, const struct item *item)
{
  if (part <= DENSE) return 1;
  return item->bytes + (item->is_block ? FRONT : 0);
}

static uint32_t room_in(enum part part, uint32_t end)
{
  uint32_t used = part == DSTACK ? live_in(part) : now.kept[part][end].used;
  return amount_of(part) - used;
}

static uint32_t newest_mark(void)
{
  return now.mark_count ? now.marks[now.mark_count - 1].serial : 0;
}

static void alloc(void)
{
  enum part part = (enum part)fuzz_below(PARTS);
  uint32_t end = part == FRAME    ? now.buffer
                 : part == DSTACK ? fuzz_below(2)
                                  : 0;
  struct kept *kept = &now.kept[part][end];
  struct item item = {.bytes = part <= DENSE ? OBJECT : 4 + 4 * fuzz_below(8),
                      .number = ++now.numbers,
                      .is_block = part == STACK && fuzz_below(2),
                      .before = kept->used,
                      .newest = newest_mark()};
  uint32_t taken = taken_by(part, &item);
  bool large = TP_CHECKS > 0 && part > DENSE && amount_of(part) > 0 &&
               taken > amount_of(part);
  if (kept->count == ITEMS) return;
  CALL(item.memory = ask(part, (enum tp_end)end, &item));
  EXPECT(fuzz_fault == (large ? TP_FAULT_LARGE : 0u));
  EXPECT((item.memory != NULL) == (taken <= room_in(part, end)));
  if (!item.memory) return;
  EXPECT(fuzz_is_new(item.memory, item.bytes));
  tp_fill(item.memory, item.bytes, item.number);
  kept->items[kept->count++] = item;
  kept->used += taken;
  if (kept->peak < kept->used) kept->peak = kept->used;
}

// Of those that may be freed in any order; the last takes its place.
static void free_any(void)
{
  enum part part = fuzz_below(2) ? POOL : DENSE;
  struct kept *kept = &now.kept[part][0];
  bool freed = false;
  if (kept->count == 0) return;
  uint32_t index = fuzz_below(kept->count);
  struct item item = kept->items[index];
  kept->items[index] = kept->items[kept->count - 1];
  kept->items[kept->count - 1] = item;
  forget_items(part, 0, kept->count - 1);
  kept->used--;
  GOOD(freed = part == POOL ? tp_handle_free(&now.pool, item.handle)
                            : tp_dense_free(&now.dense, item.handle));
  EXPECT(freed);
}

static void free_block(void)
{
  struct kept *kept = &now.kept[STACK][0];
  if (kept->count == 0) return;
  struct item item = kept->items[kept->count - 1];
  if (!item.is_block || item.newest != newest_mark()) return;
  forget_items(STACK, 0, kept->count - 1);
  kept->used = item.before;
  GOOD(tp_stack_free(&now.stack, item.memory));
}

static void mark(void)
{
  struct kept *kept = &now.kept[STACK][0];
  if (now.mark_count == MARKS) return;
  struct marked *made = &now.marks[now.mark_count++];
  *made = (struct marked){
      .used = kept->used, .count = kept->count, .serial = ++now.serials};
  GOOD(made->mark = tp_stack_mark(&now.stack));
}

static void release(void)
{
  if (now.mark_count == 0) return;
  struct marked made = now.marks[now.mark_count - 1];
  forget_marks(now.mark_count - 1);
  forget_items(STACK, 0, made.count);
  now.kept[STACK][0].used = made.used;
  GOOD(tp_stack_release(&now.stack, made.mark));
}

static void reset(void)
{
  uint32_t end = fuzz_below(2);
  switch (fuzz_below(6)) {
    case 0:
      GOOD(tp_stack_reset(&now.stack));
      forget(STACK, 0);
      break;
    case 1:
      GOOD(tp_dense_reset(&now.dense));
      forget(DENSE, 0);
      break;
    case 2:
      GOOD(tp_pool_reset(&now.pool));
      forget(POOL, 0);
      break;
    case 3:
      GOOD(tp_dstack_reset(&now.dstack, (enum tp_end)end));
      forget(DSTACK, end);
      break;
    default:
      now.buffer = (now.buffer + 1) % BUFFERS;
      GOOD(tp_frame_end(&now.frame));
      forget(FRAME, now.buffer);
  }
}

// Scenes ---------------------------------------------------------------------

static void released(void *object)
{
  uint32_t found = 0;
  for (uint32_t i = 0; i < now.kept[POOL][0].count; i++) {
    const struct item *item = &now.kept[POOL][0].items[i];
    found += item->memory == object &&
             tp_is_filled(object, item->bytes, item->number);
  }
  EXPECT(found == 1);
  now.told++;
}

// Does it fault, because there is no such scene or it does not fit?
static bool refuses(uint32_t scene, bool forced)
{
  struct tp_scene_holder holders[PARTS];
  bool none = scene >= SCENES;
  if (!none && bytes_in(scene) <= now.scenes.bytes) return false;
  if (none && TP_CHECKS == 0) return true;
  uint32_t kind = none ? TP_FAULT_SCENE : TP_FAULT_LARGE;
  if (forced) {
    WRONG(kind, tp_scene_force(&now.scenes, scene));
  } else {
    WRONG(kind, tp_scene_switch(&now.scenes, scene, holders));
  }
  return true;
}

static void switch_scene(void)
{
  uint32_t scene = fuzz_below(SCENES + 1);
  struct tp_scene_holder holders[PARTS];
  uint32_t blocking = 0, said = 0;
  if (refuses(scene, false)) return;
  EXPECT(tp_scene_bytes(&now.scenes, scene) == bytes_in(scene));
  GOOD(said = tp_scene_switch(&now.scenes, scene, holders));
  for (uint32_t i = 0; i < PARTS; i++) {
    uint32_t live = live_in((enum part)i);
    if (live == 0) continue;
    EXPECT(blocking < said && holders[blocking].name == names[i]);
    EXPECT(holders[blocking].live == live);
    blocking++;
  }
  EXPECT(said == blocking);
  if (blocking) {
    now.refused++;
  } else {
    begin_scene(scene);
  }
}

static void force_scene(void)
{
  uint32_t scene = fuzz_below(SCENES + 1);
  uint32_t told = now.told, count = now.kept[POOL][0].count;
  if (refuses(scene, true)) return;
  GOOD(tp_scene_force(&now.scenes, scene));
  EXPECT(now.told == told + count);
  begin_scene(scene);
}

// What was good once ---------------------------------------------------------

static bool is_block_now(const void *memory)
{
  const struct kept *kept = &now.kept[STACK][0];
  for (uint32_t i = 0; i < kept->count; i++) {
    const struct item *item = &kept->items[i];
    if (item->is_block && item->memory == memory) return true;
  }
  return false;
}

static void free_old_block(void)
{
  void *old = now.old_blocks[fuzz_below(OLD)];
  uintptr_t base = (uintptr_t)now.stack.region.storage;
  uintptr_t offset = (uintptr_t)old - base;
  if (!old || now.scene == TP_NO_SCENE || is_block_now(old)) return;
  bool inside = offset >= FRONT && offset < now.kept[STACK][0].used;
  WRONG(inside ? TP_FAULT_ORDER : TP_FAULT_FOREIGN,
        tp_stack_free(&now.stack, old));
}

static void release_old_mark(void)
{
  struct tp_mark old = now.old_marks[fuzz_below(OLD)];
  if (!old.owner || now.scene == TP_NO_SCENE) return;
  bool above = old.used > now.kept[STACK][0].used;
  WRONG(above ? TP_FAULT_MARK : TP_FAULT_ORDER,
        tp_stack_release(&now.stack, old));
}

static void free_old_handle(void)
{
  uint32_t index = fuzz_below(OLD);
  bool freed = true;
  WRONG(0u, freed = tp_handle_free(&now.pool, now.old[POOL][index]));
  EXPECT(!freed);
  WRONG(0u, freed = tp_dense_free(&now.dense, now.old[DENSE][index]));
  EXPECT(!freed);
}

static void use_old(void)
{
  if (fuzz_below(2)) free_old_handle();
  if (TP_CHECKS == 0) return;
  if (fuzz_below(2)) free_old_block();
  if (fuzz_below(2)) release_old_mark();
}

// The beginning --------------------------------------------------------------

static void put_pool(void)
{
  struct tp_build row = {.size = OBJECT,
                         .count = SLOTS,
                         .align = 8,
                         .tagged = 1,
                         .policy = &tp_drop};
  tp_pool_build(&now.pool, names[POOL], &row,
                fuzz_memory(tp_build_bytes(&row), 0));
  EXPECT(tp_scene_pool.close(&now.pool));
}

static void put_dense(void)
{
  now.dense =
      (struct tp_dense){.place = fuzz_memory((SLOTS + 1) * sizeof(uint32_t), 0),
                        .entry = fuzz_memory(SLOTS * sizeof(tp_slot_t), 0),
                        .state = fuzz_memory(sizeof *now.dense.state, 0),
                        .storage = now.scenes.arena,
                        .name = names[DENSE],
                        .salt = 3u << TP_HANDLE_BITS(SLOTS),
                        .stride = OBJECT,
                        .size = OBJECT,
                        .bits = TP_HANDLE_BITS(SLOTS)};
}

static struct tp_region region_of(enum part part)
{
  return (struct tp_region){.storage = now.scenes.arena, .name = names[part]};
}

static void put_regions(void)
{
  now.stack.region = region_of(STACK);
  now.stack.state = fuzz_memory(sizeof *now.stack.state, 0);
  now.dstack.region = region_of(DSTACK);
  now.dstack.state = fuzz_memory(sizeof *now.dstack.state, 0);
  now.frame.region = region_of(FRAME);
  now.frame.state = fuzz_memory(sizeof *now.frame.state, 0);
  now.frame.bump = fuzz_memory(BUFFERS * sizeof *now.frame.bump, 0);
  now.frame.buffers = BUFFERS;
}

static void put_parts(void)
{
  static const struct tp_scene_kind *const kinds[PARTS] = {
      &tp_scene_pool, &tp_scene_dense, &tp_scene_stack, &tp_scene_dstack,
      &tp_scene_frame};
  static void (*const ends[PARTS])(const struct tp_scene_part *, tp_site_t) = {
      tp_pool_end_scene, tp_dense_end_scene, tp_stack_end_scene,
      tp_dstack_end_scene, tp_frame_end_scene};
  void *const allocators[PARTS] = {&now.pool, &now.dense, &now.stack,
                                   &now.dstack, &now.frame};
  static const uint32_t sizes[PARTS] = {sizeof now.pool, sizeof now.dense,
                                        sizeof now.stack, sizeof now.dstack,
                                        sizeof now.frame};
  for (uint32_t i = 0; i < PARTS; i++) {
    now.seals[i] =
        (struct tp_seal){allocators[i], fuzz_memory(sizeof(uint32_t), 0),
                         names[i], sizes[i] / 4};
    now.parts[i] = (struct tp_scene_part){
        .kind = kinds[i],
        .allocator = allocators[i],
        .name = names[i],
        .amounts = now.amounts[i],
        .peaks = fuzz_memory(SCENES * sizeof(uint32_t), 0),
        .end = ends[i],
        .release = i == POOL ? released : NULL,
        .seal = &now.seals[i]};
    tp_seal_check(&now.seals[i]);  // The first time makes it.
  }
}

static void begin(void)
{
  memset(&now, 0, sizeof now);
  now.scene = TP_NO_SCENE;
  for (uint32_t scene = 0; scene < SCENES; scene++) {
    now.amounts[POOL][scene] = fuzz_below(SLOTS + 1);
    now.amounts[DENSE][scene] = fuzz_below(SLOTS + 1);
    now.amounts[STACK][scene] = 8 * fuzz_below(20);
    now.amounts[DSTACK][scene] = 8 * fuzz_below(12);
    now.amounts[FRAME][scene] = 8 * fuzz_below(8);
  }
  put_pool();
  // As large as the first two want it: the third may be too large.
  uint32_t bytes = bytes_in(0) > bytes_in(1) ? bytes_in(0) : bytes_in(1);
  now.scenes = (struct tp_scenes){
      .parts = now.parts,
      .arena = fuzz_memory(bytes ? bytes : 8, (uint8_t)(fuzz_below(2) * 0x33)),
      .state = fuzz_memory(sizeof *now.scenes.state, 0),
      .name = "scenes",
      .bytes = bytes,
      .part_count = PARTS,
      .scene_count = SCENES,
      .align = 8};
  put_dense();
  put_regions();
  put_parts();
}

static void (*const calls[])(void) = {
    alloc,      alloc, alloc,   alloc, alloc,        free_any,    free_any,
    free_block, mark,  release, reset, switch_scene, force_scene, use_old};
enum { CALLS = sizeof calls / sizeof calls[0] };

const struct world fuzz_scenes = {
    .name = "scenes",
    .begin = begin,
    .calls = calls,
    .count = CALLS,
    .end_in = CALLS,
    .check = check_all,
};
