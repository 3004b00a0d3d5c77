// SPDX-License-Identifier: MIT
#include "model.h"

#include <string.h>

// Removes what stands at [at] of [count] bytes.
static void take_out(uint8_t *bytes, uint8_t *count, uint32_t at)
{
  memmove(bytes + at, bytes + at + 1, *count - at - 1u);
  bytes[--*count] = 0;
}

static uint32_t place_of(const uint8_t *bytes, uint32_t count, uint32_t slot)
{
  uint32_t at = 0;
  while (at < count && bytes[at] != slot) at++;
  return at;
}

static void put_last(struct model_pool *pool, uint32_t slot)
{
  pool->live[pool->lives++] = (uint8_t)slot;
}

static void put_in_order(struct model_pool *pool, uint32_t slot)
{
  uint32_t at = pool->lives++;
  for (; at > 0 && pool->live[at - 1] > slot; at--) {
    pool->live[at] = pool->live[at - 1];
  }
  pool->live[at] = (uint8_t)slot;
}

static bool steals(enum model_policy policy)
{
  return policy == STEALS_OLDEST || policy == STEALS_LEAST;
}

// The slot that was freed last; or else one that was never issued; or 0.
static uint32_t issue(struct model_pool *pool, bool in_order)
{
  uint32_t slot = 0;
  if (pool->deads > 0) {
    slot = pool->dead[0];
    take_out(pool->dead, &pool->deads, 0);
  } else if (pool->fresh < pool->capacity) {
    slot = ++pool->fresh;
  }
  if (slot > 0) (in_order ? put_in_order : put_last)(pool, slot);
  return slot;
}

static void retire(struct model_pool *pool, uint32_t slot)
{
  uint32_t at = place_of(pool->live, pool->lives, slot);
  if (at < pool->lives) take_out(pool->live, &pool->lives, at);
  pool->pinned &= (uint8_t)~(1u << (slot - 1));
  memmove(pool->dead + 1, pool->dead, pool->deads++);
  pool->dead[0] = (uint8_t)slot;
}

// The oldest, or the first of the lowest score, is the newest then.
static int steal(struct model_pool *pool, enum model_policy policy)
{
  if (pool->lives == 0) return MODEL_NULL;
  uint32_t least = 0;
  for (uint32_t at = 1; policy == STEALS_LEAST && at < pool->lives; at++) {
    if (model_score(pool->live[at]) < model_score(pool->live[least])) {
      least = at;
    }
  }
  uint32_t slot = pool->live[least];
  take_out(pool->live, &pool->lives, least);
  put_last(pool, slot);
  return (int)slot;
}

void model_begin(struct model *model, enum model_policy policy,
                 uint32_t capacity)
{
  *model = (struct model){.home = {.capacity = (uint8_t)capacity}};
  if (policy == SPILLS) model->chunk.capacity = CHUNK_SLOTS;
}

int model_alloc(struct model *model, enum model_policy policy)
{
  uint32_t slot = issue(&model->home, !steals(policy));
  if (slot > 0) return (int)slot;
  if (steals(policy)) return steal(&model->home, policy);
  slot = policy == SPILLS ? issue(&model->chunk, true) : 0;
  if (slot > 0) return (int)(model->home.capacity + slot);
  return policy == ASSERTS ? MODEL_FULL : MODEL_NULL;
}

void model_free(struct model *model, uint32_t slot)
{
  if (slot <= model->home.capacity) {
    retire(&model->home, slot);
  } else {
    retire(&model->chunk, slot - model->home.capacity);
  }
}

void model_pin(struct model *model, uint32_t slot)
{
  struct model_pool *pool = &model->home;
  take_out(pool->live, &pool->lives, place_of(pool->live, pool->lives, slot));
  pool->pinned |= (uint8_t)(1u << (slot - 1));
}

void model_unpin(struct model *model, uint32_t slot)
{
  model->home.pinned &= (uint8_t)~(1u << (slot - 1));
  put_last(&model->home, slot);
}

// All that were issued are dead, in order of number.
void model_reset(struct model *model, bool has_tags)
{
  struct model_pool *pool = &model->home;
  *pool = (struct model_pool){.capacity = pool->capacity,
                              .fresh = has_tags ? pool->fresh : 0};
  pool->deads = pool->fresh;
  model_put_in_order(pool);
}

void model_put_in_order(struct model_pool *pool)
{
  for (uint32_t i = 0; i < pool->deads; i++) pool->dead[i] = (uint8_t)(i + 1);
}

bool model_is_pinned(const struct model *model, uint32_t slot)
{
  return slot <= model->home.capacity && (model->home.pinned >> (slot - 1)) & 1;
}

bool model_is_live(const struct model *model, uint32_t slot)
{
  const struct model_pool *pool = &model->home;
  if (model_is_pinned(model, slot)) return true;
  if (slot > pool->capacity) {
    slot -= pool->capacity;
    pool = &model->chunk;
  }
  return place_of(pool->live, pool->lives, slot) < pool->lives;
}

uint32_t model_score(uint32_t slot)
{
  return slot % 3;
}
