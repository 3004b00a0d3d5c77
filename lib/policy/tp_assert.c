// SPDX-License-Identifier: MIT
#include "tidepool.h"

#include "check/tp_check.h"

static void *fault(const struct tp_pool *pool, uint32_t *tag, tp_site_t site)
{
  (void)tag;
  tp_raise_full(pool, site);
  return NULL;
}

const struct tp_policy tp_assert = {.overflow = fault};
