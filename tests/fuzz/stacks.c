// SPDX-License-Identifier: MIT
// A stack or a double-ended one: where each object lies, what a mark gives
// back, which block may be freed.
#include <string.h>

#include "allocator/tp_dstack.h"
#include "allocator/tp_stack.h"
#include "core/tp_registry.h"
#include "fuzz.h"

enum { ITEMS = 40, MARKS = 12, FRONT = 16 };

// An object, or a block that is freed without a mark.
struct item {
  uint8_t *memory;
  uint32_t bytes, number;
  bool is_block, is_filled;
  uint32_t before;  // How full the end was,
  uint32_t newest;  // and its newest mark.
};

// A mark and what lies below it. Of those that were made, [serial] counts from
// 1; one that may still be released is on the list.
struct marked {
  struct tp_mark mark;
  uint32_t used, items, serial;
};

struct end {
  struct item items[ITEMS];
  struct marked marks[MARKS];
  uint32_t count, mark_count, serial;
  uint32_t used, peak, refused;
  struct tp_mark released;  // Some that may be no more.
  uint32_t released_used;
  uint8_t *freed;        // The block that was freed last,
  uint32_t freed_bytes;  // and what it took.
};

static struct {
  struct tp_stack stack;
  struct tp_dstack dstack;
  bool is_double;
  uint8_t *base;
  uint32_t bytes;
  struct end ends[2];
  uint32_t numbers;
} now;

static uint32_t newest_of(const struct end *end)
{
  return end->mark_count ? end->marks[end->mark_count - 1].serial : 0;
}

// The library's calls, of either ----------------------------------------------

static void *ask(enum tp_end end, size_t size, size_t align, bool block)
{
  if (!now.is_double) {
    return block ? tp_stack_alloc_block(&now.stack, size, align)
                 : tp_stack_alloc(&now.stack, size, align);
  }
  return block ? tp_dstack_alloc_block(&now.dstack, end, size, align)
               : tp_dstack_alloc(&now.dstack, end, size, align);
}

static void give(enum tp_end end, void *block)
{
  if (now.is_double) {
    tp_dstack_free(&now.dstack, end, block);
  } else {
    tp_stack_free(&now.stack, block);
  }
}

static struct tp_mark mark_at(enum tp_end end)
{
  return now.is_double ? tp_dstack_mark(&now.dstack, end)
                       : tp_stack_mark(&now.stack);
}

static void go_back(enum tp_end end, struct tp_mark mark)
{
  if (now.is_double) {
    tp_dstack_release(&now.dstack, end, mark);
  } else {
    tp_stack_release(&now.stack, mark);
  }
}

// What must hold after each call ----------------------------------------------

static bool is_sound(void)
{
  struct tp_finding finding;
  return now.is_double ? tp_dstack_kind.verify(&now.dstack, &finding)
                       : tp_stack_kind.verify(&now.stack, &finding);
}

static void check_end(enum tp_end which)
{
  const struct end *end = &now.ends[which];
  struct tp_stats stats;
  for (uint32_t i = 0; i < end->count; i++) {
    const struct item *item = &end->items[i];
    if (!item->is_filled) continue;
    EXPECT(tp_is_filled(item->memory, item->bytes, item->number));
  }
  if (now.is_double) {
    tp_dstack_stats(&now.dstack, which, &stats);
  } else {
    tp_stack_stats(&now.stack, &stats);
  }
  EXPECT(stats.live == end->used && stats.peak == end->peak);
  EXPECT(stats.refused == end->refused);
}

// Between the two ends is nothing but poison, from [from] to [to].
static void check_dead(uint32_t from, uint32_t to)
{
  uint32_t low = now.ends[TP_LOW].used;
  uint32_t high = now.bytes - now.ends[TP_HIGH].used;
  from = from < low ? low : from;
  to = to > high ? high : to;
  for (; TP_CHECKS >= TP_CHECKS_POISON && from < to; from += 4) {
    EXPECT(*(const tp_word_t *)(now.base + from) == TP_POISON);
  }
}

static void check_all(void)
{
  uint32_t used = now.ends[TP_LOW].used + now.ends[TP_HIGH].used;
  check_end(TP_LOW);
  EXPECT(is_sound());
  check_dead(now.ends[TP_LOW].used, now.ends[TP_LOW].peak);
  if (!now.is_double) return;
  check_dead(now.bytes - now.ends[TP_HIGH].peak,
             now.bytes - now.ends[TP_HIGH].used);
  check_end(TP_HIGH);
  EXPECT(tp_dstack_room(&now.dstack) == now.bytes - used);
}

// Calls -----------------------------------------------------------------------

// Where [bytes] at a multiple of [align] lie at an end; NULL if they do not
// fit.
static uint8_t *place_of(enum tp_end which, size_t bytes, size_t align)
{
  const struct end *low = &now.ends[TP_LOW], *high = &now.ends[TP_HIGH];
  uintptr_t from = (uintptr_t)now.base + low->used;
  uintptr_t to = (uintptr_t)now.base + now.bytes - high->used;
  uintptr_t rounded = (bytes + 3) / 4 * 4;
  if (rounded < bytes || rounded > to - from) return NULL;
  if (which == TP_LOW) {
    from = (from + align - 1) / align * align;
    return to < from || to - from < rounded ? NULL : (uint8_t *)from;
  }
  uintptr_t at = (to - rounded) / align * align;
  return at < from ? NULL : (uint8_t *)at;
}

static void take(enum tp_end which, uint8_t *place, uint32_t bytes)
{
  struct end *end = &now.ends[which];
  uint32_t offset = (uint32_t)(place - now.base);
  end->used =
      which == TP_LOW ? offset + (bytes + 3) / 4 * 4 : now.bytes - offset;
  if (end->peak < end->used) end->peak = end->used;
}

static void refused(enum tp_end which, size_t bytes, const void *object)
{
  bool large = bytes > now.bytes;
  bool asserts = now.stack.region.full == TP_FULL_ASSERT;
  if (TP_CHECKS > 0 && large) {
    EXPECT(fuzz_fault == TP_FAULT_LARGE);
    return;
  }
  now.ends[which].refused++;
  if (asserts) {
    EXPECT(fuzz_fault == TP_FAULT_FULL);
  } else {
    EXPECT(fuzz_fault == 0 && object == NULL);
  }
}

static enum tp_end any_end(void)
{
  return now.is_double && fuzz_below(2) ? TP_HIGH : TP_LOW;
}

// Seldom so much that sizes wrap.
static size_t any_size(void)
{
  size_t bytes = 1 + fuzz_below(40);
  uint32_t rare = fuzz_below(32);
  if (rare == 0) return SIZE_MAX - bytes + 1;
  if (rare == 1) return UINT32_MAX - bytes + 1;
  return rare == 2 ? bytes * 8 : bytes;
}

static void alloc_at(enum tp_end which, size_t size, size_t align, bool block)
{
  struct end *end = &now.ends[which];
  size_t front = !block ? 0 : align > FRONT ? align : FRONT;
  size_t all = size + front < size ? SIZE_MAX : size + front;
  void *object = NULL;
  if (end->count == ITEMS) return;
  uint8_t *place = place_of(which, all, align);
  CALL(object = ask(which, size, align, block));
  if (!place) {
    refused(which, all, object);
    return;
  }
  EXPECT(fuzz_fault == 0 && object == place + front);
  EXPECT(fuzz_is_new(object, (uint32_t)size));
  struct item item = {.memory = object,
                      .bytes = (uint32_t)size / 4 * 4,
                      .number = ++now.numbers,
                      .is_block = block,
                      .is_filled = fuzz_below(4) > 0,
                      .before = end->used,
                      .newest = newest_of(end)};
  if (item.is_filled) tp_fill(object, item.bytes, item.number);
  take(which, place, (uint32_t)all);
  end->items[end->count++] = item;
}

static void alloc(void)
{
  enum tp_end which = any_end();
  size_t size = any_size();
  size_t align = (size_t)1 << fuzz_below(7);
  alloc_at(which, size, align, fuzz_below(2));
}

// Who comes next gets the bytes of the block that was freed last.
static void alloc_freed(void)
{
  enum tp_end which = any_end();
  if (now.ends[which].freed) {
    alloc_at(which, now.ends[which].freed_bytes, 4, false);
  }
}

static bool may_free(const struct end *end)
{
  if (end->count == 0) return false;
  const struct item *last = &end->items[end->count - 1];
  return last->is_block && last->newest == newest_of(end);
}

static void free_block(void)
{
  enum tp_end which = any_end();
  struct end *end = &now.ends[which];
  if (!may_free(end)) return;
  end->freed_bytes = end->used - end->items[--end->count].before;
  end->used = end->items[end->count].before;
  end->freed = end->items[end->count].memory;
  GOOD(give(which, end->freed));
}

static void mark(void)
{
  enum tp_end which = any_end();
  struct end *end = &now.ends[which];
  if (end->mark_count == MARKS) return;
  struct marked *made = &end->marks[end->mark_count++];
  *made = (struct marked){
      .used = end->used, .items = end->count, .serial = ++end->serial};
  GOOD(made->mark = mark_at(which));
}

static void release(void)
{
  enum tp_end which = any_end();
  struct end *end = &now.ends[which];
  if (end->mark_count == 0) return;
  const struct marked *made = &end->marks[--end->mark_count];
  end->used = made->used;
  end->count = made->items;
  end->released = made->mark;
  end->released_used = made->used;
  GOOD(go_back(which, made->mark));
}

// What a block of code allocates ends where the block does.
static void enter_and_leave(void)
{
  struct end before = now.ends[TP_LOW];
  if (now.is_double) return;
  {
    TP_STACK_SCOPE scope = {&now.stack, tp_stack_mark(&now.stack)};
    now.ends[TP_LOW].serial++;
    for (uint32_t i = fuzz_below(3); i > 0; i--) {
      alloc_at(TP_LOW, any_size(), 4, false);
      check_all();
    }
  }
  before.serial = now.ends[TP_LOW].serial;
  before.peak = now.ends[TP_LOW].peak;
  before.refused = now.ends[TP_LOW].refused;
  now.ends[TP_LOW] = before;
}

static void reset(void)
{
  enum tp_end which = any_end();
  struct end *end = &now.ends[which];
  if (fuzz_below(4)) return;
  end->count = end->mark_count = end->used = 0;
  if (now.is_double) {
    GOOD(tp_dstack_reset(&now.dstack, which));
  } else {
    GOOD(tp_stack_reset(&now.stack));
  }
}

// Wrong calls -----------------------------------------------------------------

static void ask_wrongly(void)
{
  enum tp_end which = any_end();
  bool block = fuzz_below(2);
  void *object = NULL;
  WRONG(TP_FAULT_SIZE, object = ask(which, 0, 4, block));
  WRONG(TP_FAULT_SIZE, object = ask(which, 8, 0, block));
  WRONG(TP_FAULT_SIZE, object = ask(which, 8, 3, block));
  EXPECT(object == NULL);
  if (!now.is_double) return;
  WRONG(TP_FAULT_SIZE, object = ask((enum tp_end)2, 8, 8, block));
  WRONG(TP_FAULT_SIZE, mark_at((enum tp_end)3));
}

// One that is not the newest, was released, or is of the other end.
static void release_wrongly(void)
{
  enum tp_end which = any_end();
  struct end *end = &now.ends[which];
  const struct end *other = &now.ends[1 - which];
  uint32_t kind = fuzz_below(3);
  if (kind == 0 && end->mark_count > 1) {
    const struct marked *older = &end->marks[fuzz_below(end->mark_count - 1)];
    WRONG(TP_FAULT_ORDER, go_back(which, older->mark));
  } else if (kind == 1 && end->released.owner) {
    bool above = end->released_used > end->used;
    WRONG(above ? TP_FAULT_MARK : TP_FAULT_ORDER,
          go_back(which, end->released));
  } else if (kind == 2 && other->mark_count > 0) {
    WRONG(TP_FAULT_MARK, go_back(which, other->marks[0].mark));
  }
}

// Of what is no block that could be freed now.
static uint32_t fault_of_free(enum tp_end which, const uint8_t *memory)
{
  uint32_t used = now.ends[which].used;
  uint8_t *bottom = which == TP_LOW ? now.base : now.base + now.bytes - used;
  bool inside = memory >= bottom + FRONT && memory < bottom + used;
  bool foreign = !inside || (uintptr_t)memory % 4;
  return foreign ? TP_FAULT_FOREIGN : TP_FAULT_ORDER;
}

static void free_wrongly(void)
{
  static tp_word_t elsewhere[8];
  enum tp_end which = any_end();
  struct end *end = &now.ends[which];
  const struct end *other = &now.ends[1 - which];
  WRONG(TP_FAULT_FOREIGN, give(which, NULL));
  WRONG(TP_FAULT_FOREIGN, give(which, elsewhere + 4));
  if (other->count > 0) {
    void *theirs = other->items[fuzz_below(other->count)].memory;
    WRONG(TP_FAULT_FOREIGN, give(which, theirs));
  }
  if (end->count == 0) return;
  uint32_t index = fuzz_below(end->count);
  const struct item *item = &end->items[index];
  if (index == end->count - 1 && may_free(end)) return;
  uint8_t *bottom =
      which == TP_LOW ? now.base : now.base + now.bytes - end->used;
  bool foreign = item->memory - bottom < FRONT || (uintptr_t)item->memory % 4;
  WRONG(foreign ? TP_FAULT_FOREIGN : TP_FAULT_ORDER, give(which, item->memory));
}

// Whoever has its bytes now: unless that is a block that begins there.
static void free_twice(void)
{
  enum tp_end which = any_end();
  const struct end *end = &now.ends[which];
  if (!end->freed) return;
  for (uint32_t i = 0; i < end->count; i++) {
    const struct item *item = &end->items[i];
    if (item->is_block && item->memory == end->freed) return;
  }
  WRONG(fault_of_free(which, end->freed), give(which, end->freed));
}

static void call_wrongly(void)
{
  static void (*const calls[])(void) = {ask_wrongly, release_wrongly,
                                        free_wrongly, free_twice};
  uint32_t which = fuzz_below(4);
  if (TP_CHECKS > 0) calls[which]();
}

// A write above the top of the low end ends it all: the next that gets the
// memory sees it.
static bool write_above(void)
{
  struct end *end = &now.ends[TP_LOW];
  uint32_t limit = now.bytes - now.ends[TP_HIGH].used;
  uint32_t peak = end->peak < limit ? end->peak : limit;
  if (fuzz_below(32) > 0 || TP_CHECKS < TP_CHECKS_POISON) return false;
  if (end->used + 4 > peak) return false;
  tp_word_t *word = (tp_word_t *)(now.base + end->used);
  *word ^= 1u << fuzz_below(32);
  CALL(ask(TP_LOW, 4, 4, false));
  EXPECT(fuzz_fault == TP_FAULT_POISON);
  EXPECT(tp_fault_record.address == word);
  return true;
}

static void begin(void)
{
  memset(&now, 0, sizeof now);
  now.is_double = fuzz_below(2);
  now.bytes = 8 * (1 + fuzz_below(40));
  uint32_t before = 4 * fuzz_below(16);
  now.base = fuzz_memory(before + now.bytes, (uint8_t)fuzz_below(256));
  now.base += before;
  now.stack = (struct tp_stack){
      {.storage = (tp_word_t *)now.base, .name = "stack", .bytes = now.bytes},
      fuzz_memory(sizeof *now.stack.state, 0)};
  now.stack.region.full = (uint8_t)fuzz_below(2);
  now.dstack = (struct tp_dstack){now.stack.region,
                                  fuzz_memory(sizeof *now.dstack.state, 0)};
}

static void (*const calls[])(void) = {
    alloc,       alloc,      alloc,        alloc,
    free_block,  mark,       release,      reset,
    mark,        alloc,      release,      alloc_freed,
    alloc_freed, free_block, call_wrongly, enter_and_leave};
enum { CALLS = sizeof calls / sizeof calls[0] };

const struct world fuzz_stacks = {
    .name = "stacks",
    .begin = begin,
    .calls = calls,
    .count = CALLS,
    .end_in = CALLS + 1,
    .end = write_above,
    .check = check_all,
};
