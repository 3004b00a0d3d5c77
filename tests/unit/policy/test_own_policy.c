// SPDX-License-Identifier: MIT
// test_own_policy.c - policies as an application writes them, with what
// tp_policy.h says and nothing else.
#include "policies.h"
#include "config/tp_define.h"
#include "tp_declare.h"

enum { PAGES = 3, SPARE = 2 };

// A cache: when it is full the entry that was used least goes.
struct page {
  uint32_t uses;
  uint32_t number;
};

TP_POOL_DECLARE(cache, struct page);

static struct page *pages[PAGES];

static struct page **least_used(void)
{
  struct page **least = &pages[0];
  for (uint32_t i = 1; i < PAGES; i++) {
    if (pages[i]->uses < (*least)->uses) least = &pages[i];
  }
  return least;
}

static void *forget_a_page(const struct tp_pool *pool, uint32_t *tag,
                           tp_site_t site)
{
  (void)site;
  if (tag) return NULL;
  struct page **least = least_used();
  cache_free(*least);
  *least = NULL;
  pool->state->overflows--;
  return tp_pool_alloc(pool);
}

static const struct tp_policy page_policy = {.overflow = forget_a_page};

TP_POOL_DEFINE_TAGGED(cache, sizeof(struct page), PAGES, 4,
                      .policy = &page_policy);

static void a_policy_of_the_application_frees_what_it_likes_least(void)
{
  tp_test_forget(&cache_pool);
  for (uint32_t i = 0; i < PAGES; i++) {
    pages[i] = cache_alloc();
    *pages[i] = (struct page){.uses = i == 1 ? 0 : 7, .number = i};
  }
  const struct page *least = pages[1];

  CHECK(cache_alloc() == least);

  CHECK(pages[1] == NULL);
  CHECK_EQ(pages[0]->number, 0);
  CHECK_EQ(pages[2]->number, 2);
  CHECK(tp_pool_verify(&cache_pool, NULL));
}

static void who_is_served_by_a_policy_of_the_application_is_not_refused(void)
{
  struct tp_stats stats;
  tp_handle_t handle;
  tp_test_forget(&cache_pool);
  for (uint32_t i = 0; i < PAGES; i++) {
    pages[i] = cache_alloc();
    pages[i]->uses = i;
  }

  CHECK(cache_alloc() != NULL);
  CHECK(tp_handle_alloc(&cache_pool, &handle) == NULL);

  tp_pool_stats(&cache_pool, &stats);
  CHECK_EQ(stats.refused, 1);
  CHECK_EQ(stats.allocs, PAGES + 1);
}

static void a_policy_that_cannot_tell_the_tag_refuses_a_handle(void)
{
  tp_handle_t handle;
  tp_test_forget(&cache_pool);
  for (uint32_t i = 0; i < PAGES; i++) cache_alloc();

  CHECK(tp_handle_alloc(&cache_pool, &handle) == NULL);
  CHECK_EQ(handle, TP_NO_HANDLE);
}

// Grows by single words that it never gives back, with a parameter: how many.
struct growth {
  struct tp_policy policy;
  struct page *spare;
  uint32_t count;
};

static struct page spare[SPARE];
static uint32_t grown;

static const struct growth *growth_of(const struct tp_pool *pool)
{
  return (const struct growth *)(const void *)pool->policy;
}

static void *grow(const struct tp_pool *pool, uint32_t *tag, tp_site_t site)
{
  (void)site;
  const struct growth *growth = growth_of(pool);
  if (tag || grown == growth->count) return NULL;
  pool->state->spills++;
  return &growth->spare[grown++];
}

static bool shrink(const struct tp_pool *pool, void *object, tp_site_t site)
{
  (void)site;
  const struct growth *growth = growth_of(pool);
  if (grown == 0 || object != &growth->spare[grown - 1]) return false;
  grown--;
  return true;
}

static const struct growth growth = {
    .policy = {.overflow = grow, .take_back = shrink},
    .spare = spare,
    .count = SPARE,
};

TP_POOL_DECLARE(shelf, struct page);
TP_POOL_DEFINE(shelf, sizeof(struct page), PAGES, 4, .policy = &growth.policy,
               .takes_foreign = 1);

static void a_policy_of_the_application_grows_and_takes_back(void)
{
  tp_test_forget(&shelf_pool);
  grown = 0;
  for (uint32_t i = 0; i < PAGES; i++) shelf_alloc();

  CHECK(shelf_alloc() == &spare[0]);
  CHECK(shelf_alloc() == &spare[1]);
  CHECK(shelf_alloc() == NULL);
  shelf_free(&spare[1]);
  CHECK(shelf_alloc() == &spare[1]);

  CHECK_EQ(shelf_pool.state->overflows, 4);
  CHECK_EQ(shelf_pool.state->spills, 3);
}

// A pool whose slots begin behind what its policy lends: [shelf]'s first.
static void what_lies_one_stride_before_the_first_slot_is_not_its_own(void)
{
  const struct growth lends = {
      .policy = {.overflow = grow, .take_back = shrink},
      .spare = (struct page *)(void *)shelf_pool.storage,
      .count = 1,
  };
  struct tp_pool behind = shelf_pool;
  behind.policy = &lends.policy;
  behind.origin += behind.stride;
  behind.storage += behind.stride / sizeof *behind.storage;
  behind.capacity = PAGES - 1;
  behind.gate = TP_GATE(behind.stride, PAGES - 1);
  tp_test_forget(&behind);
  grown = 0;
  for (uint32_t i = 0; i < PAGES; i++) pages[i] = tp_pool_alloc(&behind);
  CHECK(pages[PAGES - 1] == lends.spare);

  tp_pool_free(&behind, pages[PAGES - 1]);

  CHECK_EQ(grown, 0);
  CHECK(tp_pool_alloc(&behind) == lends.spare);
  CHECK_EQ(behind.state->spills, 2);
}

// The same as a row of a table has it: it lends one that is none of its slots.
static struct thing borrowed;
static bool is_out;

static void *lend_it(const struct tp_pool *pool, uint32_t *tag, tp_site_t site)
{
  (void)pool;
  (void)tag;
  (void)site;
  if (is_out) return NULL;
  is_out = true;
  return &borrowed;
}

static bool take_it(const struct tp_pool *pool, void *object, tp_site_t site)
{
  (void)pool;
  (void)site;
  if (object != &borrowed || !is_out) return false;
  is_out = false;
  return true;
}

const struct tp_policy borrow_one = {.overflow = lend_it, .take_back = take_it};

static void what_a_row_s_policy_lends_is_freed_by_the_row(void)
{
  tp_test_forget(&rack_pool);
  struct thing *own = rack_alloc();
  CHECK(rack_alloc() != NULL);
  CHECK(rack_alloc() == &borrowed);
  CHECK(rack_alloc() == NULL);

  rack_free(&borrowed);

  CHECK(!is_out);
  CHECK(rack_alloc() == &borrowed);
  rack_free(&borrowed);
  rack_free(own);
  CHECK(rack_alloc() == own);
  CHECK(tp_pool_verify(&rack_pool, NULL));
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  CHECK_FAULTS(TP_FAULT_FOREIGN, rack_free(&borrowed));
}

static void memory_lent_by_a_pool_with_such_a_policy_is_released(void)
{
  static struct tp_chunk_state state;
  const struct tp_chunk chunk = {.pool = &shelf_pool, .state = &state};
  tp_test_forget(&shelf_pool);
  state = (struct tp_chunk_state){0};
  shelf_free(shelf_alloc());

  CHECK(tp_chunk_release(&chunk));

  tp_test_forget(&shelf_pool);
}

static void what_its_policy_does_not_know_is_foreign(void)
{
  tp_test_forget(&shelf_pool);
  grown = 0;

  CHECK_FAULTS(TP_FAULT_FOREIGN, shelf_free(&spare[0]));

  CHECK(tp_fault_record.pool == &shelf_pool);
}

void suite_own_policy(void)
{
  RUN(a_policy_of_the_application_frees_what_it_likes_least);
  RUN(who_is_served_by_a_policy_of_the_application_is_not_refused);
  RUN(a_policy_that_cannot_tell_the_tag_refuses_a_handle);
  RUN(a_policy_of_the_application_grows_and_takes_back);
  RUN(what_lies_one_stride_before_the_first_slot_is_not_its_own);
  RUN(what_a_row_s_policy_lends_is_freed_by_the_row);
  RUN(memory_lent_by_a_pool_with_such_a_policy_is_released);
  RUN(what_its_policy_does_not_know_is_foreign);
}
