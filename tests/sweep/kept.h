// SPDX-License-Identifier: MIT
// kept.h - compares what is kept of events with what a run did: kept.c.
#ifndef KEPT_H
#define KEPT_H

#include "check/tp_level.h"

#if TIDEPOOL_EVENTS
void kept_open(void);
void kept_close(void);
#else
static inline void kept_open(void)
{
}
static inline void kept_close(void)
{
}
#endif

#endif
