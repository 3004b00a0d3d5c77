// SPDX-License-Identifier: MIT
// Prints a tree, half of it laid out by the linker, half opened here: a line
// of depth, bytes, bytes of children and name for each node, then the root's
// free bytes.
#include "semihost.h"
#include "tp_pools.h"

static struct tp_nest scene, smoke, trail;

static void print_number(uint32_t value)
{
  char digits[12] = "           ";
  uint32_t i = 10;
  do {
    digits[i--] = (char)('0' + value % 10);
    value /= 10;
  } while (value);
  semihost_print(digits);
}

static void print_item(const struct tp_nest_item *item, void *context)
{
  (void)context;
  print_number(item->depth);
  print_number(item->bytes);
  print_number(item->children);
  semihost_print(" ");
  semihost_print(item->name);
  semihost_print("\n");
}

int main(void)
{
  struct tp_build row = {
      .size = 20,
      .count = 9,
      .align = 32,
      .refuses = 1,
      .policy = &tp_drop,
  };
  aside_free(aside_alloc());
  tp_nest_open_frame(&trail, &town_nest, TP_LOW, "trail", 64, 2, TP_FULL_DROP);
  tp_nest_open_stack(&scene, &town_nest, TP_HIGH, "scene", 1536, TP_FULL_DROP);
  tp_nest_open_pool(&smoke, &scene, TP_LOW, "smoke", &row);
  tp_nest_walk(&town_nest, print_item, NULL);
  print_number(tp_dstack_room(&town_nest.as.dstack));
  semihost_print(" free\n");
  semihost_exit(0);
}
