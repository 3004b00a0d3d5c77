// SPDX-License-Identifier: MIT
#include "object.h"

#include "config/tp_define.h"

TP_POOL_DEFINE(sparks, sizeof(struct spark), SPARKS, 4, TP_NO_BANK,
               TP_TAGS_ALWAYS, .policy = &tp_drop);
TP_OBJECTS_DEFINE(sparks, SPARKS, .init = spark_init, .deinit = spark_deinit,
                  .in_use = spark_in_use);

TP_POOL_DEFINE(naive, sizeof(struct spark), 4, 4, TP_NO_BANK, TP_TAGS_ALWAYS,
               .policy = &tp_drop);
TP_OBJECTS_DEFINE(naive, 4, .in_use = naive_in_use);

TP_POOL_DEFINE(nodes, sizeof(struct node), NODES, 8, TP_NO_BANK, TP_TAGS_ALWAYS,
               .policy = &tp_drop);
TP_OBJECTS_DEFINE(nodes, NODES, .deinit = node_deinit,
                  .owner = TP_OWNER_AT(offsetof(struct node, owner)));

TP_OBJECTS_EVICT(voices);
TP_POOL_AGE(voices, VOICES);
TP_POOL_DEFINE(voices, sizeof(struct node), VOICES, 8, TP_NO_BANK,
               TP_TAGS_ALWAYS, .policy = &tp_steal_oldest, .age = voices_age,
               .evict = voices_evict);
TP_OBJECTS_DEFINE(voices, VOICES, .deinit = node_deinit,
                  .owner = TP_OWNER_AT(offsetof(struct node, owner)));

TP_POOL_DEFINE(devices, sizeof(struct device), DEVICES, 4, TP_NO_BANK,
               TP_TAGS_ALWAYS, .policy = &tp_drop);
TP_RETAIN_DEFINE(devices, DEVICES, 4, 8, .validate = device_validate,
                 .close = device_close);
TP_OBJECTS_DEFINE(devices, DEVICES, .deinit = spark_deinit,
                  .retain = &devices_retain);

TP_OBJECTS_EVICT(radios);
TP_POOL_AGE(radios, 2);
TP_POOL_DEFINE(radios, sizeof(struct device), 2, 4, TP_NO_BANK, TP_TAGS_ALWAYS,
               .policy = &tp_steal_oldest, .age = radios_age,
               .evict = radios_evict);
TP_RETAIN_DEFINE(radios, 2, 4, 8, .close = device_close);
TP_OBJECTS_DEFINE(radios, 2, .retain = &radios_retain);

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
