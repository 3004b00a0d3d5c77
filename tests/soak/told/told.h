// SPDX-License-Identifier: MIT
// told.h - what main.c has of hooks.c.
#ifndef TOLD_H
#define TOLD_H

void lives(void);
void places_told(void);
void strangers_issue(void);
void issued_by_a_stranger(void);
void refused_to_strangers(void);
void served_twice(void);
void issued_before(void);
void seals(void);
void interrupted(void);

#endif
