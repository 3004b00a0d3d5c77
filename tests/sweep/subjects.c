// SPDX-License-Identifier: MIT
#include "subject.h"

PLAIN(drop_shared);
PLAIN(drop_own);
#if SWEEP_CLOSED
PLAIN(drop_outside);
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
