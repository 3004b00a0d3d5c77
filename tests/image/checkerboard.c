// SPDX-License-Identifier: MIT
// Every other object freed, then one request for less than they held: the
// pattern that defeats a heap, on a C library's malloc() and on a relocating
// pool of the same RAM. Which library, the linker decides.
#include <stdlib.h>

#include "config/tp_define.h"
#include "tp_declare.h"
#include "tp_test.h"
#include "allocator/tp_reloc.h"

enum {
  OBJECT = 32,
  ARENA = 32 * 1024,
  HANDLES = 1024,
  WANTED = ARENA / 2 - 2048,
  OBJECTS = ARENA / (OBJECT + 8),
  MOVES = 4
};

TP_RELOC_DECLARE(board);
TP_RELOC_DEFINE(board, ARENA, HANDLES, .moves = MOVES,
                .move_bytes = MOVES * OBJECT);
_Static_assert(sizeof board_arena + sizeof board_entry + sizeof board_state <=
                   HEAP_BYTES,
               "malloc() has no less RAM than the pool");

static void *object[2 * OBJECTS];
static tp_handle_t handle[OBJECTS];

static void malloc_fails_after_the_checkerboard(void)
{
  uint32_t count = 0;
  while (count < 2 * OBJECTS && (object[count] = malloc(OBJECT)) != NULL) {
    count++;
  }
  CHECK(count >= OBJECTS);
  CHECK(count < 2 * OBJECTS);
  for (uint32_t i = 0; i < count; i += 2) free(object[i]);

  CHECK(count / 2 * OBJECT >= WANTED);
  CHECK(malloc(WANTED) == NULL);
  CHECK(malloc(2 * OBJECT) == NULL);
}

static void fill(void)
{
  for (uint32_t i = 0; i < OBJECTS; i++) {
    handle[i] = board_alloc(OBJECT);
    uint32_t *words = board_lock(handle[i]);
    for (uint32_t j = 0; j < OBJECT / 4; j++) words[j] = handle[i] + j;
    board_unlock(handle[i]);
  }
}

static void others_are_whole(void)
{
  for (uint32_t i = 1; i < OBJECTS; i += 2) {
    const uint32_t *words = board_lock(handle[i]);
    for (uint32_t j = 0; j < OBJECT / 4; j++) {
      CHECK_EQ(words[j], handle[i] + j);
    }
    board_unlock(handle[i]);
  }
}

static void the_relocating_pool_serves_it_after_compaction(void)
{
  uint32_t steps = 0;
  fill();
  for (uint32_t i = 0; i < OBJECTS; i += 2) board_free(handle[i]);
  CHECK(board_alloc(WANTED) == TP_NO_HANDLE);

  while (board_step().holes > 0) steps++;

  CHECK_EQ(steps + 1, (OBJECTS / 2 + MOVES - 1) / MOVES);
  CHECK(board_alloc(WANTED) != TP_NO_HANDLE);
  others_are_whole();
}

int main(void)
{
  RUN(malloc_fails_after_the_checkerboard);
  RUN(the_relocating_pool_serves_it_after_compaction);
  return tp_test_end();
}
