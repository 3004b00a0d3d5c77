// SPDX-License-Identifier: MIT
// settings.h - the numbers of a scenario by their names. qemu/soak reads
// qemu/scenarios/*.toml and passes what they say: "wave_frames=120".
#ifndef SETTINGS_H
#define SETTINGS_H

#include <stdint.h>

// Where the setting [name], up to its '=', is kept; NULL iff there is none.
uint32_t *settings_entry(const char *name);

#endif
