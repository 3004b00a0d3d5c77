// SPDX-License-Identifier: MIT
// Pools of every policy, with pointers, handles and pins: which slot each
// request gets is what the model of tests/states says. And their totals.
#include <string.h>

#include "core/tp_exclusive.h"
#include "core/tp_totals.h"
#include "fuzz.h"
#include "model.h"
#include "object/tp_build.h"
#include "object/tp_lent.h"
#include "policy/tp_steal_least.h"
#include "policy/tp_watermark.h"

enum { GIVEN = 24, MOST = SLOTS_MOST + CHUNK_SLOTS, POLICIES = SPILLS + 1 };

// A handle that was given out, of which life.
struct given {
  tp_handle64_t bits;
  uint32_t slot, life;
};

static struct {
  struct model model;
  struct tp_pool pool, chunk_pool;
  struct tp_spill spill;
  struct tp_chunk chunk;
  struct tp_steal_least least;
  struct tp_watermark mark;
  enum model_policy policy;
  uint32_t size;  // Of an object.
  bool has_tags;  // Kept at this level, with or without handles.
  bool wide;      // Handles have 64 bits.
  bool watched;   // By the watermark.
  bool asserts;   // What a pool that spills does when the chunk is full.
  uint32_t life[MOST + 1];  // The number of the object in a slot,
  uint32_t born[MOST + 1];  // and when it was born.
  uint32_t lives;
  struct given given[GIVEN];
  uint32_t given_count;
  struct tp_stats stats;
  struct tp_totals_row row;  // What the library adds up,
  struct tp_stats seen;      // and what it must have when it last looked.
  struct tp_use use;
  uint32_t oldest;
  uint32_t victim;  // Whom a theft must tell; 0: nobody.
  uint32_t lows, refills, low;
  uint32_t refilled;  // Slots that are free when on_refill() is told.
} now;

static bool steals(void)
{
  return now.policy == STEALS_OLDEST || now.policy == STEALS_LEAST;
}

static bool lends(void)
{
  return now.policy == SPILLS && now.pool.tagged;
}

static uint32_t slots(void)
{
  return now.pool.capacity + (now.policy == SPILLS ? CHUNK_SLOTS : 0u);
}

static tp_word_t *words_of(uint32_t slot)
{
  const struct tp_pool *pool = &now.pool;
  if (slot > pool->capacity) {
    slot -= pool->capacity;
    pool = &now.chunk_pool;
  }
  return pool->storage + (slot - 1) * (pool->stride / 4u);
}

static uint32_t slot_of(const void *object)
{
  for (uint32_t slot = 1; slot <= slots(); slot++) {
    if (words_of(slot) == object) return slot;
  }
  return object ? UINT32_MAX : 0;
}

static bool is_live(uint32_t slot)
{
  return model_is_live(&now.model, slot);
}

// The first slot from [slot] on that is live, or is not; 0: there is none.
static uint32_t any(uint32_t slot, bool live)
{
  for (uint32_t i = 0; i < slots(); i++) {
    uint32_t one = (slot + i) % slots() + 1;
    if (is_live(one) == live) return one;
  }
  return 0;
}

// Word 0 of what is stolen by score is the score.
static uint32_t marked(void)
{
  return now.policy == STEALS_LEAST ? 1 : 0;
}

static uint32_t score(const void *object)
{
  return *(const tp_word_t *)object;
}

static void fill(uint32_t slot)
{
  uint32_t skipped = marked();
  if (skipped) words_of(slot)[0] = model_score(slot);
  tp_fill(words_of(slot) + skipped, now.size - skipped * 4, now.life[slot]);
}

static bool is_filled(uint32_t slot)
{
  uint32_t skipped = marked();
  if (skipped && words_of(slot)[0] != model_score(slot)) return false;
  return tp_is_filled(words_of(slot) + skipped, now.size - skipped * 4,
                      now.life[slot]);
}

// Handles ---------------------------------------------------------------------

static void *get(tp_handle64_t bits)
{
  tp_handle_t narrow = (tp_handle_t)bits;
  if (lends()) {
    return now.wide ? tp_lent64_get(&now.pool, bits)
                    : tp_lent_get(&now.pool, narrow);
  }
  return now.wide ? tp_handle64_get(&now.pool, bits)
                  : tp_handle_get(&now.pool, narrow);
}

static tp_handle64_t handle_of(const void *object)
{
  if (lends()) {
    return now.wide ? tp_lent64_of(&now.pool, object)
                    : tp_lent_of(&now.pool, object);
  }
  return now.wide ? tp_handle64_of(&now.pool, object)
                  : tp_handle_of(&now.pool, object);
}

// As an object without hooks, pinned or not.
static bool destroy_handle(tp_handle64_t bits)
{
  static const struct tp_objects plain = {.pool = &now.pool};
  return now.wide ? tp_object_free_handle64(&plain, bits)
                  : tp_object_free_handle(&plain, (tp_handle_t)bits);
}

static bool free_handle(tp_handle64_t bits)
{
  tp_handle_t narrow = (tp_handle_t)bits;
  if (steals() && now.lives & 1) return destroy_handle(bits);
  if (lends()) {
    return now.wide ? tp_lent64_free(&now.pool, bits)
                    : tp_lent_free(&now.pool, narrow);
  }
  if (now.lives & 2) {
    return now.wide ? tp_handle64_free_aged(&now.pool, bits)
                    : tp_handle_free_aged(&now.pool, narrow);
  }
  return now.wide ? tp_handle64_free(&now.pool, bits)
                  : tp_handle_free(&now.pool, narrow);
}

static void *pin_handle(tp_handle64_t bits)
{
  tp_handle_t narrow = (tp_handle_t)bits;
  if (lends()) {
    return now.wide ? tp_lent64_pin(&now.pool, bits)
                    : tp_lent_pin(&now.pool, narrow);
  }
  return now.wide ? tp_handle64_pin(&now.pool, bits)
                  : tp_handle_pin(&now.pool, narrow);
}

static bool unpin_handle(tp_handle64_t bits)
{
  tp_handle_t narrow = (tp_handle_t)bits;
  if (lends()) {
    return now.wide ? tp_lent64_unpin(&now.pool, bits)
                    : tp_lent_unpin(&now.pool, narrow);
  }
  return now.wide ? tp_handle64_unpin(&now.pool, bits)
                  : tp_handle_unpin(&now.pool, narrow);
}

static void *alloc_handle(uint32_t scored, tp_handle64_t *bits)
{
  tp_handle_t narrow = 1;
  void *object;
  if (lends()) {
    if (now.wide) return tp_lent64_alloc(&now.pool, scored, bits);
    object = tp_lent_alloc(&now.pool, scored, &narrow);
  } else if (now.pool.age && now.lives & 2 && now.policy == STEALS_OLDEST) {
    if (now.wide) return tp_handle64_alloc_aged(&now.pool, bits);
    object = tp_handle_alloc_aged(&now.pool, &narrow);
  } else if (now.policy == STEALS_LEAST) {
    if (now.wide) return tp_least_alloc_handle64(&now.pool, scored, bits);
    object = tp_least_alloc_handle(&now.pool, scored, &narrow);
  } else {
    if (now.wide) return tp_handle64_alloc(&now.pool, bits);
    object = tp_handle_alloc(&now.pool, &narrow);
  }
  *bits = narrow;
  return object;
}

static bool holds(const struct given *given)
{
  return given->slot != 0 && is_live(given->slot) &&
         now.life[given->slot] == given->life && given->slot != now.victim;
}

static void check_handle(const struct given *given)
{
  void *object = get(given->bits);
  EXPECT(object == (holds(given) ? words_of(given->slot) : NULL));
  if (object) EXPECT(handle_of(object) == given->bits);
}

static void keep(tp_handle64_t bits, uint32_t slot)
{
  struct given given = {bits, slot, slot ? now.life[slot] : 0};
  EXPECT((bits != 0) == (slot != 0));
  for (uint32_t i = 0; i < GIVEN; i++) {
    EXPECT(bits == 0 || now.given[i].bits != bits ||
           (now.given[i].slot == slot && now.given[i].life == given.life));
  }
  now.given[now.given_count++ % GIVEN] = given;
}

// After each call -------------------------------------------------------------

static void check_stats(void)
{
  struct tp_stats stats;
  uint32_t fresh = now.model.home.fresh;
  now.stats.live = 0;
  for (uint32_t slot = 1; slot <= now.pool.capacity; slot++) {
    now.stats.live += is_live(slot);
  }
  if (now.stats.peak < fresh) now.stats.peak = fresh;
  tp_pool_stats(&now.pool, &stats);
  EXPECT(stats.peak == now.stats.peak);
  EXPECT(stats.steals == now.stats.steals);
  EXPECT(stats.spills == now.stats.spills);
  if (TP_CHECKS > 0 || !now.pool.refuses) {
    EXPECT(stats.refused == now.stats.refused);
  }
  if (!now.has_tags) return;
  EXPECT(stats.live == now.stats.live);
  EXPECT(tp_pool_live(&now.pool) == now.stats.live);
  EXPECT(stats.allocs == now.stats.allocs);
  EXPECT(stats.frees == now.stats.frees);
}

static uint32_t oldest_age(void)
{
  const struct model_pool *home = &now.model.home;
  if (!now.pool.born || home->lives == 0) return 0;
  return tp_clock_now - now.born[home->live[0]];
}

// What does not count is 0.
static void check_totals(void)
{
  const struct tp_totals_row *row = &now.row;
  const struct tp_stats *seen = &now.seen;
  EXPECT(row->steals == seen->steals && row->spills == seen->spills);
  EXPECT(row->oldest == now.oldest);
  EXPECT(memcmp(&row->use, &now.use, sizeof now.use) == 0);
  if (TP_CHECKS > 0 || !now.pool.refuses) {
    EXPECT(row->refused == seen->refused);
  }
  if (!now.has_tags) return;
  EXPECT(row->allocs == seen->allocs && row->frees == seen->frees);
  EXPECT(row->allocs == row->frees + row->steals + row->seen.live);
}

static void check_chunk(void)
{
  uint32_t live = now.model.chunk.lives;
  EXPECT(now.spill.state->live == live);
  EXPECT(now.chunk.state->live == live);
  EXPECT(now.spill.state->peak >= live);
  if (now.chunk.state->phase != TP_CHUNK_OPEN) return;
  EXPECT(tp_pool_verify(&now.chunk_pool, NULL));
}

static void check_all(void)
{
  for (uint32_t slot = 1; slot <= slots(); slot++) {
    if (is_live(slot)) EXPECT(is_filled(slot));
  }
  EXPECT(tp_pool_verify(&now.pool, NULL));
  check_stats();
  EXPECT(tp_pool_oldest_age(&now.pool) == oldest_age());
  check_totals();
  if (now.policy == SPILLS) check_chunk();
  for (uint32_t i = 0; i < GIVEN && now.pool.tagged; i++) {
    check_handle(&now.given[i]);
  }
  if (!now.watched) return;
  EXPECT(tp_watermark_is_low(&now.mark) == now.low);
}

// Calls -----------------------------------------------------------------------

// Told of a theft while the object is still as it was.
static void evict(void *victim)
{
  EXPECT(now.victim != 0 && victim == words_of(now.victim));
  EXPECT(is_filled(now.victim));
  for (uint32_t i = 0; i < GIVEN; i++) check_handle(&now.given[i]);
  EXPECT(tp_port_depth == 0);
  now.victim = 0;
}

static bool is_spared(uint32_t slot)
{
  return tp_clock_now - now.born[slot] < now.pool.min_age;
}

// Is nobody taken from a full pool, though somebody is there?
static bool is_refused(uint32_t scored)
{
  const struct model_pool *home = &now.model.home;
  uint32_t least = UINT32_MAX;
  if (home->deads > 0 || home->fresh < home->capacity) return false;
  if (now.policy == STEALS_OLDEST) {
    return home->lives > 0 && is_spared(home->live[0]);
  }
  if (now.policy != STEALS_LEAST || !now.least.refuses_below) return false;
  for (uint32_t i = 0; i < home->lives; i++) {
    uint32_t one = model_score(home->live[i]);
    least = one < least ? one : least;
  }
  return home->lives > 0 && scored < least;
}

static int expected(uint32_t scored)
{
  struct model before = now.model;
  if (is_refused(scored)) {
    now.stats.refused++;
    return MODEL_NULL;
  }
  int slot = model_alloc(&now.model, now.policy);
  if (slot == MODEL_NULL && now.asserts) slot = MODEL_FULL;
  bool stolen = slot > 0 && model_is_live(&before, (uint32_t)slot);
  now.victim = stolen ? (uint32_t)slot : 0;
  now.stats.steals += stolen;
  now.stats.spills += slot > (int)now.pool.capacity;
  now.stats.allocs += slot > 0 && slot <= (int)now.pool.capacity;
  now.stats.refused += slot <= 0;
  return slot;
}

static void *alloc_by(uint32_t how, uint32_t scored, tp_handle64_t *bits)
{
  const struct tp_pool *pool = &now.pool;
  if (now.watched) return tp_watermark_alloc(&now.mark);
  if (pool->tagged && how < 5) return alloc_handle(scored, bits);
  if (now.policy == STEALS_LEAST && how < 6) {
    return tp_least_alloc(pool, scored);
  }
  if (pool->age && how < 6) return tp_aged_alloc(pool);
  if (pool->lock == TP_LOCK_NONE && how < 6) return tp_unlocked_alloc(pool);
  if (!pool->age && !pool->tagged && how < 7) return tp_exclusive_alloc(pool);
  return tp_pool_alloc(pool);
}

static void free_by(uint32_t how, void *object)
{
  const struct tp_pool *pool = &now.pool;
  if (now.watched) {
    tp_watermark_free(&now.mark, object);
  } else if (pool->age && how < 4) {
    tp_aged_free(pool, object);
  } else if (pool->lock == TP_LOCK_NONE && how < 4) {
    tp_unlocked_free(pool, object);
  } else if (!pool->age && !pool->tagged && how < 5) {
    tp_exclusive_free(pool, object);
  } else {
    tp_pool_free(pool, object);
  }
}

static void on_low(const struct tp_pool *pool, uint32_t free)
{
  EXPECT(pool == &now.pool && free == now.mark.low);
  now.lows++;
}

static void on_refill(const struct tp_pool *pool, uint32_t free)
{
  EXPECT(pool == &now.pool && free == now.refilled);
  now.refills++;
}

// The watermark tells of each fall and of each recovery, once.
static void check_told(uint32_t lows, uint32_t refills)
{
  uint32_t live = now.model.home.lives;
  uint32_t free = now.pool.capacity - live;
  bool fell = now.watched && !now.low && free <= now.mark.low;
  bool recovered = now.watched && now.low && free >= now.mark.refill;
  if (fell || recovered) now.low = fell;
  EXPECT(now.lows == lows + fell);
  EXPECT(now.refills == refills + recovered);
}

static void begin_life(uint32_t slot)
{
  EXPECT(fuzz_is_new(words_of(slot), now.size));
  now.life[slot] = ++now.lives;
  now.born[slot] = tp_clock_now;
  fill(slot);
}

static void alloc(void)
{
  uint32_t how = fuzz_below(8);
  uint32_t scored = fuzz_below(4);
  bool handles = now.pool.tagged && how < 5;
  bool scores = handles || (now.policy == STEALS_LEAST && how < 6);
  tp_handle64_t bits = 0;
  void *object = NULL;
  uint32_t lows = now.lows, refills = now.refills;
  uint32_t told = now.pool.evict != NULL;
  int wanted = expected(scores ? scored : UINT32_MAX);
  if (!told) now.victim = 0;
  CALL(object = alloc_by(how, scored, &bits));
  EXPECT(fuzz_fault == (wanted == MODEL_FULL ? TP_FAULT_FULL : 0u));
  EXPECT(now.victim == 0);
  if (wanted <= 0) wanted = 0;
  if (fuzz_fault == 0) EXPECT(slot_of(object) == (uint32_t)wanted);
  if (wanted) begin_life((uint32_t)wanted);
  if (handles && fuzz_fault == 0) keep(bits, (uint32_t)wanted);
  check_told(lows, refills);
}

static void end_life(uint32_t slot)
{
  model_free(&now.model, slot);
  now.stats.frees += slot <= now.pool.capacity;
}

static void free_one(void)
{
  uint32_t slot = any(fuzz_below(MOST), true);
  uint32_t how = fuzz_below(8);
  uint32_t lows = now.lows, refills = now.refills;
  if (slot == 0) return;
  end_life(slot);
  GOOD(free_by(how, words_of(slot)));
  check_told(lows, refills);
}

static void free_by_handle(void)
{
  const struct given *given = &now.given[fuzz_below(GIVEN)];
  bool held = holds(given);
  bool freed = false;
  if (!now.pool.tagged) return;
  if (held) end_life(given->slot);
  GOOD(freed = free_handle(given->bits));
  EXPECT(freed == held);
}

static void turn(uint32_t slot, bool pin)
{
  if (pin) {
    model_pin(&now.model, slot);
  } else {
    model_unpin(&now.model, slot);
    now.born[slot] = tp_clock_now;
  }
}

static void pin_or_unpin(void)
{
  uint32_t slot = any(fuzz_below(MOST), true);
  if (slot == 0) return;
  bool pin = !model_is_pinned(&now.model, slot);
  void *object = words_of(slot);
  if (steals()) turn(slot, pin);
  if (pin) {
    GOOD(tp_pool_pin(&now.pool, object));
  } else {
    GOOD(tp_pool_unpin(&now.pool, object));
  }
}

static void pin_by_handle(void)
{
  const struct given *given = &now.given[fuzz_below(GIVEN)];
  void *object = NULL;
  bool held = holds(given);
  bool unpinned = false;
  // What another pool lent is never stolen; at home only where some are.
  bool lent = lends() && given->slot > now.pool.capacity;
  if (!steals() && !lent) return;
  bool pin = !steals() || !held || !model_is_pinned(&now.model, given->slot);
  if (held && steals()) turn(given->slot, pin);
  if (pin) {
    GOOD(object = pin_handle(given->bits));
    EXPECT(object == (held ? words_of(given->slot) : NULL));
  }
  if (held && pin && steals()) return;
  GOOD(unpinned = unpin_handle(given->bits));
  EXPECT(unpinned == held);
}

// One bit of a handle is another's, or nobody's.
static void forge(void)
{
  tp_handle64_t bits = now.given[fuzz_below(GIVEN)].bits;
  bits ^= (tp_handle64_t)1 << fuzz_below(now.wide ? 64 : 32);
  if (!now.pool.tagged) return;
  void *object = get(bits);
  EXPECT(object == NULL ||
         (is_live(slot_of(object)) && handle_of(object) == bits));
  if (object) return;
  fuzz_remember();
  EXPECT(!free_handle(bits));
  if (steals()) EXPECT(!pin_handle(bits) && !unpin_handle(bits));
  EXPECT(fuzz_is_unchanged());
}

// on_refill() is told of all slots.
static void reset_watched(void)
{
  uint32_t refills = now.refills + now.low;
  now.refilled = now.pool.capacity;
  GOOD(tp_watermark_reset(&now.mark));
  EXPECT(now.refills == refills);
  now.refilled = now.mark.refill;
  now.low = 0;
}

// No object is live, as at the end of a level; or all are taken back.
static void reset(void)
{
  uint32_t live = now.stats.live;
  if (now.policy == SPILLS) return;
  bool forgets = !now.watched && now.model.home.lives == 0 &&
                 now.model.home.pinned == 0 && fuzz_below(2);
  if (forgets) {
    GOOD(tp_pool_forget(&now.pool));
  } else if (now.watched) {
    reset_watched();
  } else {
    GOOD(tp_pool_reset(&now.pool));
  }
  model_reset(&now.model, now.has_tags && !forgets);
  now.stats.frees += live;
}

static void wait(void)
{
  tp_clock_now += 1 + fuzz_below(3);
}

static void note_use(const struct tp_totals *totals)
{
  uint32_t live = now.has_tags ? now.stats.live : 0;
  GOOD(tp_totals_note(totals));
  now.use.low = live < now.use.low ? live : now.use.low;
  now.use.high = live > now.use.high ? live : now.use.high;
  now.use.full_frames += live == now.pool.capacity;
}

static void restart_use(const struct tp_totals *totals)
{
  GOOD(tp_totals_restart(totals));
  now.use.low = now.use.high = now.has_tags ? now.stats.live : 0;
}

static void add_up(const struct tp_totals *totals)
{
  GOOD(tp_totals_update(totals));
  now.seen = now.stats;
  now.oldest = oldest_age();
}

static void find(const struct tp_totals *totals)
{
  EXPECT(tp_totals_find(totals, "home") == &now.row);
  EXPECT(!tp_totals_find(totals, "hom") && !tp_totals_find(totals, ""));
}

static void total(void)
{
  static void (*const looks[])(const struct tp_totals *totals) = {
      note_use, restart_use, add_up, find};
  const struct tp_entry entry = {
      .name = "home", .kind = &tp_pool_kind, .allocator = &now.pool};
  const struct tp_entry *const entries[] = {&entry};
  const struct tp_registry registry = {entries, 1, 0};
  const struct tp_totals totals = {&registry, &now.row};
  looks[fuzz_below(4)](&totals);
}

// What a released chunk issues next lies in the order of addresses.
static void release(void)
{
  struct model_pool *chunk = &now.model.chunk;
  struct tp_chunk_state *state = now.chunk.state;
  bool released = false;
  if (now.policy != SPILLS) return;
  bool was = state->phase == TP_CHUNK_RELEASED;
  bool idle =
      chunk->lives == 0 && tp_clock_now - state->emptied >= now.chunk.patience;
  GOOD(released = tp_chunk_release(&now.chunk));
  EXPECT(released == (was || idle));
  if (!released) return;
  model_put_in_order(chunk);
}

static void scrub(void)
{
  uint32_t budget = fuzz_below(2 * SLOTS_MOST);
  GOOD(tp_pool_scrub(&now.pool, budget));
}

// Wrong calls -----------------------------------------------------------------

// As an allocator among others.
static void ask_entry(void)
{
  const struct tp_entry entry = {.name = "home",
                                 .kind = &tp_pool_kind,
                                 .allocator = &now.pool,
                                 .most = now.pool.capacity};
  const struct tp_entry *const entries[] = {&entry};
  const struct tp_registry registry = {entries, 1, 0};
  struct tp_stats stats, other;
  tp_entry_stats(&entry, &stats);
  tp_pool_stats(&now.pool, &other);
  EXPECT(memcmp(&stats, &other, sizeof stats) == 0);
  EXPECT(tp_entry_live(&entry) == tp_pool_live(&now.pool));
  EXPECT(tp_entry_capacity(&entry) == now.pool.capacity);
  EXPECT(tp_entry_verify(&entry, NULL));
  EXPECT(tp_registry_find(&registry, "home") == 0);
  EXPECT(tp_registry_find(&registry, "hom") == 1);
  GOOD(tp_entry_scrub(&entry, fuzz_below(16)));
}

static void (*const frees[])(const struct tp_pool *pool, void *object) = {
    tp_pool_free, tp_aged_free};

static void free_foreign(void)
{
  static tp_word_t elsewhere[4];
  char *end =
      (char *)(now.pool.storage) + (size_t)now.pool.capacity * now.pool.stride;
  void *const wrong[] = {NULL,
                         elsewhere,
                         end,
                         (void *)now.pool.origin,
                         end + now.pool.stride,
                         (char *)now.pool.storage - 4};
  uint32_t which = fuzz_below(sizeof wrong / sizeof wrong[0]);
  WRONG(TP_FAULT_FOREIGN, frees[now.pool.age != NULL](&now.pool, wrong[which]));
}

static void free_interior(void)
{
  uint32_t slot = fuzz_below(now.pool.capacity) + 1;
  char *object = (char *)words_of(slot);
  uint32_t offset = 1 + fuzz_below(now.pool.stride - 1u);
  WRONG(TP_FAULT_INTERIOR, tp_pool_free(&now.pool, object + offset));
}

// Nobody but who borrowed a lent slot gave it back. The audit of full finds the
// links of a released chunk gone, and says that.
static uint32_t fault_of_dead(uint32_t slot)
{
  const struct tp_chunk_state *state = now.chunk.state;
  if (slot <= now.pool.capacity) return TP_FAULT_DOUBLE_FREE;
  if (slot - now.pool.capacity > now.model.chunk.fresh) {
    return TP_FAULT_FOREIGN;
  }
  bool audited = TP_CHECKS >= TP_CHECKS_FULL;
  bool released = state->phase == TP_CHUNK_RELEASED;
  return audited && released ? TP_FAULT_LINK : TP_FAULT_DOUBLE_FREE;
}

static void free_dead(void)
{
  uint32_t slot = any(fuzz_below(MOST), false);
  if (slot == 0) return;
  WRONG(fault_of_dead(slot),
        frees[now.pool.age != NULL](&now.pool, words_of(slot)));
}

static void pin_wrongly(void)
{
  uint32_t slot = fuzz_below(now.pool.capacity) + 1;
  void *object = words_of(slot);
  bool live = is_live(slot);
  uint32_t kind = live ? TP_FAULT_PIN : TP_FAULT_DOUBLE_FREE;
  bool pinned = live && model_is_pinned(&now.model, slot);
  if (!steals()) return;
  if (pinned || !live) WRONG(kind, tp_pool_pin(&now.pool, object));
  if (!pinned) WRONG(kind, tp_pool_unpin(&now.pool, object));
}

static void call_wrongly(void)
{
  static void (*const calls[])(void) = {free_foreign, free_interior, free_dead,
                                        pin_wrongly};
  uint32_t which = fuzz_below(4);
  if (TP_CHECKS == 0 || now.watched) return;
  calls[which]();
}

// Damage ----------------------------------------------------------------------

// A word that verify looks at; NULL: there is no such one now.
static tp_word_t *watched_word(uint32_t which, uint32_t slot)
{
  const struct model_pool *home = &now.model.home;
  bool dead = !is_live(slot) && slot <= home->fresh;
  if (which == 0) return (tp_word_t *)now.pool.tag;
  if (which == 1) return dead ? words_of(slot) : NULL;
  if (which == 2 && dead && TP_CHECKS >= TP_CHECKS_POISON) {
    uint32_t words = now.pool.size / 4u;
    return words > 1 ? words_of(slot) + 1 + fuzz_below(words - 1) : NULL;
  }
  if (which == 3 && slot <= home->fresh && now.pool.zone) {
    return words_of(slot) + now.pool.size / 4u;
  }
  return NULL;
}

static void damage(void)
{
  uint32_t which = fuzz_below(4);
  uint32_t slot = fuzz_below(now.pool.capacity) + 1;
  uint32_t bit = 1u << fuzz_below(32);
  struct tp_finding finding = {0, 0};
  tp_word_t *word = TP_CHECKS ? watched_word(which, slot) : NULL;
  if (!word) return;
  *word ^= bit;
  EXPECT(!tp_pool_verify(&now.pool, &finding) && finding.broken);
  *word ^= bit;
}

static uint32_t issue_damaged(void)
{
  const struct model_pool *home = &now.model.home;
  if (home->deads == 0 || now.pool.size < 8 || now.watched) return 0;
  words_of(home->dead[0])[1] ^= 1u << fuzz_below(32);
  if (fuzz_below(2)) {
    CALL(tp_pool_alloc(&now.pool));
  } else {
    CALL(tp_pool_scrub(&now.pool, now.pool.capacity));
  }
  return TP_FAULT_POISON;
}

static uint32_t free_overrun(void)
{
  uint32_t slot = any(fuzz_below(MOST), true);
  if (slot == 0 || slot > now.pool.capacity || !now.pool.zone) return 0;
  words_of(slot)[now.pool.size / 4u] ^= 1u << fuzz_below(32);
  CALL(frees[now.pool.age != NULL](&now.pool, words_of(slot)));
  return TP_FAULT_RED_ZONE;
}

// A mistake that is only noticed later, and then ends it all.
static bool end_in_fault(void)
{
  uint32_t which = fuzz_below(16);
  uint32_t wanted = 0;
  if (TP_CHECKS < TP_CHECKS_POISON) return false;
  if (which == 0) wanted = issue_damaged();
  if (which == 1) wanted = free_overrun();
  if (wanted) EXPECT(fuzz_fault == wanted);
  return wanted != 0;
}

static bool reset_or_end(void)
{
  if (fuzz_below(2)) return end_in_fault();
  reset();
  return false;
}

// The world -------------------------------------------------------------------

static const struct tp_policy *policy_of(void)
{
  static const struct tp_policy *const plain[] = {&tp_drop, &tp_assert,
                                                  &tp_steal_oldest};
  if (now.policy == SPILLS) return &now.spill.policy;
  if (now.policy == STEALS_LEAST) return &now.least.policy;
  return plain[now.policy];
}

static struct tp_build row(void)
{
  static const uint8_t locks[] = {TP_LOCK_PRIMASK, TP_LOCK_NONE, 0x40};
  uint32_t bits = fuzz_below(256);
  bool timed = steals() && bits & 1;
  return (struct tp_build){
      .size = (uint16_t)(4 + 4 * fuzz_below(12)),
      .count = (tp_slot_t)(1 + fuzz_below(SLOTS_MOST)),
      .align = (uint8_t)(4u << fuzz_below(4)),
      .lock = locks[fuzz_below(3)],
      .aged = steals(),
      .timed = timed,
      .tagged = steals() || bits & 2,
      .refuses = now.policy == DROPS,
      .takes_foreign = now.policy == SPILLS,
      .min_age = timed && now.policy == STEALS_OLDEST ? bits >> 6 : 0,
      .policy = policy_of(),
      .evict = steals() && bits & 4 ? evict : NULL,
  };
}

static void begin_chunk(const struct tp_build *home)
{
  struct tp_build lent = {.size = home->size,
                          .count = CHUNK_SLOTS,
                          .align = home->align,
                          .tagged = 1,
                          .policy = &tp_drop};
  void *memory = fuzz_memory(tp_build_bytes(&lent), 0);
  tp_pool_build(&now.chunk_pool, "chunk", &lent, memory);
  now.chunk = (struct tp_chunk){
      .pool = &now.chunk_pool,
      .state = fuzz_memory(sizeof *now.chunk.state, 0),
      .owner = fuzz_memory((CHUNK_SLOTS + 1) * sizeof(void *), 0),
      .patience = fuzz_below(4)};
  now.asserts = fuzz_below(2);
  now.spill =
      (struct tp_spill){.policy = {tp_spill_overflow, tp_spill_take_back},
                        .into = &now.chunk,
                        .then = now.asserts ? &tp_assert : &tp_drop,
                        .state = fuzz_memory(sizeof *now.spill.state, 0),
                        .tagged = home->tagged};
  now.pool.handle_bits = TP_HANDLE_BITS(home->count + CHUNK_SLOTS);
}

static void begin_watermark(void)
{
  uint32_t capacity = now.pool.capacity;
  uint32_t low = fuzz_below(capacity);
  uint32_t refill = low + 1 + fuzz_below(capacity - low);
  now.watched = now.policy <= ASSERTS && !now.pool.tagged && fuzz_below(2);
  now.mark = (struct tp_watermark){
      &now.pool,     fuzz_memory(sizeof *now.mark.state, 0),
      on_low,        on_refill,
      (uint16_t)low, (uint16_t)refill};
  now.refilled = refill;
}

static void begin(void)
{
  memset(&now, 0, sizeof now);
  now.policy = (enum model_policy)fuzz_below(POLICIES);
  now.wide = fuzz_below(2);
  now.least = (struct tp_steal_least){
      {tp_least_overflow, NULL}, score, (uint8_t)fuzz_below(2)};
  struct tp_build home = row();
  void *memory = fuzz_memory(tp_build_bytes(&home), (uint8_t)fuzz_below(256));
  tp_pool_build(&now.pool, "home", &home, memory);
  if (now.policy == SPILLS) begin_chunk(&home);
  begin_watermark();
  now.size = home.size;
  now.has_tags = TP_CHECKS > 0 || home.tagged;
  model_begin(&now.model, now.policy, home.count);
}

static void (*const calls[])(void) = {
    alloc,         alloc, alloc,          alloc,        free_one,
    free_one,      forge, free_by_handle, pin_or_unpin, wait,
    pin_by_handle, scrub, call_wrongly,   call_wrongly, release,
    damage,        total, ask_entry};
enum { CALLS = sizeof calls / sizeof calls[0] };

const struct world fuzz_pools = {
    .name = "pools",
    .begin = begin,
    .calls = calls,
    .count = CALLS,
    .end_in = 128,
    .end = reset_or_end,
    .check = check_all,
};
