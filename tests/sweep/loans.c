// SPDX-License-Identifier: MIT
// loans.c - a pool whose objects are lent to a device as soon as they are
// issued, and taken before they are given back: every live one is lent, and no
// other, wherever the thread is interrupted.
#include "core/tp_slot.h"
#include "model.h"
#include "object/tp_dma.h"
#include "subject.h"

static void open_lent(void)
{
  for (uint32_t i = 0; i < loaned_pool.capacity; i++) loaned_dma.lent[i] = 0;
}

static bool is_lent(const void *object)
{
  uint32_t slot = (uint32_t)tp_slot_of(&loaned_pool, object);
  uint32_t tag = loaned_pool.tag[slot];
  return TP_LENT_FOR(loaned_dma.lent[slot - 1], tag) == TP_DMA_BOTH;
}

static void close_lent(void)
{
  if (TP_CHECKS < TP_CHECKS_FAST) return;  // Nobody notes it.
  for (uint32_t holder = 0; holder < HOLDERS; holder++) {
    if (!holdings[holder].live) continue;
    if (!is_lent(holdings[holder].item)) complain("an object is not lent");
  }
}

static struct item *alloc_and_lend(void)
{
  struct item *item = loaned_alloc();
  if (item) loaned_lend(item, TP_DMA_BOTH);
  return item;
}

static void take_and_free(struct item *item)
{
  loaned_take(item);
  loaned_free(item);
}

static const struct subject loaned = {
    .name = "loaned",
    .pool = &loaned_pool,
    .open = open_lent,
    .close = close_lent,
    .alloc = alloc_and_lend,
    .free = take_and_free,
};

void suite_loans(void)
{
  sweep_common(&loaned);
}
