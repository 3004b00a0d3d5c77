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
}

bool spark_in_use(const struct spark *spark)
{
  return spark->left > 0;
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
  hooks = (struct hooks){0};
}

int main(void)
{
  suite_link();
  suite_scored();
  return tp_test_end();
}
