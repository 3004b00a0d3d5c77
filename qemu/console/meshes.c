// SPDX-License-Identifier: MIT
#include "meshes.h"

#include "counts.h"
#include "random.h"
#include "scenario.h"
#include "site.h"
#include "tp_pools.h"

enum { MESHES = COUNT_enemies };

struct mesh {
  tp_handle_t handle;  // TP_NO_HANDLE: none here.
  uint32_t words;
  uint32_t sum;
  uint32_t frames_left;
  uint32_t locked;  // 1: something reads it by its address.
};

static struct random chance;
static struct mesh meshes[MESHES];
static uint32_t loaded, spoilt;

void meshes_start(uint64_t seed)
{
  chance = random_stream(seed, 9);
}

static uint32_t sum_of(const uint32_t *words, uint32_t count)
{
  uint32_t sum = 0;
  for (uint32_t i = 0; i < count; i++) sum = sum * 31 + words[i];
  return sum;
}

static void fill(struct mesh *mesh)
{
  uint32_t *words = meshes_lock(mesh->handle);
  uint32_t word = random_next(&chance);
  for (uint32_t i = 0; i < mesh->words; i++) words[i] = word + i * i;
  mesh->sum = sum_of(words, mesh->words);
  meshes_unlock(mesh->handle);
}

// A mesh is at most a sixteenth of the arena.
static void load(struct mesh *mesh)
{
  uint32_t most = meshes_reloc.units * TP_RELOC_UNIT / 64u;
  uint32_t words = random_between(&chance, 2, most);
  bool open = site_begin(SITE_MESH);
  tp_handle_t handle = open ? meshes_alloc(words * 4) : TP_NO_HANDLE;
  site_end(SITE_MESH);
  if (handle == TP_NO_HANDLE) return;
  *mesh = (struct mesh){.handle = handle,
                        .words = words,
                        .frames_left = random_between(&chance, 30, 600)};
  fill(mesh);
  loaded++;
}

// Its bytes are those it was filled with, wherever they are now.
static void inspect(const struct mesh *mesh)
{
  const uint32_t *words = meshes_lock(mesh->handle);
  spoilt += sum_of(words, mesh->words) != mesh->sum;
  meshes_unlock(mesh->handle);
}

static void unlock(struct mesh *mesh)
{
  if (mesh->locked) meshes_unlock(mesh->handle);
  mesh->locked = 0;
}

static void drop(struct mesh *mesh)
{
  unlock(mesh);
  inspect(mesh);
  site_begin(SITE_MESH_FREE);
  meshes_free(mesh->handle);
  site_end(SITE_MESH_FREE);
  mesh->handle = TP_NO_HANDLE;
  loaded--;
}

// One mesh a frame is looked at, and stays locked until its next turn or not.
static void visit(struct mesh *mesh)
{
  inspect(mesh);
  unlock(mesh);
  mesh->locked = random_below(&chance, 16) == 0;
  if (mesh->locked) (void)meshes_lock(mesh->handle);
}

void meshes_update(struct hash *hash)
{
  struct mesh *mesh = &meshes[random_below(&chance, MESHES)];
  if (mesh->handle != TP_NO_HANDLE) {
    visit(mesh);
  } else if (scenario_load() > 0) {
    load(mesh);
  }
  for (uint32_t i = 0; i < MESHES; i++) {
    if (meshes[i].handle == TP_NO_HANDLE) continue;
    if (--meshes[i].frames_left == 0) drop(&meshes[i]);
  }
  site_begin(SITE_MESH_STEP);
  struct tp_reloc_moved moved = meshes_step();
  site_end(SITE_MESH_STEP);
  hash_add(hash, loaded << 16 | moved.moves);
}

const char *meshes_audit(void)
{
  if (spoilt) return "meshes: a block's contents changed";
  if (meshes_reloc.state->live != loaded) return "meshes: live counts differ";
  return tp_reloc_verify(&meshes_reloc) ? 0 : "meshes: the arena is broken";
}
