// SPDX-License-Identifier: MIT
// Every flip, and wild stores, of every word that is hardened: is there a
// fault before the application gets anything wrong?
#include <string.h>

#include "harden.h"

#if TP_CHECKS >= TP_CHECKS_FAST

#if defined __arm__ || defined __riscv
enum { STORES = 1 << 12 };
#else
enum { STORES = TP_CHECKS == TP_CHECKS_FAST ? 1 << 20 : 1 << 14 };
#endif

// What is damaged: a word that the pool keeps in a state.
enum word { LIST, FRESH, LIVE_TAG, DEAD_TAG, NEW_TAG, WORDS };

// Of how many slots issued, from the first on, how many were then freed.
static const struct {
  uint32_t issued, freed;
} states[] = {{0, 0}, {1, 0}, {2, 1}, {3, 2}, {4, 0}, {4, 2}, {4, 4}, {3, 3}};
enum { STATES = sizeof states / sizeof states[0] };

// A pool's memory, and who has what.
static struct {
  uint32_t tag[SLOTS + 1 + SLOTS];
  struct tp_pool_state state;
  struct tp_age_link age[SLOTS + 1];
  uint8_t slots[SLOTS * 64];
} saved;
static const struct kind *kind;
static void *object[SLOTS];  // Of a slot, while it is live.
static tp_handle_t handle[SLOTS];
static void *object_then[SLOTS];
static tp_handle_t handle_then[SLOTS];
static bool wrong;

static size_t bytes(void)
{
  return SLOTS * (size_t)kind->pool->stride;
}

static void save(void)
{
  memcpy(saved.tag, kind->pool->tag, sizeof saved.tag);
  saved.state = *kind->pool->state;
  if (kind->steals) memcpy(saved.age, kind->pool->age, sizeof saved.age);
  memcpy(saved.slots, kind->pool->storage, bytes());
  memcpy(object_then, object, sizeof object);
  memcpy(handle_then, handle, sizeof handle);
}

static void restore(void)
{
  memcpy(kind->pool->tag, saved.tag, sizeof saved.tag);
  *kind->pool->state = saved.state;
  if (kind->steals) memcpy(kind->pool->age, saved.age, sizeof saved.age);
  memcpy(kind->pool->storage, saved.slots, bytes());
  memcpy(object, object_then, sizeof object);
  memcpy(handle, handle_then, sizeof handle);
  wrong = false;
}

static uint32_t live(void)
{
  uint32_t count = 0;
  for (uint32_t i = 0; i < SLOTS; i++) count += object[i] != NULL;
  return count;
}

// Issues a slot. What was got wrong is noted.
static void issue(void)
{
  tp_handle_t given;
  bool full = live() == SLOTS;
  void *got = kind->alloc(&given);
  uintptr_t offset = (uintptr_t)got - (uintptr_t)kind->pool->storage;
  uint32_t slot = (uint32_t)(offset / kind->pool->stride);
  wrong |= (full && !kind->steals) != (got == NULL);
  if (!got || wrong) return;
  wrong |= slot >= SLOTS || offset % kind->pool->stride;
  if (!wrong) wrong = full != (object[slot] != NULL);
  if (wrong) return;
  object[slot] = got;
  handle[slot] = given;
}

static void take_back(uint32_t slot)
{
  if (!object[slot]) return;
  if (kind->get) wrong |= kind->get(handle[slot]) != object[slot];
  if (kind->get && slot & 1) {
    wrong |= !kind->free_handle(handle[slot]);
  } else {
    kind->free(object[slot]);
  }
  object[slot] = NULL;
}

static void fill(void)
{
  while (live() < SLOTS && !wrong) issue();
  issue();
}

static void empty(void)
{
  for (uint32_t slot = 0; slot < SLOTS && !wrong; slot++) take_back(slot);
}

static void warm_up(uint32_t state)
{
  wrong = false;
  forget(kind);
  memset(object, 0, sizeof object);
  // Each slot had a life before, but for those that are never issued.
  for (uint32_t i = 0; i < states[state].issued; i++) issue();
  for (uint32_t i = states[state].issued; i-- > 0;) take_back(i);
  for (uint32_t i = 0; i < states[state].issued; i++) issue();
  for (uint32_t i = 0; i < states[state].freed; i++) take_back(i);
  save();
}

// The word of this kind in that state; NULL: it has none.
static uint32_t *word_of(enum word word, uint32_t state)
{
  uint32_t *tag = kind->pool->tag;
  if (word == LIST) return tag;
  if (word == FRESH) return (uint32_t *)(void *)kind->pool->state;
  for (uint32_t slot = 1; slot <= SLOTS; slot++) {
    bool is_new = slot > states[state].issued;
    bool is_live = object[slot - 1] != NULL;
    enum word its = is_new ? NEW_TAG : is_live ? LIVE_TAG : DEAD_TAG;
    if (its == word) return &tag[slot];
  }
  return NULL;
}

static void use_all(bool frees_first)
{
  if (frees_first) empty();
  for (uint32_t i = 0; i < 2 && !wrong; i++) {
    fill();
    empty();
  }
  fill();
}

// Is there a fault before anything is wrong?
static bool is_noticed(bool frees_first)
{
  if (setjmp(tp_test_resume)) return !wrong;
  tp_test_expect_fault();
  use_all(frees_first);
  return false;
}

// The word is one of a half that is no count.
static bool is_harmless(enum word word, uint32_t damage)
{
  return word == FRESH ? damage % 0x10000u == 0 : damage == 0;
}

static const struct kind *kind_of(uint32_t i)
{
  return i < KINDS ? &hardened[i] : &both[i - KINDS];
}

static void undamaged_no_state_is_wrong(void)
{
  for (uint32_t i = 0; i < 2 * KINDS; i++) {
    kind = kind_of(i);
    for (uint32_t state = 0; state < STATES; state++) {
      warm_up(state);
      for (uint32_t first = 0; first < 2; first++) {
        restore();
        use_all(first);
        CHECK(!wrong);
        CHECK(tp_pool_verify(kind->pool, NULL));
      }
    }
  }
}

static bool notices_flips(uint32_t state, enum word word)
{
  uint32_t *damaged = word_of(word, state);
  for (uint32_t bit = 0; damaged && bit < 64; bit++) {
    uint32_t flip = 1u << bit % 32;
    if (is_harmless(word, flip)) continue;
    restore();
    *damaged ^= flip;
    if (!is_noticed(bit >= 32)) return false;
  }
  return true;
}

static void every_flipped_bit_of_list_word_tags_and_fresh_is_a_fault(void)
{
  for (uint32_t i = 0; i < 2 * KINDS; i++) {
    kind = kind_of(i);
    for (uint32_t state = 0; state < STATES; state++) {
      warm_up(state);
      for (uint32_t word = 0; word < WORDS; word++) {
        CHECK(notices_flips(state, (enum word)word));
      }
    }
  }
}

// How many of so many wild stores into this word pass, in [states] by turns.
static uint32_t passes(enum word word, uint32_t stores)
{
  uint32_t passed = 0, done = 0;
  for (uint32_t state = 0; done < stores; state = (state + 1) % STATES) {
    warm_up(state);
    uint32_t *damaged = word_of(word, state);
    for (uint32_t i = 0; damaged && i < 1024 && done < stores; i++, done++) {
      restore();
      uint32_t was = *damaged;
      *damaged = tp_test_random();
      if (is_harmless(word, was ^ *damaged)) continue;
      passed += !is_noticed(i & 1);
    }
  }
  return passed;
}

static void of_a_million_wild_stores_into_a_word_no_more_than_32_pass(void)
{
  for (uint32_t i = 0; i < KINDS; i++) {
    kind = &hardened[i];
    tp_test_seed(i + 1);
    for (uint32_t word = 0; word < WORDS; word++) {
      CHECK(passes((enum word)word, STORES / KINDS) <= 32 / KINDS);
    }
  }
}

void suite_damage(void)
{
  RUN(undamaged_no_state_is_wrong);
  RUN(every_flipped_bit_of_list_word_tags_and_fresh_is_a_fault);
  RUN(of_a_million_wild_stores_into_a_word_no_more_than_32_pass);
}

#else

void suite_damage(void)
{
}

#endif
