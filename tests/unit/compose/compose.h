// SPDX-License-Identifier: MIT
// compose.h - the suites of this image, and what the hooks of its pools saw.
#ifndef COMPOSE_H
#define COMPOSE_H

#include "tp_pools.h"
#include "tp_test.h"

// What the hooks saw since compose_start().
struct hooks {
  uint32_t inits;
  uint32_t deinits;
  const void *died;       // The last of them,
  uint32_t loudness;      // and how loud it was.
  uint32_t closes;        // Of parts that lamps retain.
  void (*closing)(void);  // Comes while one is closed,
  void (*ending)(void);   // or a spark ends.
  struct spark *moved;    // By on_move(), and its handle.
  swarm_handle_t handle;
  bool fails;  // Does init say that it cannot?
};

extern struct hooks hooks;

// Puts all pools back to their state at boot.
void compose_start(void);

void suite_chunks(void);
void suite_dense64(void);
void suite_inits(void);
void suite_lent(void);
void suite_link(void);
void suite_parts(void);
void suite_scenes(void);
void suite_scored(void);
void suite_seals(void);
void suite_spills(void);

#endif
