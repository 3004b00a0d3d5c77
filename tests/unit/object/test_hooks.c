// SPDX-License-Identifier: MIT
#include "object.h"

static void init_makes_the_object_of_its_context(void)
{
  forget(&sparks_objects);

  struct spark *spark = spark_of(7);

  CHECK_EQ(inits, 1);
  CHECK_EQ(spark->left, 7);
  CHECK(sparks_is_live(spark));
}

static void an_object_whose_init_fails_goes_back_without_deinit(void)
{
  struct birth birth = {.left = 1, .fails = true};
  forget(&sparks_objects);

  for (uint32_t i = 0; i < 100; i++) CHECK(sparks_create(&birth) == NULL);

  CHECK_EQ(inits, 100);
  CHECK_EQ(deinits, 0);
  CHECK_EQ(sparks_pool.state->fresh, 1);
  CHECK(tp_pool_verify(&sparks_pool, NULL));
}

static struct spark *sibling;

static void create_sibling(struct spark *spark)
{
  (void)spark;
  sibling = spark_of(3);
}

static void init_may_create_another_object_of_its_pool(void)
{
  struct birth birth = {.left = 5, .during = create_sibling};
  forget(&sparks_objects);

  struct spark *spark = sparks_create(&birth);

  CHECK(sibling != NULL && sibling != spark);
  CHECK_EQ(spark->left, 5);
  CHECK_EQ(sibling->left, 3);
}

// As if an interrupt came, which steals so many voices; then it fails unless it
// has a context.
static uint32_t robberies;
static struct node *robbers[VOICES];

static bool init_is_robbed(void *object, void *context)
{
  *(struct node *)object = (struct node){0};
  for (uint32_t i = 0; i < robberies; i++) {
    robbers[i] = voices_create(NULL);
    *robbers[i] = (struct node){.id = i};
  }
  return context != NULL;
}

static void what_init_was_robbed_of_is_not_given_back(void)
{
  static const struct tp_objects robbed = {.pool = &voices_pool,
                                           .init = init_is_robbed};
  for (robberies = 0; robberies <= VOICES; robberies += VOICES) {
    forget(&voices_objects);
    for (uint32_t i = 1; i < VOICES; i++) {
      *voices_create(NULL) = (struct node){0};
    }

    CHECK(!tp_object_alloc(&robbed, NULL));

    CHECK_EQ(tp_pool_live(&voices_pool), robberies ? VOICES : VOICES - 1);
    for (uint32_t i = 0; i < robberies; i++) CHECK(voices_is_live(robbers[i]));
    CHECK(tp_pool_verify(&voices_pool, NULL));
  }
}

// It may have been init's own doing: that uses any pool, this one too.
static void what_init_was_robbed_of_is_nobody_s_to_return(void)
{
  static const struct tp_objects robbed = {.pool = &voices_pool,
                                           .init = init_is_robbed};
  for (robberies = 0; robberies <= VOICES; robberies += VOICES) {
    forget(&voices_objects);

    struct node *voice = tp_object_alloc(&robbed, &robberies);

    CHECK((voice != NULL) == (robberies == 0));
    CHECK_EQ(tp_pool_live(&voices_pool), robberies ? VOICES : 1);
    for (uint32_t i = 0; i < robberies; i++) CHECK(voices_is_live(robbers[i]));
  }
}

static void nor_has_it_a_handle(void)
{
  static const struct tp_objects robbed = {.pool = &voices_pool,
                                           .init = init_is_robbed};
  tp_handle_t handle = 1;
  tp_handle64_t wide = 1;
  forget(&voices_objects);
  robberies = VOICES;

  CHECK(!tp_object_alloc_handle(&robbed, &robberies, 0, &handle));
  CHECK(!tp_object_alloc_handle64(&robbed, &robberies, 0, &wide));

  CHECK_EQ(handle, TP_NO_HANDLE);
  CHECK(wide == TP_NO_HANDLE);
}

// Of a pool that steals nothing; and of one that steals and has slots elsewhere
// for who asks without a tag.
static void what_init_fails_for_is_given_back_whoever_asked(void)
{
  static struct tp_pool visited;
  static const struct tp_objects of_visited = {.pool = &visited,
                                               .init = init_is_robbed};
  static const struct tp_objects of_nodes = {.pool = &nodes_pool,
                                             .init = init_is_robbed};
  tp_handle_t handle = 1;
  visited = voices_pool;
  visited.takes_foreign = 1;
  robberies = 0;
  forget(&voices_objects);
  forget(&nodes_objects);

  CHECK(!tp_object_alloc(&of_visited, NULL));
  CHECK(!tp_object_alloc_handle(&of_nodes, NULL, 0, &handle));

  CHECK_EQ(tp_pool_live(&visited), 0);
  CHECK_EQ(tp_pool_live(&nodes_pool), 0);
  CHECK_EQ(handle, TP_NO_HANDLE);
}

static void a_full_pool_gives_no_object_and_calls_no_hook(void)
{
  forget(&sparks_objects);
  for (uint32_t i = 0; i < SPARKS; i++) spark_of(1);

  CHECK(spark_of(1) == NULL);

  CHECK_EQ(inits, SPARKS);
}

static void nor_does_one_whose_objects_are_all_pinned(void)
{
  forget(&voices_objects);
  for (uint32_t i = 0; i < VOICES; i++) {
    tp_pool_pin(&voices_pool, voices_create(NULL));
  }
  node_died = NULL;

  CHECK(voices_create(NULL) == NULL);

  CHECK(node_died == NULL);
}

static void deinit_sees_the_bytes_of_the_object_once(void)
{
  forget(&sparks_objects);
  struct spark *spark = spark_of(9);

  sparks_destroy(spark);

  CHECK_EQ(deinits, 1);
  CHECK_EQ(died_with_left, 9);
  CHECK(!sparks_is_live(spark));
}

static void hooks_run_with_nothing_locked(void)
{
  forget(&sparks_objects);
  forget(&voices_objects);

  for (uint32_t i = 0; i < 10; i++) sparks_destroy(spark_of(1));
  for (uint32_t i = 0; i < 10; i++) {
    *voices_create(NULL) = (struct node){.id = i};
  }

  CHECK(node_died != NULL);
  CHECK_EQ(locked_hooks, 0);
}

static void only_a_live_slot_of_the_pool_is_live(void)
{
  struct spark outside = {0};
  forget(&sparks_objects);
  struct spark *live = spark_of(1);
  struct spark *dead = spark_of(1);
  sparks_destroy(dead);

  CHECK(sparks_is_live(live));
  CHECK(!sparks_is_live(dead));
  CHECK(!sparks_is_live(NULL));
  CHECK(!sparks_is_live(&outside));
  CHECK(!sparks_is_live((struct spark *)((char *)live + 4)));
  CHECK(!sparks_is_live((struct spark *)(sparks_pool.storage) + 1000));
}

static void destroying_what_is_not_live_faults_before_any_hook(void)
{
  struct spark outside = {0};
  forget(&sparks_objects);
  struct spark *spark = spark_of(1);
  sparks_destroy(spark);
  deinits = 0;

  CHECK_FAULTS(TP_FAULT_DOUBLE_FREE, sparks_destroy(spark));
  CHECK_FAULTS(TP_FAULT_FOREIGN, sparks_destroy(&outside));
  CHECK_FAULTS(TP_FAULT_FOREIGN, sparks_destroy(NULL));
  CHECK_FAULTS(TP_FAULT_INTERIOR,
               sparks_destroy((struct spark *)((char *)spark + 4)));

  CHECK_EQ(deinits, 0);
}

static bool is_ended(tp_handle_t handle, tp_handle64_t wide)
{
  return wide ? tp_object_free_handle64(&voices_objects, wide)
              : tp_object_free_handle(&voices_objects, handle);
}

static void a_handle_ends_what_may_be_stolen_once_pinned_or_not(void)
{
  for (uint32_t i = 0; i < 4; i++) {
    forget(&voices_objects);
    struct node *node = voices_create(NULL);
    tp_handle_t handle = voices_handle(node);
    tp_handle64_t wide = i & 1 ? tp_handle64_of(&voices_pool, node) : 0;
    if (i & 2) tp_pool_pin(&voices_pool, node);

    CHECK(is_ended(handle, wide));
    CHECK(node_died == node);
    CHECK(!voices_is_live(node));
    CHECK(!is_ended(handle, wide));
    CHECK(!is_ended(TP_NO_HANDLE, wide & 0x7fff));
    CHECK_EQ(tp_pool_live(&voices_pool), 0);
  }
}

// What a dying voice makes, in its full pool.
static struct node *heir;

static void leave_an_heir(void *object)
{
  (void)object;
  heir = voices_create(NULL);
  if (heir) *heir = (struct node){0};
}

static const struct tp_objects dying = {.pool = &voices_pool,
                                        .deinit = leave_an_heir};

static void what_a_deinit_makes_is_not_made_of_who_dies(void)
{
  struct node *node[VOICES];
  for (uint32_t pinned = 0; pinned <= VOICES; pinned += VOICES) {
    forget(&voices_objects);
    for (uint32_t i = 0; i < VOICES; i++) {
      node[i] = voices_create(NULL);
      *node[i] = (struct node){0};
      if (i < pinned) tp_pool_pin(&voices_pool, node[i]);
    }

    tp_object_free(&dying, node[0]);

    CHECK(heir == (pinned ? NULL : node[1]));
    CHECK(node_died == heir);
    CHECK(!voices_is_live(node[0]) && voices_is_live(node[1]));
    CHECK_EQ(tp_pool_live(&voices_pool), VOICES - 1);
    CHECK(tp_pool_verify(&voices_pool, NULL));
  }
}

static void any_word_still_new_after_init_is_reported(void)
{
  forget(&sparks_objects);
  struct spark *spark = sparks_alloc();

  CHECK_EQ(tp_object_unset(&sparks_objects, spark), 0);
  spark->id = 1;
  CHECK_EQ(tp_object_unset(&sparks_objects, spark), 4);
  spark->updates = 0;
  CHECK_EQ(tp_object_unset(&sparks_objects, spark), 4);
  spark->left = 0;
  CHECK_EQ(tp_object_unset(&sparks_objects, spark), sizeof(struct spark));
  spark->updates = TP_POISON_NEW;
  CHECK_EQ(tp_object_unset(&sparks_objects, spark), 8);
}

// A second life in the slot: what the first one set is not there any more.
static void a_field_that_init_forgets_does_not_show_the_old_life(void)
{
  forget(&sparks_objects);
  sparks_destroy(spark_of(77));

  struct spark *spark = sparks_alloc();
  spark->id = 1;
  spark->updates = 0;

  CHECK_EQ(spark->left, TP_POISON_NEW);
  CHECK_EQ(tp_object_unset(&sparks_objects, spark), 4);
}

static void the_pattern_of_new_objects_is_not_the_poison_of_dead_ones(void)
{
  forget(&sparks_objects);
  struct spark *spark = sparks_alloc();
  CHECK_EQ(spark->left, TP_POISON_NEW);

  sparks_free(spark);

  CHECK_EQ(spark->left, TP_POISON);
  CHECK(TP_POISON != TP_POISON_NEW);
}

static void below_poison_no_word_is_reported(void)
{
  forget(&sparks_objects);
  struct spark *spark = sparks_alloc();
  *spark = (struct spark){TP_POISON_NEW, TP_POISON_NEW, TP_POISON_NEW};

  CHECK_EQ(tp_object_unset(&sparks_objects, spark), sizeof(struct spark));
}

void suite_hooks(void)
{
  RUN(init_makes_the_object_of_its_context);
  RUN(an_object_whose_init_fails_goes_back_without_deinit);
  RUN(init_may_create_another_object_of_its_pool);
  RUN(what_init_was_robbed_of_is_not_given_back);
  RUN(what_init_was_robbed_of_is_nobody_s_to_return);
  RUN(nor_has_it_a_handle);
  RUN(what_init_fails_for_is_given_back_whoever_asked);
  RUN(a_full_pool_gives_no_object_and_calls_no_hook);
  RUN(nor_does_one_whose_objects_are_all_pinned);
  RUN(deinit_sees_the_bytes_of_the_object_once);
  RUN(hooks_run_with_nothing_locked);
  RUN(only_a_live_slot_of_the_pool_is_live);
  RUN(a_handle_ends_what_may_be_stolen_once_pinned_or_not);
  RUN(what_a_deinit_makes_is_not_made_of_who_dies);
  if (TP_CHECKS < TP_CHECKS_POISON) RUN(below_poison_no_word_is_reported);
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  RUN(destroying_what_is_not_live_faults_before_any_hook);
  if (TP_CHECKS < TP_CHECKS_POISON) return;
  RUN(any_word_still_new_after_init_is_reported);
  RUN(a_field_that_init_forgets_does_not_show_the_old_life);
  RUN(the_pattern_of_new_objects_is_not_the_poison_of_dead_ones);
}
