// SPDX-License-Identifier: MIT
// meshes.h - what is near, loaded and dropped: blocks of any size in an arena
// that is compacted a little every frame.
#ifndef MESHES_H
#define MESHES_H

#include <stdint.h>

// Loads, looks at, drops and moves some.
void meshes_update(void);

uint32_t meshes_loaded(void);

#endif
