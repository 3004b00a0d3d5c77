// SPDX-License-Identifier: MIT
// What is noted beside the slots of a pool and of the one it spills into: who
// asked for each and who gave it back, and which of the first a device has; and
// what is kept of a fault.
#include <string.h>

#include "check/tp_crash.h"
#include "fuzz.h"
#include "model.h"
#include "object/tp_build.h"
#include "object/tp_dma.h"
#include "object/tp_owner.h"
#include "policy/tp_spill.h"

enum { SLOTS = 4, PLACES = 2 * SLOTS, GIVEN = 8, NOT_LENT = 0 };

// A slot of the pool, or one of the other, numbered behind those.
struct place {
  uint32_t number;  // Of the object in it.
  uint32_t lent;    // enum tp_dma_direction.
  bool noted, freed;
  uint32_t since;  // When the note was made.
};

struct given {
  tp_handle64_t bits;
  uint32_t place, number;
};

static struct {
  struct model home, other;
  struct tp_pool pool, chunk_pool;
  struct tp_chunk chunk;
  struct tp_spill spill;
  struct tp_dma dma;
  struct tp_owned owned, behind;
  bool wide;
  struct place places[PLACES + 1];
  struct given given[GIVEN];
  uint32_t given_count, numbers;
} now;

const struct tp_owned *const tp_owned_rows[] = {&now.owned, &now.behind, NULL};

static bool at_home(uint32_t place)
{
  return place <= now.pool.capacity;
}

static tp_word_t *words_of(uint32_t place)
{
  const struct tp_pool *pool = at_home(place) ? &now.pool : &now.chunk_pool;
  uint32_t slot = at_home(place) ? place : place - now.pool.capacity;
  return pool->storage + (slot - 1) * (pool->stride / 4u);
}

static uint32_t places(void)
{
  return (uint32_t)now.pool.capacity + now.chunk_pool.capacity;
}

static bool is_live(uint32_t place)
{
  return at_home(place) ? model_is_live(&now.home, place)
                        : model_is_live(&now.other, place - now.pool.capacity);
}

// After each call ------------------------------------------------------------

static void check_note(uint32_t at)
{
  const struct place *place = &now.places[at];
  const struct tp_owner *owner = tp_owner_of(&now.owned, words_of(at));
  EXPECT((owner != NULL) == place->noted);
  if (!owner) return;
  bool freed = owner->context & TP_OWNER_FREED;
  EXPECT(owner->since == place->since && freed == place->freed);
  EXPECT((freed ? owner->freed : owner->asked) != NULL);
  struct tp_fault_record record = {.pool = &now.pool, .slot = at};
  if (at_home(at)) EXPECT(tp_fault_owner_of(&record) == owner);
}

static void check_all(void)
{
  for (uint32_t at = 1; at <= places(); at++) {
    const struct place *place = &now.places[at];
    check_note(at);
    if (!is_live(at)) continue;
    EXPECT(tp_is_filled(words_of(at), now.pool.size, place->number));
  }
  EXPECT(!tp_owner_of(&now.owned, &now) && !tp_owner_of(&now.owned, NULL));
  EXPECT(tp_pool_verify(&now.pool, NULL));
  EXPECT(tp_pool_verify(&now.chunk_pool, NULL));
}

// Calls -----------------------------------------------------------------------

static void note(uint32_t at, bool freed)
{
  now.places[at].noted = true;
  now.places[at].freed = freed;
  now.places[at].since = tp_clock_now;
}

static void begin_life(uint32_t at, bool noted)
{
  struct place *place = &now.places[at];
  EXPECT(fuzz_is_new(words_of(at), now.pool.size));
  place->number = ++now.numbers;
  place->noted = false;
  if (noted) note(at, false);
  tp_fill(words_of(at), now.pool.size, place->number);
}

// The place that the next object gets; 0: none.
static uint32_t next_place(bool spills)
{
  int slot = model_alloc(&now.home, DROPS);
  if (slot != MODEL_NULL) return (uint32_t)slot;
  slot = spills ? model_alloc(&now.other, DROPS) : MODEL_NULL;
  return slot == MODEL_NULL ? 0 : now.pool.capacity + (uint32_t)slot;
}

static void alloc(void)
{
  bool noted = fuzz_below(4) > 0;
  uint32_t at = next_place(true);
  void *object = NULL;
  GOOD(object = tp_pool_alloc(&now.pool));
  EXPECT(object == (at ? words_of(at) : NULL));
  if (noted) GOOD(EXPECT(tp_owner_take(&now.owned, object) == object));
  if (at) begin_life(at, noted);
}

static void alloc_handle(void)
{
  uint32_t at = next_place(false);
  struct given given = {.place = at, .number = now.numbers + 1};
  tp_handle_t narrow = 0;
  void *object = NULL;
  if (now.wide) {
    GOOD(object = tp_handle64_alloc(&now.pool, &given.bits));
    if (object) {
      GOOD(tp_owner_take_handle64(&now.owned, object, &given.bits));
    }
  } else {
    GOOD(object = tp_handle_alloc(&now.pool, &narrow));
    if (object) GOOD(tp_owner_take_handle(&now.owned, object, &narrow));
    given.bits = narrow;
  }
  EXPECT(object == (at ? words_of(at) : NULL));
  if (!at) return;
  begin_life(at, true);
  now.given[now.given_count++ % GIVEN] = given;
}

static void end_life(uint32_t at, bool noted)
{
  if (at_home(at)) {
    model_free(&now.home, at);
  } else {
    model_free(&now.other, at - now.pool.capacity);
  }
  if (noted) note(at, true);  // Else that of who asked for it stays.
}

static uint32_t any_live(void)
{
  uint32_t first = fuzz_below(places());
  for (uint32_t i = 0; i < places(); i++) {
    uint32_t at = (first + i) % places() + 1;
    if (is_live(at)) return at;
  }
  return 0;
}

static void give(uint32_t at)
{
  void *object = words_of(at);
  if (at_home(at)) object = tp_dma_give(&now.dma, object);
  tp_owner_give(&now.owned, object);
}

static void free_one(void)
{
  bool noted = fuzz_below(4) > 0;
  uint32_t at = any_live();
  if (at == 0) return;
  if (now.places[at].lent) {
    if (TP_CHECKS > 0) WRONG(TP_FAULT_LENT, give(at));
    return;
  }
  if (noted) GOOD(give(at));
  end_life(at, noted);
  GOOD(tp_pool_free(&now.pool, words_of(at)));
}

static void give_handle(tp_handle64_t bits)
{
  if (now.wide) {
    tp_owner_give_handle64(&now.owned, tp_dma_give_handle64(&now.dma, bits));
  } else {
    tp_handle_t narrow = (tp_handle_t)bits;
    tp_owner_give_handle(&now.owned, tp_dma_give_handle(&now.dma, narrow));
  }
}

// By a handle that may be stale: then nothing happens.
static void free_by_handle(void)
{
  const struct given *given = &now.given[fuzz_below(GIVEN)];
  uint32_t at = given->place;
  bool freed = false;
  bool holds = at && is_live(at) && now.places[at].number == given->number;
  if (!holds) {
    WRONG(0u, give_handle(given->bits));
    return;
  }
  if (now.places[at].lent) {
    if (TP_CHECKS > 0) WRONG(TP_FAULT_LENT, give_handle(given->bits));
    return;
  }
  GOOD(give_handle(given->bits));
  end_life(at, true);
  GOOD(freed = now.wide ? tp_handle64_free(&now.pool, given->bits)
                        : tp_handle_free(&now.pool, (tp_handle_t)given->bits));
  EXPECT(freed);
}

static void lend(void)
{
  uint32_t at = 1 + fuzz_below(now.pool.capacity);
  enum tp_dma_direction what = (enum tp_dma_direction)(1 + fuzz_below(3));
  struct place *place = &now.places[at];
  uint32_t wrong = !is_live(at)  ? TP_FAULT_DOUBLE_FREE
                   : place->lent ? TP_FAULT_LENT
                                 : 0u;
  if (wrong && TP_CHECKS == 0) return;
  if (wrong) {
    WRONG(wrong, tp_dma_lend(&now.dma, words_of(at), what));
    return;
  }
  GOOD(tp_dma_lend(&now.dma, words_of(at), what));
  place->lent = what;
}

static void take(void)
{
  uint32_t at = 1 + fuzz_below(now.pool.capacity);
  struct place *place = &now.places[at];
  uint32_t wrong = !is_live(at)   ? TP_FAULT_DOUBLE_FREE
                   : !place->lent ? TP_FAULT_LENT
                                  : 0u;
  if (wrong && TP_CHECKS == 0) return;
  if (wrong) {
    WRONG(wrong, tp_dma_take(&now.dma, words_of(at)));
    return;
  }
  GOOD(tp_dma_take(&now.dma, words_of(at)));
  place->lent = NOT_LENT;
}

// All at home go back, unless a device has one. A note of who asked stays with
// the slot of who lived in it.
static void reset(void)
{
  uint32_t lent = 0;
  if (fuzz_below(4)) return;
  for (uint32_t at = 1; at <= now.pool.capacity; at++) {
    lent += now.places[at].lent != NOT_LENT;
  }
  if (lent && TP_CHECKS == 0) return;
  if (lent) {
    WRONG(TP_FAULT_LENT, tp_dma_reset(&now.dma));
    return;
  }
  GOOD(tp_dma_reset(&now.dma));
  model_reset(&now.home, true);
}

static void wait(void)
{
  tp_clock_now += 1 + fuzz_below(3);
}

static void put(char character)
{
  EXPECT(character == '\r' || character == '\n' ||
         (character >= ' ' && character <= '~'));
}

// What a fault leaves for the next boot: no one bit of it flips unseen.
static void keep_crash(void)
{
  const struct tp_crash *crash = &tp_crash;
  uint32_t end, bit = fuzz_below(8 * sizeof *crash);
  uint8_t *byte = (uint8_t *)&tp_crash + bit / 8;
  if (fuzz_below(4)) return;
  tp_crash_save(&tp_fault_record, &end + fuzz_below(200));
  if (fuzz_below(2)) tp_crash_note(words_of(1), fuzz_below(32));
  EXPECT(tp_crash_validate() == crash && crash->words <= TP_CRASH_WORDS);
  tp_crash_print(crash, put);
  *byte ^= 1u << bit % 8;
  EXPECT(!tp_crash_validate());
  *byte ^= 1u << bit % 8;
  tp_crash_forget();
  EXPECT(!tp_crash_validate());
}

static void call_wrongly(void)
{
  uint32_t at = 1 + fuzz_below(places());
  char *interior = (char *)words_of(1) + 4;
  if (TP_CHECKS == 0) return;
  WRONG(TP_FAULT_FOREIGN, tp_dma_lend(&now.dma, NULL, TP_DMA_RX));
  WRONG(TP_FAULT_FOREIGN, tp_dma_take(&now.dma, words_of(places())));
  WRONG(TP_FAULT_INTERIOR, tp_dma_take(&now.dma, interior));
  WRONG(0u, tp_dma_give(&now.dma, interior));
  WRONG(0u, tp_owner_give(&now.owned, interior));
  // The note of who gave it back first stays.
  if (!is_live(at)) WRONG(0u, tp_owner_give(&now.owned, words_of(at)));
}

// The beginning ---------------------------------------------------------------

static void put_pool(struct tp_pool *pool, const char *name, uint32_t size,
                     const struct tp_policy *policy)
{
  struct tp_build row = {.size = (uint16_t)size,
                         .count = (tp_slot_t)(1 + fuzz_below(SLOTS)),
                         .align = 8,
                         .tagged = 1,
                         .takes_foreign = policy != &tp_drop,
                         .policy = policy};
  tp_pool_build(pool, name, &row, fuzz_memory(tp_build_bytes(&row), 0));
}

static struct tp_owned owned_of(const struct tp_pool *pool,
                                const struct tp_owned *next)
{
  size_t bytes = pool->capacity * sizeof(struct tp_owner);
  return (struct tp_owned){pool, fuzz_memory(bytes, 0), next};
}

static void begin(void)
{
  memset(&now, 0, sizeof now);
  uint32_t size = 8 * (1 + fuzz_below(3));
  now.wide = fuzz_below(2);
  put_pool(&now.chunk_pool, "other", size, &tp_drop);
  now.chunk =
      (struct tp_chunk){.pool = &now.chunk_pool,
                        .state = fuzz_memory(sizeof *now.chunk.state, 0)};
  now.spill =
      (struct tp_spill){.policy = {tp_spill_overflow, tp_spill_take_back},
                        .into = &now.chunk,
                        .then = &tp_drop,
                        .state = fuzz_memory(sizeof *now.spill.state, 0)};
  put_pool(&now.pool, "home", size, &now.spill.policy);
  model_begin(&now.home, DROPS, now.pool.capacity);
  model_begin(&now.other, DROPS, now.chunk_pool.capacity);
  now.behind = owned_of(&now.chunk_pool, NULL);
  now.owned = owned_of(&now.pool, &now.behind);
  now.dma = (struct tp_dma){
      &now.pool, fuzz_memory(now.pool.capacity * sizeof(uint16_t), 0)};
}

static void (*const calls[])(void) = {
    alloc,          alloc, alloc_handle, alloc_handle, free_one,
    free_by_handle, lend,  take,         lend,         take,
    call_wrongly,   wait,  reset,        keep_crash};
enum { CALLS = sizeof calls / sizeof calls[0] };

const struct world fuzz_notes = {
    .name = "notes",
    .begin = begin,
    .calls = calls,
    .count = CALLS,
    .end_in = CALLS,
    .check = check_all,
};
