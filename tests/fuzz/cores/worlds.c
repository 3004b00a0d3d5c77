// SPDX-License-Identifier: MIT
// Of the image whose library has a port of two cores.
#include "fuzz.h"

extern const struct world fuzz_cores;

const struct world *const fuzz_worlds[] = {&fuzz_cores};
const uint32_t fuzz_world_count = sizeof fuzz_worlds / sizeof fuzz_worlds[0];
