// SPDX-License-Identifier: MIT
// frame.c - the update pass of a pool whose objects interrupts create: who was
// there at its start is met once; who comes after its first step is not, in
// whatever slot.
#include "model.h"
#include "tp_by_hand.h"
#include "object/tp_update.h"
#include "tp_declare.h"

TP_POOL_DECLARE(sparks, struct item);
TP_OBJECTS_DECLARE(sparks, struct item);
TP_POOL_DEFINE_TAGGED(sparks, sizeof(struct item), 4, 4, .policy = &tp_drop,
                      .refuses = 1);
TEST_OBJECTS(sparks, 4, .init = NULL);

static struct item *create(void)
{
  return (struct item *)tp_object_alloc(&sparks_objects, NULL);
}

static void destroy(struct item *item)
{
  tp_object_free(&sparks_objects, item);
}

static const struct subject sparks = {
    .name = "sparks",
    .pool = &sparks_pool,
    .alloc = create,
    .free = destroy,
};

static uint32_t there, met, newborns_met;
static bool late;  // The births came after the first step.

static bool came_meanwhile(const struct item *item)
{
  for (uint32_t i = GIVEN; i < HOLDERS; i++) {
    if (holdings[i].live && holdings[i].item == item) return true;
  }
  return false;
}

// Mine dies.
static bool step(void *object, void *context)
{
  const struct item *item = (const struct item *)object;
  (void)context;
  met++;
  newborns_met += came_meanwhile(item);
  return item != holdings[MINE].item;
}

static void frame(void)
{
  tp_update_objects(&sparks_objects, &sparks_pool, true, NULL, step, NULL);
}

static void called_frame(void)
{
  tp_object_update(&sparks_objects, step, NULL);
}

static void aim_frame(struct armed_call *call)
{
  there = model_live();
  met = newborns_met = 0;
  call->function = (void *)frame;
}

static void aim_called_frame(struct armed_call *call)
{
  aim_frame(call);
  call->function = (void *)called_frame;
}

// A slot between two live ones is free.
static void aim_frame_ahead(struct armed_call *call)
{
  give_back(OTHER);
  aim_frame(call);
}

static void aim_called_frame_ahead(struct armed_call *call)
{
  aim_frame_ahead(call);
  call->function = (void *)called_frame;
}

static void settle_frame(const struct armed_call *call)
{
  (void)call;
  if (met - newborns_met != there) complain("not everybody was met once");
  if (late && newborns_met) complain("a newborn was met");
  model_return(MINE);
}

static const struct operation operations[] = {
    {"frame_with_slots_never_used", HALF, aim_frame, settle_frame},
    {"frame_with_slots_freed", LISTED, aim_frame, settle_frame},
    {"frame_of_a_full_pool", FULL, aim_frame, settle_frame},
    {"frame_with_a_slot_freed_ahead", FULL, aim_frame_ahead, settle_frame},
    {"called_frame_with_slots_freed", LISTED, aim_called_frame, settle_frame},
    {"called_frame_with_a_slot_freed_ahead", FULL, aim_called_frame_ahead,
     settle_frame},
};

static void make_birth(void)
{
  late = met != 0;
  take(GIVEN);
}

static void make_two_births(void)
{
  make_birth();
  take(GIVEN_TOO);
}

static void make_birth_and_death(void)
{
  make_birth();
  give_back(GIVEN);
}

static const struct move births[] = {
    {"a_birth", make_birth},
    {"two_births", make_two_births},
    {"a_birth_and_its_death", make_birth_and_death},
};

static void sweep_births(const struct operation *operation)
{
  uint32_t count = sweep_traces ? 1 : LENGTH(births);
  for (uint32_t i = 0; i < count; i++) {
    sweep_row(&sparks, operation, &births[i], SWEPT);
  }
  if (!sweep_traces) sweep_row(&sparks, operation, &births[0], MASKED);
}

void suite_frame(void)
{
  for (uint32_t i = 0; i < LENGTH(operations); i++) {
    sweep_births(&operations[i]);
  }
}
