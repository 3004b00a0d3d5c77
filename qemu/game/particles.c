// SPDX-License-Identifier: MIT
#include "particles.h"

#include "random.h"
#include "scenario.h"
#include "screen.h"
#include "tp_pools.h"

enum { EMITTERS = 8, INTERLACE = 8 };

static struct random *const chance = &streams[STREAM_SPARKS];
static struct particle *live[PARTICLES_COUNT];
static uint32_t live_count;
static uint32_t weather;  // Sparks a frame at most, in percent of the pool.

static void ignite(int32_t x, int32_t y, uint32_t emitter)
{
  struct particle *spark = particles_alloc();
  if (!spark) return;
  uint32_t dice = random_next(chance);
  uint32_t frames = random_between(chance, scenario.spark_frames_low,
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
  live[live_count++] = spark;
}

void particles_burst(int32_t x, int32_t y, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++) ignite(x, y, EMITTERS);
}

// From a drizzle that lets the pool run empty to a storm that keeps it full.
static void change_weather(void)
{
  bool calm = random_below(chance, 100) < scenario.calm_percent;
  uint32_t drawn =
      random_between(chance, scenario.sparks_low, scenario.sparks_high);
  weather = calm ? 0 : drawn;
}

static void emit(uint32_t frame)
{
  if (frame % scenario.weather_frames == 0) change_weather();
  uint32_t emitter = frame % EMITTERS;
  uint32_t most = PARTICLES_COUNT * weather * scenario_load() / 100;
  uint32_t count = random_below(chance, most + 1);
  int32_t x = (int32_t)(emitter * 40 * 256);
  for (uint32_t i = 0; i < count; i++) ignite(x, 200 * 256, emitter);
}

static void burn_out(uint32_t index)
{
  struct particle *spark = live[index];
  live[index] = live[--live_count];
  particles_free(spark);
}

// From the last to the first: who takes the place of a spent one has flown.
static void fly(uint16_t frame)
{
  for (uint32_t i = live_count; i-- > 0;) {
    struct particle *spark = live[i];
    spark->x += spark->dx;
    spark->y += spark->dy;
    spark->dy = (int16_t)(spark->dy + 3);
    if (spark->last_frame == frame) burn_out(i);
  }
}

// Each spark flickers: it is seen in one of a few frames.
static void flicker(uint32_t frame)
{
  for (uint32_t i = frame % INTERLACE; i < live_count; i += INTERLACE) {
    const struct particle *spark = live[i];
    screen_dot(spark->x, spark->y, spark->shade + spark->emitter);
  }
}

void particles_update(void)
{
  emit(tp_clock_now);
  fly((uint16_t)tp_clock_now);
  flicker(tp_clock_now);
}

uint32_t particles_burning(void)
{
  return live_count;
}
