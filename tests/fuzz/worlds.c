// SPDX-License-Identifier: MIT
#include "fuzz.h"

extern const struct world fuzz_pools, fuzz_blocks, fuzz_stacks, fuzz_frames,
    fuzz_dense, fuzz_reloc, fuzz_objects, fuzz_nest, fuzz_scenes, fuzz_chunks,
    fuzz_notes, fuzz_waits, fuzz_reserves, fuzz_kept, fuzz_levels;

const struct world *const fuzz_worlds[] = {
    &fuzz_pools, &fuzz_blocks,  &fuzz_stacks,   &fuzz_frames, &fuzz_dense,
    &fuzz_reloc, &fuzz_objects, &fuzz_nest,     &fuzz_scenes, &fuzz_chunks,
    &fuzz_notes, &fuzz_waits,   &fuzz_reserves, &fuzz_kept,   &fuzz_levels};
const uint32_t fuzz_world_count = sizeof fuzz_worlds / sizeof fuzz_worlds[0];
