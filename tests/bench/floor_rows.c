// SPDX-License-Identifier: MIT
// What there is to compare with: the least a free list can cost, and the
// chapter's first version, which looks for a free object from the start.
#include "bench.h"
#include "board.h"
#include "tp_port.h"

enum { SLOTS = 1024 };

struct node {
  struct node *next;
  uint32_t rest[OBJECT_BYTES / 4 - 1];
};

struct list {
  struct node *top;
};

static struct node nodes[SLOTS];
static struct list list;

static void link_all(void)
{
  list.top = 0;
  for (uint32_t i = SLOTS; i-- > 0;) {
    nodes[i].next = list.top;
    list.top = &nodes[i];
  }
}

__attribute__((noinline)) static void *bare_alloc(struct list *from)
{
  struct node *node = from->top;
  if (node) from->top = node->next;
  return node;
}

__attribute__((noinline)) static void bare_free(struct list *to, void *object)
{
  struct node *node = object;
  node->next = to->top;
  to->top = node;
}

__attribute__((noinline)) static void *locked_alloc(struct list *from)
{
  uint32_t key = tp_port_lock();
  struct node *node = from->top;
  if (node) from->top = node->next;
  tp_port_unlock(key);
  return node;
}

__attribute__((noinline)) static void locked_free(struct list *to, void *object)
{
  struct node *node = object;
  uint32_t key = tp_port_lock();
  node->next = to->top;
  to->top = node;
  tp_port_unlock(key);
}

struct scanned {
  uint32_t in_use;
  uint32_t rest[OBJECT_BYTES / 4];
};

static struct scanned scanned[SLOTS];

__attribute__((noinline)) static void *scan_alloc(struct scanned *all)
{
  for (uint32_t i = 0; i < SLOTS; i++) {
    if (all[i].in_use) continue;
    all[i].in_use = 1;
    return all[i].rest;
  }
  return 0;
}

__attribute__((noinline)) static void scan_free(struct scanned *all,
                                                void *object)
{
  (void)all;
  ((struct scanned *)((char *)object - 4))->in_use = 0;
}

static void measure_list(const struct subject *subject)
{
  link_all();
  bench_row(subject);
  link_all();
  bench_fill(subject);
  bench_request(subject, "full");
}

int main(void)
{
  const struct subject bare = {"floor", (uintptr_t)&list, (void *)bare_alloc,
                               (void *)bare_free, SLOTS};
  const struct subject locked = {"floor-locked", (uintptr_t)&list,
                                 (void *)locked_alloc, (void *)locked_free,
                                 SLOTS};
  const struct subject scan = {"linear-scan", (uintptr_t)scanned,
                               (void *)scan_alloc, (void *)scan_free, SLOTS};
  bench_start();
  measure_list(&bare);
  measure_list(&locked);
  bench_row(&scan);
  bench_fill(&scan);
  bench_request(&scan, "full");
  return 0;
}
