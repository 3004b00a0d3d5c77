// SPDX-License-Identifier: MIT
// The calls of calls.pml, made by the library itself: QEMU tells each load and
// store of them. The image is given the name of the pool.
#include "core/tp_core.h"
#include "semihost.h"
#include "tp_pools.h"

struct calls {
  const struct tp_pool *pool;
  void *(*alloc)(void);
  void (*free)(void *object);
  void *(*extend)(const struct tp_pool *pool, uint32_t *tag, tp_site_t site);
};

// What the trace of one call stands between.
__attribute__((noinline)) void step_begin(void)
{
  TP_BARRIER();
}

__attribute__((noinline)) void step_end(void)
{
  TP_BARRIER();
}

static void *masked_issue(void)
{
  return masked_alloc();
}

static void masked_take(void *object)
{
  masked_free(object);
}

static const struct calls all[] = {
    {&masked_pool, masked_issue, masked_take, tp_quick_extend},
    {&below_pool, below_alloc, below_free, tp_pool_extend},
    {&claimed_pool, claimed_alloc, claimed_free, tp_pool_extend},
};

// The end of the last call.
void tp_fault(const struct tp_fault_record *record)
{
  semihost_exit(record->kind == TP_FAULT_DOUBLE_FREE ? 0 : 1);
}

static void *alloc(const struct calls *calls)
{
  step_begin();
  void *object = calls->alloc();
  step_end();
  return object;
}

static void free(const struct calls *calls, void *object)
{
  step_begin();
  calls->free(object);
  step_end();
}

int main(void)
{
  char text[16];
  if (!semihost_arguments(text, sizeof text)) return 1;
  for (const struct calls *calls = all; calls < all + 3; calls++) {
    if (calls->pool->name[0] != text[0]) continue;
    void *first = alloc(calls);
    void *second = alloc(calls);
    (void)alloc(calls);
    free(calls, first);
    (void)alloc(calls);
    free(calls, second);
    free(calls, first);
    step_begin();
    (void)calls->extend(calls->pool, NULL, NULL);
    step_end();
    (void)alloc(calls);
    free(calls, first);
    free(calls, first);
  }
  return 1;
}
