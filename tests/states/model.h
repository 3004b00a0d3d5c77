// SPDX-License-Identifier: MIT
// model.h - what a pool must do, said as plainly as it can be: which slot each
// request gets, and what is live, dead and oldest then.
#ifndef MODEL_H
#define MODEL_H

#include <stdbool.h>
#include <stdint.h>

enum { SLOTS_MOST = 8, CHUNK_SLOTS = 2 };

// What a call of a full pool, or a wrong one, comes to; else a slot's number.
enum { MODEL_NULL = 0, MODEL_FULL = -1 };

enum model_policy { DROPS, ASSERTS, STEALS_OLDEST, STEALS_LEAST, SPILLS };

// Unused bytes are 0, so that equal models are equal bytes.
struct model_pool {
  uint8_t capacity;
  uint8_t fresh;             // Slots that were issued at least once.
  uint8_t dead[SLOTS_MOST];  // Of these, the one that is issued next first.
  uint8_t live[SLOTS_MOST];  // Those that can be stolen, oldest first; in a
                             // pool that does not steal, in order of number.
  uint8_t pinned;            // One bit a slot.
  uint8_t deads, lives;
};

struct model {
  struct model_pool home;
  struct model_pool chunk;  // Of a pool that spills. Its slots follow.
};

void model_begin(struct model *model, enum model_policy policy,
                 uint32_t capacity);

// The slot that a request gets: from 1, those of the chunk behind the home's.
int model_alloc(struct model *model, enum model_policy policy);
void model_free(struct model *model, uint32_t slot);
void model_pin(struct model *model, uint32_t slot);
void model_unpin(struct model *model, uint32_t slot);
// Without tags, none was ever issued then.
void model_reset(struct model *model, bool has_tags);

// What is dead is issued in order of number: its links were made anew.
void model_put_in_order(struct model_pool *pool);

bool model_is_live(const struct model *model, uint32_t slot);
bool model_is_pinned(const struct model *model, uint32_t slot);

// How much the object in [slot] would be missed: some as much as others.
uint32_t model_score(uint32_t slot);

#endif
