// SPDX-License-Identifier: MIT
#include "meshes.h"

#include "draw.h"
#include "random.h"
#include "scenario.h"
#include "tp_pools.h"

struct mesh {
  tp_handle_t handle;  // TP_NO_HANDLE: none here.
  uint32_t words;
  uint32_t frames_left;
  bool held;  // Something reads it by its address: it must not move.
};

static struct random *const chance = &streams[STREAM_MESHES];
static struct mesh meshes[MESHES_MAX];
static uint32_t loaded;

static void fill(const struct mesh *mesh)
{
  uint32_t *words = meshes_lock(mesh->handle);
  uint32_t word = random_next(chance);
  for (uint32_t i = 0; i < mesh->words; i++) words[i] = word + i * i;
  meshes_unlock(mesh->handle);
}

// A mesh is at most a sixteenth of the arena.
static void load(struct mesh *mesh)
{
  uint32_t most = meshes_reloc.units * TP_RELOC_UNIT / 64u;
  uint32_t words = random_between(chance, 2, most);
  tp_handle_t handle = meshes_alloc(words * 4);
  if (handle == TP_NO_HANDLE) return;
  *mesh = (struct mesh){.handle = handle,
                        .words = words,
                        .frames_left = random_between(chance, 30, 600)};
  fill(mesh);
  loaded++;
}

// Wherever its bytes are now: a lock holds them there.
static void show(const struct mesh *mesh)
{
  const uint32_t *words = meshes_lock(mesh->handle);
  draw((int32_t)(words[0] % 81920), (int32_t)(words[1] % 61440), 7);
  meshes_unlock(mesh->handle);
}

static void let_go(struct mesh *mesh)
{
  if (mesh->held) meshes_unlock(mesh->handle);
  mesh->held = false;
}

static void drop(struct mesh *mesh)
{
  let_go(mesh);
  meshes_free(mesh->handle);
  mesh->handle = TP_NO_HANDLE;
  loaded--;
}

// One mesh a frame has its turn; now and then one is held until its next.
static void visit(struct mesh *mesh)
{
  show(mesh);
  let_go(mesh);
  mesh->held = random_below(chance, 16) == 0;
  if (mesh->held) (void)meshes_lock(mesh->handle);
}

static void drop_the_old(void)
{
  for (uint32_t i = 0; i < MESHES_MAX; i++) {
    if (meshes[i].handle == TP_NO_HANDLE) continue;
    if (--meshes[i].frames_left == 0) drop(&meshes[i]);
  }
}

void meshes_update(void)
{
  struct mesh *mesh = &meshes[random_below(chance, MESHES_MAX)];
  if (mesh->handle != TP_NO_HANDLE) {
    visit(mesh);
  } else if (scenario_load() > 0) {
    load(mesh);
  }
  drop_the_old();
  (void)meshes_step();
}

uint32_t meshes_loaded(void)
{
  return loaded;
}
