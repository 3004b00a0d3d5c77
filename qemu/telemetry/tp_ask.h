// SPDX-License-Identifier: MIT
// tp_ask.h - internal: questions to the library whose answers are known, with
// --ask. They are put to pools of their own, which no other line uses, so that
// nothing of the application's changes. Its pools are asked what changes
// nothing: wrong frees, handles of what is gone, and damage that is undone.
#ifndef TP_ASK_H
#define TP_ASK_H

#include "tp_soak.h"

struct tp_question {
  const char *name;  // What is true of a library that answers as it must.
  bool (*ask)(void);
  uint8_t level;  // From which level of checks on it promises that.
};

// In tp_ask_free.c, tp_ask_pool.c, tp_ask_damage.c, tp_ask_other.c and
// tp_ask_lock.c: each ends with one that has no name.
extern const struct tp_question tp_ask_free[], tp_ask_pool[], tp_ask_damage[],
    tp_ask_other[], tp_ask_lock[];

// The pools that are asked. Every question finds and leaves all slots free, but
// of the last, which each makes empty first.
enum { TP_ASK_SLOTS = 5, TP_ASK_BYTES = 12 };
extern const struct tp_pool tp_ask_plain_pool;   // Refuses, with handles.
extern const struct tp_pool tp_ask_thief_pool;   // Steals, with handles.
extern const struct tp_pool tp_ask_strict_pool;  // Asserts: one slot.
extern const struct tp_pool tp_ask_hurt_pool;    // Is damaged.

// Less than [bound], at most 65536.
uint32_t tp_ask_below(uint32_t bound);

// Does with [pool] and [object] what [deed] does. Returns the fault that it was
// answered with; TP_FAULT_NONE iff none.
typedef void tp_ask_deed(const struct tp_pool *pool, void *object);
uint32_t tp_ask_fault(tp_ask_deed *deed, const struct tp_pool *pool,
                      void *object);
void tp_ask_do_alloc(const struct tp_pool *pool, void *object);
void tp_ask_do_free(const struct tp_pool *pool, void *object);

// One of the firmware's, or of ours if that one cannot be asked.
const struct tp_pool *tp_ask_any_pool(void);

// Makes [pool] what it was at boot.
void tp_ask_empty(const struct tp_pool *pool);

// Looks at and changes words that are nobody's, sanitizers or not.
uint32_t tp_ask_peek(const void *word);
void tp_ask_flip(void *word, uint32_t bits);

// Ends what tp_ask_lock.c began, however the question ended.
void tp_ask_lock_end(void);

// The question cannot be put here: it does not count.
void tp_ask_skip(void);

// The firmware's registry, for questions to its pools.
extern const struct tp_registry *tp_ask_registry;

// Set while a handler of ours runs: a fault there is the answer, too.
extern volatile bool tp_ask_in_handler;

#endif
