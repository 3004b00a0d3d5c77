// SPDX-License-Identifier: MIT
// watch_sparks.c - sparks and enemies: counted, and two of the planted bugs.
#include "ledger.h"
#include "plant.h"
#include "watch.h"

enum { WORDS = sizeof(struct particle) / 4 };

// A spark that is to be as it was before the game wrote to it.
static uint32_t *forgotten;
static uint32_t before[WORDS];

static void copy(uint32_t *to, const uint32_t *from)
{
  for (uint32_t i = 0; i < WORDS; i++) to[i] = from[i];
}

static uint32_t *words_of(struct particle *spark)
{
  return (uint32_t *)(void *)spark;
}

void watch_spark_asked(struct particle *spark)
{
  struct ledger *ledger = ledger_now(TP_ID_PARTICLES);
  ledger->refused += !spark;
  if (!spark) return;
  ledger->allocs++;
  if (!plant_strikes(PLANT_FORGOTTEN_INIT, &particles_pool, spark)) return;
  forgotten = words_of(spark);
  copy(before, forgotten);
}

bool watch_spark_is_leaked(const struct particle *spark)
{
  if (plant_strikes(PLANT_LEAK, &particles_pool, spark)) return true;
  ledger_now(TP_ID_PARTICLES)->frees++;
  return false;
}

void watch_sparks_frame(void)
{
  if (!forgotten) return;
  copy(forgotten, before);
  forgotten = 0;
}

void watch_enemy_asked(const struct enemy *enemy)
{
  ledger_now(TP_ID_ENEMIES)->allocs += enemy != 0;
  ledger_now(TP_ID_ENEMIES)->refused += !enemy;
}

void watch_enemy_freed(void)
{
  ledger_now(TP_ID_ENEMIES)->frees++;
}
