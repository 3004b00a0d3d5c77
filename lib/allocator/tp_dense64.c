// SPDX-License-Identifier: MIT
#include "allocator/tp_dense64.h"

#include "check/tp_check.h"

static uint32_t low_bits(const struct tp_dense *dense)
{
  return (1u << dense->bits) - 1;
}

static uint32_t entry_of(const struct tp_dense *dense, tp_handle_t handle)
{
  return handle & low_bits(dense);
}

static uint32_t wrap_of(tp_handle64_t handle)
{
  return (uint32_t)(handle >> 32);
}

// Where each call looks at all: do the wraps add up? Of a pool that is broken
// elsewhere its own calls say so.
static void audit(const struct tp_dense64 *dense, tp_site_t site)
{
  if (!TP_AUDITED || !tp_dense_verify(dense->dense)) return;
  const struct tp_dense *own = dense->dense;
  // The upper half of place[0] is the count.
  uint32_t fresh = own->state->fresh, left = (uint16_t)own->place[0];
  uint32_t most = fresh > left ? fresh : left, differ = dense->wraps[0];
  for (uint32_t entry = 1; entry <= most; entry++) {
    differ -= dense->wraps[entry];
  }
  if (!TP_MISUSE((uint16_t)differ != 0)) return;
  tp_raise_misuse(TP_FAULT_INVARIANT, own->name, dense->wraps, TP_BROKEN_OTHER,
                  TP_SOUND, site);
}

tp_handle64_t tp_dense64_of(const struct tp_dense64 *dense, tp_handle_t handle)
{
  uint32_t entry = entry_of(dense->dense, handle);
  audit(dense, tp_site(NULL));
  return handle ? (tp_handle64_t)dense->wraps[entry] << 32 | handle : handle;
}

// Of the number in [handle]: how often its generation wrapped; 0 of a number
// that is none of the pool's.
static uint32_t wraps_of(const struct tp_dense64 *dense, tp_handle64_t handle)
{
  uint32_t entry = entry_of(dense->dense, (tp_handle_t)handle);
  return entry - 1 < dense->dense->capacity ? dense->wraps[entry] : 0;
}

// Does [handle] refer to a live object if its low half does?
static bool is_current(const struct tp_dense64 *dense, tp_handle64_t handle)
{
  audit(dense, tp_site(NULL));
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
  void *object = tp_dense_alloc(dense->dense, &low);
  if (handle) *handle = tp_dense64_of(dense, low);
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
  uint32_t after = dense->dense->place[entry] & ~low_bits(dense->dense);
  if (after < (before & ~low_bits(dense->dense))) wrap(dense, entry);
}

TP_NOINLINE bool tp_dense64_free(const struct tp_dense64 *dense,
                                 tp_handle64_t handle)
{
  tp_handle_t low = (tp_handle_t)handle;
  if (!is_current(dense, handle)) {
    check_wrap(dense, handle, tp_site(NULL));
    return false;
  }
  uint32_t entry = entry_of(dense->dense, low);
  bool known = entry <= dense->dense->capacity;
  uint32_t before = known ? dense->dense->place[entry] : 0;
  if (!tp_dense_free(dense->dense, low)) return false;
  count_wrap(dense, entry, before);
  return true;
}

// Does [entry], at [index], lead back there? If not, tp_dense_reset() faults.
static bool leads_back(const struct tp_dense *own, uint32_t entry,
                       uint32_t index)
{
  return entry - 1 < own->state->fresh &&
         (own->place[entry] & low_bits(own)) == index;
}

// Before all generations end.
void tp_dense64_reset(const struct tp_dense64 *dense)
{
  const struct tp_dense *own = dense->dense;
  uint32_t last = ~low_bits(own), count = own->state->count;
  if (TP_MISUSE(count > own->capacity)) count = 0;
  for (uint32_t index = 0; index < count; index++) {
    uint32_t entry = own->entry[index];
    if (TP_MISUSE(!leads_back(own, entry, index))) {
      count = 0;
    } else if ((own->place[entry] & last) == last) {
      wrap(dense, entry);
    }
  }
  tp_dense_reset(own);
}

void *tp_dense64_get(const struct tp_dense64 *dense, tp_handle64_t handle)
{
  if (!is_current(dense, handle)) return NULL;
  return tp_dense_get(dense->dense, (tp_handle_t)handle);
}

TP_NOINLINE tp_handle64_t tp_dense64_handle(const struct tp_dense64 *dense,
                                            uint32_t index)
{
  return tp_dense64_of(dense, tp_dense_handle(dense->dense, index));
}

void *tp_dense64_first(const struct tp_dense64 *dense, tp_handle64_t *handle)
{
  tp_handle_t low;
  void *object = tp_dense_first(dense->dense, &low);
  *handle = tp_dense64_of(dense, low);
  return object;
}

void *tp_dense64_next(const struct tp_dense64 *dense, tp_handle64_t *handle)
{
  tp_handle_t low;
  void *object = tp_dense_next(dense->dense, &low);
  *handle = tp_dense64_of(dense, low);
  return object;
}
