// SPDX-License-Identifier: MIT
#include "meshes.h"

#include "draw.h"
#include "random.h"
#include "scenario.h"
#include "tp_pools.h"

struct mesh {
  meshes_handle_t handle;
  uint32_t words;
  uint32_t frames_left;
  bool held;  // Something reads it by its address: it must not move.
};

static struct random *const chance = &streams[STREAM_MESHES];
static struct mesh meshes[MESHES_COUNT];
static uint32_t loaded;

static void fill(const struct mesh *mesh)
{
  uint32_t *words = meshes_lock(mesh->handle);
  uint32_t word = random_next(chance);
  for (uint32_t i = 0; i < mesh->words; i++) words[i] = word + i * i;
  meshes_unlock(mesh->handle);
}

static void load(void)
{
  struct mesh mesh = {
      .words = random_between(chance, scenario.mesh_words_low,
                              scenario.mesh_words_high),
      .frames_left = random_between(chance, 30, 600),
  };
  mesh.handle = meshes_alloc(mesh.words * 4);
  if (meshes_same(mesh.handle, MESHES_NO_HANDLE)) return;
  meshes[loaded++] = mesh;
  fill(&mesh);
}

// Wherever its bytes are now: a lock holds them there.
static void show(const struct mesh *mesh)
{
  const uint32_t *words = meshes_lock(mesh->handle);
  draw((int32_t)(words[0] % WIDTH), (int32_t)(words[1] % HEIGHT), COLOUR_GREY,
       SHAPE_DOT);
  meshes_unlock(mesh->handle);
}

static void let_go(struct mesh *mesh)
{
  if (mesh->held) meshes_unlock(mesh->handle);
  mesh->held = false;
}

// One mesh a frame has its turn; now and then one is held until its next.
static void visit(struct mesh *mesh)
{
  show(mesh);
  let_go(mesh);
  mesh->held = random_below(chance, 16) == 0;
  if (mesh->held) (void)meshes_lock(mesh->handle);
}

static void drop(struct mesh *mesh)
{
  let_go(mesh);
  meshes_free(mesh->handle);
  *mesh = meshes[--loaded];
}

// From the last to the first: who takes the place of an old one was looked at.
static void drop_the_old(void)
{
  for (uint32_t i = loaded; i-- > 0;) {
    if (--meshes[i].frames_left == 0) drop(&meshes[i]);
  }
}

void meshes_update(void)
{
  uint32_t percent = scenario.mesh_percent * scenario_load();
  for (uint32_t n = random_times(chance, percent); n > 0; n--) load();
  if (loaded > 0) visit(&meshes[tp_clock_now % loaded]);
  drop_the_old();
  (void)meshes_step();
}

uint32_t meshes_loaded(void)
{
  return loaded;
}
