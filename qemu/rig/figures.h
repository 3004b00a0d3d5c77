// SPDX-License-Identifier: MIT
// figures.h - what is watched beside the pools: bytes, holes, waste, cost.
#ifndef FIGURES_H
#define FIGURES_H

// Tells the soak their values. Its verdict is that none of the flat ones drifts
// over a run.
void figures_tell(void);

#endif
