// SPDX-License-Identifier: MIT
// What only tests, reports and the doubtful ask of a dense pool: its figures,
// and whether its words agree. What one flipped bit changes leaves some that do
// not: the counts are in order, entries and places lead to each other, as many
// generations ended as objects, and at full the count is what its copy says.
#include "allocator/tp_dense_state.h"

uint32_t tp_dense_count(const struct tp_dense *dense)
{
  return dense->state->count;
}

void tp_dense_stats(const struct tp_dense *dense, struct tp_stats *stats)
{
  const struct tp_dense_state *state = dense->state;
  tp_clear_words(stats, sizeof *stats);
  stats->live = state->count;
  stats->peak = state->fresh;
  stats->allocs = state->frees + state->count;
  stats->frees = state->frees;
  stats->refused = state->refused;
}

// Each object that ended was counted twice: by the pool, and by its generation.
static bool ends_add_up(const struct tp_dense *dense)
{
  uint32_t most = tp_dense_most(dense);
  uint32_t ends = dense->state->frees << dense->bits;
  if (most > tp_dense_low(dense)) return false;
  for (uint32_t entry = 1; entry <= most; entry++) {
    ends -= dense->place[entry] & ~tp_dense_low(dense);
  }
  return ends == 0;
}

static bool is_poison(const struct tp_dense *dense, uint32_t index)
{
  uint32_t words = dense->stride / 4u;
  return tp_intact_words(tp_dense_words(dense, index), words, TP_POISON) ==
         words;
}

static bool counts_are_in_order(const struct tp_dense *dense)
{
  const struct tp_dense_state *state = dense->state;
  return state->seen <= state->old && state->old <= state->count &&
         state->count <= state->fresh && state->fresh <= dense->capacity;
}

// Since each index below fresh leads to an entry that leads back, no entry
// stands twice.
bool tp_dense_verify(const struct tp_dense *dense)
{
  const struct tp_dense_state *state = dense->state;
  if (!counts_are_in_order(dense)) return false;
  for (uint32_t index = 0; index < state->fresh; index++) {
    if (!tp_dense_leads_to(dense, dense->entry[index], index)) return false;
    if (index >= state->count && !is_poison(dense, index)) return false;
  }
  return tp_dense_count_agrees(dense) && ends_add_up(dense);
}
