// SPDX-License-Identifier: MIT
// victims.c - an interrupt steals the very object the thread is busy with.
//
// What tidepool.h promises the thread, and what it must do for it: here are
// the patterns, each swept, and beside them what goes wrong without.
#include "model.h"
#include "object/tp_object.h"
#include "tp_port.h"
#include "tp_test.h"

static struct item copied;

static bool mine_is_stolen(void)
{
  return subject->get(holdings[MINE].handle) == NULL;
}

static void aim(struct armed_call *call, void *function)
{
  call->function = function;
  call->arguments[0] = (uintptr_t)holdings[MINE].handle;
}

// A handle that resolved before the theft is one that does not after.
static void aim_get(struct armed_call *call)
{
  aim(call, (void *)keyed.get);
}

static void settle_get(const struct armed_call *call)
{
  const struct item *item = (const struct item *)call->results[0];
  if (item && item != holdings[MINE].item) complain("a handle went astray");
  if (!mine_is_stolen()) complain("the victim's handle still resolves");
}

// Reading: copy, and trust the copy iff the handle resolves afterwards too.
static bool read_item(tp_handle_t handle)
{
  const struct item *item = keyed_get((keyed_handle_t){handle});
  if (!item) return false;
  copied = *item;
  return keyed_get((keyed_handle_t){handle}) != NULL;
}

static void aim_read(struct armed_call *call)
{
  aim(call, (void *)read_item);
}

static void settle_read(const struct armed_call *call)
{
  if (!mine_is_stolen()) complain("the victim's handle still resolves");
  if (!call->results[0]) return;
  for (uint32_t i = 0; i < ITEM_WORDS; i++) {
    if (copied.words[i] == holdings[MINE].stamp) continue;
    complain("a copy that was trusted is not the victim's");
  }
}

// The same for a word that goes nowhere in between: a compiler that sees
// through the calls, as with LTO, must still make both.
static uint32_t read_word(tp_handle_t handle)
{
  const struct item *item = keyed_get((keyed_handle_t){handle});
  uint32_t word = item ? item->words[0] : 0;
  return keyed_get((keyed_handle_t){handle}) ? word : 0;
}

static void aim_read_word(struct armed_call *call)
{
  aim(call, (void *)read_word);
}

static void settle_read_word(const struct armed_call *call)
{
  uint32_t word = (uint32_t)call->results[0];
  if (!mine_is_stolen()) complain("the victim's handle still resolves");
  if (!word || word == holdings[MINE].stamp) return;
  complain("a word that was trusted is not the victim's");
}

// Without asking again.
static bool read_rashly(tp_handle_t handle)
{
  const struct item *item = keyed_get((keyed_handle_t){handle});
  if (!item) return false;
  copied = *item;
  return true;
}

static void aim_rash_read(struct armed_call *call)
{
  aim(call, (void *)read_rashly);
}

static bool add_one(tp_handle_t handle)
{
  struct item *item = keyed_get((keyed_handle_t){handle});
  if (!item) return false;
  for (uint32_t i = 0; i < ITEM_WORDS; i++) item->words[i]++;
  return true;
}

// Writing: resolve and write with interrupts masked.
static bool write_item(tp_handle_t handle)
{
  uint32_t key = tp_port_lock();
  bool written = add_one(handle);
  tp_port_unlock(key);
  return written;
}

static void aim_write(struct armed_call *call)
{
  aim(call, (void *)write_item);
}

static void aim_rash_write(struct armed_call *call)
{
  aim(call, (void *)add_one);
}

// Or pin it first: then nobody steals it until it is written.
static bool write_pinned(tp_handle_t handle)
{
  if (!keyed_pin_handle((keyed_handle_t){handle})) return false;
  add_one(handle);
  for (uint32_t i = 0; i < ITEM_WORDS; i++) holdings[MINE].item->words[i]--;
  return keyed_unpin_handle((keyed_handle_t){handle});
}

static void aim_pinned_write(struct armed_call *call)
{
  aim(call, (void *)write_pinned);
}

// Pinned in time, it is the newest now and another was stolen; else it was.
static void settle_pinned_write(const struct armed_call *call)
{
  bool written = call->results[0];
  if (written == mine_is_stolen()) complain("a pin did not hold");
  if (written) model_renew(MINE);
}

// That the thief's object is whole, model_close() sees.
static void settle_write(const struct armed_call *call)
{
  (void)call;
  if (!mine_is_stolen()) complain("the victim's handle still resolves");
}

// Giving back: either it was in time, or the thief keeps the object.
static void aim_free(struct armed_call *call)
{
  aim(call, (void *)keyed.free_handle);
}

static void settle_free(const struct armed_call *call)
{
  if (call->results[0]) model_return(MINE);
}

// The same of an object with a hook, which is told of the victim alone.
static uint32_t told;

static void tell(void *object)
{
  const struct item *item = (const struct item *)object;
  told++;
  if (item->words[0] != holdings[MINE].stamp) complain("another was told");
}

static const struct tp_objects hooked = {.pool = &keyed_pool, .deinit = tell};

static bool destroy(tp_handle_t handle)
{
  return tp_object_free_handle(&hooked, handle);
}

static void aim_destroy(struct armed_call *call)
{
  told = 0;
  aim(call, (void *)destroy);
}

static void settle_destroy(const struct armed_call *call)
{
  if (told != call->results[0]) complain("not told once of what ended");
  settle_free(call);
}

static const struct operation safe[] = {
    {"get_of_a_victim", DOOMED, aim_get, settle_get},
    {"read_of_a_victim", DOOMED, aim_read, settle_read},
    {"read_of_a_word_of_a_victim", DOOMED, aim_read_word, settle_read_word},
    {"masked_write_to_a_victim", DOOMED, aim_write, settle_write},
    {"pinned_write_to_a_victim", DOOMED, aim_pinned_write, settle_pinned_write},
    {"free_of_a_victim", DOOMED, aim_free, settle_free},
    {"destroy_of_a_victim", DOOMED, aim_destroy, settle_destroy},
};

static const struct operation rash[] = {
    {"rash_read_of_a_victim", DOOMED, aim_rash_read, settle_read},
    {"rash_write_to_a_victim", DOOMED, aim_rash_write, settle_write},
};

static void a_victim_read_without_asking_again_may_be_the_thief_s(void)
{
  uint32_t broken = sweep_row(&keyed, &rash[0], &alloc_move, CONTROL);
  CHECK(broken > 0 || sweep_traces);
}

static void a_victim_written_with_interrupts_open_may_be_the_thief_s(void)
{
  uint32_t broken = sweep_row(&keyed, &rash[1], &alloc_move, CONTROL);
  CHECK(broken > 0 || sweep_traces);
}

void suite_victims(void)
{
  for (uint32_t i = 0; i < LENGTH(safe); i++) {
    sweep_row(&keyed, &safe[i], &alloc_move, SWEPT);
  }
  RUN(a_victim_read_without_asking_again_may_be_the_thief_s);
  RUN(a_victim_written_with_interrupts_open_may_be_the_thief_s);
}
