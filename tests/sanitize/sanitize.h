// SPDX-License-Identifier: MIT
// What the cases have in common: an application's loads and stores, each in a
// function of its own, and the last that was reported.
#ifndef SANITIZE_H
#define SANITIZE_H

#include <stdbool.h>
#include <stdint.h>

struct tp_fault_record;

extern struct tp_fault_record reported;  // The last.
extern uint32_t reports;

uint32_t read_word(const void *address);
void write_word(void *address);
uint32_t read_byte(const void *address);
void write_byte(void *address);
uint32_t read_wide(const void *address);
void copy_all(void *to, const void *from);  // 22 bytes.

void listen(void);  // Each place may be reported anew.
bool heard(uint32_t kind, const char *name, uint32_t slot, uint32_t offset);
bool heard_of(uint32_t bytes, bool writes);

void voice_evicted(void *voice);
void draft_evicted(void *draft);

void cases_of_pools(void);
void cases_of_kinds(void);
void cases_of_bytes(void);
void cases_of_writes(void);
void cases_of_loans(void);
void cases_of_copies(void);
void cases_of_room(void);

#endif
