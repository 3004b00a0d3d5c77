// SPDX-License-Identifier: MIT
// settings.h - the numbers of a scenario by their names. qemu/soak reads
// qemu/scenarios/*.toml and passes what they say: "wave_frames=120".
#ifndef SETTINGS_H
#define SETTINGS_H

// Asks the host for each. What it does not say stays as it is.
void settings_read(void);

#endif
