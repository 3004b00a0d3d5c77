// SPDX-License-Identifier: MIT
// A graph of nodes that refer to each other by handle, in circles and to
// themselves too, and to each of which its owner has a pointer.
#include "object.h"

static struct node *owned[NODES];   // The owners' pointers.
static tp_handle_t handles[NODES];  // Beside each, its node's handle.
static tp_handle_t ancient[NODES];  // Of nodes that are gone.

static void refer(struct node *from, uint32_t which, tp_handle_t to)
{
  struct node *old = nodes_get(from->out[which]);
  if (old) old->held--;
  from->out[which] = to;
  struct node *node = nodes_get(to);
  if (node) node->held++;
}

static void create_node(uint32_t place)
{
  struct node *node = nodes_create(NULL);
  *node = (struct node){.owner = &owned[place], .id = place};
  owned[place] = node;
  handles[place] = nodes_handle(node);
}

static void destroy_node(uint32_t place)
{
  ancient[place] = handles[place];
  nodes_destroy(owned[place]);
}

static void rewire(uint32_t place)
{
  uint32_t random = tp_test_random();
  refer(owned[place], random & 1, handles[(random >> 1) % NODES]);
}

static void graph_step(void)
{
  uint32_t random = tp_test_random();
  uint32_t place = (random >> 3) % NODES;
  if (!owned[place]) {
    create_node(place);
  } else if (random % 8 == 0) {
    destroy_node(place);
  } else {
    rewire(place);
  }
}

static void begin(void)
{
  forget(&nodes_objects);
  tp_test_seed(47);
  for (uint32_t i = 0; i < NODES; i++) {
    owned[i] = NULL;
    handles[i] = ancient[i] = TP_NO_HANDLE;
  }
}

static void after_a_free_no_reference_of_a_live_object_resolves_to_the_slot(
    void)
{
  begin();
  for (uint32_t step = 0; step < 5000; step++) {
    graph_step();
    for (uint32_t i = 0; i < NODES; i++) {
      CHECK(nodes_get(handles[i]) == owned[i]);
      CHECK(nodes_get(ancient[i]) == NULL);
    }
    for (uint32_t i = 0; i < NODES; i++) {
      if (!owned[i]) continue;
      struct node *to = nodes_get(owned[i]->out[step % 2]);
      if (to) CHECK(owned[to->id] == to);
    }
  }
}

static void after_a_free_the_owner_s_pointer_is_null(void)
{
  begin();
  create_node(3);
  CHECK(owned[3] != NULL);

  destroy_node(3);

  CHECK(owned[3] == NULL);
}

static void an_object_without_an_owner_dies_in_peace(void)
{
  begin();
  create_node(3);
  struct node *node = owned[3];
  node->owner = NULL;

  nodes_destroy(node);

  CHECK(owned[3] == node);
}

static uint32_t held_by_live(uint32_t place)
{
  uint32_t held = 0;
  for (uint32_t i = 0; i < NODES; i++) {
    for (uint32_t k = 0; owned[i] && k < 2; k++) {
      held += nodes_get(owned[i]->out[k]) == owned[place];
    }
  }
  return held;
}

static void a_dead_object_keeps_no_other_alive(void)
{
  begin();
  for (uint32_t step = 0; step < 5000; step++) {
    graph_step();
    for (uint32_t i = 0; i < NODES; i++) {
      if (owned[i]) CHECK_EQ(owned[i]->held, held_by_live(i));
    }
  }
}

static void an_object_may_refer_to_itself(void)
{
  begin();
  create_node(0);
  refer(owned[0], 0, handles[0]);
  CHECK_EQ(owned[0]->held, 1);

  destroy_node(0);

  CHECK(owned[0] == NULL);
  CHECK(nodes_get(handles[0]) == NULL);
}

static void when_a_pool_dies_all_references_among_its_objects_go(void)
{
  begin();
  for (uint32_t step = 0; step < 500; step++) graph_step();
  for (uint32_t i = 0; i < NODES; i++) {
    if (!owned[i]) create_node(i);
  }

  nodes_clear();

  for (uint32_t i = 0; i < NODES; i++) {
    CHECK(owned[i] == NULL);
    CHECK(nodes_get(handles[i]) == NULL);
  }
  CHECK(tp_pool_verify(&nodes_pool, NULL));
}

static void theft_clears_references_as_a_free_does(void)
{
  forget(&voices_objects);
  for (uint32_t i = 0; i < VOICES; i++) {
    owned[i] = voices_create(NULL);
    owned[i]->owner = &owned[i];
    owned[i]->out[0] = owned[i]->out[1] = TP_NO_HANDLE;
    handles[i] = voices_handle(owned[i]);
  }
  struct node *victim = owned[0];

  struct node *thief = voices_create(NULL);

  CHECK(thief == victim);
  CHECK(node_died == victim);
  CHECK(owned[0] == NULL);
  CHECK(thief->owner == NULL);
  CHECK(voices_get(handles[0]) == NULL);
  for (uint32_t i = 1; i < VOICES; i++) {
    CHECK(voices_get(handles[i]) == owned[i]);
  }
}

// [context] is where its owner keeps the pointer to it.
static bool own_node(void *object, void *context)
{
  struct node *node = (struct node *)object;
  node->owner = (struct node **)context;
  *node->owner = node;
  return true;
}

static void who_init_makes_the_owner_is_told_of_the_end(void)
{
  struct tp_objects born_owned = nodes_objects;
  begin();
  born_owned.init = own_node;

  struct node *node = tp_object_alloc(&born_owned, &owned[0]);

  CHECK(node && node->owner == &owned[0] && owned[0] == node);
  node->out[0] = node->out[1] = TP_NO_HANDLE;
  nodes_destroy(node);
  CHECK(!owned[0]);
}

static bool was_owned;

static void look_at_the_owner(void *object)
{
  struct node *node = (struct node *)object;
  was_owned = node->owner && *node->owner == node;
  node_deinit(object);
}

static void deinit_finds_the_owner_s_pointer_as_it_was(void)
{
  struct tp_objects looking = nodes_objects;
  begin();
  looking.init = own_node;
  looking.deinit = look_at_the_owner;
  struct node *node = tp_object_alloc(&looking, &owned[0]);
  node->out[0] = node->out[1] = TP_NO_HANDLE;
  was_owned = false;
  tp_object_free(&looking, node);
  CHECK(was_owned);
  CHECK(!owned[0]);
}

void suite_references(void)
{
  RUN(after_a_free_no_reference_of_a_live_object_resolves_to_the_slot);
  RUN(after_a_free_the_owner_s_pointer_is_null);
  RUN(an_object_without_an_owner_dies_in_peace);
  RUN(who_init_makes_the_owner_is_told_of_the_end);
  RUN(deinit_finds_the_owner_s_pointer_as_it_was);
  RUN(a_dead_object_keeps_no_other_alive);
  RUN(an_object_may_refer_to_itself);
  RUN(when_a_pool_dies_all_references_among_its_objects_go);
  RUN(theft_clears_references_as_a_free_does);
}
