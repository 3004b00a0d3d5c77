// SPDX-License-Identifier: MIT
#include "calls.h"

#include <stddef.h>
#include <string.h>

#include "tp_pools.h"
#include "turns.h"

enum { ISSUED_MOST = CORES * (CALLS + 1) };

const struct kind *calls_kind;
const char *calls_script[CORES];

void calls_play(uint32_t core)
{
  for (uint32_t i = 0; i < CALLS; i++) {
    calls_kind->call(core, calls_script[core][i]);
  }
}

// As after power-on.
static void forget(const struct tp_pool *pool)
{
  memset(pool->state, 0, sizeof *pool->state);
  uint32_t magazines = pool->magazine ? 2 : 0;
  memset(pool->tag, 0, (SLOTS + 1 + magazines) * sizeof pool->tag[0]);
  if (pool->age) memset(pool->age, 0, (SLOTS + 1) * sizeof pool->age[0]);
}

static const char *judge(const struct tp_pool *pool, uint32_t live)
{
  if (!tp_pool_verify(pool, NULL)) return "the pool is broken";
  return tp_pool_live(pool) == live ? NULL : "the pool counts wrong";
}

static uint32_t slot_of(const struct tp_pool *pool, const void *object)
{
  return (uint32_t)((uintptr_t)object - (uintptr_t)pool->storage) /
         pool->stride;
}

// Packets, and crates, of which each core keeps one: (a)llocate, (f)ree the
// newest.

static const struct calls packets = {&packets_pool, packets_alloc,
                                     packets_free};
static const struct calls crates = {&crates_pool, crates_alloc, crates_free};

static struct {
  uint32_t *packet[CALLS + 1];
  uint32_t has;
  uint32_t calls;  // 1: it is in a call.
  uint32_t most;   // Slots that may have been taken during it.
} owner[CORES];
static bool owned[SLOTS];

static void enter(uint32_t core)
{
  uint32_t all = 0;
  owner[core].calls = 1;
  owner[core].most = 0;
  for (uint32_t i = 0; i < CORES; i++) all += owner[i].has + owner[i].calls;
  for (uint32_t i = 0; i < CORES; i++) {
    if (owner[i].most < all) owner[i].most = all;
  }
}

static void allocate(uint32_t core)
{
  const struct calls *of = calls_kind->of;
  enter(core);
  uint32_t *packet = of->alloc();
  owner[core].calls = 0;
  // One of them would have been its own; others the other core may keep.
  uint32_t most = owner[core].most + of->pool->magazine;
  if (!packet && most <= SLOTS) turns_fail("refused for no reason");
  if (!packet) return;
  bool *is_owned = &owned[slot_of(of->pool, packet)];
  if (*is_owned) turns_fail("a packet has two owners");
  *is_owned = true;
  packet[0] = packet[1] = core;
  owner[core].packet[owner[core].has++] = packet;
}

static void call_packets(uint32_t core, char letter)
{
  const struct calls *of = calls_kind->of;
  if (letter == 'a') allocate(core);
  if (letter == 'a' || owner[core].has == 0) return;
  uint32_t *packet = owner[core].packet[--owner[core].has];
  if (packet[0] != core || packet[1] != core) turns_fail("written over");
  owned[slot_of(of->pool, packet)] = false;
  enter(core);
  of->free(packet);
  owner[core].calls = 0;
}

static void begin_packets(bool full)
{
  forget(calls_kind->of->pool);
  memset(owner, 0, sizeof owner);
  memset(owned, 0, sizeof owned);
  for (uint32_t core = 0; full && core < CORES; core++) allocate(core);
}

static const char *judge_packets(void)
{
  return judge(calls_kind->of->pool, owner[0].has + owner[1].has);
}

#define SCRIPTS_OF_PACKETS \
  {"aaa", "aaf", "afa", "aff", "faa", "faf", "ffa", "fff"}

const struct kind kind_packets = {"packets",          &packets,
                                  SCRIPTS_OF_PACKETS, call_packets,
                                  begin_packets,      judge_packets};

const struct kind kind_crates = {"crates",           &crates,
                                 SCRIPTS_OF_PACKETS, call_packets,
                                 begin_packets,      judge_packets};

// Jobs: a (n)ew one, known to both; one's (o)wn or the (t)heirs is given back.

static uint32_t job[CORES];          // Handles.
static uint32_t giving[CORES];       // What it is just giving back.
static uint32_t given[ISSUED_MOST];  // What was given back.
static uint32_t issued, given_count;

static bool is_given(uint32_t handle)
{
  for (uint32_t i = 0; i < given_count; i++) {
    if (given[i] == handle) return true;
  }
  return false;
}

static void new_job(uint32_t core)
{
  jobs_handle_t new;
  uint32_t *object = jobs_alloc_handle(&new);
  if (!object) return;
  bool under_way = giving[!core] && !is_given(giving[!core]);
  if (++issued - given_count - under_way > SLOTS) turns_fail("one too many");
  if (jobs_get(new) != object) {
    if (giving[!core] != new.bits) turns_fail("a new handle is stale");
  }
  job[core] = new.bits;
}

static void give_job(uint32_t core, uint32_t whose)
{
  uint32_t bits = job[whose];
  if (!bits) return;
  giving[core] = bits;
  bool done = jobs_free_handle((jobs_handle_t){bits});
  giving[core] = 0;
  if (done && is_given(bits)) turns_fail("it is given back twice");
  if (!done && !is_given(bits) && giving[!core] != bits) {
    turns_fail("it is stale while it lives");
  }
  if (done) given[given_count++] = bits;
}

static void call_jobs(uint32_t core, char letter)
{
  if (letter == 'n') new_job(core);
  if (letter == 'o') give_job(core, core);
  if (letter == 't') give_job(core, !core);
}

static void begin_jobs(bool full)
{
  forget(&jobs_pool);
  memset(job, 0, sizeof job);
  memset(giving, 0, sizeof giving);
  issued = given_count = 0;
  for (uint32_t core = 0; full && core < CORES; core++) new_job(core);
}

static const char *judge_jobs(void)
{
  return judge(&jobs_pool, issued - given_count);
}

const struct kind kind_jobs = {
    "jobs",    NULL,       {"not", "nto", "ont", "otn", "tno", "ton"},
    call_jobs, begin_jobs, judge_jobs};

// Sounds: a (n)ew one, which may be stolen; one's own is (p)inned, (u)npinned.

static uint32_t sound[CORES];  // Handles.
static uint32_t *pinned[CORES];
static uint32_t holder[SLOTS];  // The handle of what lies there.
static uint32_t begun, came;    // Calls for new ones.

// With one pinned or under way the other core always finds another; and may
// steal it before the call that made it is back.
static void new_sound(uint32_t core)
{
  sounds_handle_t new;
  if (pinned[core]) return;
  begun++;
  uint32_t *object = sounds_alloc_handle(&new);
  if (!object) turns_fail("nothing to steal");
  bool lives = sounds_get(new) == object;
  came++;
  sound[core] = new.bits;
  if (!lives) return;
  if (object == pinned[!core]) turns_fail("a pinned sound was stolen");
  holder[slot_of(&sounds_pool, object)] = new.bits;
}

static void pin_sound(uint32_t core)
{
  if (pinned[core] || !sound[core]) return;
  bool lives = holder[0] == sound[core] || holder[1] == sound[core];
  uint32_t *object = sounds_pin_handle((sounds_handle_t){sound[core]});
  lives = lives && begun == came &&
          (holder[0] == sound[core] || holder[1] == sound[core]);
  if (!object && lives) turns_fail("it is stale while it lives");
  if (!object) return;
  pinned[core] = object;
  object[0] = object[1] = core;
}

static void unpin_sound(uint32_t core)
{
  uint32_t *object = pinned[core];
  if (!object) return;
  if (object[0] != core || object[1] != core) turns_fail("written over");
  pinned[core] = NULL;
  if (!sounds_unpin_handle((sounds_handle_t){sound[core]})) {
    turns_fail("a pinned sound is gone");
  }
}

static void call_sounds(uint32_t core, char letter)
{
  if (letter == 'n') new_sound(core);
  if (letter == 'p') pin_sound(core);
  if (letter == 'u') unpin_sound(core);
}

static void begin_sounds(bool full)
{
  forget(&sounds_pool);
  memset(sound, 0, sizeof sound);
  memset(pinned, 0, sizeof pinned);
  memset(holder, 0, sizeof holder);
  begun = came = 0;
  for (uint32_t core = 0; full && core < CORES; core++) new_sound(core);
}

static const char *judge_sounds(void)
{
  return judge(&sounds_pool, came < SLOTS ? came : SLOTS);
}

const struct kind kind_sounds = {
    "sounds",    NULL,         {"nnn", "npu", "pun"},
    call_sounds, begin_sounds, judge_sounds};
