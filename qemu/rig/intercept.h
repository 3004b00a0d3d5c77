// SPDX-License-Identifier: MIT
// intercept.h - the game's calls of its pools, each by way of the rig. CMake
// has the compiler read this file before each source of qemu/game; nothing
// there knows. A call has the name of its site, is timed, and told to watch.h.
// All is inlined, so that a fault's caller is still the game's line.
#ifndef INTERCEPT_H
#define INTERCEPT_H

#include "site.h"
#include "tp_pools.h"
#include "watch.h"

#define RIG_CALL static inline __attribute__((always_inline, unused))

RIG_CALL struct particle *rig_particles_alloc(void)
{
  struct tp_soak_site *before = site_enter(SITE_SPARK);
  struct particle *spark = particles_alloc();
  site_leave(SITE_SPARK, before);
  watch_spark_asked(spark);
  return spark;
}

RIG_CALL void rig_particles_free(struct particle *spark)
{
  if (watch_spark_is_leaked(spark)) return;
  site_begin();
  particles_free(spark);
  site_end(SITE_SPARK_FREE);
}

RIG_CALL bool rig_sounds_alloc_handle(sounds_handle_t *handle)
{
  uint32_t born = watch_voices_born();
  enum site site = watch_voice_site();
  struct tp_soak_site *before = site_enter(site);
  bool issued = sounds_alloc_handle(handle);
  site_leave(site, before);
  watch_voice_asked(issued, issued ? *handle : SOUNDS_NO_HANDLE, born);
  return issued;
}

RIG_CALL bool rig_sounds_free_handle(sounds_handle_t handle)
{
  watch_voice_freeing(handle);
  site_begin();
  bool freed = sounds_free_handle(handle);
  site_end(SITE_VOICE_FREE);
  watch_voice_freed(freed);
  return freed;
}

RIG_CALL struct enemy *rig_enemies_alloc(void)
{
  struct tp_soak_site *before = site_enter(SITE_ENEMY);
  struct enemy *enemy = enemies_alloc();
  site_leave(SITE_ENEMY, before);
  watch_enemy_asked(enemy);
  return enemy;
}

RIG_CALL void rig_enemies_free(struct enemy *enemy)
{
  enemies_free(enemy);
  watch_enemy_freed();
}

RIG_CALL struct note *rig_music_alloc_scored(uint32_t score)
{
  struct tp_soak_site *before = site_enter(SITE_NOTE);
  struct note *note = music_alloc_scored(score);
  site_leave(SITE_NOTE, before);
  watch_note_asked(note);
  return note;
}

RIG_CALL void rig_music_free(struct note *note)
{
  watch_note_freed(note);
  music_free(note);
}

RIG_CALL void rig_music_pin(struct note *note)
{
  music_pin(note);
  watch_note_pinned(note);
}

RIG_CALL void rig_music_unpin(struct note *note)
{
  music_unpin(note);
  watch_note_unpinned(note);
}

RIG_CALL struct piece *rig_debris_alloc(void)
{
  struct tp_soak_site *before = site_enter(SITE_PIECE);
  struct piece *piece = debris_alloc();
  site_leave(SITE_PIECE, before);
  watch_piece_asked(piece);
  return piece;
}

RIG_CALL void rig_debris_free(struct piece *piece)
{
  watch_piece_freed(piece);
  debris_free(piece);
}

RIG_CALL struct prop *rig_crowd_alloc(void)
{
  struct tp_soak_site *before = site_enter(SITE_PROP);
  struct prop *prop = crowd_alloc();
  site_leave(SITE_PROP, before);
  watch_prop_asked(TP_ID_CROWD, prop);
  return prop;
}

RIG_CALL void rig_crowd_free(struct prop *prop)
{
  watch_prop_freed(TP_ID_CROWD);
  crowd_free(prop);
}

RIG_CALL struct prop *rig_credits_alloc(void)
{
  struct tp_soak_site *before = site_enter(SITE_PROP);
  struct prop *prop = credits_alloc();
  site_leave(SITE_PROP, before);
  watch_prop_asked(TP_ID_CREDITS, prop);
  return prop;
}

RIG_CALL void rig_credits_free(struct prop *prop)
{
  watch_prop_freed(TP_ID_CREDITS);
  credits_free(prop);
}

RIG_CALL uint32_t rig_scenes_switch(uint32_t scene,
                                    struct tp_scene_holder *holders)
{
  uint32_t blocking = scenes_switch(scene, holders);
  if (blocking == 0) watch_scene(scene);
  return blocking;
}

RIG_CALL void rig_scenes_force(uint32_t scene)
{
  scenes_force(scene);
  watch_scene(scene);
}

RIG_CALL void *rig_draw_alloc(size_t size, size_t align)
{
  struct tp_soak_site *before = site_enter(SITE_DRAW);
  void *order = draw_alloc(size, align);
  site_leave(SITE_DRAW, before);
  if (order) watch_drawn(order, (uint32_t)size);
  return order;
}

RIG_CALL void rig_draw_end(void)
{
  watch_draw_end();
  site_begin();
  draw_end();
  site_end(SITE_DRAW_END);
}

RIG_CALL void *rig_scripts_alloc(size_t size)
{
  struct tp_soak_site *before = site_enter(SITE_SCRIPT);
  void *words = scripts_alloc(size);
  site_leave(SITE_SCRIPT, before);
  if (words) watch_script_asked(words, (uint32_t)size);
  return words;
}

RIG_CALL void rig_scripts_free(void *words)
{
  watch_script_freed(words);
  site_begin();
  scripts_free(words);
  site_end(SITE_SCRIPT_FREE);
}

RIG_CALL struct bullet *rig_bullets_alloc(bullets_handle_t *handle)
{
  struct tp_soak_site *before = site_enter(SITE_BULLET);
  struct bullet *bullet = bullets_alloc(handle);
  site_leave(SITE_BULLET, before);
  watch_bullet_asked(bullet, bullet ? *handle : BULLETS_NO_HANDLE);
  return bullet;
}

RIG_CALL bool rig_bullets_free(bullets_handle_t handle)
{
  site_begin();
  bool freed = bullets_free(handle);
  site_end(SITE_BULLET_REMOVE);
  watch_bullet_removed(handle);
  return freed;
}

RIG_CALL meshes_handle_t rig_meshes_alloc(size_t size)
{
  struct tp_soak_site *before = site_enter(SITE_MESH);
  meshes_handle_t handle = meshes_alloc(size);
  site_leave(SITE_MESH, before);
  bool served = !meshes_same(handle, MESHES_NO_HANDLE);
  if (served) watch_mesh_asked(handle, (uint32_t)size);
  return handle;
}

RIG_CALL bool rig_meshes_free(meshes_handle_t handle)
{
  watch_mesh_freed(handle);
  site_begin();
  bool freed = meshes_free(handle);
  site_end(SITE_MESH_FREE);
  return freed;
}

RIG_CALL void *rig_meshes_lock(meshes_handle_t handle)
{
  void *words = meshes_lock(handle);
  watch_mesh_locked(handle, words);
  return words;
}

RIG_CALL bool rig_meshes_unlock(meshes_handle_t handle)
{
  watch_mesh_unlocking(handle);
  return meshes_unlock(handle);
}

RIG_CALL struct tp_reloc_moved rig_meshes_step(void)
{
  site_begin();
  struct tp_reloc_moved moved = meshes_step();
  site_end(SITE_MESH_STEP);
  return moved;
}

#define particles_alloc     rig_particles_alloc
#define particles_free      rig_particles_free
#define sounds_alloc_handle rig_sounds_alloc_handle
#define sounds_free_handle  rig_sounds_free_handle
#define enemies_alloc       rig_enemies_alloc
#define enemies_free        rig_enemies_free
#define music_alloc_scored  rig_music_alloc_scored
#define music_free          rig_music_free
#define music_pin           rig_music_pin
#define music_unpin         rig_music_unpin
#define debris_alloc        rig_debris_alloc
#define debris_free         rig_debris_free
#define crowd_alloc         rig_crowd_alloc
#define crowd_free          rig_crowd_free
#define credits_alloc       rig_credits_alloc
#define credits_free        rig_credits_free
#define scenes_switch       rig_scenes_switch
#define scenes_force        rig_scenes_force
#define draw_alloc          rig_draw_alloc
#define draw_end            rig_draw_end
#define scripts_alloc       rig_scripts_alloc
#define scripts_free        rig_scripts_free
#define bullets_alloc       rig_bullets_alloc
#define bullets_free        rig_bullets_free
#define meshes_alloc        rig_meshes_alloc
#define meshes_free         rig_meshes_free
#define meshes_lock         rig_meshes_lock
#define meshes_unlock       rig_meshes_unlock
#define meshes_step         rig_meshes_step

// The pools tell the rig of a victim, and the rig tells the game.
#define voice_stopped game_voice_stopped
#define note_stopped  game_note_stopped

#endif
