// SPDX-License-Identifier: MIT
#include "tp_soak.h"

#include "policy/tp_spill.h"
#include "tp_port.h"
#include "tp_soak_size.h"

enum { SECOND = 60, SCRUB_SHIFT = 7, CLOCK = 21 };

static struct tp_soak *running;
static struct tp_use uses[TP_SOAK_ALLOCATORS];
static uint32_t shown[TP_SOAK_ALLOCATORS];  // Most that a picture was of.

uint32_t tp_soak_start(void)
{
  return running ? running->clock : 0;
}

// So that the host can count frames from 0.
static void start_clock(struct tp_soak *soak)
{
  bool near_wrap = tp_soak_number("near_wrap", 0) != 0;
  soak->clock = near_wrap ? 0u - soak->frames / 2 : 0;
  tp_clock_now = soak->clock;
  if (!near_wrap) return;
  tp_record_begin(CLOCK, 4);
  tp_record_put32(soak->clock);
  tp_record_end();
}

static void say_hello(const struct tp_soak *soak)
{
  const struct tp_record_hello hello = {
      .registry = soak->registry,
      .board = soak->board,
      .seed = soak->seed,
      .frames = soak->frames,
      .checks = soak->checks,
      .timer = soak->by_timer,
      .hooks = TIDEPOOL_SOAK,
      .timed = soak->timer != NULL,
      .sanitized = TIDEPOOL_SANITIZE,
      .sites = soak->sites,
      .site_count = soak->site_count,
  };
  tp_record_say_hello(&hello);
}

static void refuse_more_than_there_is_room_for(const struct tp_soak *soak)
{
  if (soak->registry->count <= TP_SOAK_ALLOCATORS) return;
  tp_record_audit(0, TP_RECORD_NO_POOL, 0,
                  "more allocators than a soak keeps account of");
  tp_soak_exit(1);
}

TP_STOPPED_AT void tp_soak_begin(struct tp_soak *soak)
{
  running = soak;
  tp_soak_cores_begin();
  soak->seed = tp_soak_number("seed", 1);
  soak->frames = (uint32_t)tp_soak_number("frames", 3600);
  soak->report_every = (uint32_t)tp_soak_number("report_every", SECOND);
  soak->picture_every = (uint32_t)tp_soak_number("picture_every", 0);
  tp_soak_timer_begin(soak);
  say_hello(soak);
  refuse_more_than_there_is_room_for(soak);
  start_clock(soak);
  tp_soak_clock_begin();
  tp_soak_stack_begin();
  tp_soak_guard_begin(soak->registry);
  if (!TIDEPOOL_SOAK) return;
  tp_soak_hooks_begin(soak);
  tp_soak_callers_begin(soak);
  tp_plant_begin(soak);
  tp_plant_lasting_begin(soak);
  if (TIDEPOOL_SANITIZE) tp_plant_access_begin();
  tp_ask_begin(soak);
}

void tp_soak_check_lock(void)
{
  uint32_t key = tp_port_lock();
  tp_port_unlock(0);
  if (key == 0) return;
  tp_record_audit(tp_clock_now, TP_RECORD_NO_POOL, 0,
                  "interrupts are masked: an unlock was lost");
}

static uint64_t number(const char *text)
{
  uint64_t value = 0;
  for (; *text >= '0' && *text <= '9'; text++) {
    value = value * 10 + (uint64_t)(*text - '0');
  }
  return value;
}

uint64_t tp_soak_number(const char *key, uint64_t otherwise)
{
  const char *text = tp_soak_argument(key);
  return text ? number(text) : otherwise;
}

bool tp_soak_is_word(const char *text, const char *word)
{
  while (*word && *text == *word) text++, word++;
  return *word == 0 && (*text == 0 || *text == ' ');
}

uint32_t tp_soak_chance(uint32_t *state)
{
  uint32_t next = *state;
  next ^= next << 13;
  next ^= next >> 17;
  next ^= next << 5;
  return *state = next;
}

const struct tp_pool *tp_soak_pool(const struct tp_entry *entry)
{
  if (entry->kind == &tp_pool_kind) {
    return (const struct tp_pool *)entry->allocator;
  }
  if (entry->kind != &tp_chunk_kind) return NULL;
  return ((const struct tp_chunk *)entry->allocator)->pool;
}

static void verify(uint32_t index)
{
  struct tp_finding finding;
  if (tp_entry_verify(running->registry->entries[index], &finding)) return;
  tp_record_audit(tp_clock_now, index, finding.slot,
                  tp_record_broken(&finding));
}

static void report_use(const struct tp_soak *soak, uint32_t index)
{
  const struct tp_entry *entry = soak->registry->entries[index];
  struct tp_stats stats;
  tp_entry_stats(entry, &stats);
  if (soak->account) soak->account(index, &stats);
  tp_record_use(tp_entry_capacity(entry), &stats, &uses[index]);
  tp_use_restart(&uses[index], stats.live);
}

static struct tp_record_moment moment_of(const struct tp_soak *soak)
{
  return (struct tp_record_moment){
      .frame = soak->frame,
      .hash = soak->hash,
      .interrupts = soak->interrupts,
  };
}

static void verify_all(const struct tp_soak *soak)
{
  for (uint32_t i = 0; i < soak->registry->count; i++) verify(i);
  if (!TIDEPOOL_SOAK) return;
  tp_soak_hooks_verify();
  tp_soak_callers_tell();
}

static void report(const struct tp_soak *soak)
{
  const struct tp_registry *registry = soak->registry;
  struct tp_record_moment moment = moment_of(soak);
  tp_record_sample(&moment, registry->count);
  for (uint32_t i = 0; i < registry->count; i++) report_use(soak, i);
  tp_record_end();
  tp_soak_clock_report();
  tp_soak_stack_report();
  tp_soak_holes_report(registry);
  if (TIDEPOOL_SOAK) tp_soak_hooks_oldest();
  tp_soak_own_report();
}

static uint32_t live_of(const struct tp_soak *soak, uint32_t index)
{
  struct tp_stats stats;
  stats.live = tp_entry_live(soak->registry->entries[index]);
  if (soak->account) soak->account(index, &stats);
  return stats.live;
}

// Whether each link of the ring of ages is answered by the next. A broken one
// would be followed soon, and what follows it found in place of it.
static bool is_in_order(const struct tp_entry *entry)
{
  const struct tp_pool *pool = tp_soak_pool(entry);
  const struct tp_age_link *age = pool ? pool->age : NULL;
  for (uint32_t i = 0, slot = 0; age && i <= pool->capacity; i++) {
    uint32_t newer = age[slot].newer;
    if (newer > pool->capacity || age[newer].older != slot) return false;
    if (newer == 0) return true;
    slot = newer;
  }
  return !age;
}

// Returns whether it holds more than a picture was of. The scrub comes first:
// it compares the descriptor, which all others follow.
static bool look_over(const struct tp_soak *soak, uint32_t index)
{
  const struct tp_entry *entry = soak->registry->entries[index];
  tp_entry_scrub(entry, SCRUB_SHIFT);
  uint32_t live = live_of(soak, index);
  if (!is_in_order(entry)) verify(index);
  tp_use_note(&uses[index], live, tp_entry_capacity(entry));
  return live > shown[index];
}

static void look_over_all(const struct tp_soak *soak)
{
  bool worse = false;
  for (uint32_t i = 0; i < soak->registry->count; i++) {
    worse |= look_over(soak, i);
  }
  if (worse) tp_picture_worst(soak->registry, shown);
  if (soak->picture_every && soak->frame % soak->picture_every == 0) {
    tp_picture_send();
  }
}

void tp_soak_frame(struct tp_soak *soak)
{
  tp_soak_clock_stop();
  tp_soak_cores_stop();
  tp_soak_between = TIDEPOOL_SOAK;
  tp_soak_check_lock();
  tp_soak_timer_await(soak);
  if (TIDEPOOL_SOAK) tp_plant_frame(soak->registry);
  if (TIDEPOOL_SANITIZE) tp_plant_access_frame(soak->registry);
  if (TIDEPOOL_SOAK) tp_ask_frame();
  tp_soak_check_lock();
  look_over_all(soak);
  bool told = (soak->frame + 1) % soak->report_every == 0;
  if (told) verify_all(soak);
  tp_clock_now = soak->clock + ++soak->frame;
  if (told) report(soak);
  tp_soak_clock_go();
  if (TIDEPOOL_SOAK) tp_plant_lasting_frame();
  tp_soak_between = false;
  tp_soak_cores_go();
  tp_soak_timer_start(soak);
}

static void report_of_hooks(void)
{
  tp_soak_hooks_report();
  tp_soak_callers_report();
  tp_ask_report();
}

void tp_soak_end(struct tp_soak *soak)
{
  struct tp_record_moment moment = moment_of(soak);
  tp_soak_cores_stop();
  if (soak->frame % soak->report_every) {
    verify_all(soak);
    report(soak);
  }
  tp_soak_own_end();
  if (TIDEPOOL_SOAK) report_of_hooks();
  tp_record_done(&moment);
  tp_soak_exit(0);
}

// Of the allocator that it is about.
static uint32_t index_of(const struct tp_fault_record *record)
{
  if (!record->name) return TP_RECORD_NO_POOL;
  return tp_registry_find(running->registry, record->name);
}

TP_STOPPED_AT void tp_soak_fault(const struct tp_fault_record *record)
{
  tp_soak_cores_fault();
  if (TIDEPOOL_SOAK) tp_ask_caught(record);
  tp_picture_send();
  uint32_t index = index_of(record);
  tp_record_fault(record, index,
                  index == running->registry->count ? record->name : "");
  tp_soak_own_end();
  if (TIDEPOOL_SOAK) report_of_hooks();
  tp_soak_exit(1);
}
