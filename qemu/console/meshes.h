// SPDX-License-Identifier: MIT
// meshes.h - what is near, loaded and dropped: blocks of any size in an arena
// that is compacted a little every frame. Each is checksummed.
#ifndef MESHES_H
#define MESHES_H

#include <stdint.h>

#include "hash.h"

void meshes_start(uint64_t seed);

// Loads, drops and moves some; looks at the bytes of one.
void meshes_update(struct hash *hash);

// What is wrong, in words; NULL iff nothing is.
const char *meshes_audit(void);

#endif
