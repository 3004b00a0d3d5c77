// SPDX-License-Identifier: MIT
// record.h - what a core stored, in its order, and every state of memory that
// another core or a device may find when it sees one of these stores.
//
// A core's stores come to memory in any order, but none before a barrier comes
// behind one after it. So who sees a store of the first core that says "yours",
// that which gives the lock back or one to a mailbox, sees all that a barrier
// stands between, and of the rest, up to the next barrier, any: each choice is
// a state. Who itself has no barrier behind that look may have looked at the
// rest before, so it sees any choice of all.
#ifndef RECORD_H
#define RECORD_H

#include <stdbool.h>
#include <stdint.h>

// Whether the lock's two functions have their barriers.
extern bool record_releases, record_acquires;

// How many barriers there were since the recording began.
extern uint32_t record_barriers;

// Memory that both see; before the recording begins.
void record_share(void *begin, uint32_t bytes);

// From here on stores of the library to that are noted, and those made by these
// calls: of a word; and one that says "yours".
void record_begin(void);
void record_store(void *word, uint32_t value);
void record_barrier(void);
void record_yours(void);

// From here on the library is to have a barrier before it looks at what both
// see. False iff it had none.
void record_look(void);
bool record_looked_late(void);

// Ends the recording. For each "yours" and each state of memory that it may be
// seen with, puts memory into that state and asks [judge], which is told
// whether it is the last of them. Returns how many states are wrong; adds all
// to [states].
uint32_t record_judge(bool (*judge)(bool last), uint32_t *states);

#endif
