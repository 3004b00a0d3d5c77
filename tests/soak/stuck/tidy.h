// SPDX-License-Identifier: MIT
// Another file than main.c, which takes an item away from that.
#ifndef TIDY_H
#define TIDY_H

void tidy_up(void *item);

#endif
