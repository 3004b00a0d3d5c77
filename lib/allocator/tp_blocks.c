// SPDX-License-Identifier: MIT
#include "allocator/tp_blocks.h"

#include "check/tp_check.h"
#include "core/tp_slot.h"
#include "core/tp_core.h"
#include "object/tp_scene.h"

// What [size] bytes waste in a slot of [pool]; an empty slot wastes nothing.
static uint32_t waste_of(const struct tp_pool *pool, uint32_t size)
{
  return size ? pool->size - size : 0;
}

// Adds [change], which may be negative, modulo 2^32.
static void add(struct tp_blocks_waste *waste, uint32_t change)
{
  waste->now += change;
  if (waste->now > waste->peak) waste->peak = waste->now;
}

// Notes that [size] bytes were asked for of the slot at [block], 0 when it is
// about to be free. Its entry belongs to whoever owns the block, so only the
// sums are locked, and where audits add up the entries, it with them. What it
// said before is taken off the sums: that keeps them right when the block was
// stolen, and when it is freed a second time.
static void note(const struct tp_blocks *blocks,
                 const struct tp_blocks_class *of, const void *block,
                 size_t size)
{
  if (!tp_tag_kept(of->pool)) return;
  uintptr_t slot = tp_slot_of(of->pool, block);
  if (slot > of->pool->capacity) return;
  uint16_t now = (uint16_t)size;
  uint32_t before = of->asked[slot];
  if (!TP_AUDITED) of->asked[slot] = now;
  uint32_t change = waste_of(of->pool, now) - waste_of(of->pool, before);
  uint32_t key = tp_port_lock();
  if (TP_AUDITED) of->asked[slot] = now;
  add(of->waste, change);
  add(blocks->waste, change);
  tp_port_unlock(key);
}

static uint32_t wasted_in(const struct tp_blocks_class *of)
{
  uint32_t wasted = 0;
  for (uint32_t slot = 1; slot <= of->pool->capacity; slot++) {
    wasted += waste_of(of->pool, of->asked[slot]);
  }
  return wasted;
}

// Where each call looks at all: does what was counted add up?
static void audit(const struct tp_blocks *blocks, tp_site_t site)
{
  uint32_t differ = 0, wasted = 0;
  if (!TP_AUDITED) return;
  uint32_t key = tp_port_lock();
  for (uint32_t i = 0; i < blocks->count; i++) {
    uint32_t now = blocks->classes[i].waste->now;
    differ |= now ^ wasted_in(&blocks->classes[i]);
    wasted += now;
  }
  differ |= wasted ^ blocks->waste->now;
  tp_port_unlock(key);
  if (!TP_MISUSE(differ != 0)) return;
  tp_raise_misuse(TP_FAULT_INVARIANT, blocks->name, blocks->waste,
                  TP_BROKEN_OTHER, TP_SOUND, site);
}

// The smallest class of at least [size] bytes; the number of classes iff none.
static uint32_t smallest(const struct tp_blocks *blocks, size_t size)
{
  size_t step = (size - 1) / TP_BLOCK_ALIGN;
  uint32_t index = 0;
  if (step < blocks->sizes) return blocks->by_size[step];
  while (index < blocks->count && blocks->classes[index].pool->size < size) {
    index++;
  }
  return index;
}

// Serves what any request asks for, from any class.
TP_NOINLINE static void *alloc_any(const struct tp_blocks *blocks, size_t size,
                                   tp_site_t site)
{
  uint32_t index = smallest(blocks, size);
  if (TP_MISUSE(size == 0)) {
    tp_raise_misuse(TP_FAULT_SIZE, blocks->name, NULL, 0, 1, site);
  }
  if (TP_MISUSE(index == blocks->count)) {
    tp_raise_misuse(TP_FAULT_LARGE, blocks->name, NULL, (uint32_t)size,
                    blocks->classes[index - 1].pool->size, site);
  }
  if (tp_hook_refuses(blocks->name, site)) return NULL;
  audit(blocks, site);
  // 0 is of who does not live. Only at off nobody has refused it.
  size_t noted = TP_MISUSE(true) ? size : size + (size == 0);
  for (; index < blocks->count; index++) {
    const struct tp_blocks_class *of = &blocks->classes[index];
    void *block = tp_pool_alloc_for(of->pool, NULL, site);
    if (block) {
      note(blocks, of, block, noted);
      return block;
    }
    if (!blocks->bigger) break;
  }
  tp_hook_full(blocks->name, site);
  return NULL;
}

static bool holds(const struct tp_pool *pool, const void *block)
{
  uintptr_t offset = (uintptr_t)block - (uintptr_t)pool->storage;
  return offset < (uint32_t)pool->capacity * pool->stride;
}

// The class whose storage [block] lies in; NULL iff none.
static const struct tp_blocks_class *class_of(const struct tp_blocks *blocks,
                                              const void *block)
{
  for (uint32_t i = 0; i < blocks->count; i++) {
    if (holds(blocks->classes[i].pool, block)) return &blocks->classes[i];
  }
  return NULL;
}

// Takes back whatever is given.
TP_NOINLINE static void free_any(const struct tp_blocks *blocks, void *block,
                                 tp_site_t site)
{
  const struct tp_blocks_class *of = class_of(blocks, block);
  tp_hook_frees(blocks->name, site);
  audit(blocks, site);
  if (of) {
    note(blocks, of, block, 0);
    tp_pool_free_for(of->pool, block, site);
  } else if (TP_MISUSE(true)) {
    tp_raise_misuse(TP_FAULT_FOREIGN, blocks->name, block, 0, 0, site);
  }
}

// The quick ways --------------------------------------------------------------
//
// At fast, of what a table finds: the two calls of a class without a ring, with
// the slot's number in hand. Where anything is not as it mostly is they change
// nothing, and leave it to the two above.

// Issues the block on top of the free list of [pool], and says its [slot]. NULL
// iff it does not.
TP_INLINE tp_word_t *take_top(const struct tp_pool *pool, uint32_t *slot)
{
  uint32_t key = tp_port_lock();
  TP_LOADED(pool->tag, pool->origin);
  uint32_t top = tp_list_top(pool), most = tp_slot_most(pool, true);
  if (tp_list_names(top, most)) {
    tp_word_t *words = tp_list_words(pool, top);
    uint32_t link = words[0];
    if (tp_list_leads(pool, link, most) && tp_tag_issue(pool, top)) {
      pool->tag[0] = link;
      tp_port_unlock(key);
      *slot = top;
      return words;
    }
  }
  tp_port_unlock(key);
  return NULL;
}

// note() for a slot of which nothing was noted: it was free.
TP_INLINE void note_issued(const struct tp_blocks *blocks,
                           const struct tp_blocks_class *of, uint32_t slot,
                           size_t size)
{
  uint32_t wasted = of->pool->size - (uint32_t)size;
  of->asked[slot] = (uint16_t)size;
  if (wasted == 0) return;
  uint32_t key = tp_port_lock();
  add(of->waste, wasted);
  add(blocks->waste, wasted);
  tp_port_unlock(key);
}

// A block of at least [size] bytes; NULL iff none was found so quickly.
TP_INLINE void *alloc_quickly(const struct tp_blocks *blocks, size_t size)
{
  size_t step = (size - 1) / TP_BLOCK_ALIGN;
  uint32_t slot = 0;
  if (step >= blocks->sizes) return NULL;
  const struct tp_blocks_class *of = &blocks->classes[blocks->by_size[step]];
  TP_KEEP(of);
  tp_word_t *words = take_top(of->pool, &slot);
  if (!TP_LIKELY(words != NULL)) return NULL;
  note_issued(blocks, of, slot, size);
  return words;
}

TP_NOINLINE void *tp_blocks_alloc(const struct tp_blocks *blocks, size_t size)
{
  if (TP_COUNTED_AS_IT_LIES) {
    void *block = alloc_quickly(blocks, size);
    if (TP_LIKELY(block != NULL)) return block;
  }
  return alloc_any(blocks, size, tp_site(NULL));
}

// Takes back [slot], whose bytes are [words], and what was wasted of it off the
// sums. False iff it is not live: nothing changed.
TP_INLINE bool give_back(const struct tp_blocks *blocks,
                         const struct tp_blocks_class *of,
                         const struct tp_pool *pool, tp_word_t *words,
                         uintptr_t slot)
{
  uint16_t *asked = of->asked + slot;
  uint32_t key = tp_port_lock();
  if (!tp_tag_retire(pool, (uint32_t)slot)) {
    tp_port_unlock(key);
    return false;
  }
  uint32_t wasted = waste_of(pool, *asked);
  *asked = 0;
  if (wasted != 0) {
    of->waste->now -= wasted;
    blocks->waste->now -= wasted;
  }
  tp_list_put(pool, words, slot);
  tp_port_unlock(key);
  return true;
}

// False iff [block] was not found so quickly, or is not live.
TP_INLINE bool free_quickly(const struct tp_blocks *blocks, void *block)
{
  uintptr_t offset = (uintptr_t)block - (uintptr_t)blocks->begin;
  uintptr_t page = offset >> blocks->shift;
  if (page >= blocks->pages) return false;
  const struct tp_blocks_class *of = &blocks->classes[blocks->by_page[page]];
  TP_KEEP(of);
  const struct tp_pool *pool = of->pool;
  uintptr_t slot = tp_slot_of(pool, block);
  if (!TP_LIKELY(slot - 1 < tp_slot_most(pool, true))) return false;
  return give_back(blocks, of, pool, (tp_word_t *)block, slot);
}

TP_NOINLINE void tp_blocks_free(const struct tp_blocks *blocks, void *block)
{
  if (TP_COUNTED_AS_IT_LIES) {
    if (TP_LIKELY(free_quickly(blocks, block))) return;
  }
  free_any(blocks, block, tp_site(NULL));
}

bool tp_blocks_stats(const struct tp_blocks *blocks, uint32_t index,
                     struct tp_stats *stats)
{
  if (index >= blocks->count) return false;
  tp_pool_stats(blocks->classes[index].pool, stats);
  return true;
}

// Is the waste that a class counted the sum over its slots?
static bool adds_up(const struct tp_blocks_class *of)
{
  if (!tp_tag_kept(of->pool)) return true;
  for (uint32_t slot = 1; slot <= of->pool->capacity; slot++) {
    bool live = of->pool->tag[slot] >= TP_LIVE;
    if (live != (of->asked[slot] != 0)) return false;
  }
  return wasted_in(of) == of->waste->now;
}

bool tp_blocks_verify(const struct tp_blocks *blocks)
{
  uint32_t wasted = 0, below = 0;
  for (uint32_t i = 0; i < blocks->count; i++) {
    const struct tp_blocks_class *of = &blocks->classes[i];
    if (of->pool->size <= below || !adds_up(of)) return false;
    if (!tp_pool_verify(of->pool, NULL)) return false;
    below = of->pool->size;
    wasted += of->waste->now;
  }
  return wasted == blocks->waste->now;
}

static void free_block(const struct tp_scene_part *part, void *block,
                       tp_site_t site)
{
  free_any((const struct tp_blocks *)part->beside, block, site);
}

void tp_blocks_end_scene(const struct tp_scene_part *part, tp_site_t site)
{
  tp_scene_end_for(part, site, free_block);
}
