// SPDX-License-Identifier: MIT
#include "allocator/tp_dense_state.h"

// Puts [entry] at [index]; its generation stays.
static void put(const struct tp_dense *dense, uint32_t entry, uint32_t index)
{
  uint32_t *place = &dense->place[entry];
  *place = (*place & ~tp_dense_low(dense)) | index;
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

// The entry at [index], below fresh. Faults iff that does not lead back, or is
// not [wanted], unless 0: one of the two was written over.
static uint32_t entry_at(const struct tp_dense *dense, uint32_t index,
                         uint32_t wanted, tp_site_t site)
{
  uint32_t entry = dense->entry[index];
  bool same = wanted == 0 || entry == wanted;
  if (!TP_MISUSE(!same || !tp_dense_leads_to(dense, entry, index))) {
    return entry;
  }
  tp_raise_misuse(TP_FAULT_INVARIANT, dense->name, &dense->entry[index], entry,
                  wanted, site);
}

static tp_handle_t handle_of(const struct tp_dense *dense, uint32_t entry)
{
  uint32_t generation = dense->place[entry] & ~tp_dense_low(dense);
  return (generation + dense->salt) | entry;
}

// Was [entry] ever taken? 0 never is.
static bool is_entry(const struct tp_dense *dense, uint32_t entry)
{
  return entry - 1 < dense->state->fresh;
}

// Does [handle] refer to a live object?
static bool is_live(const struct tp_dense *dense, tp_handle_t handle)
{
  uint32_t entry = tp_dense_entry(dense, handle);
  return is_entry(dense, entry) && handle == handle_of(dense, entry) &&
         tp_dense_index(dense, entry) < dense->state->count;
}

// Was it ever, in this scene or in another?
static bool was_entry(const struct tp_dense *dense, uint32_t entry)
{
  return entry - 1 < tp_dense_most(dense);
}

// The count has changed. What it was written over with is seen by its copy.
static void note_count(const struct tp_dense *dense)
{
  if (!TP_AUDITED) return;
  dense->place[0] = tp_dense_most_left(dense) | (uint32_t)dense->state->count
                                                    << 16;
}

// [handle], which refers to no live object: faults unless it did once. Only the
// generations before the current one were given out, and ended; all of them,
// once after so many frees one may have wrapped.
static void check_stale(const struct tp_dense *dense, tp_handle_t handle,
                        tp_site_t site)
{
  uint32_t entry = tp_dense_entry(dense, handle);
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
  tp_fill_words(tp_dense_words(dense, index), dense->stride / 4u, TP_POISON);
}

static void check_poison(const struct tp_dense *dense, uint32_t index,
                         tp_site_t site)
{
  uint32_t words = dense->stride / 4u;
  const tp_word_t *word = tp_dense_words(dense, index);
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

TP_INLINE void *issue(const struct tp_dense *dense, tp_handle_t *handle,
                      tp_site_t site)
{
  struct tp_dense_state *state = dense->state;
  uint32_t index = state->count;
  if (handle) *handle = TP_NO_HANDLE;
  if (tp_hook_refuses(dense->name, site)) return NULL;
  check(dense, tp_site(site));
  if (index == dense->capacity) return refuse(dense, tp_site(site));
  if (index == state->fresh) {
    extend(dense);
  } else {
    check_poison(dense, index, tp_site(site));
  }
  uint32_t entry = entry_at(dense, index, 0, tp_site(site));
  state->count++;
  note_count(dense);
  if (handle) *handle = handle_of(dense, entry);
  tp_fill_words(tp_dense_words(dense, index), dense->stride / 4u,
                TP_POISON_NEW);
  return tp_dense_words(dense, index);
}

void *tp_dense_alloc_for(const struct tp_dense *dense, tp_handle_t *handle,
                         tp_site_t site)
{
  return issue(dense, handle, site);
}

TP_NOINLINE void *tp_dense_alloc(const struct tp_dense *dense,
                                 tp_handle_t *handle)
{
  return issue(dense, handle, NULL);
}

// Moves the object at [from] to the dead one's place at [to], and the dead
// one's entry the other way.
static void swap(const struct tp_dense *dense, uint32_t from, uint32_t to,
                 tp_site_t site)
{
  uint32_t dead = entry_at(dense, to, 0, site);
  put(dense, entry_at(dense, from, 0, site), to);
  put(dense, dead, from);
  tp_copy_words(tp_dense_words(dense, to), tp_dense_words(dense, from),
                dense->stride / 4u);
}

// Fills the hole at [index], which lies before [end], with what stands last
// before [end]. Returns where the hole is now: there, as [end] comes down.
TP_INLINE uint32_t shift_hole(const struct tp_dense *dense, uint32_t index,
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
  dense->on_move(tp_dense_words(dense, to), tp_dense_words(dense, from),
                 handle_of(dense, dense->entry[to]));
}

// The next object of [entry] has another generation: 0 again only after all.
// That one may have wrapped is known by the count, which so never goes to 0.
static void end_generation(const struct tp_dense *dense, uint32_t entry)
{
  struct tp_dense_state *state = dense->state;
  dense->place[entry] += tp_dense_low(dense) + 1;
  if (++state->frees == 0) state->frees = 1u << (32u - dense->bits);
}

// A hole among those a walk has met is filled from them, then one among those
// it will meet from these, and one behind from the end: so no object passes
// from one part to another.
TP_INLINE bool take_back(const struct tp_dense *dense, tp_handle_t handle,
                         tp_site_t site)
{
  struct tp_dense_state *state = dense->state;
  tp_hook_frees(dense->name, site);
  audit(dense, tp_site(site));
  if (!TP_LIKELY(is_live(dense, handle))) {
    check_stale(dense, handle, tp_site(site));
    return false;
  }
  uint32_t entry = tp_dense_entry(dense, handle);
  uint32_t index = tp_dense_index(dense, entry);
  check_state(dense, tp_site(site));
  entry_at(dense, index, entry, tp_site(site));
  end_generation(dense, entry);
  uint32_t met = shift_hole(dense, index, &state->seen, tp_site(site));
  uint32_t unmet = shift_hole(dense, met, &state->old, tp_site(site));
  uint32_t last = shift_hole(dense, unmet, &state->count, tp_site(site));
  note_count(dense);
  poison(dense, last);
  tell_move(dense, met, index);
  tell_move(dense, unmet, met);
  tell_move(dense, last, unmet);
  return true;
}

bool tp_dense_free_for(const struct tp_dense *dense, tp_handle_t handle,
                       tp_site_t site)
{
  return take_back(dense, handle, site);
}

TP_NOINLINE bool tp_dense_free(const struct tp_dense *dense, tp_handle_t handle)
{
  return take_back(dense, handle, NULL);
}

void tp_dense_reset_for(const struct tp_dense *dense, tp_site_t site)
{
  struct tp_dense_state *state = dense->state;
  tp_hook_frees(dense->name, site);
  check(dense, site);
  state->seen = 0;
  state->old = 0;
  while (state->count) {
    end_generation(dense, entry_at(dense, --state->count, 0, site));
    poison(dense, state->count);
  }
  note_count(dense);
}

TP_NOINLINE void tp_dense_reset(const struct tp_dense *dense)
{
  tp_dense_reset_for(dense, tp_site(NULL));
}

TP_INLINE void *get(const struct tp_dense *dense, tp_handle_t handle,
                    tp_site_t site)
{
  audit(dense, tp_site(site));
  if (!is_live(dense, handle)) return NULL;
  uint32_t entry = tp_dense_entry(dense, handle);
  uint32_t index = tp_dense_index(dense, entry);
  entry_at(dense, index, entry, tp_site(site));
  return tp_dense_words(dense, index);
}

void *tp_dense_get_for(const struct tp_dense *dense, tp_handle_t handle,
                       tp_site_t site)
{
  return get(dense, handle, site);
}

TP_NOINLINE void *tp_dense_get(const struct tp_dense *dense, tp_handle_t handle)
{
  return get(dense, handle, NULL);
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
  return tp_dense_words(dense, index);
}

TP_INLINE tp_handle_t handle_at(const struct tp_dense *dense, uint32_t index,
                                tp_site_t site)
{
  check(dense, tp_site(site));
  check_index(dense, index, tp_site(site));
  return handle_of(dense, entry_at(dense, index, 0, tp_site(site)));
}

tp_handle_t tp_dense_handle_for(const struct tp_dense *dense, uint32_t index,
                                tp_site_t site)
{
  return handle_at(dense, index, site);
}

TP_NOINLINE tp_handle_t tp_dense_handle(const struct tp_dense *dense,
                                        uint32_t index)
{
  return handle_at(dense, index, NULL);
}

// What a walk meets next, once the counts were looked at.
TP_INLINE void *meet(const struct tp_dense *dense, tp_handle_t *handle,
                     tp_site_t site)
{
  struct tp_dense_state *state = dense->state;
  if (state->seen == state->old) {
    state->seen = 0;
    state->old = 0;
    *handle = TP_NO_HANDLE;
    return NULL;
  }
  uint32_t index = state->seen++;
  *handle = handle_of(dense, entry_at(dense, index, 0, tp_site(site)));
  return tp_dense_words(dense, index);
}

TP_INLINE void *next(const struct tp_dense *dense, tp_handle_t *handle,
                     tp_site_t site)
{
  check(dense, tp_site(site));
  return meet(dense, handle, site);
}

TP_INLINE void *first(const struct tp_dense *dense, tp_handle_t *handle,
                      tp_site_t site)
{
  check(dense, tp_site(site));
  dense->state->seen = 0;
  dense->state->old = dense->state->count;  // Those that live now.
  return meet(dense, handle, site);
}

void *tp_dense_next_for(const struct tp_dense *dense, tp_handle_t *handle,
                        tp_site_t site)
{
  return next(dense, handle, site);
}

TP_NOINLINE void *tp_dense_next(const struct tp_dense *dense,
                                tp_handle_t *handle)
{
  return next(dense, handle, NULL);
}

void *tp_dense_first_for(const struct tp_dense *dense, tp_handle_t *handle,
                         tp_site_t site)
{
  return first(dense, handle, site);
}

TP_NOINLINE void *tp_dense_first(const struct tp_dense *dense,
                                 tp_handle_t *handle)
{
  return first(dense, handle, NULL);
}
