// SPDX-License-Identifier: MIT
// tp_plant_access.c - the mistakes of --plant that only the sanitizer calls by
// their names: accesses to what was given once and is nobody's any more, or not
// yet the application's, each once, as soon as that is so.
#include "allocator/tp_blocks.h"
#include "allocator/tp_frame.h"
#include "allocator/tp_reloc.h"
#include "core/tp_core.h"
#include "core/tp_registry.h"
#include "core/tp_shape.h"
#include "object/tp_dma.h"
#include "tp_soak.h"

#if TIDEPOOL_SANITIZE

enum { BYTES = 8 };

// What was given, by whom.
struct loan {
  const void *allocator;
  uint32_t index;  // In the registry.
  uint32_t slot;   // 0: it is none.
  tp_handle_t handle;
  tp_word_t *words;
};

// Whether there is something to be given, taken then.
typedef bool taker(struct loan *loan, const struct tp_entry *entry);
// Whether what was taken is nobody's now.
typedef bool watcher(const struct loan *loan);
typedef void deed(const struct loan *loan);

static bool is_live(const struct tp_pool *pool, uint32_t slot)
{
  return pool->tag[slot] >= TP_LIVE;
}

static bool take_object(struct loan *loan, const struct tp_entry *entry)
{
  const struct tp_pool *pool = tp_soak_pool(entry);
  if (!pool || tp_entry_capacity(entry) == 0) return false;
  for (uint32_t slot = 1; slot <= pool->state->fresh; slot++) {
    if (!is_live(pool, slot)) continue;
    loan->allocator = pool;
    loan->slot = slot;
    loan->words = tp_slot_words(pool, slot);
    return true;
  }
  return false;
}

// A new one, if there is a slot for it that is nobody's.
static bool take_slot(struct loan *loan, const struct tp_pool *pool)
{
  uint32_t live = 0;
  for (uint32_t slot = 1; slot <= pool->capacity; slot++) {
    live += is_live(pool, slot);
  }
  if (live == pool->capacity) return false;
  loan->allocator = pool;
  loan->words = (tp_word_t *)tp_pool_alloc(pool);
  if (!loan->words) return false;
  loan->slot = (uint32_t)tp_slot_of(pool, loan->words);
  return true;
}

static bool take_new(struct loan *loan, const struct tp_entry *entry)
{
  const struct tp_pool *pool = tp_soak_pool(entry);
  return pool && pool->written && take_slot(loan, pool);
}

// For a device to write to.
static bool take_lent(struct loan *loan, const struct tp_entry *entry)
{
  const struct tp_pool *pool = tp_soak_pool(entry);
  if (!pool || !pool->lent || !take_slot(loan, pool)) return false;
  uint32_t tag = pool->tag[loan->slot];
  pool->lent[loan->slot - 1] = TP_LENT_AS(tag, TP_DMA_RX);
  return true;
}

static bool is_dead(const struct loan *loan)
{
  return !is_live((const struct tp_pool *)loan->allocator, loan->slot);
}

static bool take_of_frame(struct loan *loan, const struct tp_entry *entry)
{
  const struct tp_frame *frame = (const struct tp_frame *)entry->allocator;
  if (entry->kind != &tp_frame_kind) return false;
  loan->allocator = frame;
  loan->words = (tp_word_t *)tp_frame_alloc(frame, BYTES, BYTES);
  return loan->words != NULL;
}

// Its buffer had another turn since, and does not reach there this time.
static bool is_over(const struct loan *loan)
{
  const struct tp_frame *frame = (const struct tp_frame *)loan->allocator;
  uint32_t current = frame->state->current;
  uintptr_t begin = (uintptr_t)frame->region.storage;
  uintptr_t offset = (uintptr_t)loan->words - begin;
  return offset / frame->region.bytes == current &&
         offset % frame->region.bytes >= frame->bump[current].used;
}

// A block, with a hole before it for as long as nobody compacts.
static bool take_block(struct loan *loan, const struct tp_entry *entry)
{
  const struct tp_reloc *reloc = (const struct tp_reloc *)entry->allocator;
  if (entry->kind != &tp_reloc_kind) return false;
  tp_handle_t hole = tp_reloc_alloc(reloc, BYTES);
  loan->allocator = reloc;
  loan->handle = tp_reloc_alloc(reloc, BYTES);
  if (hole) (void)tp_reloc_free(reloc, hole);
  if (!loan->handle) return false;
  loan->words = (tp_word_t *)tp_reloc_lock(reloc, loan->handle);
  (void)tp_reloc_unlock(reloc, loan->handle);
  return true;
}

static bool has_moved(const struct loan *loan)
{
  const struct tp_reloc *reloc = (const struct tp_reloc *)loan->allocator;
  const void *now = tp_reloc_lock(reloc, loan->handle);
  (void)tp_reloc_unlock(reloc, loan->handle);
  return now != loan->words;
}

// One of blocks, smaller than its class by a word.
static bool take_end(struct loan *loan, const struct tp_entry *entry)
{
  const struct tp_blocks *blocks = (const struct tp_blocks *)entry->allocator;
  if (entry->kind != &tp_blocks_kind) return false;
  uint32_t asked = blocks->classes[0].pool->size - 4u;
  tp_word_t *block = (tp_word_t *)tp_blocks_alloc(blocks, asked);
  if (!block) return false;
  loan->words = block + asked / 4;
  return true;
}

static bool take_nothing(struct loan *loan, const struct tp_entry *entry)
{
  (void)entry;
  loan->index = TP_RECORD_NO_POOL;
  return true;
}

static bool at_once(const struct loan *loan)
{
  (void)loan;
  return true;
}

static void read_it(const struct loan *loan)
{
  (void)*(const volatile tp_word_t *)loan->words;
}

static void write_it(const struct loan *loan)
{
  *(volatile tp_word_t *)loan->words = 3;
}

// A member of what NULL points to.
static void read_null(const struct loan *loan)
{
  uintptr_t nowhere = BYTES;
  (void)loan;
  __asm("" : "+r"(nowhere));  // Else compilers know, and trap.
  (void)*(const volatile tp_word_t *)nowhere;
}

static const struct mistake {
  const char *name;
  taker *take;
  watcher *is_gone;
  deed *make;
} mistakes[] = {
    {"read-after-free", take_object, is_dead, read_it},
    {"stale-pointer", take_object, is_dead, write_it},
    {"ended-frame", take_of_frame, is_over, read_it},
    {"unlocked-block", take_block, at_once, write_it},
    {"moved-block", take_block, has_moved, read_it},
    {"block-end", take_end, at_once, write_it},
    {"null-read", take_nothing, at_once, read_null},
    {"unwritten-word", take_new, at_once, read_it},
    {"lent-object", take_lent, at_once, read_it},
};

static const struct mistake *wanted;  // NULL: none, or it was made.
static struct loan loan;
static bool is_taken;
static uint32_t from;

void tp_plant_access_begin(void)
{
  const char *word = tp_soak_argument("plant");
  from = (uint32_t)tp_soak_number("plant_frame", 600);
  for (uint32_t i = 0; word && i < sizeof mistakes / sizeof *mistakes; i++) {
    if (tp_soak_is_word(word, mistakes[i].name)) wanted = &mistakes[i];
  }
}

// From the first that has something to give.
static void take(const struct tp_registry *registry)
{
  for (uint32_t i = 0; i < registry->count && !is_taken; i++) {
    loan = (struct loan){.index = i};
    is_taken = wanted->take(&loan, registry->entries[i]);
  }
}

static void strike(void)
{
  deed *make = wanted->make;
  tp_record_planted(tp_clock_now, loan.index, loan.slot, wanted->name);
  wanted = NULL;
  make(&loan);
}

void tp_plant_access_frame(const struct tp_registry *registry)
{
  uint32_t frame = tp_clock_now - tp_soak_start();
  if (!wanted || frame < from) return;
  if (!is_taken) take(registry);
  if (is_taken && wanted->is_gone(&loan)) strike();
}

#else

void tp_plant_access_begin(void)
{
}

void tp_plant_access_frame(const struct tp_registry *registry)
{
  (void)registry;
}

#endif
