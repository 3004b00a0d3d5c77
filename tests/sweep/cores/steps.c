// SPDX-License-Identifier: MIT
#include "steps.h"

#include <stddef.h>

#include "tp_pools.h"

enum { WORDS = 8 };

#define ADD(count)       (void)__atomic_fetch_add(&(count), 1, __ATOMIC_RELAXED)
#define SWAP(place, new) __atomic_exchange_n(&(place), new, __ATOMIC_ACQ_REL)
#define LOOK(place)      __atomic_load_n(&(place), __ATOMIC_ACQUIRE)

uint32_t steps_passed, steps_raced, steps_stolen, steps_low;
static uint32_t backs;

// Where packets, or crates, go from core to core: those on their way to each.
static struct belt {
  void *(*alloc)(void);
  void (*free)(void *packet);
  uint32_t *inbox[CORES];
} belts[BELTS] = {{packets_alloc, packets_free, {NULL, NULL}},
                  {crates_alloc, crates_free, {NULL, NULL}}};

// What both know.
static uint32_t jobs_board[BOARD];

static uint32_t chance(struct player *me, uint32_t of)
{
  me->seed ^= me->seed << 13;
  me->seed ^= me->seed >> 17;
  me->seed ^= me->seed << 5;
  return me->seed % of;
}

// What nobody else writes.
static uint32_t mark(struct player *me)
{
  return ++me->serial * 2 + me->core;
}

static void fill(uint32_t *object, uint32_t value)
{
  for (uint32_t i = 0; i < WORDS; i++) object[i] = value;
}

static void expect(const uint32_t *object, uint32_t first, uint32_t value,
                   const char *what)
{
  for (uint32_t i = first; i < WORDS; i++) {
    if (object[i] != value) steps_fail(what);
  }
}

// Who had it last wrote all of it, and then freed it: poison does, too.
static void expect_as_left(const uint32_t *object)
{
  expect(object, 1, object[1], "an object is issued before it is left");
}

static void drop_packet(const struct belt *belt, uint32_t *packet,
                        uint32_t value)
{
  expect(packet, 0, value, "a packet was written to by another");
  fill(packet, ~value);
  belt->free(packet);
}

static void step_packets(struct player *me, uint32_t which)
{
  struct belt *belt = &belts[which];
  uint32_t i = chance(me, HELD), value;
  uint32_t **mine = &me->packet[which][i];
  uint32_t *packet = SWAP(belt->inbox[me->core], NULL);
  if (packet) {
    ADD(steps_passed);
    drop_packet(belt, packet, packet[0]);
  }
  if (*mine) {
    packet = *mine;
    *mine = NULL;
    expect(packet, 0, me->packet_is[which][i], "a packet has two owners");
    if (chance(me, 2)) packet = SWAP(belt->inbox[!me->core], packet);
    if (packet) drop_packet(belt, packet, packet[0]);
    return;
  }
  packet = belt->alloc();
  if (!packet) return;
  expect_as_left(packet);
  value = mark(me);
  fill(packet, value);
  *mine = packet;
  me->packet_is[which][i] = value;
}

static void free_job(uint32_t bits)
{
  jobs_handle_t job = {bits};
  if (!bits) return;
  if (!jobs_free_handle(job)) ADD(steps_raced);
}

static void step_jobs(struct player *me)
{
  jobs_handle_t job;
  uint32_t i = chance(me, BOARD);
  if (chance(me, 2)) {
    free_job(LOOK(jobs_board[i]));
    return;
  }
  uint32_t *object = jobs_alloc_handle(&job);
  if (!object) return;
  uint32_t value = mark(me);
  expect_as_left(object);
  fill(object, value);
  expect(object, 0, value, "a job has two owners");
  if (jobs_get(job) != object) steps_fail("a new handle is stale");
  free_job(SWAP(jobs_board[i], job.bits));
}

static void step_sounds(struct player *me)
{
  uint32_t i = chance(me, HELD);
  sounds_handle_t sound = {me->sound[i]};
  uint32_t *object = sounds_pin_handle(sound);
  if (object) {
    expect(object, 0, me->sound_is[i], "a pinned sound was written to");
    if (chance(me, 2)) sounds_unpin_handle(sound);
    if (!sounds_free_handle(sound)) ADD(steps_stolen);
  } else if (sound.bits) {
    ADD(steps_stolen);
  }
  me->sound[i] = 0;
  if (!sounds_alloc_handle(&sound)) return;
  object = sounds_pin_handle(sound);
  if (!object) return;  // It was stolen at once.
  me->sound_is[i] = mark(me);
  fill(object, me->sound_is[i]);
  me->sound[i] = sound.bits;
  if (chance(me, 2))
    expect(object, 0, me->sound_is[i], "a sound has two owners");
  sounds_unpin_handle(sound);
}

static void step_rooms(struct player *me)
{
  uint32_t i = chance(me, HELD);
  if (me->room[i]) {
    expect(me->room[i], 0, me->core + 1, "a room has two owners");
    rooms_free(me->room[i]);
    me->room[i] = NULL;
    return;
  }
  me->room[i] = rooms_alloc();
  if (me->room[i]) fill(me->room[i], me->core + 1);
}

void rooms_are_low(const struct tp_pool *pool, uint32_t left)
{
  (void)pool;
  (void)left;
  ADD(steps_low);
}

void rooms_are_back(const struct tp_pool *pool, uint32_t left)
{
  (void)pool;
  (void)left;
  ADD(backs);
}

void steps_start(struct player *me, uint32_t core)
{
  *me = (struct player){.core = core, .seed = 2463534242u + core};
}

void steps_run(struct player *me, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++) {
    uint32_t which = chance(me, 5);
    if (which < BELTS) step_packets(me, which);
    if (which == 2) step_jobs(me);
    if (which == 3) step_sounds(me);
    if (which == 4) step_rooms(me);
  }
}

void steps_end(struct player *me)
{
  for (uint32_t i = 0; i < HELD; i++) {
    sounds_handle_t sound = {me->sound[i]};
    for (uint32_t j = 0; j < BELTS; j++) {
      uint32_t *packet = me->packet[j][i];
      if (packet) drop_packet(&belts[j], packet, me->packet_is[j][i]);
    }
    if (sound.bits) sounds_free_handle(sound);
    if (me->room[i]) rooms_free(me->room[i]);
  }
}

static void pass_through(struct player *me, const struct belt *belt)
{
  uint32_t value = mark(me);
  uint32_t *packet = belt->alloc();
  if (!packet) return;
  expect_as_left(packet);
  fill(packet, value);
  drop_packet(belt, packet, value);
}

void steps_interrupt(struct player *me)
{
  for (uint32_t i = 0; i < BELTS; i++) pass_through(me, &belts[i]);
}

// Whose objects were all given back, or stolen.
static void judge(const struct tp_pool *pool)
{
  struct tp_stats stats;
  tp_pool_stats(pool, &stats);
  if (!tp_pool_verify(pool, NULL)) steps_fail("a pool is broken");
  if (stats.live != 0) steps_fail("somebody has lost an object");
}

void steps_judge(void)
{
  for (uint32_t i = 0; i < CORES * BELTS; i++) {
    const struct belt *belt = &belts[i / CORES];
    uint32_t *packet = belt->inbox[i % CORES];
    if (packet) drop_packet(belt, packet, packet[0]);
  }
  for (uint32_t i = 0; i < BOARD; i++) free_job(jobs_board[i]);
  judge(&packets_pool);
  judge(&crates_pool);
  judge(&jobs_pool);
  judge(&rooms_pool);
  if (!tp_pool_verify(&sounds_pool, NULL)) steps_fail("sounds are broken");
  if (tp_pool_live(&sounds_pool) != 0) steps_fail("a sound is lost");
  if (steps_low != backs) steps_fail("on_low and on_refill do not alternate");
}
