// SPDX-License-Identifier: MIT
#include "object.h"

// A device whose first life has opened [channel].
static struct device *opened(uint32_t channel)
{
  struct device *device = devices_create(NULL);
  device->job = channel;
  device->channel = channel;
  device->state = ~channel;
  device->bytes = channel;
  return device;
}

static void what_is_retained_is_zero_in_the_first_life_of_a_slot(void)
{
  forget(&devices_objects);

  struct device *device = devices_create(NULL);

  CHECK_EQ(device->channel, 0);
  CHECK_EQ(device->state, 0);
}

static void retained_bytes_are_identical_over_a_million_cycles(void)
{
  forget(&devices_objects);
  devices_destroy(opened(5));

  for (uint32_t i = 0; i < 1000000; i++) {
    struct device *device = devices_create(NULL);
    if (device->channel != 5 || device->state != ~5u) CHECK_EQ(i, 1000000);
    device->job = i;
    devices_destroy(device);
  }

  CHECK_EQ(closes, 0);
  CHECK_EQ(deinits, 1000001);
}

static void each_slot_retains_its_own(void)
{
  struct device *device[DEVICES];
  forget(&devices_objects);
  for (uint32_t i = 0; i < DEVICES; i++) device[i] = opened(i + 1);
  for (uint32_t i = 0; i < DEVICES; i++) devices_destroy(device[i]);

  for (uint32_t i = 0; i < DEVICES; i++) {
    struct device *again = devices_create(NULL);
    CHECK(device[again->channel - 1] == again);
    CHECK_EQ(again->state, ~again->channel);
  }
}

static void tune_to_channel_9(void *object)
{
  struct device *device = (struct device *)object;
  device->channel = 9;
  device->state = ~9u;
}

static void what_deinit_leaves_is_retained(void)
{
  struct tp_objects tuned = devices_objects;
  tuned.deinit = tune_to_channel_9;
  forget(&devices_objects);
  tp_object_free(&tuned, opened(5));
  struct device *again = devices_create(NULL);
  CHECK_EQ(again->channel, 9);
  CHECK_EQ(again->state, ~9u);
}

static void everything_else_is_poisoned(void)
{
  forget(&devices_objects);
  struct device *device = opened(5);
  devices_destroy(device);

  const tp_word_t *word = (const tp_word_t *)device;
  for (uint32_t i = 1; i < 4; i++) CHECK_EQ(word[i], TP_POISON);

  device = devices_create(NULL);
  CHECK_EQ(device->job, TP_POISON_NEW);
  CHECK_EQ(device->bytes, TP_POISON_NEW);
  CHECK_EQ(device->channel, 5);
}

static void a_corrupted_retained_part_is_found_by_the_next_alloc(void)
{
  for (uint32_t bit = 0; bit < 64; bit++) {
    forget(&devices_objects);
    opened(1);
    devices_destroy(opened(5));
    devices_objects.retain->kept[2 + bit / 32] ^= 1u << bit % 32;

    CHECK_FAULTS(TP_FAULT_RETAIN, devices_create(NULL));

    CHECK(tp_fault_record.pool == &devices_pool);
    CHECK_EQ(tp_fault_record.slot, 2);
    CHECK_EQ(tp_fault_record.offset, 4);
    CHECK_EQ(tp_fault_record.expected, devices_objects.retain->sum[1]);
    CHECK(tp_fault_record.found != tp_fault_record.expected);
  }
}

static void a_corrupted_retained_part_is_found_when_the_pool_dies(void)
{
  forget(&devices_objects);
  devices_destroy(opened(5));
  devices_objects.retain->kept[0] ^= 1;

  CHECK_FAULTS(TP_FAULT_RETAIN, tp_retain_close(&devices_objects));

  CHECK_EQ(tp_fault_record.slot, 1);
  CHECK_EQ(tp_fault_record.expected, devices_objects.retain->sum[0]);
  CHECK_EQ(closes, 0);
}

static void a_write_to_the_dead_object_does_not_reach_what_it_retains(void)
{
  forget(&devices_objects);
  struct device *device = opened(5);
  devices_destroy(device);
  device->channel = 6;

  if (TP_CHECKS >= TP_CHECKS_POISON) {
    CHECK_FAULTS(TP_FAULT_POISON, devices_create(NULL));
    return;
  }
  CHECK_EQ(devices_create(NULL)->channel, 5);
}

static void what_broke_while_idle_is_closed_and_opened_anew(void)
{
  forget(&devices_objects);
  devices_destroy(opened(5));
  broken_channel = 5;

  struct device *device = devices_create(NULL);

  CHECK_EQ(closes, 1);
  CHECK_EQ(closed[0], 5);
  CHECK_EQ(device->channel, 0);
  CHECK_EQ(device->state, 0);
}

// As by tp_pool_free(), which puts nothing aside, or by a reset.
static void what_broke_is_closed_once_though_its_next_life_ends_untold(void)
{
  for (uint32_t way = 0; way < 2; way++) {
    forget(&devices_objects);
    devices_destroy(opened(5));
    broken_channel = 5;
    struct device *device = devices_create(NULL);
    if (way == 0) tp_pool_free(&devices_pool, device);
    if (way == 1) tp_pool_reset(&devices_pool);
    broken_channel = 0;

    CHECK_EQ(devices_create(NULL)->channel, 0);

    tp_retain_close(&devices_objects);
    CHECK_EQ(closes, 1);
  }
}

static void what_broke_while_idle_is_closed_when_the_pool_dies_too(void)
{
  forget(&devices_objects);
  devices_destroy(opened(5));
  broken_channel = 5;

  tp_retain_close(&devices_objects);

  CHECK_EQ(closes, 1);
  CHECK_EQ(closed[0], 5);
}

static void what_broke_and_nobody_closes_is_zero_again(void)
{
  struct tp_retain unclosed = *devices_objects.retain;
  struct tp_objects objects = devices_objects;
  unclosed.close = NULL;
  objects.retain = &unclosed;
  forget(&devices_objects);
  devices_destroy(opened(5));
  broken_channel = 5;

  struct device *device = tp_object_alloc(&objects, NULL);

  CHECK_EQ(closes, 0);
  CHECK_EQ(device->channel, 0);
  CHECK_EQ(device->state, 0);
}

static void a_part_is_open_when_any_of_its_words_is_set(void)
{
  for (uint32_t word = 0; word < 2; word++) {
    forget(&devices_objects);
    struct device *device = devices_create(NULL);
    device->channel = word == 0 ? 5 : 0;
    device->state = word == 1 ? 5 : 0;
    broken_channel = device->channel;
    devices_destroy(device);

    devices_create(NULL);

    CHECK_EQ(closes, 1);
  }
}

static void what_lies_behind_a_part_does_not_open_it(void)
{
  forget(&devices_objects);
  struct device *device = devices_create(NULL);
  devices_destroy(opened(5));
  device->channel = device->state = 0;
  device->bytes = 7;
  devices_destroy(device);
  broken_channel = 0;

  devices_create(NULL);
  CHECK_EQ(closes, 0);
  tp_retain_close(&devices_objects);

  CHECK_EQ(closes, 1);
  CHECK_EQ(closed[0], 5);
}

static void closing_a_part_leaves_what_lies_beside_it(void)
{
  forget(&devices_objects);
  devices_destroy(opened(5));
  broken_channel = 5;

  struct device *device = devices_create(NULL);

  CHECK_EQ(closes, 1);
  CHECK_EQ(device->job, TP_POISON_NEW);
  CHECK_EQ(device->bytes, TP_POISON_NEW);
}

static void what_was_never_opened_is_not_validated(void)
{
  forget(&devices_objects);
  broken_channel = 0;

  devices_destroy(devices_create(NULL));
  devices_create(NULL);

  CHECK_EQ(closes, 0);
}

static struct device *half_made;

static bool open_and_fail(void *object, void *context)
{
  struct device *device = (struct device *)object;
  (void)context;
  half_made = device;
  device->channel = 9;
  return false;
}

static void what_a_failed_init_opened_is_retained(void)
{
  struct tp_objects failing = devices_objects;
  failing.init = open_and_fail;
  forget(&devices_objects);

  CHECK(tp_object_alloc(&failing, NULL) == NULL);

  struct device *device = devices_create(NULL);
  CHECK(device == half_made);
  CHECK_EQ(device->channel, 9);
  CHECK_EQ(deinits, 0);
}

static void what_is_retained_is_closed_when_the_pool_dies_and_only_then(void)
{
  forget(&devices_objects);
  struct device *idle = opened(4);
  struct device *busy = opened(5);
  devices_destroy(idle);
  CHECK_EQ(closes, 0);

  tp_retain_close(&devices_objects);

  CHECK_EQ(closes, 2);
  CHECK_EQ(closed[0], 4);
  CHECK_EQ(closed[1], 5);
  CHECK_EQ(deinits, 2);
  CHECK(!devices_is_live(busy));
  tp_retain_close(&devices_objects);
  CHECK_EQ(closes, 2);
  CHECK_EQ(devices_create(NULL)->channel, 0);
}

static struct device *heir;

static void leave_an_heir(void *object)
{
  (void)object;
  if (!heir) heir = devices_create(NULL);
}

// One that a deinit creates behind those that end.
static void what_a_living_object_has_of_its_slot_stays_open(void)
{
  struct tp_objects leaving = devices_objects;
  leaving.deinit = leave_an_heir;
  forget(&devices_objects);
  heir = NULL;
  struct device *idle = opened(4);
  opened(5);
  devices_destroy(idle);

  tp_retain_close(&leaving);

  CHECK(devices_is_live(heir));
  CHECK_EQ(heir->channel, 4);
  CHECK_EQ(closes, 1);
  CHECK_EQ(closed[0], 5);
  devices_destroy(heir);
  tp_retain_close(&devices_objects);
  CHECK_EQ(closes, 2);
  CHECK_EQ(closed[1], 4);
}

// As when scenes cut the pool anew: its slots count from none again.
static void what_is_retained_is_closed_though_its_scene_was_left(void)
{
  forget(&devices_objects);
  struct device *one = opened(4);
  devices_destroy(opened(5));
  devices_destroy(one);
  tp_pool_forget(devices_objects.pool);
  CHECK_EQ(devices_create(NULL)->channel, 4);

  tp_retain_close(&devices_objects);

  CHECK_EQ(closes, 2);
  CHECK_EQ(closed[1], 5);
}

static void a_part_of_any_number_of_words_keeps_those_and_no_more(void)
{
  static uint32_t kept[DEVICES * 3], sum[DEVICES];
  static const struct tp_retain three = {.kept = kept,
                                         .sum = sum,
                                         .save = tp_retain_save,
                                         .restore = tp_retain_restore,
                                         .offset = 4,
                                         .size = 12};
  const struct tp_objects objects = {.pool = &devices_pool, .retain = &three};
  forget(&devices_objects);
  struct device *device = devices_alloc(), *next = devices_alloc();
  *device = (struct device){1, 2, 3, 4};
  *next = (struct device){5, 6, 7, 8};

  tp_object_free(&objects, device);

  for (uint32_t i = 0; i < 9; i++) CHECK_EQ(kept[i], i < 3 ? i + 2 : 0);
}

static void a_thief_finds_what_its_slot_retained(void)
{
  forget(&radios_objects);
  for (uint32_t i = 1; i <= 2; i++) {
    struct device *radio = radios_create(NULL);
    radio->channel = i;
    radio->state = 10 * i;
  }

  for (uint32_t i = 0; i < 6; i++) {
    struct device *thief = radios_create(NULL);
    CHECK_EQ(thief->channel, i % 2 + 1);
    CHECK_EQ(thief->state, 10 * thief->channel + i / 2);
    thief->state++;
  }
  CHECK_EQ(closes, 0);
}

static void none_is_closed_behind_the_last_slot_there_is(void)
{
  forget(&devices_objects);
  devices_destroy(opened(5));
  devices_pool.state->reached = DEVICES + 1;
  CHECK_FAULTS(TP_FAULT_INVARIANT, tp_retain_close(&devices_objects));
  CHECK_EQ(tp_fault_record.found, DEVICES + 1);
  CHECK_EQ(tp_fault_record.expected, DEVICES);
  CHECK_EQ(closes, 0);
  devices_pool.state->reached = DEVICES;
  tp_retain_close(&devices_objects);
  CHECK_EQ(closes, 1);
  forget(&devices_objects);
}

static void what_nobody_closes_is_forgotten_when_the_pool_dies(void)
{
  forget(&lamps_objects);
  struct device *lamp = lamps_create(NULL);
  lamp->channel = 9;
  lamps_destroy(lamp);
  tp_retain_close(&lamps_objects);
  CHECK_EQ(closes, 0);
  CHECK_EQ(lamps_create(NULL)->channel, 0);
}

static void create_while_it_is_closed(void *part)
{
  device_close(part);
  closes += devices_create(NULL) != NULL;  // Called from here: no jump.
}

static void who_is_created_while_a_part_is_closed_does_not_get_it(void)
{
  struct tp_retain retain = *devices_objects.retain;
  struct tp_objects objects = devices_objects;
  retain.close = create_while_it_is_closed;
  objects.retain = &retain;
  forget(&devices_objects);
  devices_destroy(opened(5));
  CHECK_FAULTS(TP_FAULT_RETAIN, tp_retain_close(&objects));
  CHECK(tp_fault_record.pool == &devices_pool);
  CHECK_EQ(tp_fault_record.slot, 1);
  CHECK_EQ(closes, 1);
}

void suite_retain(void)
{
  RUN(what_is_retained_is_zero_in_the_first_life_of_a_slot);
  RUN(retained_bytes_are_identical_over_a_million_cycles);
  RUN(each_slot_retains_its_own);
  RUN(what_deinit_leaves_is_retained);
  RUN(a_write_to_the_dead_object_does_not_reach_what_it_retains);
  RUN(what_broke_while_idle_is_closed_and_opened_anew);
  RUN(what_broke_is_closed_once_though_its_next_life_ends_untold);
  RUN(what_broke_while_idle_is_closed_when_the_pool_dies_too);
  RUN(what_broke_and_nobody_closes_is_zero_again);
  RUN(a_part_is_open_when_any_of_its_words_is_set);
  RUN(what_lies_behind_a_part_does_not_open_it);
  RUN(what_was_never_opened_is_not_validated);
  RUN(what_a_failed_init_opened_is_retained);
  RUN(what_is_retained_is_closed_when_the_pool_dies_and_only_then);
  RUN(what_is_retained_is_closed_though_its_scene_was_left);
  RUN(what_a_living_object_has_of_its_slot_stays_open);
  RUN(what_nobody_closes_is_forgotten_when_the_pool_dies);
  RUN(a_part_of_any_number_of_words_keeps_those_and_no_more);
  RUN(a_thief_finds_what_its_slot_retained);
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  RUN(a_corrupted_retained_part_is_found_by_the_next_alloc);
  RUN(a_corrupted_retained_part_is_found_when_the_pool_dies);
  RUN(who_is_created_while_a_part_is_closed_does_not_get_it);
  RUN(none_is_closed_behind_the_last_slot_there_is);
  if (TP_CHECKS < TP_CHECKS_POISON) return;
  RUN(everything_else_is_poisoned);
  RUN(closing_a_part_leaves_what_lies_beside_it);
}
