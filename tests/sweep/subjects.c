// SPDX-License-Identifier: MIT
#include "subject.h"

PLAIN(drop_shared);
PLAIN(drop_own);
PLAIN(steal_shared);
PLAIN(steal_own);
KEYED(keyed, tp_handle_t);
KEYED(keyed_own, tp_handle64_t);
KEYED(lone, tp_handle_t);
PLAIN(bare_drop);
PLAIN(bare_steal);
KEYED(bare_keyed, tp_handle_t);
