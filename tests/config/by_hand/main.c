// SPDX-License-Identifier: MIT
// Uses pools, whoever wrote the list. Exits with the line of what went wrong.
#include "core/tp_registry.h"
#include "tp_pools.h"

#define EXPECT(claim) \
  if (!(claim)) return __LINE__

static int drop(void)
{
  struct particle *one = particles_alloc();
  for (int i = 1; i < PARTICLES_COUNT; i++) EXPECT(particles_alloc() != NULL);
  EXPECT(particles_alloc() == NULL);
  particles_free(one);
  EXPECT(particles_alloc() == one);
  return 0;
}

static int steal(void)
{
  sounds_handle_t oldest, newest;
  sounds_alloc_handle(&oldest);
  EXPECT(sounds_alloc_handle(&newest) != NULL);
  EXPECT(sounds_alloc_handle(&newest) != NULL);
  EXPECT(sounds_get(oldest) == NULL && sounds_get(newest) != NULL);
  return 0;
}

int main(void)
{
  unsigned slots = 0;
  for (unsigned i = 0; i < tp_registry.count; i++) {
    slots += tp_entry_capacity(tp_registry.entries[i]);
  }
  EXPECT(tp_registry.count == 3);
  EXPECT(tp_registry.entries[TP_ID_SOUNDS]->allocator == &sounds_pool);
  EXPECT(slots == PARTICLES_COUNT + ENEMIES_COUNT + SOUNDS_COUNT);
  struct enemy *enemy = enemies_alloc();
  EXPECT(enemy != NULL);
  enemies_free(enemy);
  int wrong = drop();
  return wrong ? wrong : steal();
}
