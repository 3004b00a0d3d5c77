// SPDX-License-Identifier: MIT
#include "tp_record.h"

#include "tp_port.h"

enum { HELLO = 1, SAMPLE = 2, FAULT = 3, DONE = 4, AUDIT = 6, PLANTED = 7 };
enum { PLACE = 15, PLACE_BYTES = 24, OLDEST = 19, OLDEST_BYTES = 24 };
enum { HELLO_BYTES = 29, ENTRY_BYTES = 16, MOMENT_BYTES = 16 };
enum { COUNTED_MOST = 255 };
enum {
  USAGE_BYTES = 44,
  FAULT_BYTES = 28,
  VERSION = 3,
  FRAMES_PER_SECOND = 60
};

static uint32_t sum1, sum2;

void tp_record_put8(uint32_t value)
{
  sum1 += value & 255;
  if (sum1 >= 255) sum1 -= 255;
  sum2 += sum1;
  if (sum2 >= 255) sum2 -= 255;
  tp_soak_put((uint8_t)value);
}

void tp_record_put16(uint32_t value)
{
  tp_record_put8(value);
  tp_record_put8(value >> 8);
}

void tp_record_put32(uint32_t value)
{
  tp_record_put16(value);
  tp_record_put16(value >> 16);
}

static void put64(uint64_t value)
{
  tp_record_put32((uint32_t)value);
  tp_record_put32((uint32_t)(value >> 32));
}

// A loop that no compiler takes for strlen().
uint32_t tp_record_length(const char *text)
{
  const char *at = text;
  while (*at) {
    at++;
    TP_KEEP(at);
  }
  return (uint32_t)(at - text);
}

void tp_record_put_text(const char *text)
{
  while (*text) tp_record_put8((uint8_t)*text++);
}

void tp_record_begin(uint32_t type, uint32_t length)
{
  tp_soak_cores_write(true);
  tp_soak_put(0xb7);
  sum1 = sum2 = 0;
  tp_record_put8(type);
  tp_record_put16(length);
}

void tp_record_end(void)
{
  tp_soak_put((uint8_t)sum1);
  tp_soak_put((uint8_t)sum2);
  tp_soak_cores_write(false);
}

static const char *text_of(const char *text)
{
  return text ? text : "";
}

// Of what is counted by a byte; what is longer is cut.
static uint32_t counted(const char *text)
{
  uint32_t length = tp_record_length(text);
  return length < COUNTED_MOST ? length : COUNTED_MOST;
}

static uint32_t entry_length(const struct tp_entry *entry)
{
  return ENTRY_BYTES + counted(entry->name) + counted(entry->kind->name) +
         counted(entry->kind->unit) + counted(entry->policy) +
         counted(text_of(entry->bank));
}

static void put_counted(const char *text)
{
  uint32_t length = counted(text);
  tp_record_put8(length);
  for (uint32_t i = 0; i < length; i++) tp_record_put8((uint8_t)text[i]);
}

static void put_entry(const struct tp_entry *entry)
{
  tp_record_put32(entry->most);
  tp_record_put32(entry->bytes);
  tp_record_put16(entry->stride);
  tp_record_put8(entry->spare);
  put_counted(entry->name);
  put_counted(entry->kind->name);
  put_counted(entry->kind->unit);
  put_counted(entry->policy);
  put_counted(text_of(entry->bank));
}

static void put_sites(const struct tp_record_hello *hello)
{
  tp_record_put8(hello->site_count);
  for (uint32_t i = 0; i < hello->site_count; i++) {
    put_counted(hello->sites[i].name);
  }
}

void tp_record_say_hello(const struct tp_record_hello *hello)
{
  const struct tp_registry *registry = hello->registry;
  uint32_t length = HELLO_BYTES + counted(hello->board);
  for (uint32_t i = 0; i < registry->count; i++) {
    length += entry_length(registry->entries[i]);
  }
  for (uint32_t i = 0; i < hello->site_count; i++) {
    length += 1 + counted(hello->sites[i].name);
  }
  tp_record_begin(HELLO, length);
  tp_record_put32(VERSION);
  tp_record_put32(registry->config);
  put64(hello->seed);
  tp_record_put32(hello->frames);
  tp_record_put32(FRAMES_PER_SECOND);
  tp_record_put8(hello->checks);
  tp_record_put8(hello->timer + 2u * hello->hooks + 4u * hello->timed +
                 8u * hello->sanitized);
  tp_record_put8(registry->count);
  put_counted(hello->board);
  for (uint32_t i = 0; i < registry->count; i++) {
    put_entry(registry->entries[i]);
  }
  put_sites(hello);
  tp_record_end();
}

static void put_moment(const struct tp_record_moment *moment)
{
  tp_record_put32(moment->frame);
  put64(moment->hash);
  tp_record_put32(moment->interrupts);
}

TP_STOPPED_AT void tp_record_sample(const struct tp_record_moment *moment,
                                    uint32_t count)
{
  tp_record_begin(SAMPLE, MOMENT_BYTES + count * USAGE_BYTES);
  put_moment(moment);
}

void tp_record_use(uint32_t capacity, const struct tp_stats *stats,
                   const struct tp_use *use)
{
  tp_record_put32(capacity);
  tp_record_put32(stats->live);
  tp_record_put32(stats->peak);
  tp_record_put32(use->low);
  tp_record_put32(use->high);
  tp_record_put32(stats->allocs);
  tp_record_put32(stats->frees);
  tp_record_put32(stats->steals);
  tp_record_put32(stats->refused);
  tp_record_put32(stats->spills);
  tp_record_put32(use->full_frames);
}

const char *tp_record_broken(const struct tp_finding *finding)
{
  static const char *const texts[] = {
      [TP_BROKEN_FRESH] = "more slots issued than there are",
      [TP_BROKEN_LIST] = "the free list is broken",
      [TP_BROKEN_LINK] = "a link was written over",
      [TP_BROKEN_LIVE] = "the live count is wrong",
      [TP_BROKEN_LENGTH] = "the free list has the wrong length",
      [TP_BROKEN_AGE] = "the age ring is broken",
      [TP_BROKEN_POISON] = "a dead slot was written to",
      [TP_BROKEN_ZONE] = "a red zone was written to",
      [TP_BROKEN_OTHER] = "its metadata or its free memory is broken",
      [TP_BROKEN_TAG] = "a generation was written over",
  };
  return texts[finding->broken];
}

// Of what was freed wrongly, that which the application gave.
static uintptr_t address_of(const struct tp_fault_record *record)
{
  const struct tp_pool *pool = record->pool;
  uintptr_t address = (uintptr_t)record->address;
  bool given =
      record->kind >= TP_FAULT_FOREIGN && record->kind <= TP_FAULT_DOUBLE_FREE;
  if (!pool || !given) return address;
  return address - tp_record_lead(pool);
}

void tp_record_fault(const struct tp_fault_record *record, uint32_t index,
                     const char *opened)
{
  tp_record_begin(FAULT, FAULT_BYTES + tp_record_length(opened));
  tp_record_put32(record->frame);
  tp_record_put8(record->kind);
  tp_record_put8(index);
  tp_record_put16(record->slot);
  tp_record_put32((uint32_t)address_of(record));
  tp_record_put32(record->offset);
  tp_record_put32(record->expected);
  tp_record_put32(record->found);
  tp_record_put32((uint32_t)(uintptr_t)record->caller);
  tp_record_put_text(opened);
  tp_record_end();
}

void tp_record_finding(uint32_t type, uint32_t frame, uint32_t index,
                       uint32_t slot, const char *text)
{
  tp_record_begin(type, 8 + tp_record_length(text));
  tp_record_put32(frame);
  tp_record_put8(index);
  tp_record_put8(0);
  tp_record_put16(slot <= UINT16_MAX ? slot : 0);  // No pool has such a one.
  tp_record_put_text(text);
  tp_record_end();
}

TP_STOPPED_AT void tp_record_audit(uint32_t frame, uint32_t index,
                                   uint32_t slot, const char *text)
{
  tp_record_finding(AUDIT, frame, index, slot, text);
}

void tp_record_planted(uint32_t frame, uint32_t index, uint32_t slot,
                       const char *name)
{
  tp_record_finding(PLANTED, frame, index, slot, name);
}

void tp_record_tell_place(const struct tp_record_place *place)
{
  tp_record_begin(PLACE, PLACE_BYTES);
  tp_record_put32(place->index);
  tp_record_put32((uint32_t)(uintptr_t)place->site);
  tp_record_put32(place->requests);
  tp_record_put32(place->on_purpose);
  tp_record_put32(place->refused);
  tp_record_put32(place->held);
  tp_record_end();
}

void tp_record_tell_oldest(const struct tp_record_oldest *oldest)
{
  tp_record_begin(OLDEST, OLDEST_BYTES);
  tp_record_put32(tp_clock_now);
  tp_record_put32(oldest->index);
  tp_record_put32(oldest->life);
  tp_record_put32(oldest->slot);
  tp_record_put32(oldest->age);
  tp_record_put32((uint32_t)(uintptr_t)oldest->site);
  tp_record_end();
}

void tp_record_done(const struct tp_record_moment *moment)
{
  tp_record_begin(DONE, MOMENT_BYTES);
  put_moment(moment);
  tp_record_end();
}
