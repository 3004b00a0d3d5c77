// SPDX-License-Identifier: MIT
#include "object.h"

#include "tp_by_hand.h"

TP_POOL_DEFINE_TAGGED(sparks, sizeof(struct spark), SPARKS, 4,
                      .policy = &tp_drop);
TEST_OBJECTS(sparks, SPARKS, .init = spark_init, .deinit = spark_deinit,
             .in_use = spark_in_use);

TP_POOL_DEFINE_TAGGED(naive, sizeof(struct spark), 4, 4, .policy = &tp_drop);
TEST_OBJECTS(naive, 4, .in_use = naive_in_use);

TP_POOL_DEFINE_TAGGED(nodes, sizeof(struct node), NODES, 8, .policy = &tp_drop);
TEST_OBJECTS(nodes, NODES, .deinit = node_deinit,
             .owner = 1 + offsetof(struct node, owner));

TEST_EVICT(voices);
static struct tp_age_link voices_age[VOICES + 1];
TP_POOL_DEFINE_TAGGED(voices, sizeof(struct node), VOICES, 8,
                      .policy = &tp_steal_oldest, .age = voices_age,
                      .evict = voices_evict);
TEST_OBJECTS(voices, VOICES, .deinit = node_deinit,
             .owner = 1 + offsetof(struct node, owner));

TP_POOL_DEFINE_TAGGED(devices, sizeof(struct device), DEVICES, 4,
                      .policy = &tp_drop);
TEST_RETAIN(devices, DEVICES, 4, 8, .validate = device_validate,
            .close = device_close);
TEST_OBJECTS(devices, DEVICES, .deinit = spark_deinit,
             .retain = &devices_retain);

TP_POOL_DEFINE_TAGGED(lamps, sizeof(struct device), 2, 4, .policy = &tp_drop,
                      .refuses = 1);
TEST_RETAIN(lamps, 2, 4, 8, .validate = NULL);
TEST_OBJECTS(lamps, 2, .retain = &lamps_retain);

TEST_EVICT(radios);
static struct tp_age_link radios_age[2 + 1];
TP_POOL_DEFINE_TAGGED(radios, sizeof(struct device), 2, 4,
                      .policy = &tp_steal_oldest, .age = radios_age,
                      .evict = radios_evict);
TEST_RETAIN(radios, 2, 4, 8, .close = device_close);
TEST_OBJECTS(radios, 2, .retain = &radios_retain);

int main(void)
{
  suite_hooks();
  suite_update();
  suite_audit();
  suite_references();
  suite_retain();
  suite_union();
  return tp_test_end();
}
