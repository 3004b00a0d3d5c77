// SPDX-License-Identifier: MIT
// object.h - the pools of these tests, and what their hooks saw.
#ifndef OBJECT_H
#define OBJECT_H

#include "tp_test.h"
#include "tp_declare.h"
#include "object/tp_update.h"

// A particle. What its pool's predicate looks at is not the first word.
struct spark {
  uint32_t id;
  uint32_t left;     // Frames; 0: dead.
  uint32_t updates;  // Frames it has seen.
};

// A thing that refers to others, and to which its owner has a pointer.
struct node {
  struct node **owner;
  tp_handle_t out[2];
  uint32_t id;
  uint32_t held;  // By how many handles of live nodes.
};

// A thing that is slow to open: words 1 and 2 of four outlive it.
struct device {
  uint32_t job;
  uint32_t channel;  // 0: not open.
  uint32_t state;
  uint32_t bytes;
};

enum { SPARKS = 32, LEFT_MAX = 1000, NODES = 24, DEVICES = 3, VOICES = 4 };

TP_POOL_DECLARE(sparks, struct spark);
TP_OBJECTS_DECLARE(sparks, struct spark);
TP_POOL_DECLARE(naive, struct spark);  // Its predicate falls for poison.
TP_OBJECTS_DECLARE(naive, struct spark);
TP_POOL_DECLARE(nodes, struct node);
TP_POOL_DECLARE_HANDLES(nodes, struct node, 32);
TP_OBJECTS_DECLARE(nodes, struct node);
TP_POOL_DECLARE(voices, struct node);  // Steals its oldest.
TP_POOL_DECLARE_HANDLES(voices, struct node, 32);
TP_OBJECTS_DECLARE(voices, struct node);
TP_POOL_DECLARE(devices, struct device);
TP_OBJECTS_DECLARE(devices, struct device);
TP_POOL_DECLARE(lamps, struct device);  // Retains what nobody closes.
TP_OBJECTS_DECLARE(lamps, struct device);
TP_POOL_DECLARE(radios, struct device);  // Retains, and steals its oldest.
TP_OBJECTS_DECLARE(radios, struct device);

// The context of spark_init().
struct birth {
  uint32_t left;
  bool fails;
  void (*during)(struct spark *spark);
};

// What hooks saw since the last forget().
extern uint32_t inits, deinits, locked_hooks;
extern uint32_t died_with_left;
extern struct node *node_died;
extern uint32_t closed[8], closes;  // Channels.
extern uint32_t broken_channel;     // The channel that does not validate.

bool spark_init(void *object, void *context);
void spark_deinit(void *object);
bool spark_in_use(const void *object);
bool naive_in_use(const void *object);
void node_deinit(void *object);
bool device_validate(void *part);
void device_close(void *part);

// Puts a pool and what is kept for it back to their state at boot.
void forget(const struct tp_objects *objects);

struct spark *spark_of(uint32_t left);

void suite_hooks(void);
void suite_update(void);
void suite_audit(void);
void suite_references(void);
void suite_retain(void);
void suite_union(void);

#endif
