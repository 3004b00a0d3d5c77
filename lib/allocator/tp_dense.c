// SPDX-License-Identifier: MIT
#include "allocator/tp_dense.h"

#include "check/tp_check.h"
#include "core/tp_words.h"

static tp_word_t *words_at(const struct tp_dense *dense, uint32_t index)
{
  return dense->storage + index * (dense->stride / 4u);
}

static uint32_t low_bits(const struct tp_dense *dense)
{
  return (1u << dense->bits) - 1;
}

static uint32_t index_of(const struct tp_dense *dense, uint32_t entry)
{
  return dense->place[entry] & low_bits(dense);
}

// Puts [entry] at [index]; its generation stays.
static void put(const struct tp_dense *dense, uint32_t entry, uint32_t index)
{
  uint32_t *place = &dense->place[entry];
  *place = (*place & ~low_bits(dense)) | index;
  dense->entry[index] = (tp_slot_t)entry;
}

static void bound(const struct tp_dense *dense, const uint16_t *word,
                  uint32_t most, tp_site_t site)
{
  if (!TP_MISUSE(*word > most)) return;
  tp_raise_misuse(TP_FAULT_INVARIANT, dense->name, word, *word, most, site);
}

// Faults iff the counts lead out of the pool, or a walk out of its objects.
static void check_state(const struct tp_dense *dense, tp_site_t site)
{
  const struct tp_dense_state *state = dense->state;
  bound(dense, &state->fresh, dense->capacity, site);
  bound(dense, &state->count, state->fresh, site);
  bound(dense, &state->old, state->count, site);
  bound(dense, &state->seen, state->old, site);
}

// Was [entry] ever taken, and is its object at [index]?
static bool leads_to(const struct tp_dense *dense, uint32_t entry,
                     uint32_t index)
{
  return entry - 1 < dense->state->fresh && index_of(dense, entry) == index;
}

// The entry at [index], below fresh. Faults iff that does not lead back, or is
// not [wanted], unless 0: one of the two was written over.
static uint32_t entry_at(const struct tp_dense *dense, uint32_t index,
                         uint32_t wanted, tp_site_t site)
{
  uint32_t entry = dense->entry[index];
  bool same = wanted == 0 || entry == wanted;
  if (!TP_MISUSE(!same || !leads_to(dense, entry, index))) return entry;
  tp_raise_misuse(TP_FAULT_INVARIANT, dense->name, &dense->entry[index], entry,
                  wanted, site);
}

static tp_handle_t handle_of(const struct tp_dense *dense, uint32_t entry)
{
  uint32_t generation = dense->place[entry] & ~low_bits(dense);
  return (generation + dense->salt) | entry;
}

static uint32_t entry_of(const struct tp_dense *dense, tp_handle_t handle)
{
  return handle & low_bits(dense);
}

// Was [entry] ever taken? 0 never is.
static bool is_entry(const struct tp_dense *dense, uint32_t entry)
{
  return entry - 1 < dense->state->fresh;
}

// Does [handle] refer to a live object?
static bool is_live(const struct tp_dense *dense, tp_handle_t handle)
{
  uint32_t entry = entry_of(dense, handle);
  return is_entry(dense, entry) && handle == handle_of(dense, entry) &&
         index_of(dense, entry) < dense->state->count;
}

// Most entries that scenes left had: entry 0, which nobody has, keeps it.
static uint32_t most_left(const struct tp_dense *dense)
{
  return TP_AUDITED ? dense->place[0] & 0xffff : dense->place[0];
}

// Was it ever, in this scene or in another?
static bool was_entry(const struct tp_dense *dense, uint32_t entry)
{
  return is_entry(dense, entry) || entry - 1 < most_left(dense);
}

// The count has changed. What it was written over with is seen by its copy.
static void note_count(const struct tp_dense *dense)
{
  if (!TP_AUDITED) return;
  dense->place[0] = most_left(dense) | (uint32_t)dense->state->count << 16;
}

static bool count_agrees(const struct tp_dense *dense)
{
  return TP_AUDITED ? dense->place[0] >> 16 == dense->state->count : true;
}

// [handle], which refers to no live object: faults unless it did once. Only the
// generations before the current one were given out, and ended; all of them,
// once after so many frees one may have wrapped.
static void check_stale(const struct tp_dense *dense, tp_handle_t handle,
                        tp_site_t site)
{
  uint32_t entry = entry_of(dense, handle);
  bool known = was_entry(dense, entry);
  uint32_t expected = known ? handle_of(dense, entry) : TP_NO_HANDLE;
  uint32_t ago = (expected - handle) >> dense->bits;
  bool wrapped = dense->state->frees >> (32u - dense->bits) != 0;
  bool given =
      known && (wrapped || ago - 1 < dense->place[entry] >> dense->bits);
  if (!TP_MISUSE(!given && handle != TP_NO_HANDLE)) return;
  tp_raise_misuse(TP_FAULT_HANDLE_POOL, dense->name, NULL, handle, expected,
                  site);
}

static void poison(const struct tp_dense *dense, uint32_t index)
{
  tp_fill_words(words_at(dense, index), dense->stride / 4u, TP_POISON);
}

static void check_poison(const struct tp_dense *dense, uint32_t index,
                         tp_site_t site)
{
  uint32_t words = dense->stride / 4u;
  const tp_word_t *word = words_at(dense, index);
  uint32_t intact = tp_intact_words(word, words, TP_POISON);
  if (!TP_MISUSE(intact < words)) return;
  tp_raise_misuse(TP_FAULT_POISON, dense->name, word + intact, word[intact],
                  TP_POISON, site);
}

// First thing, where each call looks at all: it says which entry or poison was
// written over, of all else only that it is wrong.
static void audit(const struct tp_dense *dense, tp_site_t site)
{
  if (!TP_AUDITED) return;
  const struct tp_dense_state *state = dense->state;
  check_state(dense, site);
  for (uint32_t index = 0; index < state->fresh; index++) {
    entry_at(dense, index, 0, site);
    if (index >= state->count) check_poison(dense, index, site);
  }
  if (tp_dense_verify(dense)) return;
  tp_raise_misuse(TP_FAULT_INVARIANT, dense->name, state, TP_BROKEN_OTHER,
                  TP_SOUND, site);
}

// Before a call goes by the counts.
static void check(const struct tp_dense *dense, tp_site_t site)
{
  if (TP_AUDITED) {
    audit(dense, site);
  } else {
    check_state(dense, site);
  }
}

// A full pool's answer.
static void *refuse(const struct tp_dense *dense, tp_site_t site)
{
  dense->state->refused++;
  tp_hook_full(dense->name, site);
  if (dense->full) {
    tp_raise_misuse(TP_FAULT_FULL, dense->name, NULL, dense->capacity + 1u,
                    dense->capacity, site);
  }
  return NULL;
}

// The first index never used gets the first entry never used.
static void extend(const struct tp_dense *dense)
{
  uint16_t fresh = dense->state->fresh++;
  put(dense, fresh + 1u, fresh);
}

TP_NOINLINE void *tp_dense_alloc(const struct tp_dense *dense,
                                 tp_handle_t *handle)
{
  struct tp_dense_state *state = dense->state;
  uint32_t index = state->count;
  if (handle) *handle = TP_NO_HANDLE;
  if (tp_hook_refuses(dense->name, NULL)) return NULL;
  check(dense, tp_site(NULL));
  if (index == dense->capacity) return refuse(dense, tp_site(NULL));
  if (index == state->fresh) {
    extend(dense);
  } else {
    check_poison(dense, index, tp_site(NULL));
  }
  uint32_t entry = entry_at(dense, index, 0, tp_site(NULL));
  state->count++;
  note_count(dense);
  if (handle) *handle = handle_of(dense, entry);
  tp_fill_words(words_at(dense, index), dense->stride / 4u, TP_POISON_NEW);
  return words_at(dense, index);
}

// Moves the object at [from] to the dead one's place at [to], and the dead
// one's entry the other way.
static void swap(const struct tp_dense *dense, uint32_t from, uint32_t to,
                 tp_site_t site)
{
  uint32_t dead = entry_at(dense, to, 0, site);
  put(dense, entry_at(dense, from, 0, site), to);
  put(dense, dead, from);
  tp_copy_words(words_at(dense, to), words_at(dense, from), dense->stride / 4u);
}

// Fills the hole at [index], which lies before [end], with what stands last
// before [end]. Returns where the hole is now: there, as [end] comes down.
static uint32_t shift_hole(const struct tp_dense *dense, uint32_t index,
                           uint16_t *end, tp_site_t site)
{
  if (index >= *end) return index;
  uint32_t last = --*end;
  if (index != last) swap(dense, last, index, site);
  return last;
}

static void tell_move(const struct tp_dense *dense, uint32_t from, uint32_t to)
{
  if (!dense->on_move || from == to) return;
  dense->on_move(words_at(dense, to), words_at(dense, from),
                 handle_of(dense, dense->entry[to]));
}

// The next object of [entry] has another generation: 0 again only after all.
// That one may have wrapped is known by the count, which so never goes to 0.
static void end_generation(const struct tp_dense *dense, uint32_t entry)
{
  struct tp_dense_state *state = dense->state;
  dense->place[entry] += low_bits(dense) + 1;
  if (++state->frees == 0) state->frees = 1u << (32u - dense->bits);
}

// A hole among those a walk has met is filled from them, then one among those
// it will meet from these, and one behind from the end: so no object passes
// from one part to another.
TP_NOINLINE bool tp_dense_free(const struct tp_dense *dense, tp_handle_t handle)
{
  struct tp_dense_state *state = dense->state;
  tp_hook_frees(dense->name, NULL);
  audit(dense, tp_site(NULL));
  if (!TP_LIKELY(is_live(dense, handle))) {
    check_stale(dense, handle, tp_site(NULL));
    return false;
  }
  uint32_t entry = entry_of(dense, handle);
  uint32_t index = index_of(dense, entry);
  check_state(dense, tp_site(NULL));
  entry_at(dense, index, entry, tp_site(NULL));
  end_generation(dense, entry);
  uint32_t met = shift_hole(dense, index, &state->seen, tp_site(NULL));
  uint32_t unmet = shift_hole(dense, met, &state->old, tp_site(NULL));
  uint32_t last = shift_hole(dense, unmet, &state->count, tp_site(NULL));
  note_count(dense);
  poison(dense, last);
  tell_move(dense, met, index);
  tell_move(dense, unmet, met);
  tell_move(dense, last, unmet);
  return true;
}

void tp_dense_reset(const struct tp_dense *dense)
{
  struct tp_dense_state *state = dense->state;
  tp_hook_frees(dense->name, NULL);
  check(dense, tp_site(NULL));
  state->seen = 0;
  state->old = 0;
  while (state->count) {
    end_generation(dense, entry_at(dense, --state->count, 0, tp_site(NULL)));
    poison(dense, state->count);
  }
  note_count(dense);
}

void *tp_dense_get(const struct tp_dense *dense, tp_handle_t handle)
{
  audit(dense, tp_site(NULL));
  if (!is_live(dense, handle)) return NULL;
  uint32_t entry = entry_of(dense, handle);
  uint32_t index = index_of(dense, entry);
  entry_at(dense, index, entry, tp_site(NULL));
  return words_at(dense, index);
}

static void check_index(const struct tp_dense *dense, uint32_t index,
                        tp_site_t site)
{
  uint32_t count = dense->state->count;
  if (!TP_MISUSE(index >= count)) return;
  tp_raise_misuse(TP_FAULT_FOREIGN, dense->name, NULL, index, count, site);
}

TP_NOINLINE void *tp_dense_at(const struct tp_dense *dense, uint32_t index)
{
  check(dense, tp_site(NULL));
  check_index(dense, index, tp_site(NULL));
  return words_at(dense, index);
}

TP_NOINLINE tp_handle_t tp_dense_handle(const struct tp_dense *dense,
                                        uint32_t index)
{
  check(dense, tp_site(NULL));
  check_index(dense, index, tp_site(NULL));
  return handle_of(dense, entry_at(dense, index, 0, tp_site(NULL)));
}

uint32_t tp_dense_count(const struct tp_dense *dense)
{
  return dense->state->count;
}

void *tp_dense_first(const struct tp_dense *dense, tp_handle_t *handle)
{
  dense->state->seen = 0;
  dense->state->old = dense->state->count;
  return tp_dense_next(dense, handle);
}

void *tp_dense_next(const struct tp_dense *dense, tp_handle_t *handle)
{
  struct tp_dense_state *state = dense->state;
  check(dense, tp_site(NULL));
  if (state->seen == state->old) {
    state->seen = 0;
    state->old = 0;
    *handle = TP_NO_HANDLE;
    return NULL;
  }
  uint32_t index = state->seen++;
  *handle = handle_of(dense, entry_at(dense, index, 0, tp_site(NULL)));
  return words_at(dense, index);
}

void tp_dense_stats(const struct tp_dense *dense, struct tp_stats *stats)
{
  const struct tp_dense_state *state = dense->state;
  tp_clear_words(stats, sizeof *stats);
  stats->live = state->count;
  stats->peak = state->fresh;
  stats->allocs = state->frees + state->count;
  stats->frees = state->frees;
  stats->refused = state->refused;
}

// Each object that ended was counted twice: by the pool, and by its generation.
static bool ends_add_up(const struct tp_dense *dense)
{
  uint32_t most = dense->state->fresh;
  uint32_t ends = dense->state->frees << dense->bits;
  if (most < most_left(dense)) most = most_left(dense);
  if (most > low_bits(dense)) return false;
  for (uint32_t entry = 1; entry <= most; entry++) {
    ends -= dense->place[entry] & ~low_bits(dense);
  }
  return ends == 0;
}

static bool is_poison(const struct tp_dense *dense, uint32_t index)
{
  uint32_t words = dense->stride / 4u;
  return tp_intact_words(words_at(dense, index), words, TP_POISON) == words;
}

// Since each index below fresh leads to an entry that leads back, no entry
// stands twice.
bool tp_dense_verify(const struct tp_dense *dense)
{
  const struct tp_dense_state *state = dense->state;
  if (state->seen > state->old || state->old > state->count) return false;
  if (state->count > state->fresh || state->fresh > dense->capacity) {
    return false;
  }
  for (uint32_t index = 0; index < state->fresh; index++) {
    if (!leads_to(dense, dense->entry[index], index)) return false;
    if (index >= state->count && !is_poison(dense, index)) return false;
  }
  return count_agrees(dense) && ends_add_up(dense);
}
