// SPDX-License-Identifier: MIT
// A nest of stacks, double-ended stacks, frames and pools: who may be opened
// where, who may be closed, and that all of them keep what they hold.
#include <string.h>

#include "allocator/tp_nest.h"
#include "core/tp_registry.h"
#include "fuzz.h"

enum { NODES = 6, ITEMS = 12, OLD = 12, ROOT_BYTES = 2048, OBJECT = 12 };

struct item {
  void *memory;
  uint32_t bytes, number;
};

// A node, as the model knows it. Node 0 is the root.
struct node {
  struct tp_nest nest;
  uint32_t kind;  // enum tp_nest_kind.
  uint32_t parent;
  enum tp_end end;
  uint32_t bytes;   // It was asked for.
  uint32_t opened;  // Later ones have higher numbers.
  struct item items[ITEMS];
  uint32_t count;
  uint32_t marked[2];  // When a mark was made at its end; 0: none is left.
  struct tp_mark marks[2];
};

static struct {
  struct node nodes[NODES];
  struct tp_nest root;
  uint32_t times, numbers;
  uint32_t sum[NODES], used[NODES], children[NODES], visits;
  struct tp_mark old[OLD];  // Marks that may be released no more.
  uint32_t old_count;
} now;

static const char *const names[NODES] = {"root",  "one",  "two",
                                         "three", "four", "five"};

static const struct tp_nest *nest_of(uint32_t index)
{
  return index ? &now.nodes[index].nest : &now.root;
}

static bool has_end(uint32_t index, uint32_t end)
{
  uint32_t kind = now.nodes[index].kind;
  return kind == TP_NEST_DSTACK ? end <= TP_HIGH
                                : kind == TP_NEST_STACK && end == TP_LOW;
}

// The newest child of a node at an end; 0: it has none.
static uint32_t newest_child(uint32_t parent, uint32_t end)
{
  uint32_t newest = 0;
  for (uint32_t i = 1; i < NODES; i++) {
    const struct node *node = &now.nodes[i];
    if (node->kind == TP_NEST_CLOSED || node->parent != parent) continue;
    if (node->end != end) continue;
    if (!newest || node->opened > now.nodes[newest].opened) newest = i;
  }
  return newest;
}

static bool has_child(uint32_t index)
{
  return newest_child(index, TP_LOW) || newest_child(index, TP_HIGH);
}

static void forget_mark(struct node *node, enum tp_end end)
{
  if (!node->marked[end]) return;
  node->marked[end] = 0;
  now.old[now.old_count++ % OLD] = node->marks[end];
}

// What must hold --------------------------------------------------------------

static uint32_t index_of(const struct tp_nest *nest)
{
  for (uint32_t i = 0; i < NODES; i++) {
    if (nest_of(i) == nest) return i;
  }
  return NODES;
}

static void visit(const struct tp_nest_item *item, void *context)
{
  uint32_t index = index_of(item->nest);
  EXPECT(context == &now && index < NODES);
  const struct node *node = &now.nodes[index];
  EXPECT(item->kind == node->kind && item->name == names[index]);
  EXPECT(index == 0 || item->end == node->end);
  EXPECT(item->children <= item->used && item->used <= item->peak);
  now.used[index] = item->used;
  now.children[index] = item->children;
  if (index > 0) now.sum[node->parent] += item->bytes;
  now.visits++;
}

static void check_tree(void)
{
  uint32_t open = 0;
  memset(now.sum, 0, sizeof now.sum);
  now.visits = 0;
  tp_nest_walk(&now.root, visit, &now);
  for (uint32_t i = 0; i < NODES; i++) {
    bool is_open = now.nodes[i].kind != TP_NEST_CLOSED;
    open += is_open;
    if (is_open) EXPECT(now.sum[i] == now.children[i]);
  }
  EXPECT(now.visits == open);
  uint32_t room = tp_dstack_room(&now.root.as.dstack);
  EXPECT(now.used[0] + room == ROOT_BYTES);
}

// Each end leads from its newest child to all older ones.
static void check_children(uint32_t index)
{
  uint32_t low = newest_child(index, TP_LOW);
  uint32_t high = newest_child(index, TP_HIGH);
  uint32_t newest = low ? low : high;
  const struct tp_nest *child = tp_nest_child(nest_of(index));
  EXPECT(child == (newest ? nest_of(newest) : NULL));
  for (; child && child->older; child = child->older) {
    const struct node *older = &now.nodes[index_of(child->older)];
    EXPECT(older->parent == index);
    EXPECT(older->opened < now.nodes[index_of(child)].opened);
  }
}

static void check_all(void)
{
  struct tp_finding finding;
  for (uint32_t i = 0; i < NODES; i++) {
    const struct node *node = &now.nodes[i];
    EXPECT(tp_nest_verify(nest_of(i)));
    check_children(i);
    for (uint32_t j = 0; j < node->count; j++) {
      const struct item *item = &node->items[j];
      EXPECT(tp_is_filled(item->memory, item->bytes, item->number));
    }
    if (node->kind != TP_NEST_POOL) continue;
    EXPECT(tp_pool_verify(tp_nest_pool(&node->nest), NULL));
  }
  EXPECT(tp_nest_kind.verify(&now.root, &finding));
  check_tree();
}

// Opening and closing ---------------------------------------------------------

static bool open_as(uint32_t kind, uint32_t index, uint32_t parent,
                    enum tp_end end, uint32_t bytes)
{
  struct tp_nest *child = &now.nodes[index].nest;
  const struct tp_nest *in = nest_of(parent);
  struct tp_build row = {.size = OBJECT,
                         .count = (tp_slot_t)(1 + bytes % 7),
                         .align = 8,
                         .tagged = 1,
                         .refuses = 1,
                         .policy = &tp_drop};
  const char *name = names[index];
  if (kind == TP_NEST_DSTACK) {
    return tp_nest_open_dstack(child, in, end, name, bytes, TP_FULL_DROP);
  }
  if (kind == TP_NEST_STACK) {
    return tp_nest_open_stack(child, in, end, name, bytes, TP_FULL_DROP);
  }
  if (kind == TP_NEST_POOL) {
    return tp_nest_open_pool(child, in, end, name, &row);
  }
  return tp_nest_open_frame(child, in, end, name, bytes,
                            (uint8_t)(1 + bytes % 3), TP_FULL_DROP);
}

static uint32_t fault_of_open(uint32_t kind, uint32_t index, uint32_t parent,
                              uint32_t end, uint32_t bytes)
{
  if (now.nodes[parent].kind == TP_NEST_CLOSED) return TP_FAULT_CLOSED;
  if (now.nodes[index].kind != TP_NEST_CLOSED) return TP_FAULT_ORDER;
  if (!has_end(parent, end)) return TP_FAULT_CHILD;
  bool possible = kind == TP_NEST_POOL || (bytes > 0 && bytes % 8 == 0);
  return possible ? 0 : TP_FAULT_SIZE;
}

static void open_node(uint32_t kind, uint32_t index, uint32_t parent,
                      enum tp_end end, uint32_t bytes)
{
  uint32_t wrong = fault_of_open(kind, index, parent, end, bytes);
  bool opened = false;
  if (wrong && TP_CHECKS == 0) return;
  if (wrong) {
    WRONG(wrong, open_as(kind, index, parent, end, bytes));
    return;
  }
  CALL(opened = open_as(kind, index, parent, end, bytes));
  EXPECT(fuzz_fault == 0 || (fuzz_fault == TP_FAULT_LARGE && parent != 0));
  if (!opened) return;
  struct node *node = &now.nodes[index];
  node->kind = kind;
  node->parent = parent;
  node->end = end;
  node->bytes = bytes;
  node->opened = ++now.times;
  node->count = 0;
}

static void open(void)
{
  uint32_t kind = TP_NEST_DSTACK + fuzz_below(4);
  uint32_t index = 1 + fuzz_below(NODES - 1), parent = fuzz_below(NODES);
  enum tp_end end = (enum tp_end)fuzz_below(2);
  uint32_t bytes = fuzz_below(16) ? 8 * (1 + fuzz_below(48)) : fuzz_below(8);
  open_node(kind, index, parent, end, bytes);
}

static uint32_t fault_of_close(uint32_t index)
{
  const struct node *node = &now.nodes[index];
  if (node->kind == TP_NEST_CLOSED) return TP_FAULT_CLOSED;
  if (has_child(index)) return TP_FAULT_CHILD;
  if (node->kind == TP_NEST_POOL && node->count > 0) return TP_FAULT_CHILD;
  bool newest = newest_child(node->parent, node->end) == index;
  bool marked = now.nodes[node->parent].marked[node->end] > node->opened;
  return newest && !marked ? 0 : TP_FAULT_ORDER;
}

static void close_node(uint32_t index)
{
  uint32_t wrong = fault_of_close(index);
  struct node *node = &now.nodes[index];
  if (wrong && TP_CHECKS == 0) return;
  if (wrong) {
    WRONG(wrong, tp_nest_close(&node->nest));
    return;
  }
  // What its parent gave out since goes with it.
  uint32_t parent = node->parent;
  if (now.nodes[parent].count > 0) return;
  node->kind = TP_NEST_CLOSED;
  node->count = 0;
  forget_mark(node, TP_LOW);
  forget_mark(node, TP_HIGH);
  GOOD(tp_nest_close(&node->nest));
}

static void close(void)
{
  close_node(1 + fuzz_below(NODES - 1));
}

// Using them ------------------------------------------------------------------

static void *ask(uint32_t index, uint32_t bytes)
{
  const struct tp_nest *nest = nest_of(index);
  switch (now.nodes[index].kind) {
    case TP_NEST_DSTACK:
      return tp_dstack_alloc(tp_nest_dstack(nest), TP_LOW, bytes, 4);
    case TP_NEST_STACK:
      return tp_stack_alloc(tp_nest_stack(nest), bytes, 4);
    case TP_NEST_FRAME:
      return tp_frame_alloc(tp_nest_frame(nest), bytes, 4);
    default:
      return tp_pool_alloc(tp_nest_pool(nest));
  }
}

static void use(void)
{
  uint32_t index = fuzz_below(NODES);
  struct node *node = &now.nodes[index];
  bool is_pool = node->kind == TP_NEST_POOL;
  uint32_t bytes = is_pool ? OBJECT : 4 * (1 + fuzz_below(8));
  void *memory = NULL;
  if (node->kind == TP_NEST_CLOSED || node->count == ITEMS) return;
  CALL(memory = ask(index, bytes));
  EXPECT(fuzz_fault == 0 || fuzz_fault == TP_FAULT_LARGE);
  if (!memory || fuzz_fault) return;
  EXPECT(fuzz_is_new(memory, bytes));
  node->items[node->count++] = (struct item){memory, bytes, ++now.numbers};
  tp_fill(memory, bytes, now.numbers);
}

static void free_one(void)
{
  struct node *node = &now.nodes[1 + fuzz_below(NODES - 1)];
  if (node->kind != TP_NEST_POOL || node->count == 0) return;
  GOOD(tp_pool_free(tp_nest_pool(&node->nest),
                    node->items[--node->count].memory));
}

// All that a stack or a frame gave out goes back, unless a child stands there.
static void wipe(void)
{
  uint32_t index = fuzz_below(NODES);
  struct node *node = &now.nodes[index];
  const struct tp_nest *nest = nest_of(index);
  bool child = newest_child(index, TP_LOW) != 0;
  if (child && TP_CHECKS == 0) return;
  if (node->kind == TP_NEST_FRAME) {
    if (nest->as.frame.buffers > 1) return;
    node->count = 0;
    GOOD(tp_frame_end(tp_nest_frame(nest)));
  } else if (node->kind == TP_NEST_STACK && child) {
    WRONG(TP_FAULT_CHILD, tp_stack_reset(tp_nest_stack(nest)));
  } else if (node->kind == TP_NEST_DSTACK && child) {
    WRONG(TP_FAULT_CHILD, tp_dstack_reset(tp_nest_dstack(nest), TP_LOW));
  } else if (node->kind == TP_NEST_STACK) {
    node->count = 0;
    forget_mark(node, TP_LOW);
    GOOD(tp_stack_reset(tp_nest_stack(nest)));
  } else if (node->kind == TP_NEST_DSTACK) {
    node->count = 0;
    forget_mark(node, TP_LOW);
    GOOD(tp_dstack_reset(tp_nest_dstack(nest), TP_LOW));
  }
}

static struct tp_mark mark_at(uint32_t index, enum tp_end end)
{
  const struct tp_nest *nest = nest_of(index);
  return nest->kind == TP_NEST_STACK ? tp_stack_mark(&nest->as.stack)
                                     : tp_dstack_mark(&nest->as.dstack, end);
}

static void go_back(uint32_t index, enum tp_end end, struct tp_mark mark)
{
  const struct tp_nest *nest = nest_of(index);
  if (nest->kind == TP_NEST_STACK) {
    tp_stack_release(&nest->as.stack, mark);
  } else {
    tp_dstack_release(&nest->as.dstack, end, mark);
  }
}

// A mark at an end from which nothing but children is taken, and back to it.
static void mark_or_release(void)
{
  uint32_t index = fuzz_below(NODES);
  enum tp_end end = (enum tp_end)fuzz_below(2);
  struct node *node = &now.nodes[index];
  if (!has_end(index, end) || (end == TP_LOW && node->count > 0)) return;
  uint32_t child = newest_child(index, end);
  bool above = child && now.nodes[child].opened > node->marked[end];
  if (!node->marked[end]) {
    node->marked[end] = ++now.times;
    GOOD(node->marks[end] = mark_at(index, end));
  } else if (!above) {
    struct tp_mark mark = node->marks[end];
    forget_mark(node, end);
    GOOD(go_back(index, end, mark));
  } else if (TP_CHECKS > 0) {
    WRONG(TP_FAULT_CHILD, go_back(index, end, node->marks[end]));
  }
}

static const struct tp_marks *marks_of(uint32_t index, enum tp_end end)
{
  const struct tp_nest *nest = nest_of(index);
  return nest->kind == TP_NEST_STACK ? &nest->as.stack.state->marks
                                     : &nest->as.dstack.state->marks[end];
}

static void release_wrongly(uint32_t index, enum tp_end end, struct tp_mark old)
{
  fuzz_remember();
  CALL(go_back(index, end, old));
  EXPECT(fuzz_fault == TP_FAULT_MARK || fuzz_fault == TP_FAULT_ORDER ||
         fuzz_fault == TP_FAULT_CHILD);
  EXPECT(fuzz_is_unchanged());
}

// Of who lies now where it was made, if there is such a one.
static void release_old(void)
{
  struct tp_mark old = now.old[fuzz_below(OLD)];
  uint32_t index = fuzz_below(NODES);
  enum tp_end end = (enum tp_end)fuzz_below(2);
  for (uint32_t i = 0; i < 2 * NODES; i++) {
    if (!has_end(i / 2, i % 2)) continue;
    if (marks_of(i / 2, (enum tp_end)(i % 2)) != old.owner) continue;
    index = i / 2;
    end = (enum tp_end)(i % 2);
  }
  if (TP_CHECKS == 0 || !old.owner || !has_end(index, end)) return;
  release_wrongly(index, end, old);
}

// None of the marks that are made there is as good as [old].
static void make_marks(uint32_t index, enum tp_end end, struct tp_mark old)
{
  for (uint32_t i = 0; i < 4; i++) {
    struct tp_mark made;
    GOOD(made = mark_at(index, end));
    release_wrongly(index, end, old);
    GOOD(go_back(index, end, made));
  }
}

// Another like it, where it lay.
static void replace(void)
{
  uint32_t index = 1 + fuzz_below(NODES - 1);
  struct node *node = &now.nodes[index], was = *node;
  close_node(index);
  if (was.kind == TP_NEST_CLOSED || node->kind != TP_NEST_CLOSED) return;
  open_node(was.kind, index, was.parent, was.end, was.bytes);
  if (node->kind == TP_NEST_CLOSED || TP_CHECKS == 0) return;
  for (uint32_t i = 0; i < 2; i++) {
    if (was.marked[i]) make_marks(index, (enum tp_end)i, was.marks[i]);
  }
}

static void ask_another_kind(void)
{
  uint32_t index = fuzz_below(NODES);
  const struct tp_nest *nest = nest_of(index);
  uint32_t kind = now.nodes[index].kind;
  if (TP_CHECKS == 0) return;
  if (kind != TP_NEST_STACK) WRONG(TP_FAULT_CLOSED, tp_nest_stack(nest));
  if (kind != TP_NEST_DSTACK) WRONG(TP_FAULT_CLOSED, tp_nest_dstack(nest));
  if (kind != TP_NEST_FRAME) WRONG(TP_FAULT_CLOSED, tp_nest_frame(nest));
  if (kind != TP_NEST_POOL) WRONG(TP_FAULT_CLOSED, tp_nest_pool(nest));
}

static void begin(void)
{
  memset(&now, 0, sizeof now);
  now.nodes[0].kind = TP_NEST_DSTACK;
  now.root = (struct tp_nest){
      .name = names[0],
      .state = fuzz_memory(sizeof(struct tp_nest_state), 0),
      .bytes = ROOT_BYTES,
      .kind = TP_NEST_DSTACK,
      .as.dstack = {.state = fuzz_memory(sizeof(struct tp_dstack_state), 0),
                    .region = {.storage = fuzz_memory(ROOT_BYTES, 0x11),
                               .name = names[0],
                               .bytes = ROOT_BYTES}}};
}

// No one bit of an open child flips unseen.
static void damage(void)
{
  uint32_t index = fuzz_below(NODES), bit = fuzz_below(8 * sizeof now.root);
  uint8_t *byte = (uint8_t *)&now.nodes[index].nest + bit / 8;
  if (index == 0 || now.nodes[index].kind == TP_NEST_CLOSED) return;
  *byte ^= 1u << bit % 8;
  EXPECT(!tp_nest_verify(nest_of(index)));
  *byte ^= 1u << bit % 8;
}

static void (*const calls[])(void) = {open,
                                      open,
                                      open,
                                      use,
                                      use,
                                      use,
                                      open,
                                      wipe,
                                      free_one,
                                      close,
                                      mark_or_release,
                                      mark_or_release,
                                      close,
                                      use,
                                      close,
                                      ask_another_kind,
                                      replace,
                                      release_old,
                                      damage};
enum { CALLS = sizeof calls / sizeof calls[0] };

const struct world fuzz_nest = {
    .name = "nest",
    .begin = begin,
    .calls = calls,
    .count = CALLS,
    .end_in = CALLS,
    .check = check_all,
};
