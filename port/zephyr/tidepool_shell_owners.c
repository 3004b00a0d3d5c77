// SPDX-License-Identifier: MIT
// tidepool_shell_owners.c - Zephyr's shell: `tidepool_owners` prints, of the
// rows that say owner = true, who asked for each slot and who gave it back:
// where their calls return to, which addr2line makes lines of, and when the
// later of the two was. In a thread, beside all that use them.
#include <zephyr/shell/shell.h>

#include "object/tp_owner.h"

static void print_slot(const struct shell *shell, const struct tp_owned *owned,
                       uint32_t slot)
{
  const struct tp_pool *pool = owned->pool;
  uintptr_t address = pool->origin + slot * (uintptr_t)pool->stride;
  const struct tp_owner *owner = tp_owner_of(owned, (const void *)address);
  if (!owner) return;
  bool is_back = owner->context & TP_OWNER_FREED;
  shell_print(shell, "%-16s %5u %-10s %10p %10p %10u %7u", pool->name,
              (unsigned)slot, is_back ? "given back" : "held", owner->asked,
              is_back ? owner->freed : NULL, (unsigned)owner->since,
              owner->context & ~TP_OWNER_FREED);
}

static int print_owners(const struct shell *shell, size_t count, char **words)
{
  (void)count;
  (void)words;
  shell_print(shell, "%-16s %5s %-10s %10s %10s %10s %7s", "name", "slot",
              "state", "asked", "freed", "since", "context");
  for (const struct tp_owned *const *row = tp_owned_rows; *row; row++) {
    for (uint32_t slot = 1; slot <= (*row)->pool->state->fresh; slot++) {
      print_slot(shell, *row, slot);
    }
  }
  return 0;
}

SHELL_CMD_REGISTER(tidepool_owners, NULL,
                   "Who asked for each slot, and who gave it back",
                   print_owners);
