// SPDX-License-Identifier: MIT
// hash.h - a running hash of everything that happened. Two 32-bit lanes, so
// that a core without a long multiply is as fast.
#ifndef HASH_H
#define HASH_H

#include <stdint.h>
#include "allocator/tp_reloc.h"
#include "policy/tp_chunk.h"
#include "allocator/tp_frame.h"

struct hash {
  uint32_t a, b;
};

static inline void hash_add(struct hash *hash, uint32_t word)
{
  hash->a = (hash->a ^ word) * 0x01000193u;
  hash->b = (hash->b + (word ^ hash->a >> 15)) * 0x9e3779b1u;
}

static inline uint64_t hash_value(const struct hash *hash)
{
  return (uint64_t)hash->b << 32 | hash->a;
}

#endif
