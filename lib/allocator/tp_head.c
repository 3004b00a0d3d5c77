// SPDX-License-Identifier: MIT
#include "allocator/tp_head.h"

bool tp_head_check(const struct tp_reloc *reloc, uint32_t at,
                   const void *caller)
{
  if (!TP_MISUSE(!tp_head_sound(reloc, at))) return true;
  const struct tp_head *head = tp_head_at(reloc, at);
  tp_blame_misuse(TP_FAULT_RED_ZONE, reloc->name, head, head->guard,
                  tp_head_guard(head), caller);
  return false;
}

bool tp_head_check_both(const struct tp_reloc *reloc, uint32_t at,
                        const void *caller)
{
  if (!tp_head_check(reloc, at, caller)) return false;
  return tp_head_check(reloc, at + tp_head_at(reloc, at)->units, caller);
}

bool tp_head_check_free(const struct tp_reloc *reloc, uint32_t at, uint32_t end,
                        const void *caller)
{
  if (at >= end) return true;
  const tp_word_t *words = tp_head_words(reloc, at);
  uint32_t count = (end - at) * (TP_RELOC_UNIT / 4);
  uint32_t intact = tp_misuse_intact(words, count, TP_POISON);
  if (intact == count) return true;
  tp_blame_misuse(TP_FAULT_POISON, reloc->name, words + intact, words[intact],
                  TP_POISON, caller);
  return false;
}
