// SPDX-License-Identifier: MIT
// Every state that a small pool can be in, by calls of the library itself: from
// each that was found, each call is made, until no new one comes. What a call
// does is held against a model; each wrong call must fault and change nothing.
//
//   states POLICY CAPACITY GENERATION PLACES
//
// Generations and figures are set back to where they began, or there would be
// no end of states; so GENERATION says where: 1, or the last before it wraps.
// There is room for half as many states as PLACES.
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/tp_slot.h"
#include "model.h"
#include "object/tp_build.h"
#include "policy/tp_spill.h"
#include "policy/tp_steal_least.h"

enum { WORDS_MOST = 128, OBJECT = 8, DAMAGED_MOST = 5 };

// Where the library and the model are: what the pool has in RAM, but for its
// descriptor, which no call changes.
static struct {
  struct model model;
  struct tp_spill_state spill;
  struct tp_chunk_state lent;
  tp_word_t memory[WORDS_MOST];  // Of the pool and, if it spills, its chunk.
} now;

static struct tp_pool home, chunk_pool;
static enum model_policy policy;
static uint32_t generation;
static uint8_t *nodes;  // Every state that was found, [node_bytes] each.
static size_t node_bytes;
static uint32_t node_count, calls, wrong_calls, damages;
static uint32_t *table, table_size;
static sigjmp_buf escape;

static uint32_t score(const void *object)
{
  return *(const uint32_t *)object;
}

static const struct tp_chunk chunk = {.pool = &chunk_pool, .state = &now.lent};
static const struct tp_spill spill = {
    {tp_spill_overflow, tp_spill_take_back}, &chunk, &tp_drop, &now.spill, 0};
static const struct tp_steal_least least = {
    {tp_least_overflow, NULL}, score, 0};
static const struct tp_policy *const policies[] = {
    &tp_drop, &tp_assert, &tp_steal_oldest, &least.policy, &spill.policy};
static const char *const names[] = {"drop", "assert", "steal-oldest",
                                    "steal-least", "spill"};

_Noreturn static void fail(const char *what, uint32_t slot)
{
  printf("states: %s capacity %u: %s, slot %u, in state %u\n", names[policy],
         now.model.home.capacity, what, slot, node_count);
  exit(1);
}

void tp_fault(const struct tp_fault_record *record)
{
  siglongjmp(escape, (int)record->kind + 1);
}

static bool is_aged(void)
{
  return policy == STEALS_OLDEST || policy == STEALS_LEAST;
}

static void begin(uint32_t capacity)
{
  struct tp_build row = {.size = OBJECT,
                         .count = (tp_slot_t)capacity,
                         .align = 8,
                         .aged = is_aged(),
                         .tagged = is_aged(),
                         .takes_foreign = policy == SPILLS,
                         .policy = policies[policy]};
  struct tp_build lent = {
      .size = OBJECT, .count = CHUNK_SLOTS, .align = 8, .policy = &tp_drop};
  size_t bytes = (tp_build_bytes(&row) + 7u) & ~7u;
  node_bytes = offsetof(typeof(now), memory) + bytes + tp_build_bytes(&lent);
  if (node_bytes > sizeof now) fail("there is too little room", 0);
  tp_pool_build(&home, names[policy], &row, now.memory);
  tp_pool_build(&chunk_pool, "chunk", &lent, now.memory + bytes / 4);
  model_begin(&now.model, policy, capacity);
}

// Where slots of home and chunk lie, counted as in the model.
static tp_word_t *words_of(uint32_t slot)
{
  const struct tp_pool *pool = slot > home.capacity ? &chunk_pool : &home;
  if (pool == &chunk_pool) slot -= home.capacity;
  return (tp_word_t *)(pool->origin + (uintptr_t)slot * pool->stride);
}

static uint32_t slots(void)
{
  return home.capacity + (policy == SPILLS ? CHUNK_SLOTS : 0u);
}

static uint32_t slot_of(const void *object)
{
  for (uint32_t slot = 1; slot <= slots(); slot++) {
    if (words_of(slot) == object) return slot;
  }
  return object ? UINT32_MAX : 0;
}

static bool is_issued(uint32_t slot)
{
  return slot > home.capacity ? slot - home.capacity <= now.model.chunk.fresh
                              : slot <= now.model.home.fresh;
}

// What differs between two states that are alike, is made equal: figures,
// generations, what a dead slot held or one before a reset, links of a ring
// that a slot is not on.
static void make_plain(const struct tp_pool *pool, uint32_t before)
{
  for (uint32_t slot = 1; slot <= pool->capacity; slot++) {
    bool live = model_is_live(&now.model, before + slot);
    bool issued = is_issued(before + slot);
    tp_word_t *words = words_of(before + slot);
    if (!issued) memset(words, 0, pool->stride);
    if (live) words[0] = model_score(slot);
    if (live || TP_CHECKS < TP_CHECKS_POISON) words[1] = 0;
    if (tp_tag_kept(pool)) {
      pool->tag[slot] = issued ? (live ? TP_LIVE : 0) | generation : 0;
    }
    if (!live && pool->age) pool->age[slot] = (struct tp_age_link){0};
  }
  uint32_t sum = tp_tag_summed(pool) ? tp_tag_sum(pool, pool->capacity) : 0;
  *pool->state = (struct tp_pool_state){.fresh = pool->state->fresh,
                                        .generations = (uint16_t)sum};
}

static void make_all_plain(void)
{
  make_plain(&home, 0);
  if (policy != SPILLS) return;
  make_plain(&chunk_pool, home.capacity);
  now.spill.peak = now.spill.refused = 0;
}

// Remembering ----------------------------------------------------------------

static uint32_t hash_of(const void *bytes, size_t size)
{
  uint64_t hash = 14695981039346656037u;
  for (size_t i = 0; i < size; i++) {
    hash = (hash ^ ((const uint8_t *)bytes)[i]) * 1099511628211u;
  }
  return (uint32_t)(hash >> 32);
}

static uint8_t *node(uint32_t at)
{
  return nodes + at * node_bytes;
}

// The place in one of the two tables, of models and of pools, of what has these
// bytes; or where they are to be put.
static uint32_t *find(uint32_t which, size_t begin, size_t end)
{
  const uint8_t *bytes = (const uint8_t *)&now + begin;
  uint32_t at = hash_of(bytes, end - begin);
  for (;; at++) {
    uint32_t *place = &table[which * table_size + at % table_size];
    if (*place == 0) return place;
    if (memcmp(node(*place - 1) + begin, bytes, end - begin) == 0) return place;
  }
}

// Each state of the model is one of the pool, and the other way round.
static void remember(void)
{
  make_all_plain();
  uint32_t *by_model = find(0, 0, sizeof now.model);
  uint32_t *by_pool = find(1, sizeof now.model, node_bytes);
  if (*by_model != *by_pool) fail("one state is two", 0);
  if (*by_model > 0) return;
  if (node_count * 2 >= table_size) fail("too many states", 0);
  memcpy(node(node_count), &now, node_bytes);
  *by_model = *by_pool = ++node_count;
}

static void go_to(uint32_t at)
{
  memcpy(&now, node(at), node_bytes);
}

// Calls ----------------------------------------------------------------------

static void look(uint32_t slot)
{
  struct tp_stats stats;
  calls++;
  tp_pool_stats(&home, &stats);
  if (!tp_pool_verify(&home, NULL)) fail("verify finds damage", slot);
  if (TP_CHECKS == 0 && !is_aged()) return;
  uint32_t live = 0;
  for (uint32_t one = 1; one <= home.capacity; one++) {
    live += model_is_live(&now.model, one);
  }
  if (stats.live != live) fail("live is wrong", slot);
}

static void try_alloc(uint32_t from)
{
  go_to(from);
  int kind = sigsetjmp(escape, 0);
  int got = MODEL_FULL;
  if (kind == 0) {
    got = (int)slot_of(tp_pool_alloc(&home));
  } else if (kind - 1 != TP_FAULT_FULL) {
    fail("alloc faults", 0);
  }
  int wanted = model_alloc(&now.model, policy);
  if (got != wanted) fail("alloc issues another slot", (uint32_t)got);
  look((uint32_t)got);
  remember();
}

static void try_free(uint32_t from, uint32_t slot)
{
  go_to(from);
  if (sigsetjmp(escape, 0)) fail("free faults", slot);
  tp_pool_free(&home, words_of(slot));
  model_free(&now.model, slot);
  look(slot);
  remember();
}

static void try_pin(uint32_t from, uint32_t slot)
{
  go_to(from);
  if (sigsetjmp(escape, 0)) fail("pin or unpin faults", slot);
  if (model_is_pinned(&now.model, slot)) {
    tp_pool_unpin(&home, words_of(slot));
    model_unpin(&now.model, slot);
  } else {
    tp_pool_pin(&home, words_of(slot));
    model_pin(&now.model, slot);
  }
  look(slot);
  remember();
}

static void try_reset(uint32_t from)
{
  go_to(from);
  if (sigsetjmp(escape, 0)) fail("reset faults", 0);
  if (policy == SPILLS) return;  // tp_spill_reset() is of attached chunks.
  tp_pool_reset(&home);
  model_reset(&now.model, tp_tag_kept(&home));
  look(0);
  remember();
}

// Wrong calls ----------------------------------------------------------------

static void must_fault(uint32_t from, uint32_t wanted,
                       void (*call)(const struct tp_pool *, void *),
                       void *object, uint32_t slot)
{
  wrong_calls++;
  go_to(from);
  int kind = sigsetjmp(escape, 0);
  if (kind == 0) {
    call(&home, object);
    fail("a wrong call is no fault", slot);
  }
  if (kind - 1 != (int)wanted) fail(tp_fault_name((uint32_t)kind - 1), slot);
  if (memcmp(&now, node(from), node_bytes) != 0) {
    fail("a wrong call changes the pool", slot);
  }
}

static void try_wrong_calls(uint32_t from)
{
  static uint32_t elsewhere[4];
  char *inside = (char *)words_of(1) + 4;
  go_to(from);
  must_fault(from, TP_FAULT_FOREIGN, tp_pool_free, elsewhere, 0);
  must_fault(from, TP_FAULT_FOREIGN, tp_pool_free, NULL, 0);
  if (policy != SPILLS) {
    must_fault(from, TP_FAULT_INTERIOR, tp_pool_free, inside, 0);
  }
  for (uint32_t slot = 1; slot <= slots(); slot++) {
    go_to(from);
    void *object = words_of(slot);
    bool live = model_is_live(&now.model, slot);
    bool pinned = model_is_pinned(&now.model, slot);
    if (!live) {
      must_fault(from, TP_FAULT_DOUBLE_FREE, tp_pool_free, object, slot);
    }
    if (!is_aged()) continue;
    uint32_t pin = live ? TP_FAULT_PIN : TP_FAULT_DOUBLE_FREE;
    if (!live || pinned) must_fault(from, pin, tp_pool_pin, object, slot);
    if (!live || !pinned) must_fault(from, pin, tp_pool_unpin, object, slot);
  }
}

// A handle resolves iff its object is live and its generation the last.
static void look_at_handles(uint32_t from)
{
  go_to(from);
  for (uint32_t slot = 1; slot <= home.capacity; slot++) {
    bool live = model_is_live(&now.model, slot);
    tp_handle_t handle = generation << home.handle_bits | slot;
    void *object = tp_handle_get(&home, handle);
    if (object != (live ? words_of(slot) : NULL)) fail("handle", slot);
    if (tp_handle_get(&home, handle - (1u << home.handle_bits))) {
      fail("a handle of another generation resolves", slot);
    }
    if (tp_handle_of(&home, words_of(slot)) != (live ? handle : 0)) {
      fail("an object has another handle", slot);
    }
  }
}

// Damage ---------------------------------------------------------------------

// Verify sees it, and no object is issued that lives: but where one is stolen.
static void try_damage(uint32_t from, void *words, uint32_t bit)
{
  uint32_t issued = 0;
  damages++;
  go_to(from);
  for (uint32_t slot = 1; slot <= slots(); slot++) {
    issued |= (uint32_t)model_is_live(&now.model, slot) << slot;
  }
  *(tp_word_t *)words ^= 1u << bit;
  if (tp_pool_verify(&home, NULL)) fail("verify sees no damage", bit);
  while (sigsetjmp(escape, 0) == 0) {
    uint32_t slot = slot_of(tp_pool_alloc(&home));
    if (slot == 0) return;
    if (slot > slots()) fail("no slot is issued", slot);
    if (issued >> slot & 1) {
      if (is_aged()) return;
      fail("a live object is issued", slot);
    }
    issued |= 1u << slot;
  }
}

// Each bit of the list and of what says that a slot is live.
static void try_each_damage(uint32_t from)
{
  go_to(from);
  struct model_pool model = now.model.home;
  for (uint32_t bit = 0; bit < 32; bit++) {
    try_damage(from, home.tag, bit);
    for (uint32_t i = 0; i < model.deads; i++) {
      try_damage(from, words_of(model.dead[i]), bit);
    }
  }
  for (uint32_t slot = 1; slot <= model.fresh; slot++) {
    try_damage(from, &home.tag[slot], 31);
  }
}

static void explore(void)
{
  remember();
  for (uint32_t at = 0; at < node_count; at++) {
    try_alloc(at);
    try_reset(at);
    for (uint32_t slot = 1; slot <= slots(); slot++) {
      go_to(at);
      if (!model_is_live(&now.model, slot)) continue;
      try_free(at, slot);
      if (is_aged()) try_pin(at, slot);
    }
    if (is_aged()) look_at_handles(at);
    if (TP_CHECKS < TP_CHECKS_FAST) continue;
    try_wrong_calls(at);
    if (home.capacity <= DAMAGED_MOST) try_each_damage(at);
  }
}

int main(int count, char **words)
{
  if (count != 5) return 2;
  while (strcmp(names[policy], words[1]) != 0) policy++;
  generation = (uint32_t)strtoul(words[3], NULL, 0);
  table_size = (uint32_t)strtoul(words[4], NULL, 0);
  begin((uint32_t)strtoul(words[2], NULL, 0));
  nodes = calloc(table_size / 2 + 1, node_bytes);
  table = calloc(2 * (size_t)table_size, sizeof *table);
  if (!nodes || !table) return 2;
  explore();
  printf("states %u calls %u wrong %u damages %u\n", node_count, calls,
         wrong_calls, damages);
}
