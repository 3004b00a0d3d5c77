// SPDX-License-Identifier: MIT
// moves.c - what the interrupt handler does, wherever the thread may be.
#include "model.h"

static void make_alloc(void)
{
  take(GIVEN);
}

static void make_free(void)
{
  give_back(THEIRS);
}

static void make_alloc_free(void)
{
  take(GIVEN);
  give_back(GIVEN);
}

static void make_free_alloc(void)
{
  give_back(THEIRS);
  take(GIVEN);
}

static void make_two_allocs(void)
{
  take(GIVEN);
  take(GIVEN_TOO);
}

static void make_burst(void)
{
  make_two_allocs();
  give_back(GIVEN);
  give_back(THEIRS);
  take(GIVEN_LAST);
  give_back(GIVEN_TOO);
}

const struct move alloc_move = {"an_alloc", make_alloc};
static const struct move moves[] = {
    {"an_alloc", make_alloc},
    {"a_free", make_free},
    {"an_alloc_and_its_free", make_alloc_free},
    {"a_free_and_an_alloc", make_free_alloc},
    {"two_allocs", make_two_allocs},
    {"a_burst", make_burst},
};

void sweep_unmasked(const struct subject *of, const struct operation *operation)
{
  uint32_t count = sweep_traces ? 1 : LENGTH(moves);
  for (uint32_t i = 0; i < count; i++) {
    sweep_row(of, operation, &moves[i], SWEPT);
  }
}

void sweep_all_moves(const struct subject *of,
                     const struct operation *operation)
{
  sweep_unmasked(of, operation);
  if (!sweep_traces) sweep_row(of, operation, &alloc_move, MASKED);
}
