// SPDX-License-Identifier: MIT
#include "object.h"

#include "tp_port.h"

uint32_t inits, deinits, locked_hooks;
uint32_t died_with_left;
struct node *node_died;
uint32_t closed[8], closes;
uint32_t broken_channel;

static void note_lock(void)
{
  uint32_t key = tp_port_lock();
  tp_port_unlock(key);
  locked_hooks += key != 0;
}

bool spark_init(void *object, void *context)
{
  struct spark *spark = (struct spark *)object;
  const struct birth *birth = (const struct birth *)context;
  note_lock();
  inits++;
  *spark = (struct spark){inits, birth->left, 0};
  if (birth->during) birth->during(spark);
  return !birth->fails;
}

void spark_deinit(void *object)
{
  note_lock();
  deinits++;
  died_with_left = ((struct spark *)object)->left;
}

bool spark_in_use(const void *object)
{
  return ((const struct spark *)object)->left - 1 < LEFT_MAX;
}

bool naive_in_use(const void *object)
{
  return ((const struct spark *)object)->left > 0;
}

static void let_go(tp_handle_t handle)
{
  struct node *node = nodes_get(handle);
  if (node) node->held--;
}

void node_deinit(void *object)
{
  struct node *node = (struct node *)object;
  note_lock();
  let_go(node->out[0]);
  let_go(node->out[1]);
  node_died = node;
}

bool device_validate(void *part)
{
  return *(uint32_t *)part != broken_channel;
}

void device_close(void *part)
{
  closed[closes++ % 8] = *(uint32_t *)part;
}

static void forget_retained(const struct tp_retain *retain, uint32_t slots)
{
  for (uint32_t i = 0; i < slots; i++) retain->sum[i] = 0;
  for (uint32_t i = 0; i < slots * retain->size / 4; i++) retain->kept[i] = 0;
}

void forget(const struct tp_objects *objects)
{
  uint32_t slots = objects->pool->capacity;
  tp_test_forget(objects->pool);
  if (objects->retain) forget_retained(objects->retain, slots);
  inits = deinits = locked_hooks = closes = 0;
  broken_channel = UINT32_MAX;
  node_died = NULL;
}

struct spark *spark_of(uint32_t left)
{
  struct birth birth = {.left = left};
  return sparks_create(&birth);
}
