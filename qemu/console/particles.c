// SPDX-License-Identifier: MIT
#include "particles.h"

#include "tidepool.h"
#include "counts.h"
#include "plant.h"
#include "random.h"
#include "scenario.h"
#include "site.h"
#include "tp_pools.h"

enum { EMITTERS = 8 };

static struct random chance;
static struct ledger ledger;
static struct particle *live[COUNT_particles];
static uint32_t live_count;
static uint32_t weather;  // Sparks a frame at most, in percent of the pool.

void particles_start(uint64_t seed)
{
  chance = random_stream(seed, 1);
}

static void ignite(int32_t x, int32_t y, uint32_t emitter)
{
  bool open = site_begin(SITE_SPARK);
  struct particle *spark = open ? particles_alloc() : 0;
  site_end(SITE_SPARK);
  ledger.drops += open && !spark;
  if (!spark) return;
  ledger.allocs++;
  live[live_count++] = spark;
  if (plant_strikes(PLANT_FORGOTTEN_INIT, &particles_pool, spark)) return;
  uint32_t dice = random_next(&chance);
  uint32_t frames = random_between(&chance, scenario.spark_frames_low,
                                   scenario.spark_frames_high);
  *spark = (struct particle){
      .x = x,
      .y = y,
      .dx = (int16_t)((dice & 511) - 256),
      .dy = (int16_t)((dice >> 9 & 511) - 256),
      .last_frame = (uint16_t)(tp_clock_now + frames),
      .shade = (uint16_t)(dice >> 25),
      .emitter = (uint16_t)emitter,
  };
}

void particles_burst(int32_t x, int32_t y, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++) ignite(x, y, EMITTERS);
}

static void change_weather(void)
{
  bool calm = random_below(&chance, 100) < scenario.calm_percent;
  uint32_t drawn =
      random_between(&chance, scenario.sparks_low, scenario.sparks_high);
  weather = calm ? 0 : drawn;
}

void particles_emit(uint32_t frame)
{
  if (frame % scenario.weather_frames == 0) change_weather();
  uint32_t emitter = frame % EMITTERS;
  uint32_t most = COUNT_particles * weather * scenario_load() / 100;
  uint32_t count = random_below(&chance, most + 1);
  int32_t x = (int32_t)(emitter * 40 * 256);
  for (uint32_t i = 0; i < count; i++) ignite(x, 200 * 256, emitter);
}

static void burn_out(uint32_t index)
{
  struct particle *spark = live[index];
  live[index] = live[--live_count];
  if (plant_strikes(PLANT_LEAK, &particles_pool, spark)) return;
  site_begin(SITE_SPARK_FREE);
  particles_free(spark);
  site_end(SITE_SPARK_FREE);
  ledger.frees++;
}

// From the last to the first: who takes the place of a spent one has flown.
void particles_update(struct hash *hash)
{
  uint16_t frame = (uint16_t)tp_clock_now;
  uint32_t sum = 0;
  for (uint32_t i = live_count; i-- > 0;) {
    struct particle *spark = live[i];
    int32_t x = spark->x + spark->dx;
    int32_t y = spark->y + spark->dy;
    spark->x = x;
    spark->y = y;
    spark->dy = (int16_t)(spark->dy + 3);
    sum = sum * 31 + (uint32_t)(x ^ y);
    if (spark->last_frame == frame) burn_out(i);
  }
  hash_add(hash, sum);
  hash_add(hash, live_count);
}

struct ledger particles_ledger(void)
{
  return ledger;
}

uint32_t particles_held(void)
{
  return live_count;
}

void *particles_any_live(void)
{
  return live_count ? live[live_count / 2] : 0;
}
