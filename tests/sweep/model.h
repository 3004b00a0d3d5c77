// SPDX-License-Identifier: MIT
// model.h - who holds which object of the pool under the sweep.
#ifndef MODEL_H
#define MODEL_H

#include "sweep.h"

// Everybody who may hold an object, in the order of a full pool's ring.
enum holder {
  SPARE,  // From before: nobody's, and so theirs to lose,
  OTHER,
  THEIRS,  // the handler's,
  MINE,    // and the thread's.
  TAKEN,   // What the operation issues,
  OUTER,   // what a caller further out does,
  GIVEN,   // and what the handler's move does.
  GIVEN_TOO,
  GIVEN_LAST,
  HOLDERS
};

struct holding {
  struct item *item;
  uint64_t handle;
  uint32_t stamp;  // What each word of the item must be.
  uint32_t born;   // Which of all that were issued it was.
  bool live;
  bool stolen;
};

extern const struct subject *subject;
extern struct holding holdings[HOLDERS];

// What is wrong with the run so far; NULL iff nothing. The first stands.
extern const char *complaint;
void complain(const char *what);

// Brings the pool to [state] from that of boot, and the model with it.
void model_open(const struct subject *of, enum state state);

// Notes that [holder] was issued [item]: or refused, if it is NULL. Writes the
// item full, as an owner would.
void model_issue(enum holder holder, struct item *item);

// The same for who got [handle] with the item: whether the item is still the
// holder's, the handle tells.
void model_issue_named(enum holder holder, struct item *item, uint64_t handle);

// Notes that a request was refused though slots were free: it has a right to
// be, and nobody else has wronged it.
void model_refuse_in_peace(void);

// The same for every request of this run.
void model_allow_refusals(void);

// One slot may be issued and given back without anybody holding it.
void model_allow_passing(void);

// How many are live of what was issued.
uint32_t model_live(void);

// Notes that [holder]'s item was given back.
void model_return(enum holder holder);

// Notes that [holder]'s item counts as the newest now.
void model_renew(enum holder holder);

// Notes that [holder]'s item was stolen.
void model_steal(enum holder holder);

// Issues and gives back, as the handler and the preparation do.
void take(enum holder holder);
void give_back(enum holder holder);

// Notes as stolen whose handle resolves no longer.
void model_find_thefts(void);

// Called by the next eviction, once, if set: as an owner's own code would.
extern void (*during_eviction)(void);

// Compares the pool with the model.
void model_close(void);

#endif
