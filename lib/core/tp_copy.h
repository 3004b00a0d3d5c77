// SPDX-License-Identifier: MIT
// tp_copy.h - internal: copying objects, without a C library.
#ifndef TP_COPY_H
#define TP_COPY_H

#include "core/tp_pool.h"
#include "tp_port.h"

// Copies [words] words, the first one first: so [to] may overlap [from] from
// below. A loop that no compiler takes for memcpy().
TP_INLINE void tp_copy_words(tp_word_t *to, const tp_word_t *from,
                             uint32_t words)
{
  for (uint32_t i = 0; i < words; i++) {
    uint32_t word = from[i];
    TP_KEEP(word);
    to[i] = word;
  }
}

#endif
