// SPDX-License-Identifier: MIT
#include "settings.h"

#include "interrupts.h"
#include "scenario.h"
#include "tp_soak.h"

static const struct {
  const char *name;
  uint32_t *value;
} settings[] = {
    {"load_percent", &scenario.load_percent},
    {"weather_frames", &scenario.weather_frames},
    {"calm_percent", &scenario.calm_percent},
    {"sparks_low", &scenario.sparks_low},
    {"sparks_high", &scenario.sparks_high},
    {"spark_frames_low", &scenario.spark_frames_low},
    {"spark_frames_high", &scenario.spark_frames_high},
    {"voice_percent", &scenario.voice_percent},
    {"volley_interrupts", &scenario.volley_interrupts},
    {"volley_voices", &scenario.volley_voices},
    {"voice_frames_low", &scenario.voice_frames_low},
    {"voice_frames_high", &scenario.voice_frames_high},
    {"note_percent", &scenario.note_percent},
    {"wave_frames", &scenario.wave_frames},
    {"wave_low", &scenario.wave_low},
    {"wave_high", &scenario.wave_high},
    {"enemy_frames_low", &scenario.enemy_frames_low},
    {"enemy_frames_high", &scenario.enemy_frames_high},
    {"explosion_sparks", &scenario.explosion_sparks},
    {"explosion_pieces", &scenario.explosion_pieces},
    {"shot_frames", &scenario.shot_frames},
    {"crowd_percent", &scenario.crowd_percent},
    {"credits_percent", &scenario.credits_percent},
    {"prop_frames_low", &scenario.prop_frames_low},
    {"prop_frames_high", &scenario.prop_frames_high},
    {"script_percent", &scenario.script_percent},
    {"mesh_percent", &scenario.mesh_percent},
    {"mesh_words_low", &scenario.mesh_words_low},
    {"mesh_words_high", &scenario.mesh_words_high},
    {"interrupts_per_frame", &interrupts_per_frame},
    {"storm_every", &scenario.storm_every},
    {"storm_seconds", &scenario.storm_seconds},
    {"storm_times", &scenario.storm_times},
    {"scene_seconds", &scenario.scene_seconds},
    {"lull_every", &scenario.lull_every},
    {"lull_seconds", &scenario.lull_seconds},
};

void settings_read(void)
{
  for (uint32_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
    uint32_t *value = settings[i].value;
    *value = tp_soak_setting(settings[i].name, *value);
  }
}
