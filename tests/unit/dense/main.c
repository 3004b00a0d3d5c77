// SPDX-License-Identifier: MIT
#include "dense.h"

#include "config/tp_define.h"

const struct bullet *moved_from, *moved_to;
tp_handle_t moved_handle;
uint32_t moves;
const struct bullet *moved_from_of[3], *moved_to_of[3];
uint32_t moved_asks;
uint32_t moved_amiss;

static void bullet_moved(void *to, const void *from, tp_handle_t handle)
{
  moved_from = (const struct bullet *)from;
  moved_to = (struct bullet *)to;
  moved_handle = handle;
  if (moves < 3) {
    moved_from_of[moves] = moved_from;
    moved_to_of[moves] = moved_to;
  }
  moves++;
  if (moved_asks == 0) return;
  moved_amiss += bullets_count() != moved_asks;
  moved_amiss += bullets_get(handle) != to || !tp_dense_verify(&bullets_dense);
}

TP_DENSE_DEFINE(bullets, sizeof(struct bullet), BULLETS, 4,
                .on_move = bullet_moved);
TP_DENSE_DEFINE(shells, sizeof(struct bullet), 3, 4, .full = 1);
TP_DENSE_DEFINE(wide, 40, 2, 16, .full = 0);

void forget(const struct tp_dense *dense)
{
  for (uint32_t i = 0; i <= dense->capacity; i++) dense->place[i] = 0;
  for (uint32_t i = 0; i < dense->capacity; i++) dense->entry[i] = 0;
  *dense->state = (struct tp_dense_state){0};
  moves = 0;
}

int main(void)
{
  suite_basics();
  suite_walk();
  suite_misuse();
  suite_model();
  return tp_test_end();
}
