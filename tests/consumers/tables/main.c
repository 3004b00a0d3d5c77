// SPDX-License-Identifier: MIT
// main.c - calls both libraries, reads the one list of all pools, and ends with
// 0 if all was right. The headers of all tables go together.
#include "tp_pools.h"

#include "audio.h"
#include "audio_pools.h"
#include "core/tp_registry.h"
#include "net.h"
#include "net_pools.h"

static uint32_t in_psram(void)
{
  uint32_t bytes = 0;
  for (uint32_t i = 0; i < tp_registry.count; i++) {
    const struct tp_entry *entry = tp_registry.entries[i];
    if (entry->bank) bytes += entry->bytes;
  }
  return bytes;
}

static uint32_t live(const char *name)
{
  uint32_t found = tp_registry_find(&tp_registry, name);
  if (found == tp_registry.count) return 0;
  return tp_entry_live(tp_registry.entries[found]);
}

int main(void)
{
  uint32_t own = TP_ALLOCATOR_N;
  if (tp_registry.count != own + NET_ALLOCATOR_N + AUDIO_ALLOCATOR_N) return 1;
  if (net_send(1) != 1 || live("packets") != 1) return 2;
  if ((uintptr_t)audio_play(440) >> 24 != 0x21) return 3;
  if (live("voices") != 1 || live("conns") != 0) return 4;
  if (in_psram() < PACKETS_COUNT * PACKETS_SIZE + VOICES_COUNT * VOICES_SIZE) {
    return 5;
  }
  return 0;
}
