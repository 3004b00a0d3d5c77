// SPDX-License-Identifier: MIT
// tidepool_shell.c - Zephyr's shell: `tidepool` prints what each allocator of
// the firmware holds. In a thread, beside all that use them: a figure may be
// older than the next.
#include <zephyr/shell/shell.h>

#include "core/tp_registry.h"

static void print_entry(const struct shell *shell, const struct tp_entry *entry)
{
  struct tp_stats stats;
  tp_entry_stats(entry, &stats);
  shell_print(shell, "%-16s %-10s %8u %8u %8u %8u  %s", entry->name,
              entry->kind->name, (unsigned)tp_entry_live(entry),
              (unsigned)stats.peak, (unsigned)tp_entry_capacity(entry),
              (unsigned)stats.refused, entry->kind->unit);
}

static int print_all(const struct shell *shell, size_t count, char **words)
{
  (void)count;
  (void)words;
  shell_print(shell, "%-16s %-10s %8s %8s %8s %8s", "name", "kind", "live",
              "peak", "capacity", "refused");
  for (uint32_t i = 0; i < tp_registry.count; i++) {
    print_entry(shell, tp_registry.entries[i]);
  }
  return 0;
}

SHELL_CMD_REGISTER(tidepool, NULL, "What each pool and allocator holds",
                   print_all);
