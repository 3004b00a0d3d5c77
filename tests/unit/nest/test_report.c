// SPDX-License-Identifier: MIT
// The tree as a report sees it: laid out by the linker in part, opened at run
// time in part.
#include "nest.h"

#include "tp_test_print.h"

static struct tp_nest scene, sparks;
static struct tp_nest_item items[12];
static uint32_t item_count;

static void keep_item(const struct tp_nest_item *item, void *context)
{
  (void)context;
  if (item_count < 12) items[item_count++] = *item;
}

static void walk(void)
{
  item_count = 0;
  tp_nest_walk(&town_nest, keep_item, NULL);
}

static void start(void)
{
  struct tp_build row = drop_row(3);
  forget_nest(&town_nest);
  scene = (struct tp_nest){0};
  sparks = scene;
  tp_nest_open_stack(&scene, &town_nest, TP_HIGH, "scene", 256, TP_FULL_DROP);
  tp_nest_open_pool(&sparks, &scene, TP_LOW, "sparks", &row);
}

static bool is_item(uint32_t i, const char *name, uint32_t depth)
{
  const char *found = items[i].name;
  while (*name && *name == *found) name++, found++;
  return *name == *found && items[i].depth == depth;
}

static void a_walk_meets_rows_then_children_each_before_its_own(void)
{
  start();
  walk();
  CHECK_EQ(item_count, 9);
  CHECK(is_item(0, "town", 0));
  CHECK(is_item(1, "guards", 1));
  CHECK(is_item(2, "level", 1));
  CHECK(is_item(3, "draw", 1));
  CHECK(is_item(4, "signs_16", 1));
  CHECK(is_item(5, "plans", 1));
  CHECK(is_item(6, "birds", 1));
  CHECK(is_item(7, "scene", 1));
  CHECK(is_item(8, "sparks", 2));
}

static void count_item(const struct tp_nest_item *item, void *context)
{
  (void)item;
  ++*(uint32_t *)context;
}

static void a_visitor_gets_what_the_walk_was_given(void)
{
  uint32_t count = 0;
  start();
  tp_nest_walk(&town_nest, count_item, &count);
  CHECK_EQ(count, 9);
}

static void a_report_says_at_which_end_each_lies(void)
{
  start();
  walk();
  CHECK_EQ(items[1].end, TP_HIGH);
  CHECK_EQ(items[2].end, TP_HIGH);
  CHECK_EQ(items[3].end, TP_LOW);
  CHECK_EQ(items[7].end, TP_HIGH);
  CHECK_EQ(items[8].end, TP_LOW);
}

static void a_report_says_what_the_alignment_of_a_child_skipped(void)
{
  struct tp_nest tools = {0};
  struct tp_build row = drop_row(1);
  start();
  row.align = 64;
  CHECK(tp_dstack_alloc(&town_nest.as.dstack, TP_LOW, 4, 64));
  tp_nest_open_pool(&tools, &town_nest, TP_LOW, "tools", &row);
  walk();
  CHECK(is_item(7, "tools", 1));
  CHECK_EQ(items[7].padding, 60);
  CHECK_EQ(items[7].bytes, 60 + tp_build_bytes(&row));
}

// Not even the header at the top.
static void of_what_moves_nothing_is_used_before_the_first(void)
{
  struct tp_reloc_state *state = plans_reloc.state;
  uint16_t touched = state->touched;
  start();
  state->touched = 0;
  walk();
  state->touched = touched;
  CHECK(is_item(5, "plans", 1));
  CHECK_EQ(items[5].peak, 0);
}

static void a_walk_may_begin_at_a_child(void)
{
  start();
  item_count = 0;
  tp_nest_walk(&scene, keep_item, NULL);
  CHECK_EQ(item_count, 2);
  CHECK(is_item(0, "scene", 0));
  CHECK(is_item(1, "sparks", 1));
}

static void a_walk_comes_up_again_from_the_deepest(void)
{
  struct tp_nest yard = {0}, shed = {0}, tools = {0};
  struct tp_build row = drop_row(2);
  start();
  tp_nest_open_stack(&yard, &town_nest, TP_LOW, "yard", 512, TP_FULL_DROP);
  tp_nest_open_stack(&shed, &yard, TP_LOW, "shed", 256, TP_FULL_DROP);
  tp_nest_open_pool(&tools, &shed, TP_LOW, "tools", &row);
  walk();
  CHECK_EQ(item_count, 12);
  CHECK(is_item(7, "yard", 1));
  CHECK(is_item(8, "shed", 2));
  CHECK(is_item(9, "tools", 3));
  CHECK(is_item(10, "scene", 1));
  CHECK(is_item(11, "sparks", 2));
}

static void a_report_says_what_is_used_of_each(void)
{
  start();
  uint64_t *guard = guards_alloc();
  level_alloc(40, 8);
  draw_alloc(24, 8);
  walk();
  CHECK_EQ(items[3].used, 24);
  CHECK_EQ(items[2].used, 40);
  if (TP_CHECKS >= TP_CHECKS_FAST) CHECK_EQ(items[1].used, guards_pool.stride);
  CHECK_EQ(items[1].peak, guards_pool.stride);
  CHECK_EQ(items[7].used, sparks.bytes);

  guards_free(guard);
  draw_end();
  walk();
  CHECK_EQ(items[3].used, 0);
  CHECK_EQ(items[3].peak, 24);
  CHECK_EQ(items[1].used, 0);
}

static void a_report_says_what_is_used_of_what_moves_and_of_blocks(void)
{
  birds_handle_t bird[2];
  start();
  for (uint32_t i = 0; i < 2; i++) CHECK(birds_alloc(&bird[i]));
  void *sign = signs_alloc(9);
  plans_handle_t plan = plans_alloc(20);
  walk();
  CHECK_EQ(items[4].peak, signs_blocks.classes[0].pool->stride);
  CHECK_EQ(items[5].used, 32);
  CHECK_EQ(items[6].used, 32);
  CHECK_EQ(items[6].bytes, 48);

  CHECK(birds_free(bird[0]) && plans_free(plan));
  signs_free(sign);
  walk();
  CHECK_EQ(items[4].used, 0);
  CHECK_EQ(items[5].used, 0);
  CHECK_EQ(items[5].peak, 32);
  CHECK_EQ(items[6].used, 16);
  CHECK_EQ(items[6].peak, 32);
  birds_reset();
}

// Rows, children and what is free are all there is, and no more.
static void a_report_adds_up_to_the_bytes_of_the_root(void)
{
  start();
  walk();
  uint32_t below = 0;
  for (uint32_t i = 1; i < item_count; i++) {
    if (items[i].depth == 1) below += items[i].bytes;
  }
  CHECK_EQ(items[0].bytes, 2048);
  CHECK_EQ(items[0].children, below);
  CHECK_EQ(items[0].used, below);
  CHECK_EQ(items[0].peak, below);
  CHECK_EQ(items[0].used + tp_dstack_room(&town_nest.as.dstack), 2048);
  CHECK_EQ(items[7].children, items[8].bytes);
}

static void what_a_parent_gives_itself_is_used_but_no_child(void)
{
  start();
  tp_stack_alloc(tp_nest_stack(&scene), 16, 4);
  walk();
  CHECK_EQ(items[7].used, items[7].children + 16);
}

static void print_number(uint32_t value)
{
  char digits[11] = "          ";
  for (uint32_t i = 9; i > 0; i--) {
    digits[i] = (char)('0' + value % 10);
    value /= 10;
    if (value == 0) break;
  }
  tp_test_print(digits);
}

static void print_item(const struct tp_nest_item *item, void *context)
{
  (void)context;
  print_number(item->bytes);
  print_number(item->used);
  print_number(item->peak);
  for (uint32_t i = 0; i <= item->depth; i++) tp_test_print("  ");
  tp_test_print(item->name);
  tp_test_print("\n");
}

static void a_report_prints_the_tree(void)
{
  start();
  tp_test_print("     bytes      used      peak  name\n");
  tp_nest_walk(&town_nest, print_item, NULL);
}

void suite_report(void)
{
  RUN(a_walk_meets_rows_then_children_each_before_its_own);
  RUN(a_visitor_gets_what_the_walk_was_given);
  RUN(a_report_says_at_which_end_each_lies);
  RUN(a_report_says_what_the_alignment_of_a_child_skipped);
  RUN(of_what_moves_nothing_is_used_before_the_first);
  RUN(a_walk_may_begin_at_a_child);
  RUN(a_walk_comes_up_again_from_the_deepest);
  RUN(a_report_says_what_is_used_of_each);
  RUN(a_report_says_what_is_used_of_what_moves_and_of_blocks);
  RUN(a_report_adds_up_to_the_bytes_of_the_root);
  RUN(what_a_parent_gives_itself_is_used_but_no_child);
  RUN(a_report_prints_the_tree);
}
