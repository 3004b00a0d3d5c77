// SPDX-License-Identifier: MIT
#include "subject.h"

#include "core/tp_code.h"
#include "tp_test.h"

PLAIN(drop_shared);
PLAIN(drop_own);
#if SWEEP_CLOSED
PLAIN(drop_outside);

static void wear_hardened(void)
{
  uint32_t deaths = TP_CODE_LIVES * TP_CODE_LIFE;
  tp_test_set_tag(&drop_hardened_pool, 1, deaths);
}

const struct subject drop_hardened = {
    .name = "drop_hardened",
    .pool = &drop_hardened_pool,
    .wear = wear_hardened,
    .alloc = drop_hardened_alloc,
    .free = drop_hardened_free,
};
#endif
PLAIN(steal_shared);
PLAIN(steal_own);
KEYED(keyed, tp_handle);
KEYED(tagged, tp_handle);
KEYED_OWN(keyed_own, tp_handle64);
KEYED(lone, tp_handle);
PLAIN(bare_drop);
PLAIN(bare_steal);
KEYED_OWN(bare_keyed, tp_handle);
