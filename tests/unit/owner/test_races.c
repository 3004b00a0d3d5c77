// SPDX-License-Identifier: MIT
// An interrupt that steals at each edge of a lock, on the host: between a call
// and its note, and within each.
#include "owner.h"

#if !defined __arm__ && !defined __riscv

static sounds_handle_t siren;
static ticks_handle_t tick;
static bool frees;
static uint32_t thefts[2]
                      [SOUNDS_COUNT + 1];  // Of sounds and ticks: their tags.

static void remember(const struct tp_pool *pool, uint32_t *theft,
                     const void *object)
{
  uintptr_t slot = ((uintptr_t)object - pool->origin) / pool->stride;
  if (object) theft[slot] = pool->tag[slot];
}

// Takes all there is, and gives some of it back.
static TP_NOINLINE void steal(void)
{
  void *sound = NULL, *other = NULL;
  for (uint32_t i = 0; i < SOUNDS_COUNT; i++) {
    remember(&sounds_pool, thefts[0], sound = sounds_alloc());
    remember(&ticks_pool, thefts[1], other = ticks_alloc());
  }
  if (frees && sound) sounds_free(sound);
  if (frees && other) ticks_free(other);
  TP_BARRIER();
}

static TP_NOINLINE void ask(void)
{
  sounds_alloc();
  ticks_alloc();
  TP_BARRIER();
}

static TP_NOINLINE void ask_by_handle(void)
{
  sounds_alloc_handle(&siren);
  ticks_alloc_handle(&tick);
  TP_BARRIER();
}

static TP_NOINLINE void ask_and_give(void)
{
  sounds_alloc_handle(&siren);
  sounds_free_handle(siren);
  ticks_alloc_handle(&tick);
  ticks_free_handle(tick);
  sounds_alloc_handle(&siren);
  ticks_alloc_handle(&tick);
  TP_BARRIER();
}

// Has each live slot a note, of who it was issued to?
static bool is_true(const struct tp_owned *owned, const uint32_t *theft,
                    void (*asker)(void))
{
  const struct tp_pool *pool = owned->pool;
  for (uint32_t slot = 1; slot <= pool->state->fresh; slot++) {
    const char *object = (char *)pool->storage + (slot - 1) * pool->stride;
    const struct tp_owner *owner = tp_owner_of(owned, object);
    uint32_t tag = pool->tag[slot];
    bool stolen = tag == theft[slot];
    if (tag < 0x80000000u) continue;
    if (!owner || owner->context != (stolen ? 1 : 0)) return false;
    if (stolen ? !LIES_IN(owner->asked, steal) : !LIES_IN(owner->asked, asker))
      return false;
  }
  return true;
}

// The edges at which it is interrupted; 0 where a note is wrong.
static uint32_t edges_of(void (*asker)(void))
{
  for (uint32_t edge = 1;; edge++) {
    FORGET(sounds);
    FORGET(ticks);
    for (uint32_t i = 0; i < 6; i++) thefts[i / 3][i % 3] = 0;
    tp_port_interrupt_after(edge, steal);
    asker();
    if (tp_port_due > 0) return edge;
    if (!is_true(&sounds_owned, thefts[0], asker)) return 0;
    if (!is_true(&ticks_owned, thefts[1], asker)) return 0;
  }
}

static void who_has_a_slot_is_noted_at_whatever_edge_it_is_stolen(void)
{
  void (*const askers[])(void) = {ask, ask_by_handle, ask_and_give};
  for (uint32_t i = 0; i < 6; i++) {
    frees = i >= 3;
    uint32_t edges = edges_of(askers[i % 3]);
    tp_port_interrupt_after(0, NULL);
    CHECK(edges > 8);
  }
}

static void what_was_masked_before_a_note_stays_masked(void)
{
  FORGET(sounds);
  uint32_t key = tp_port_lock();
  sounds_free(sounds_alloc());
  CHECK_EQ(tp_port_depth, 1);
  tp_port_unlock(key);
  CHECK_EQ(tp_port_depth, 0);
}

void suite_races(void)
{
  RUN(who_has_a_slot_is_noted_at_whatever_edge_it_is_stolen);
  RUN(what_was_masked_before_a_note_stays_masked);
}

#else

void suite_races(void)
{
}

#endif
