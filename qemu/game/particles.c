// SPDX-License-Identifier: MIT
#include "particles.h"

#include "random.h"
#include "scenario.h"
#include "screen.h"
#include "tp_pools.h"

enum { EMITTERS = 8, INTERLACE = 8, GROUND = 200 * PIXEL };

static struct random *const chance = &streams[STREAM_SPARKS];
static struct particle *live[PARTICLES_COUNT];
static uint32_t live_count;
static uint32_t weather;  // Sparks a frame at most.

// Of each emitter and, last, of explosions: from dark to bright.
static const uint8_t hues[EMITTERS + 1][4] = {
    {0x40, 0x80, 0xa4, 0xe0}, {0x44, 0x88, 0xb0, 0xf4},
    {0x48, 0x90, 0xd8, 0xfc}, {0x08, 0x10, 0x18, 0x1c},
    {0x09, 0x11, 0x16, 0x1f}, {0x01, 0x06, 0x0b, 0x13},
    {0x21, 0x42, 0x63, 0xa7}, {0x41, 0x82, 0xa3, 0xe3},
    {0xe0, 0xf0, 0xfc, 0xff},
};

// It flies upwards, [rise] the faster. Chance is asked first, so that what
// follows is the same however many find room.
static void ignite(int32_t x, int32_t y, int32_t rise, uint32_t emitter)
{
  uint32_t dice = random_next(chance);
  uint32_t frames = random_between(chance, scenario.spark_frames_low,
                                   scenario.spark_frames_high);
  struct particle *spark = particles_alloc();
  if (!spark) return;
  *spark = (struct particle){
      .x = x,
      .y = y,
      .dx = (int16_t)((int32_t)(dice & 511) - 256),
      .dy = (int16_t)((int32_t)(dice >> 9 & 511) - rise),
      .last_frame = (uint16_t)(tp_clock_now + frames),
      .shade = (uint16_t)(dice >> 30),
      .emitter = (uint16_t)emitter,
  };
  live[live_count++] = spark;
}

void particles_burst(int32_t x, int32_t y, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++) ignite(x, y, 256, EMITTERS);
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
  uint32_t count = random_below(chance, weather * scenario_load() + 1);
  int32_t x = (int32_t)(emitter * 40 + 20) * PIXEL;
  for (uint32_t i = 0; i < count; i++) ignite(x, GROUND, 512, emitter);
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
    screen_dot(spark->x, spark->y, hues[spark->emitter][spark->shade]);
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
