// SPDX-License-Identifier: MIT
#ifndef MAGAZINE_H
#define MAGAZINE_H

// What each core keeps for itself.
void run_magazines(void);

#endif
