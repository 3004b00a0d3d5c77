// SPDX-License-Identifier: MIT
// Twenty allocators, opened and closed at random in each other. After every
// step the sums must be right at every node.
#include "nest.h"

enum { NODES = 20, STEPS = 4000 };

static struct tp_nest nodes[NODES];
static tp_word_t *marked[NODES];  // A word of its that says who it is.
static uint32_t opened, most_open, deepest;

// What is to be opened, and where.
struct plan {
  const struct tp_nest *parent;
  enum tp_end end;
  uint32_t kind;
  uint32_t bytes;
  uint8_t buffers;
  struct tp_build row;
  uint32_t net;  // What it takes when nothing has to be skipped.
};

static uint32_t region_bytes(const struct tp_nest *parent)
{
  return parent->kind == TP_NEST_STACK ? parent->as.stack.region.bytes
                                       : parent->as.dstack.region.bytes;
}

static const struct tp_nest *random_parent(void)
{
  const struct tp_nest *node = &nodes[tp_test_random() % NODES];
  bool carries = node->kind == TP_NEST_DSTACK || node->kind == TP_NEST_STACK;
  return carries ? node : &root_nest;
}

static uint32_t net_of(const struct plan *plan)
{
  uint32_t metadata = sizeof(struct tp_nest_state);
  switch (plan->kind) {
    case TP_NEST_DSTACK:
      return plan->bytes + metadata + (uint32_t)sizeof(struct tp_dstack_state);
    case TP_NEST_STACK:
      return plan->bytes + metadata + (uint32_t)sizeof(struct tp_stack_state);
    case TP_NEST_FRAME:
      return (plan->bytes + (uint32_t)sizeof(struct tp_bump)) * plan->buffers +
             (uint32_t)sizeof(struct tp_frame_state);
    default:
      return tp_build_bytes(&plan->row);
  }
}

// What carries others gets a quarter to three quarters of its parent.
static struct plan random_plan(void)
{
  struct plan plan = {.parent = random_parent()};
  uint32_t room = region_bytes(plan.parent);
  bool high = plan.parent->kind == TP_NEST_DSTACK && tp_test_random() % 2;
  plan.end = high ? TP_HIGH : TP_LOW;
  plan.kind = tp_test_random() % 4 + 1;
  plan.bytes = (room / 4 + tp_test_random() % (room / 2)) / 8 * 8 + 8;
  plan.buffers = (uint8_t)(tp_test_random() % 3 + 1);
  if (plan.kind == TP_NEST_FRAME) plan.bytes = tp_test_random() % 8 * 8 + 8;
  plan.row = drop_row((uint16_t)(tp_test_random() % 4 + 1));
  plan.row.align = (uint8_t)(4u << tp_test_random() % 5);
  plan.net = net_of(&plan);
  return plan;
}

static bool open_as(uint32_t i, const struct plan *plan)
{
  struct tp_nest *node = &nodes[i];
  switch (plan->kind) {
    case TP_NEST_DSTACK:
      return tp_nest_open_dstack(node, plan->parent, plan->end, "ends",
                                 plan->bytes, TP_FULL_DROP);
    case TP_NEST_STACK:
      return tp_nest_open_stack(node, plan->parent, plan->end, "stack",
                                plan->bytes, TP_FULL_DROP);
    case TP_NEST_FRAME:
      return tp_nest_open_frame(node, plan->parent, plan->end, "frame",
                                plan->bytes, plan->buffers, TP_FULL_DROP);
    default:
      return tp_nest_open_pool(node, plan->parent, plan->end, "pool",
                               &plan->row);
  }
}

// Writes the node's number where only its owner may write.
static void put_mark(uint32_t i)
{
  struct tp_nest *node = &nodes[i];
  marked[i] = NULL;
  if (node->kind == TP_NEST_FRAME) {
    marked[i] = tp_frame_alloc(tp_nest_frame(node), 8, 8);
  }
  if (node->kind == TP_NEST_POOL) marked[i] = tp_pool_alloc(tp_nest_pool(node));
  if (marked[i]) *marked[i] = i;
}

static void open_one(uint32_t i)
{
  struct plan plan = random_plan();
  uint32_t used = used_of(plan.parent);
  uint32_t room = region_bytes(plan.parent) - used;
  if (plan.net > region_bytes(plan.parent)) return;

  bool open = open_as(i, &plan);

  CHECK(open || plan.net + 64 > room);
  if (!open) return;
  CHECK_EQ(nodes[i].bytes, plan.net + nodes[i].padding);
  CHECK_EQ(used_of(plan.parent), used + nodes[i].bytes);
  CHECK(nodes[i].padding < 64);
  put_mark(i);
  opened++;
  if (most_open < opened) most_open = opened;
}

static bool may_close(const struct tp_nest *node)
{
  const struct tp_nest_state *state = node->state;
  if (state && (state->newest[0] || state->newest[1])) return false;
  return node->parent->state->newest[node->end] == node;
}

static void close_one(uint32_t i)
{
  const struct tp_nest *parent = nodes[i].parent;
  if (!may_close(&nodes[i])) return;
  uint32_t used = used_of(parent);
  uint32_t bytes = nodes[i].bytes;
  if (marked[i]) CHECK_EQ(*marked[i], i);
  if (nodes[i].kind == TP_NEST_POOL) {
    tp_pool_free(tp_nest_pool(&nodes[i]), marked[i]);
  }

  tp_nest_close(&nodes[i]);

  CHECK_EQ(used_of(parent), used - bytes);
  opened--;
}

static uint32_t bytes_of_children(const struct tp_nest *parent)
{
  uint32_t bytes = 0;
  for (uint32_t i = 0; i < NODES; i++) {
    bool child = nodes[i].kind != TP_NEST_CLOSED && nodes[i].parent == parent;
    if (child) bytes += nodes[i].bytes;
  }
  return bytes;
}

static uint32_t visited;

static void item_adds_up(const struct tp_nest_item *item, void *context)
{
  (void)context;
  visited++;
  if (deepest < item->depth) deepest = item->depth;
  CHECK_EQ(item->children, bytes_of_children(item->nest));
  if (item->kind != TP_NEST_DSTACK && item->kind != TP_NEST_STACK) return;
  CHECK_EQ(item->used, item->children);
  CHECK_EQ(item->used, used_of(item->nest));
}

static void tree_adds_up(void)
{
  visited = 0;
  tp_nest_walk(&root_nest, item_adds_up, NULL);
  CHECK_EQ(visited, opened + 1);
}

static bool marks_stand(void)
{
  for (uint32_t i = 0; i < NODES; i++) {
    bool open = nodes[i].kind != TP_NEST_CLOSED;
    if (open && marked[i] && *marked[i] != i) return false;
  }
  return true;
}

static void bytes_of_twenty_random_children_and_padding_are_those_of_the_parent(
    void)
{
  forget_nest(&root_nest);
  tp_test_seed(23);
  for (uint32_t step = 0; step < STEPS; step++) {
    uint32_t i = tp_test_random() % NODES;
    bool fills = step / 100 % 4 != 3;
    if (nodes[i].kind == TP_NEST_CLOSED && fills) {
      open_one(i);
    } else if (nodes[i].kind != TP_NEST_CLOSED &&
               tp_test_random() % 4 >= fills * 3u) {
      close_one(i);
    }
    tree_adds_up();
    CHECK(marks_stand());
  }
  CHECK(most_open >= NODES * 3 / 4);
  CHECK(deepest >= 4);
  while (opened) {
    for (uint32_t i = 0; i < NODES; i++) {
      if (nodes[i].kind != TP_NEST_CLOSED) close_one(i);
    }
  }
  CHECK_EQ(used_of(&root_nest), 0);
}

void suite_tree(void)
{
  RUN(bytes_of_twenty_random_children_and_padding_are_those_of_the_parent);
}
