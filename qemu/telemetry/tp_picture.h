// SPDX-License-Identifier: MIT
// tp_picture.h - what a firmware shows, for people to look at: `qemu/soak play`
// plays it, and report.html has it of when most was in use.
#ifndef TP_PICTURE_H
#define TP_PICTURE_H

#include <stdint.h>

#include "core/tp_registry.h"

#ifdef __cplusplus
extern "C" {
#endif

// Says where the firmware's picture lies from now on: [height] rows of [width]
// bytes, at most 4000 in all, each a colour: 3 bits of red, 3 of green, 2 of
// blue. A firmware that never calls it is watched without pictures.
void tp_soak_picture(uint32_t width, uint32_t height, const uint8_t *bytes);

// Internal: sends it as it is now, in frame tp_clock_now.
void tp_picture_send(void);

// Internal, when an allocator holds more than [shown] says, by its index: sends
// it, unless there was one less than two seconds ago, and writes what each of
// those holds now to [shown].
void tp_picture_worst(const struct tp_registry *registry, uint32_t shown[]);

#ifdef __cplusplus
}
#endif

#endif
