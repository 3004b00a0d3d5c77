// SPDX-License-Identifier: MIT
#include "policies.h"

#include "pool/tp_define.h"

TP_POOL_DEFINE(rubble, 24, 4, 8, TP_NO_BANK, TP_TAGS_IF_CHECKED,
               .policy = &tp_drop, .refuses = 1);
TP_CHUNK_OWNERS(rubble);
TP_CHUNK_DEFINE(rubble, .patience = 0, .owner = rubble_owner);
TP_SPILL_DEFINE(sparks, rubble, tp_drop);
TP_POOL_DEFINE(sparks, sizeof(struct thing), 3, 8, TP_NO_BANK,
               TP_TAGS_IF_CHECKED, TP_SPILLS(sparks, rubble));
TP_SPILL_DEFINE(smoke, rubble, tp_assert);
TP_POOL_DEFINE(smoke, sizeof(struct thing), 2, 4, TP_NO_BANK,
               TP_TAGS_IF_CHECKED, TP_SPILLS(smoke, rubble));

TP_POOL_DEFINE(attic, sizeof(struct thing), ATTIC, 4, TP_NO_BANK,
               TP_TAGS_IF_CHECKED, .policy = &tp_drop, .refuses = 1);
TP_CHUNK_DEFINE(attic, .patience = 10);
TP_SPILL_DEFINE(boxes, attic, tp_drop);
TP_POOL_DEFINE(boxes, sizeof(struct thing), BOXES, 4, TP_NO_BANK,
               TP_TAGS_ALWAYS, TP_SPILLS(boxes, attic));

static bool ask_for_barn(const struct tp_chunk *chunk)
{
  return chunk == &barn_chunk && lend_barn;
}

bool lend_barn;

TP_POOL_DEFINE(barn, sizeof(struct thing), BARN, 4, TP_NO_BANK,
               TP_TAGS_IF_CHECKED, .policy = &tp_drop, .refuses = 1);
TP_CHUNK_DEFINE(barn, .patience = 0, .borrow = ask_for_barn);
TP_SPILL_DEFINE(hay, barn, tp_drop);
TP_POOL_DEFINE(hay, sizeof(struct thing), HAY, 4, TP_NO_BANK,
               TP_TAGS_IF_CHECKED, TP_SPILLS(hay, barn));

void forget_chunk(const struct tp_chunk *chunk)
{
  tp_test_forget(chunk->pool);
  *chunk->state = (struct tp_chunk_state){0};
}

void forget_spill(const struct tp_pool *pool)
{
  const struct tp_spill *spill = tp_spill_of(pool);
  tp_test_forget(pool);
  *spill->state = (struct tp_spill_state){0};
  if (spill->into) forget_chunk(spill->into);
}
