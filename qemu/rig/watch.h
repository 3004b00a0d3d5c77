// SPDX-License-Identifier: MIT
// watch.h - what the rig makes of each call of the game, for intercept.h; and
// what it has to say afterwards. A watch_*.c for each part of the game.
//
// NAME_asked() follows a request and is told what came of it.
#ifndef WATCH_H
#define WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "site.h"
#include "tp_pools.h"

void watch_spark_asked(struct particle *spark);
bool watch_spark_is_leaked(const struct particle *spark);  // Not freed, then.

enum site watch_voice_site(void);
uint32_t watch_voices_born(void);
void watch_voice_asked(bool issued, sounds_handle_t handle,
                       uint32_t born_before);
void watch_voice_freeing(sounds_handle_t handle);
void watch_voice_freed(bool freed);

void watch_enemy_asked(const struct enemy *enemy);
void watch_enemy_freed(void);

void watch_note_asked(const struct note *note);
void watch_note_freed(const struct note *note);
void watch_note_pinned(const struct note *note);
void watch_note_unpinned(const struct note *note);

void watch_piece_asked(const struct piece *piece);
void watch_piece_freed(const struct piece *piece);

void watch_prop_asked(enum tp_pool_id id, const struct prop *prop);
void watch_prop_freed(enum tp_pool_id id);
void watch_scene(uint32_t scene);

void watch_drawn(const void *order, uint32_t bytes);
void watch_draw_end(void);

void watch_script_asked(uint32_t *words, uint32_t bytes);
void watch_script_freed(const uint32_t *words);

void watch_bullet_asked(bool issued, bullets_handle_t handle);
void watch_bullet_removed(bullets_handle_t handle);

void watch_mesh_asked(meshes_handle_t handle, uint32_t bytes);
void watch_mesh_freed(meshes_handle_t handle);
void watch_mesh_locked(meshes_handle_t handle, const void *words);
void watch_mesh_unlocking(meshes_handle_t handle);

// Callbacks of the game's that its pools reach through the rig.
void game_voice_stopped(struct voice *victim);
void game_note_stopped(struct note *victim);

// The game's frame is over, and nothing was damaged yet. What was planted that
// the game should have done, or not, is made so.
void watch_sparks_frame(void);
void watch_voices_frame(void);
void watch_scripts_frame(void);
void watch_bullets_frame(void);

// How many requests found no room in the pool that debris spills into.
uint32_t watch_rubble_refused(void);

// How many pieces the game has in each of the two pools.
uint32_t watch_debris_held(void);
uint32_t watch_rubble_held(void);

// What differs from the allocators' own accounts, in words; NULL iff nothing.
const char *watch_props_audit(void);
const char *watch_draw_audit(void);
const char *watch_scripts_audit(void);
const char *watch_bullets_audit(void);
const char *watch_meshes_audit(void);

#endif
