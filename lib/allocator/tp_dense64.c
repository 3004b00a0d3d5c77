// SPDX-License-Identifier: MIT
#include "allocator/tp_dense64.h"

#include "allocator/tp_dense_state.h"

static uint32_t wrap_of(tp_handle64_t handle)
{
  return (uint32_t)(handle >> 32);
}

// Is [entry] a number, of this scene or of one that was left?
static bool is_number(const struct tp_dense *own, uint32_t entry)
{
  return entry - 1 < own->capacity || entry - 1 < tp_dense_most_left(own);
}

// Where each call looks at all: do the wraps add up? Of a pool that is broken
// elsewhere its own calls say so.
static void audit(const struct tp_dense64 *dense, tp_site_t site)
{
  if (!TP_AUDITED || !tp_dense_verify(dense->dense)) return;
  const struct tp_dense *own = dense->dense;
  uint32_t most = tp_dense_most(own), differ = dense->wraps[0];
  for (uint32_t entry = 1; entry <= most; entry++) {
    differ -= dense->wraps[entry];
  }
  if (!TP_MISUSE((uint16_t)differ != 0)) return;
  tp_raise_misuse(TP_FAULT_INVARIANT, own->name, dense->wraps, TP_BROKEN_OTHER,
                  TP_SOUND, site);
}

static tp_handle64_t widen(const struct tp_dense64 *dense, tp_handle_t handle,
                           tp_site_t site)
{
  uint32_t entry = tp_dense_entry(dense->dense, handle);
  audit(dense, site);
  return handle ? (tp_handle64_t)dense->wraps[entry] << 32 | handle : handle;
}

// Of the number in [handle]: how often its generation wrapped; 0 of a number
// that is none of the pool's.
static uint32_t wraps_of(const struct tp_dense64 *dense, tp_handle64_t handle)
{
  uint32_t entry = tp_dense_entry(dense->dense, (tp_handle_t)handle);
  return is_number(dense->dense, entry) ? dense->wraps[entry] : 0;
}

// No handle of the pool's has a number that is none.
TP_NOINLINE tp_handle64_t tp_dense64_of(const struct tp_dense64 *dense,
                                        tp_handle_t handle)
{
  audit(dense, tp_site(NULL));
  return (tp_handle64_t)wraps_of(dense, handle) << 32 | handle;
}

// Does [handle] refer to a live object if its low half does?
static bool is_current(const struct tp_dense64 *dense, tp_handle64_t handle,
                       tp_site_t site)
{
  audit(dense, site);
  return wraps_of(dense, handle) == wrap_of(handle);
}

// [handle], which is not current: faults unless it was once.
static void check_wrap(const struct tp_dense64 *dense, tp_handle64_t handle,
                       tp_site_t site)
{
  uint32_t wraps = wraps_of(dense, handle);
  if (!TP_MISUSE(wrap_of(handle) > wraps)) return;
  tp_raise_misuse(TP_FAULT_HANDLE_POOL, dense->dense->name, NULL,
                  wrap_of(handle), wraps, site);
}

TP_NOINLINE void *tp_dense64_alloc(const struct tp_dense64 *dense,
                                   tp_handle64_t *handle)
{
  tp_handle_t low;
  tp_site_t site = tp_site(NULL);
  void *object = tp_dense_alloc_for(dense->dense, &low, site);
  if (handle) *handle = widen(dense, low, site);
  return object;
}

static void wrap(const struct tp_dense64 *dense, uint32_t entry)
{
  dense->wraps[entry]++;
  dense->wraps[0]++;
}

// The generation of [entry], which was [before], has ended.
static void count_wrap(const struct tp_dense64 *dense, uint32_t entry,
                       uint32_t before)
{
  uint32_t after = dense->dense->place[entry] & ~tp_dense_low(dense->dense);
  if (after < (before & ~tp_dense_low(dense->dense))) wrap(dense, entry);
}

TP_NOINLINE bool tp_dense64_free(const struct tp_dense64 *dense,
                                 tp_handle64_t handle)
{
  tp_handle_t low = (tp_handle_t)handle;
  tp_site_t site = tp_site(NULL);
  if (!is_current(dense, handle, site)) {
    check_wrap(dense, handle, site);
    return false;
  }
  uint32_t entry = tp_dense_entry(dense->dense, low);
  bool known = entry <= dense->dense->capacity;
  uint32_t before = known ? dense->dense->place[entry] : 0;
  if (!tp_dense_free_for(dense->dense, low, site)) return false;
  count_wrap(dense, entry, before);
  return true;
}

// Before all generations end. Of an entry that does not lead back,
// tp_dense_reset() faults.
void tp_dense64_reset_for(const struct tp_dense64 *dense, tp_site_t site)
{
  const struct tp_dense *own = dense->dense;
  uint32_t last = ~tp_dense_low(own), count = own->state->count;
  if (TP_MISUSE(count > own->capacity)) count = 0;
  for (uint32_t index = 0; index < count; index++) {
    uint32_t entry = own->entry[index];
    if (TP_MISUSE(!tp_dense_leads_to(own, entry, index))) {
      count = 0;
    } else if ((own->place[entry] & last) == last) {
      wrap(dense, entry);
    }
  }
  tp_dense_reset_for(own, site);
}

TP_NOINLINE void tp_dense64_reset(const struct tp_dense64 *dense)
{
  tp_dense64_reset_for(dense, tp_site(NULL));
}

TP_NOINLINE void *tp_dense64_get(const struct tp_dense64 *dense,
                                 tp_handle64_t handle)
{
  tp_site_t site = tp_site(NULL);
  if (!is_current(dense, handle, site)) return NULL;
  return tp_dense_get_for(dense->dense, (tp_handle_t)handle, site);
}

TP_NOINLINE tp_handle64_t tp_dense64_handle(const struct tp_dense64 *dense,
                                            uint32_t index)
{
  tp_site_t site = tp_site(NULL);
  return widen(dense, tp_dense_handle_for(dense->dense, index, site), site);
}

TP_NOINLINE void *tp_dense64_first(const struct tp_dense64 *dense,
                                   tp_handle64_t *handle)
{
  tp_handle_t low;
  tp_site_t site = tp_site(NULL);
  void *object = tp_dense_first_for(dense->dense, &low, site);
  *handle = widen(dense, low, site);
  return object;
}

TP_NOINLINE void *tp_dense64_next(const struct tp_dense64 *dense,
                                  tp_handle64_t *handle)
{
  tp_handle_t low;
  tp_site_t site = tp_site(NULL);
  void *object = tp_dense_next_for(dense->dense, &low, site);
  *handle = widen(dense, low, site);
  return object;
}
