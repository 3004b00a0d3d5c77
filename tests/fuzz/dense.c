// SPDX-License-Identifier: MIT
// A dense pool, with handles of 32 or 64 bits: who stands where, what a walk
// meets, which handle is whose.
#include <string.h>

#include "allocator/tp_dense.h"
#include "allocator/tp_dense64.h"
#include "fuzz.h"

enum { MOST = 12, GIVEN = 24 };

// An object that lives; they are as they stand in the pool.
struct object {
  tp_handle64_t handle;
  uint32_t number;
  bool met;   // By the walk that goes on,
  bool will;  // or still to be met by it.
};

static struct {
  struct tp_dense dense;
  struct tp_dense64 wide;
  bool is_wide;
  uint32_t size, count;
  struct object objects[MOST];
  struct tp_stats stats;
  uint32_t numbers;
  tp_handle64_t stale[GIVEN];
  uint32_t stale_count;
  uint32_t moves;  // That were told of.
} now;

// The library's calls, of either width ----------------------------------------

static void *ask(tp_handle64_t *handle)
{
  tp_handle_t narrow = 1;
  if (now.is_wide) return tp_dense64_alloc(&now.wide, handle);
  void *object = tp_dense_alloc(&now.dense, &narrow);
  *handle = narrow;
  return object;
}

static bool give(tp_handle64_t handle)
{
  return now.is_wide ? tp_dense64_free(&now.wide, handle)
                     : tp_dense_free(&now.dense, (tp_handle_t)handle);
}

static void *get(tp_handle64_t handle)
{
  return now.is_wide ? tp_dense64_get(&now.wide, handle)
                     : tp_dense_get(&now.dense, (tp_handle_t)handle);
}

static tp_handle64_t handle_at(uint32_t index)
{
  return now.is_wide ? tp_dense64_handle(&now.wide, index)
                     : tp_dense_handle(&now.dense, index);
}

static void *walk_on(bool first, tp_handle64_t *handle)
{
  tp_handle_t narrow = 1;
  void *object;
  if (now.is_wide) {
    return first ? tp_dense64_first(&now.wide, handle)
                 : tp_dense64_next(&now.wide, handle);
  }
  object = first ? tp_dense_first(&now.dense, &narrow)
                 : tp_dense_next(&now.dense, &narrow);
  *handle = narrow;
  return object;
}

// What must hold --------------------------------------------------------------

static struct object *object_of(tp_handle64_t handle)
{
  for (uint32_t i = 0; i < now.count; i++) {
    if (now.objects[i].handle == handle) return &now.objects[i];
  }
  return NULL;
}

static void check_all(void)
{
  struct tp_stats stats;
  EXPECT(tp_dense_count(&now.dense) == now.count);
  for (uint32_t i = 0; i < now.count; i++) {
    const struct object *object = &now.objects[i];
    void *memory = tp_dense_at(&now.dense, i);
    EXPECT(handle_at(i) == object->handle && get(object->handle) == memory);
    EXPECT(tp_is_filled(memory, now.size, object->number));
  }
  for (uint32_t i = 0; i < GIVEN; i++) EXPECT(!get(now.stale[i]));
  tp_dense_stats(&now.dense, &stats);
  EXPECT(stats.live == now.count && stats.peak == now.stats.peak);
  EXPECT(stats.allocs == now.stats.allocs && stats.frees == now.stats.frees);
  EXPECT(stats.refused == now.stats.refused);
  EXPECT(tp_dense_verify(&now.dense));
}

// Told of each object that stands elsewhere now: it is there already.
static void on_move(void *to, const void *from, tp_handle_t handle)
{
  tp_handle64_t all = handle;
  if (now.is_wide) all = tp_dense64_of(&now.wide, handle);
  const struct object *object = object_of(all);
  EXPECT(object && to != from && get(all) == to);
  EXPECT(tp_is_filled(to, now.size, object->number));
  now.moves++;
}

// Calls -----------------------------------------------------------------------

static void alloc(void)
{
  tp_handle64_t handle = 1;
  void *object = NULL;
  bool full = now.count == now.dense.capacity;
  CALL(object = ask(&handle));
  EXPECT(fuzz_fault == (full && now.dense.full ? TP_FAULT_FULL : 0u));
  now.stats.refused += full;
  if (full) {
    EXPECT(fuzz_fault || (!object && handle == 0));
    return;
  }
  EXPECT(object == (char *)now.dense.storage + now.count * now.dense.stride);
  EXPECT(handle && !object_of(handle) && fuzz_is_new(object, now.size));
  for (uint32_t i = 0; i < GIVEN; i++) EXPECT(now.stale[i] != handle);
  now.objects[now.count++] = (struct object){handle, ++now.numbers, 0, 0};
  tp_fill(object, now.size, now.numbers);
  now.stats.allocs++;
  if (now.stats.peak < now.count) now.stats.peak = now.count;
}

// The hole is filled by the last of those that are as far in the walk as it
// was, and so on: as the objects stand, met, to be met, and new.
static uint32_t close_hole(uint32_t hole, bool met, bool will)
{
  uint32_t last = hole;
  for (uint32_t i = hole + 1; i < now.count; i++) {
    if (now.objects[i].met == met && now.objects[i].will == will) last = i;
  }
  now.objects[hole] = now.objects[last];
  return last;
}

static void remove_object(struct object *object)
{
  struct object gone = *object;
  uint32_t hole = (uint32_t)(object - now.objects);
  now.stale[now.stale_count++ % GIVEN] = gone.handle;
  if (gone.met) hole = close_hole(hole, true, false);
  if (gone.met || gone.will) hole = close_hole(hole, false, true);
  close_hole(hole, false, false);
  now.count--;
  now.stats.frees++;
}

static void free_one(void)
{
  bool freed = false;
  if (now.count == 0) return;
  struct object *object = &now.objects[fuzz_below(now.count)];
  tp_handle64_t handle = object->handle;
  remove_object(object);
  GOOD(freed = give(handle));
  EXPECT(freed);
}

static void free_stale(void)
{
  tp_handle64_t handle = now.stale[fuzz_below(GIVEN)];
  bool freed = true;
  WRONG(0u, freed = give(handle));
  EXPECT(!freed);
}

static void begin_walk(void)
{
  for (uint32_t i = 0; i < now.count; i++) {
    now.objects[i].met = false;
    now.objects[i].will = true;
  }
}

static void end_walk(void)
{
  for (uint32_t i = 0; i < now.count; i++) {
    now.objects[i].met = now.objects[i].will = false;
  }
}

static void walk(void)
{
  bool first = fuzz_below(4) == 0;
  tp_handle64_t handle = 1;
  void *memory = NULL;
  if (first) begin_walk();
  GOOD(memory = walk_on(first, &handle));
  uint32_t left = 0;
  for (uint32_t i = 0; i < now.count; i++) left += now.objects[i].will;
  EXPECT((memory != NULL) == (left > 0) && (handle != 0) == (left > 0));
  if (!memory) {
    end_walk();
    return;
  }
  struct object *object = object_of(handle);
  EXPECT(object && object->will && get(handle) == memory);
  object->met = true;
  object->will = false;
}

static void count_visit(void *object, void *context)
{
  uint32_t *visits = (uint32_t *)context;
  const struct object *one = &now.objects[(*visits)++];
  EXPECT(tp_is_filled(object, now.size, one->number));
}

static void visit_all(void)
{
  uint32_t visits = 0;
  GOOD(tp_dense_walk(&now.dense, now.dense.stride, count_visit, &visits));
  EXPECT(visits == now.count);
}

static void reset(void)
{
  if (fuzz_below(8)) return;
  for (uint32_t i = 0; i < now.count; i++) {
    now.stale[now.stale_count++ % GIVEN] = now.objects[i].handle;
  }
  now.stats.frees += now.count;
  now.count = 0;
  if (now.is_wide) {
    GOOD(tp_dense64_reset(&now.wide));
  } else {
    GOOD(tp_dense_reset(&now.dense));
  }
}

static void call_wrongly(void)
{
  uint32_t beyond = now.count + fuzz_below(3);
  tp_handle_t entry = (tp_handle_t)(now.stats.peak + 1 + fuzz_below(2));
  EXPECT(!get(0) && !give(0));
  if (TP_CHECKS == 0) return;
  WRONG(TP_FAULT_FOREIGN, tp_dense_at(&now.dense, beyond));
  WRONG(TP_FAULT_FOREIGN, handle_at(beyond));
  if (entry >> now.dense.bits || now.is_wide) return;
  WRONG(TP_FAULT_HANDLE_POOL, give(now.dense.salt | entry));
}

static bool write_behind(void)
{
  uint32_t index = now.count;
  if (TP_CHECKS < TP_CHECKS_POISON || index >= now.stats.peak) return false;
  tp_word_t *word = now.dense.storage + index * (now.dense.stride / 4u);
  *word ^= 1u << fuzz_below(32);
  EXPECT(!tp_dense_verify(&now.dense));
  if (fuzz_below(16)) {
    *word = TP_POISON;
    return false;
  }
  CALL(tp_dense_alloc(&now.dense, NULL));
  EXPECT(fuzz_fault == TP_FAULT_POISON);
  return true;
}

static void begin(void)
{
  memset(&now, 0, sizeof now);
  uint32_t capacity = 1 + fuzz_below(MOST);
  uint32_t stride = 4 * (1 + fuzz_below(8));
  now.is_wide = fuzz_below(2);
  now.size = stride;
  now.dense = (struct tp_dense){
      .place = fuzz_memory((capacity + 1) * sizeof(uint32_t), 0),
      .entry = fuzz_memory(capacity * sizeof(tp_slot_t), 0),
      .state = fuzz_memory(sizeof *now.dense.state, 0),
      .storage = fuzz_memory((size_t)capacity * stride, 0x33),
      .on_move = on_move,
      .name = "dense",
      .salt = fuzz_below(256) << TP_HANDLE_BITS(capacity),
      .stride = (uint16_t)stride,
      .size = (uint16_t)stride,
      .capacity = (uint16_t)capacity,
      .bits = TP_HANDLE_BITS(capacity),
      .full = (uint8_t)fuzz_below(2)};
  now.wide = (struct tp_dense64){
      &now.dense, fuzz_memory((capacity + 1) * sizeof(uint16_t), 0)};
}

static void (*const calls[])(void) = {
    alloc, alloc,      alloc, free_one, free_one,  walk,        walk,
    walk,  free_stale, reset, free_one, visit_all, call_wrongly};
enum { CALLS = sizeof calls / sizeof calls[0] };

const struct world fuzz_dense = {
    .name = "dense",
    .begin = begin,
    .calls = calls,
    .count = CALLS,
    .end_in = CALLS + 1,
    .end = write_behind,
    .check = check_all,
};
