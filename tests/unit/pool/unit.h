// SPDX-License-Identifier: MIT
// unit.h - the suites of this image, and what they share.
#ifndef UNIT_H
#define UNIT_H

#include "tp_pools.h"
#include "tp_test.h"

void suite_alloc_and_free(void);
void suite_policies(void);
void suite_handles(void);
void suite_every_handle(void);
void suite_gate(void);
void suite_misuse(void);
void suite_exclusive(void);
void suite_locks(void);
void suite_rare(void);
void suite_poison(void);
void suite_verify(void);
void suite_stats(void);
void suite_totals(void);
void suite_reset(void);
void suite_build(void);
void suite_history(void);
void suite_not_zeroed(void);
void suite_words(void);
void suite_looked_at(void);

// What note_evicted() last saw, and how often it was called.
extern struct note *evicted;
extern uint32_t evictions;

// Called from note_evicted(), once, if set.
extern void (*during_eviction)(void);

#endif
