// SPDX-License-Identifier: MIT
#include "compose.h"

#include "core/tp_registry.h"

struct hooks hooks;

uint32_t voice_score(const struct voice *voice)
{
  return voice->loudness;
}

// [context] is how loud it will be.
bool voice_init(struct voice *voice, void *context)
{
  hooks.inits++;
  *voice = (struct voice){.number = hooks.inits};
  if (context) voice->loudness = *(const uint32_t *)context;
  return !hooks.fails;
}

bool guild_init(struct voice *voice, void *context)
{
  bool made = voice_init(voice, context);
  voice->unused[1] = 1;
  return made;
}

void guild_deinit(struct voice *voice)
{
  voice->unused[1] = 0;
  voice_deinit(voice);
}

bool guild_in_use(const struct voice *voice)
{
  return voice->unused[1] == 1;
}

// What foes are made of.
bool grunt_init(struct voice *voice, void *context)
{
  *voice = (struct voice){.number = 1};
  return context == NULL;
}

bool boss_init(struct voice *voice, void *context)
{
  *voice = (struct voice){.number = 2};
  return context == NULL;
}

void voice_deinit(struct voice *voice)
{
  hooks.deinits++;
  hooks.died = voice;
  hooks.loudness = voice->loudness;
}

bool spark_init(struct spark *spark, void *context)
{
  hooks.inits++;
  spark->left = 3;
  spark->number = hooks.inits;
  spark->last = 0;
  if (context) spark->kept = *(const uint32_t *)context;
  return !hooks.fails;
}

void spark_deinit(struct spark *spark)
{
  hooks.deinits++;
  hooks.died = spark;
  hooks.loudness = spark->left;
  spark->left = 0;
  if (hooks.ending) hooks.ending();
}

bool spark_in_use(const struct spark *spark)
{
  return spark->left > 0;
}

void lamp_close(void *part)
{
  hooks.closes += *(const uint32_t *)part;
  if (hooks.closing) hooks.closing();
}

void spark_moved(struct spark *to, const struct spark *from,
                 swarm_handle_t handle)
{
  (void)from;
  hooks.moved = to;
  hooks.handle = handle;
}

static void forget_dense(const struct tp_dense64 *dense)
{
  const struct tp_dense *own = dense->dense;
  for (uint32_t i = 0; i <= own->capacity; i++) own->place[i] = 0;
  for (uint32_t i = 0; i <= own->capacity; i++) dense->wraps[i] = 0;
  for (uint32_t i = 0; i < own->capacity; i++) own->entry[i] = 0;
  *own->state = (struct tp_dense_state){0};
}

static const struct tp_pool *pool_of(const struct tp_entry *entry)
{
  if (entry->kind != &tp_chunk_kind) return entry->allocator;
  return ((const struct tp_chunk *)entry->allocator)->pool;
}

void compose_start(void)
{
  for (uint32_t i = 0; i < TP_POOL_N; i++) {
    tp_test_forget(pool_of(tp_registry.entries[i]));
  }
  *pits_chunk.state = (struct tp_chunk_state){0};
  *east_chunk.state = (struct tp_chunk_state){0};
  *west_chunk.state = (struct tp_chunk_state){0};
  *inn_chunk.state = (struct tp_chunk_state){0};
  *camp_chunk.state = (struct tp_chunk_state){0};
  *herd_spill.state = (struct tp_spill_state){0};
  *guild_spill.state = (struct tp_spill_state){0};
  *trail_spill.state = (struct tp_spill_state){0};
  forget_dense(&swarm_dense64);
  forget_dense(&pair_dense64);
  hooks = (struct hooks){0};
}

int main(void)
{
  suite_chunks();
  suite_dense64();
  suite_inits();
  suite_link();
  suite_parts();  // Before the first scene.
  suite_lent();
  suite_scenes();
  suite_scored();
  suite_seals();
  suite_spills();
  return tp_test_end();
}
