// SPDX-License-Identifier: MIT
// scenes.c - a scene is left while interrupts use what it cuts: they find it
// full, or as one of the two scenes has it.
#include "core/tp_registry.h"
#include "model.h"
#include "tp_test.h"

// One part of the table's scenes, as if there were no other.
static struct tp_scene_state state;
static struct tp_scenes scenes;

static void write_words(uint32_t *words, uint32_t count)
{
  for (uint32_t i = 0; words && i < count; i++) words[i] = i;
}

static void use_pool(void)
{
  struct item *item = cut_alloc();
  if (!item) return;
  write_words(item->words, ITEM_WORDS);
  cut_free(item);
}

static void use_stack(void)
{
  struct tp_mark mark = cut_stack_mark();
  write_words(cut_stack_alloc(16, 4), 4);
  cut_stack_release(mark);
}

static void use_dstack(void)
{
  struct tp_mark mark = cut_dstack_mark(TP_HIGH);
  write_words(cut_dstack_alloc(TP_HIGH, 16, 4), 4);
  cut_dstack_release(TP_HIGH, mark);
}

static void use_frame(void)
{
  write_words(cut_frame_alloc(16, 4), 4);
  cut_frame_end();
  cut_frame_end();
}

static void use_blocks(void)
{
  uint32_t *words = cut_blocks_alloc(13);
  write_words(words, 4);
  if (words) cut_blocks_free(words);
}

static void use_dense(void)
{
  cut_dense_handle_t handle;
  struct item *item = cut_dense_alloc(&handle);
  if (!item) return;
  write_words(item->words, ITEM_WORDS);
  if (!cut_dense_free(handle)) complain("a handle is stale at once");
}

static const struct move moves[] = {
    {"a_use_of_the_pool", use_pool},
    {"a_use_of_the_stack", use_stack},
    {"a_use_of_the_double_ended_stack", use_dstack},
    {"a_use_of_the_frame", use_frame},
    {"a_use_of_the_blocks", use_blocks},
    {"a_use_of_the_dense_pool", use_dense},
};

static const struct move *moving;

// The part that [moving] uses, in the scene to be left.
static void enter(void)
{
  tp_test_forget(&cut_pool);
  tp_test_forget(cut_blocks_blocks.classes[0].pool);
  scenes = scenes_scenes;
  scenes.state = &state;
  scenes.parts += moving - moves;
  scenes.part_count = 1;
  tp_scene_force(&scenes, TP_SCENE_HERE);
  scenes.parts->peaks[TP_SCENE_HERE] = 0;
  state = (struct tp_scene_state){.entered = TP_SCENE_HERE + 1};
}

static void aim(struct armed_call *call)
{
  enter();
  call->arguments[0] = (uintptr_t)&scenes;
  call->arguments[1] = TP_SCENE_THERE;
}

static uint32_t leave(const struct tp_scenes *of, uint32_t scene)
{
  return tp_scene_switch(of, scene, NULL);
}

static void aim_switch(struct armed_call *call)
{
  aim(call);
  call->function = (void *)leave;
}

static void aim_force(struct armed_call *call)
{
  aim(call);
  if (scenes.parts->allocator == &cut_pool) (void)cut_alloc();
  if (scenes.parts->allocator != &cut_pool) (void)cut_blocks_alloc(9);
  call->function = (void *)tp_scene_force;
}

// Is [part] empty, sound, and as large as [scene] says?
static void settle_part(const struct tp_scene_part *part, uint32_t scene)
{
  struct tp_finding finding;
  const struct tp_entry *const *entries = tp_registry.entries;
  uint32_t index = tp_registry_find(&tp_registry, part->name);
  if (state.entered != scene + 1) complain("another scene is entered");
  if (part->kind->live(part->allocator) != 0) complain("something lives on");
  if (!tp_entry_verify(entries[index], &finding)) complain("verify: a part");
  if (tp_entry_capacity(entries[index]) != part->amounts[scene]) {
    complain("a part has not what the scene gives it");
  }
}

static void settle(const struct armed_call *call)
{
  (void)call;
  if (state.switches != 1) complain("the scene is entered twice or never");
  settle_part(scenes.parts, TP_SCENE_THERE);
}

// Behind the look for who lives, one interrupt takes a slot; then comes the
// other: it stands for the first that a part before the pool has its peak told.
static struct item *taken;
static bool takes;

static uint32_t take_once(const void *allocator)
{
  (void)allocator;
  if (takes) taken = cut_alloc();
  takes = false;
  return 0;
}

static uint32_t has_none(const void *allocator)
{
  (void)allocator;
  return 0;
}

static bool close_nothing(void *allocator)
{
  (void)allocator;
  return true;
}

static void open_nothing(void *allocator, void *memory, uint32_t amount)
{
  (void)allocator;
  (void)memory;
  (void)amount;
}

static const struct tp_scene_kind taking = {
    .live = has_none,
    .peak = take_once,
    .close = close_nothing,
    .open = open_nothing,
};

static void aim_overtaken(struct armed_call *call)
{
  static const uint32_t amounts[] = {0, 0};
  static uint32_t peaks[2];
  static struct tp_scene_part parts[2];
  aim_switch(call);
  parts[0] = (struct tp_scene_part){
      .kind = &taking, .name = "taker", .amounts = amounts, .peaks = peaks};
  parts[1] = scenes.parts[0];
  scenes.parts = parts;
  scenes.part_count = 2;
  taken = NULL;
  takes = true;
}

static void give_taken_back(void)
{
  if (taken) cut_free(taken);
  taken = NULL;
  use_pool();
}

// What is taken is in the way; so may be what is given back only then.
static void settle_overtaken(const struct armed_call *call)
{
  bool refused = call->results[0] != 0;
  if (taken && !refused) complain("something lives on");
  if (taken) cut_free(taken);
  settle_part(&scenes.parts[1], refused ? TP_SCENE_HERE : TP_SCENE_THERE);
}

static const struct operation operations[] = {
    {"switch_from_a_pool", EMPTY, aim_switch, settle},
    {"switch_from_a_stack", EMPTY, aim_switch, settle},
    {"switch_from_a_double_ended_stack", EMPTY, aim_switch, settle},
    {"switch_from_a_frame", EMPTY, aim_switch, settle},
    {"switch_from_blocks", EMPTY, aim_switch, settle},
    {"switch_from_a_dense_pool", EMPTY, aim_switch, settle},
};
static const struct operation forced[] = {
    {"force_of_a_pool", EMPTY, aim_force, settle},
    {"force_of_blocks", EMPTY, aim_force, settle},
};
static const struct operation overtaken = {"switch_that_an_interrupt_overtook",
                                           EMPTY, aim_overtaken,
                                           settle_overtaken};
static const struct move give_back_move = {"a_give_back", give_taken_back};

// The model has nothing to do here: its pool is not touched.
static const struct subject aside = {
    .name = "scenes",
    .pool = &drop_shared_pool,
    .alloc = drop_shared_alloc,
    .free = drop_shared_free,
};

static void sweep(const struct operation *operation, const struct move *move)
{
  moving = move;
  sweep_row(&aside, operation, move, SWEPT);
  if (!sweep_traces) sweep_row(&aside, operation, move, MASKED);
}

void suite_scenes(void)
{
  for (uint32_t i = 0; i < LENGTH(operations); i++) {
    sweep(&operations[i], &moves[i]);
  }
  sweep(&forced[0], &moves[0]);
  sweep(&forced[1], &moves[4]);
  // With poison it is longer than a row may be.
  if (TP_CHECKS >= TP_CHECKS_POISON) return;
  sweep(&overtaken, &moves[0]);
  moving = &moves[0];
  sweep_row(&aside, &overtaken, &give_back_move, SWEPT);
}
