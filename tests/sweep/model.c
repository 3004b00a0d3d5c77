// SPDX-License-Identifier: MIT
#include "model.h"

#include <string.h>

#include "core/tp_slot.h"
#include "kept.h"
#include "tp_test.h"

const struct subject *subject;
struct holding holdings[HOLDERS];
const char *complaint;
void (*during_eviction)(void);

static struct {
  uint32_t allocs, frees, refused;
  uint32_t taken;    // Slots that were, when the operation began,
  uint32_t before;   // and how many allocs that was.
  uint32_t excused;  // Of the refused.
  bool lenient;      // All of them are.
  uint32_t passing;  // So many may be issued and given back by nobody's wish.
  bool worn;  // A generation starts again, and with it the sums over tags.
} model;

// What stamps point at: an unlocked pool that takes one for a link does no
// harm beyond.
static uint32_t sink[HOLDERS * ITEM_WORDS + ITEM_WORDS];

void complain(const char *what)
{
  if (!complaint) complaint = what;
}

static void write_item(const struct holding *holding)
{
  for (uint32_t i = 0; i < ITEM_WORDS; i++) {
    holding->item->words[i] = holding->stamp;
  }
}

static bool item_is_whole(const struct holding *holding)
{
  for (uint32_t i = 0; i < ITEM_WORDS; i++) {
    if (holding->item->words[i] != holding->stamp) return false;
  }
  return true;
}

static bool item_is_new(const struct item *item)
{
  if (TP_CHECKS < TP_CHECKS_POISON) return true;
  for (uint32_t i = 0; i < ITEM_WORDS; i++) {
    if (item->words[i] != TP_POISON_NEW) return false;
  }
  return true;
}

void model_issue_named(enum holder holder, struct item *item, uint64_t handle)
{
  struct holding *holding = &holdings[holder];
  if (!item) {
    model.refused++;
    return;
  }
  *holding = (struct holding){
      .item = item,
      .handle = handle,
      .live = true,
      .born = ++model.allocs,
      .stamp = (uint32_t)(uintptr_t)&sink[holder * ITEM_WORDS]};
  if (subject->get && subject->get(handle) != item) {
    model_steal(holder);
    return;
  }
  if (!item_is_new(item)) complain("an object is issued with old bytes");
  write_item(holding);
}

void model_refuse_in_peace(void)
{
  model.refused++;
  model.excused++;
}

void model_allow_refusals(void)
{
  model.lenient = true;
}

void model_allow_passing(void)
{
  model.passing = 1;
}

void model_issue(enum holder holder, struct item *item)
{
  bool has_handle = item && subject->handle;
  model_issue_named(holder, item, has_handle ? subject->handle(item) : 0);
}

void model_return(enum holder holder)
{
  holdings[holder].live = false;
  model.frees++;
}

void model_renew(enum holder holder)
{
  holdings[holder].born = model.allocs + 1;
}

void model_steal(enum holder holder)
{
  holdings[holder].live = false;
  holdings[holder].stolen = true;
}

void take(enum holder holder)
{
  uint64_t handle = 0;
  struct item *item =
      subject->alloc_handle ? subject->alloc_handle(&handle) : subject->alloc();
  model_issue_named(holder, item, handle);
}

void give_back(enum holder holder)
{
  const struct holding *holding = &holdings[holder];
  if (!holding->live) return;
  if (!subject->free_handle) {
    subject->free(holding->item);
  } else if (!subject->free_handle(holding->handle)) {
    return;  // Stolen, which model_find_thefts() will see.
  }
  model_return(holder);
}

// The victim's owner forgets it.
void item_evicted(struct item *victim)
{
  void (*then)(void) = during_eviction;
  uint32_t holder = 0;
  while (holder < HOLDERS &&
         !(holdings[holder].live && holdings[holder].item == victim)) {
    holder++;
  }
  if (holder == HOLDERS) {
    complain("nobody holds the victim of a theft");
  } else {
    model_steal(holder);
  }
  during_eviction = NULL;
  if (then) then();
}

// Arenas in banks are not cleared at boot, so a pool must not count on it.
static void write_garbage(const struct tp_pool *pool)
{
  tp_word_t *words = pool->storage - pool->zone / 4;
  uint32_t count = (uint32_t)(pool->capacity * pool->stride + pool->zone) / 4;
  for (uint32_t i = 0; i < count; i++) words[i] = 0xbad0bad0u + i;
}

static uint32_t capacity(void)
{
  uint32_t second = subject->second ? subject->second->pool->capacity : 0;
  return subject->pool->capacity + second;
}

static void fill(const enum holder *order)
{
  for (uint32_t i = 0; i < capacity(); i++) take(order[i]);
}

static void enter_state(enum state state)
{
  static const enum holder young_thread[] = {SPARE, OTHER, THEIRS, MINE};
  static const enum holder old_thread[] = {MINE, SPARE, OTHER, THEIRS};
  if (state == EMPTY) return;
  if (state == HALF) {
    take(THEIRS);
    take(MINE);
    return;
  }
  fill(state == DOOMED ? old_thread : young_thread);
  if (state == FULL || state == DOOMED) return;
  give_back(SPARE);
  if (state == LISTED) give_back(OTHER);
  if (state != WORN) return;
  tp_test_set_tag(subject->pool, 1, TP_GENERATION_MAX);
  if (subject->wear) subject->wear();
}

static void open_second(const struct tp_chunk *chunk)
{
  tp_test_forget(chunk->pool);
  write_garbage(chunk->pool);
  *chunk->state = (struct tp_chunk_state){0};
}

void model_open(const struct subject *of, enum state state)
{
  subject = of;
  for (uint32_t i = 0; i < HOLDERS; i++) holdings[i] = (struct holding){0};
  memset(&model, 0, sizeof model);
  model.worn = state == WORN;
  tp_test_forget(subject->pool);
  write_garbage(subject->pool);
  if (subject->second) open_second(subject->second);
  if (subject->open) subject->open();
  enter_state(state);
  model.taken = model.allocs - model.frees;
  model.before = model.allocs;
  kept_open();
}

// The old handle of a stolen object: nothing resolves it, and giving it back
// takes nothing from the thief.
static void forget_stolen(enum holder holder)
{
  uint64_t handle = holdings[holder].handle;
  model_steal(holder);
  if (subject->get(handle)) complain("a stolen object's handle resolves");
  if (subject->free_handle(handle)) complain("a thief's object was freed");
}

void model_find_thefts(void)
{
  for (uint32_t i = 0; subject->get && i < HOLDERS; i++) {
    const struct holding *holding = &holdings[i];
    if (!holding->live) continue;
    if (subject->get(holding->handle) != holding->item) forget_stolen(i);
  }
}

static void compare_items(void)
{
  for (uint32_t i = 0; i < HOLDERS; i++) {
    if (!holdings[i].live) continue;
    if (!item_is_whole(&holdings[i])) complain("an object was written over");
    for (uint32_t k = i + 1; k < HOLDERS; k++) {
      if (!holdings[k].live || holdings[k].item != holdings[i].item) continue;
      complain("two hold the same object");
    }
  }
}

// Nobody is stolen while somebody older lives. Who came during the operation
// is not as old as the model says: only since when the model knows him.
static void compare_ages(void)
{
  for (uint32_t i = 0; i < HOLDERS; i++) {
    for (uint32_t k = 0; k <= MINE; k++) {
      if (!holdings[i].stolen || !holdings[k].live) continue;
      if (holdings[k].born > holdings[i].born) continue;
      complain("a theft was not of the oldest");
    }
  }
}

static void count(uint32_t *live, uint32_t *stolen)
{
  *live = *stolen = 0;
  for (uint32_t i = 0; i < HOLDERS; i++) {
    *live += holdings[i].live;
    *stolen += holdings[i].stolen;
  }
}

// Nobody is refused or stolen unless all slots can have been taken.
static void compare_overflows(uint32_t stolen)
{
  uint32_t taken = model.taken + model.allocs - model.before - stolen;
  if (!stolen && model.refused == model.excused) return;
  if (model.lenient) return;
  if (taken < capacity()) complain("a slot was free all along");
}

// The figures of the pool and of where it borrows, as one.
static void read_stats(struct tp_stats *stats)
{
  struct tp_stats second;
  tp_pool_stats(subject->pool, stats);
  if (!subject->second) return;
  tp_pool_stats(subject->second->pool, &second);
  stats->live += second.live;
  stats->peak += second.peak;
  stats->allocs += second.allocs;
  stats->frees += second.frees;
}

uint32_t model_live(void)
{
  uint32_t live, stolen;
  count(&live, &stolen);
  return live;
}

static void compare_counters(void)
{
  struct tp_stats stats;
  uint32_t live, stolen;
  read_stats(&stats);
  count(&live, &stolen);
  compare_overflows(stolen);
  if (stats.steals != stolen) complain("thefts are counted wrong");
  if (stats.peak < live) complain("the peak is counted wrong");
  if (!tp_tag_kept(subject->pool)) return;
  if (stats.live != live) complain("live objects are counted wrong");
  if (stats.refused != model.refused) complain("refusals are counted wrong");
  if (model.worn) return;
  uint32_t passed = stats.allocs - model.allocs;
  if (passed > model.passing) complain("allocs are counted wrong");
  if (stats.frees - model.frees != passed) complain("frees are counted wrong");
}

static void verify(const struct tp_pool *pool)
{
  static const char *const findings[] = {
      [TP_BROKEN_FRESH] = "verify: fresh",   [TP_BROKEN_LIST] = "verify: list",
      [TP_BROKEN_LINK] = "verify: link",     [TP_BROKEN_LIVE] = "verify: live",
      [TP_BROKEN_LENGTH] = "verify: length", [TP_BROKEN_AGE] = "verify: age",
      [TP_BROKEN_POISON] = "verify: poison", [TP_BROKEN_ZONE] = "verify: zone",
      [TP_BROKEN_TAG] = "verify: tag"};
  struct tp_finding finding;
  if (tp_pool_verify(pool, &finding)) return;
  complain(findings[finding.broken]);
}

// A region that was given back is no pool.
static void verify_second(const struct tp_chunk *chunk)
{
  if (chunk->state->phase == TP_CHUNK_BUSY) complain("a chunk stays busy");
  if (chunk->state->phase == TP_CHUNK_OPEN) verify(chunk->pool);
}

void model_close(void)
{
  verify(subject->pool);
  if (subject->second) verify_second(subject->second);
  if (complaint) return;
  compare_items();
  compare_ages();
  compare_counters();
  if (subject->close) subject->close();
  kept_close();
}
