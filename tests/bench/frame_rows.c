// SPDX-License-Identifier: MIT
// What a frame of all objects costs, by how many of the slots live: the update
// of a row, the loop of Nystrom's chapter, and walks of a dense pool.
#include "bench.h"
#include "board.h"
#include "tp_pools.h"

enum { SLOTS = CAPACITY_MOST / 4, LONG = 1 << 20 };

static struct particle book[SLOTS];
static struct particle *held[SLOTS];

bool ignite(struct particle *particle, void *context)
{
  (void)context;
  *particle = (struct particle){.frames_left = LONG, .dx = 3, .dy = 5};
  return true;
}

static void move(struct particle *particle)
{
  particle->x += particle->dx;
  particle->y += particle->dy;
}

static bool animate(void *object, void *context)
{
  struct particle *particle = object;
  (void)context;
  if (--particle->frames_left == 0) return false;
  move(particle);
  return true;
}

// Of the chapter, which keeps who is done with where it was.
static void animate_book(void)
{
  for (uint32_t i = 0; i < SLOTS; i++) {
    struct particle *particle = &book[i];
    if (particle->frames_left <= 0) continue;
    particle->frames_left--;
    move(particle);
  }
}

static void update(void)
{
  sparks_update(animate, NULL);
}

static void update_storm(void)
{
  storm_update(animate, NULL);
}

static void update_called(void)
{
  tp_object_update(&sparks_objects, animate, NULL);
}

static void age(void *object, void *context)
{
  struct particle *particle = object;
  (void)context;
  particle->frames_left--;
  move(particle);
}

static void walk(void)
{
  bullets_walk(age, NULL);
}

static void walk_at(void)
{
  for (uint32_t i = 0; i < bullets_count(); i++) age(bullets_at(i), NULL);
}

static void walk_next(void)
{
  bullets_handle_t handle;
  struct particle *bullet = bullets_first(&handle);
  for (; bullet; bullet = bullets_next(&handle)) age(bullet, NULL);
}

static void print_frame(const char *name, void (*frame)(void), uint32_t live)
{
  const struct subject subject = {.alloc = (void *)frame};
  void *nothing;
  uint32_t cost = bench_alloc(&subject, &nothing);
  bench_print("frame ");
  bench_print(name);
  bench_print_number("live", live);
  bench_print_number("each", (cost + live / 2) / live);
  bench_print("\n");
}

// One in [every] slots lives.
static void measure_frames(uint32_t every)
{
  uint32_t live = SLOTS / every;
  for (uint32_t i = 0; i < SLOTS; i++) {
    held[i] = sparks_create(NULL);
    (void)storm_create(NULL);
    ignite(&book[i], NULL);
  }
  for (uint32_t i = 0; i < SLOTS; i++) {
    if (i % every == 0) continue;
    sparks_destroy(held[i]);
    storm_destroy((struct particle *)storm_pool.storage + i);
    book[i].frames_left = 0;
  }
  print_frame("chapter", animate_book, live);
  print_frame("update", update, live);
  print_frame("update_isr", update_storm, live);
  print_frame("update_called", update_called, live);
  sparks_clear();
  storm_clear();
}

static void measure_dense(void)
{
  bullets_handle_t handle;
  while (bullets_count() < SLOTS) ignite(bullets_alloc(&handle), NULL);
  print_frame("dense_at", walk_at, SLOTS);
  print_frame("dense_next", walk_next, SLOTS);
  print_frame("dense_walk", walk, SLOTS);
}

int main(void)
{
  bench_start();
  for (uint32_t every = 1; every <= 8; every *= 2) measure_frames(every);
  measure_dense();
  return 0;
}
