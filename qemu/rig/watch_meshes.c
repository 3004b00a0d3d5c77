// SPDX-License-Identifier: MIT
// watch_meshes.c - meshes: each is written under its first lock, and its bytes
// are the same ever after, wherever they are.
#include "meshes.h"
#include "watch.h"

struct block {
  meshes_handle_t handle;  // None: none here.
  uint32_t bytes;
  uint32_t sum;
  const uint32_t *filling;  // Where, until the first unlock.
  bool is_filled;
};

static struct block blocks[MESHES_COUNT];
static uint32_t live, spoilt;

static struct block *block_of(meshes_handle_t handle)
{
  for (uint32_t i = 0; i < MESHES_COUNT; i++) {
    if (meshes_same(blocks[i].handle, handle)) return &blocks[i];
  }
  return 0;
}

static uint32_t sum_of(const struct block *block, const uint32_t *words)
{
  uint32_t sum = 0;
  for (uint32_t i = 0; i < block->bytes / 4; i++) sum = sum * 31 + words[i];
  return sum;
}

void watch_mesh_asked(meshes_handle_t handle, uint32_t bytes)
{
  struct block *block = block_of(MESHES_NO_HANDLE);
  if (!block) return;
  *block = (struct block){.handle = handle, .bytes = bytes};
  live++;
}

void watch_mesh_locked(meshes_handle_t handle, const void *words)
{
  struct block *block = block_of(handle);
  if (!block) return;
  if (block->is_filled) {
    spoilt += sum_of(block, words) != block->sum;
  } else {
    block->filling = words;
  }
}

void watch_mesh_unlocking(meshes_handle_t handle)
{
  struct block *block = block_of(handle);
  if (!block || block->is_filled) return;
  block->sum = sum_of(block, block->filling);
  block->is_filled = true;
}

void watch_mesh_freed(meshes_handle_t handle)
{
  struct block *block = block_of(handle);
  if (!block) return;
  spoilt += sum_of(block, meshes_lock(handle)) != block->sum;
  meshes_unlock(handle);
  block->handle = MESHES_NO_HANDLE;
  live--;
}

const char *watch_meshes_audit(void)
{
  if (spoilt) return "meshes: a block's contents changed";
  if (meshes_loaded() != live) return "meshes: live, but held by nobody";
  if (meshes_reloc.state->live != live) return "meshes: live counts differ";
  return tp_reloc_verify(&meshes_reloc) ? 0 : "meshes: the arena is broken";
}
