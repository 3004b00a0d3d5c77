// SPDX-License-Identifier: MIT
// tp_picture.h - what a firmware shows, for people to look at: `qemu/soak play`
// plays it, and report.html has it.
#ifndef TP_PICTURE_H
#define TP_PICTURE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Says where the firmware's picture lies from now on: [height] rows of [width]
// bytes, at most 4000 in all, each a colour: 3 bits of red, 3 of green, 2 of
// blue. A firmware that never calls it is watched without pictures.
void tp_soak_picture(uint32_t width, uint32_t height, const uint8_t *bytes);

// Sends it as it is now, in frame tp_clock_now. Without one, does nothing.
void tp_picture_send(void);

#ifdef __cplusplus
}
#endif

#endif
