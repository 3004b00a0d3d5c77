// SPDX-License-Identifier: MIT
// tp_chunk_region.h - internal: the bytes of a chunk, given away and taken as one.
#ifndef TP_CHUNK_REGION_H
#define TP_CHUNK_REGION_H

#include "core/tp_slot.h"
#include "policy/tp_chunk.h"

// From the red zone before slot 1 to the one behind the last.
TP_INLINE tp_word_t *tp_region_begin(const struct tp_chunk *chunk)
{
  return chunk->pool->storage - chunk->pool->zone / 4;
}

TP_INLINE uint32_t tp_region_words(const struct tp_chunk *chunk)
{
  const struct tp_pool *pool = chunk->pool;
  return ((uint32_t)pool->capacity * pool->stride + pool->zone) / 4;
}

#ifdef __cplusplus
extern "C" {
#endif

// tp_chunk_give_back() with a patience of the caller's.
bool tp_region_give(const struct tp_chunk *chunk, uint32_t patience);

// The region, with anything in it, becomes slots again. Wants the chunk closed.
void tp_region_take(const struct tp_chunk *chunk);

#ifdef __cplusplus
}
#endif

#endif
