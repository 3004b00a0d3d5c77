// SPDX-License-Identifier: MIT
#include <stdbool.h>
#include <stdint.h>

struct reading {
  uint32_t number;
  uint8_t bytes[28];
};

struct reply {
  uint32_t number;
  uint8_t bytes[60];
};

struct peak {
  uint32_t current;
};

// Handles and pointers on their way from one context to one other: no lock.
struct ring {
  uint32_t items[16];
  volatile uint32_t put, taken;
};

static inline bool ring_put(struct ring *ring, uint32_t item)
{
  if (ring->put - ring->taken == 16) return false;
  ring->items[ring->put % 16] = item;
  __asm volatile("" : : : "memory");
  ring->put++;
  return true;
}

static inline bool ring_take(struct ring *ring, uint32_t *item)
{
  if (ring->put == ring->taken) return false;
  *item = ring->items[ring->taken % 16];
  __asm volatile("" : : : "memory");
  ring->taken++;
  return true;
}
