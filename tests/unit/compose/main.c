// SPDX-License-Identifier: MIT
#include "compose.h"

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

void compose_start(void)
{
  for (uint32_t i = 0; i < TP_POOL_N; i++) tp_test_forget(tp_pool_table[i]);
  hooks = (struct hooks){0};
}

int main(void)
{
  suite_scored();
  return tp_test_end();
}
