// SPDX-License-Identifier: MIT
#include "object.h"

#include "config/tp_define.h"
#include "tp_declare.h"

struct orc {
  uint8_t bytes[13];
};

struct elf {
  uint64_t word;
};

struct ent {
  uint32_t words[5];
};

union actor {
  struct orc orc;
  struct elf elf;
  struct ent ent;
};

TP_POOL_DECLARE(actors, void);
TP_POOL_DEFINE(actors, sizeof(union actor), 3, 8, .policy = &tp_drop);

static void a_slot_of_a_union_fits_the_largest_type(void)
{
  CHECK(actors_pool.size >= sizeof(struct ent));
}

static void a_slot_of_a_union_is_aligned_for_the_strictest_type(void)
{
  CHECK_EQ(actors_pool.stride % 8, 0);
  tp_test_forget(&actors_pool);
  for (uint32_t i = 0; i < 3; i++) CHECK_EQ((uintptr_t)actors_alloc() % 8, 0);
}

static void a_large_object_tramples_no_neighbour(void)
{
  tp_test_forget(&actors_pool);
  struct elf *elf = (struct elf *)actors_alloc();
  struct ent *ent = (struct ent *)actors_alloc();
  struct orc *orc = (struct orc *)actors_alloc();
  elf->word = 1;
  for (uint32_t i = 0; i < 13; i++) orc->bytes[i] = (uint8_t)i;

  for (uint32_t i = 0; i < 5; i++) ent->words[i] = ~0u;

  CHECK(elf->word == 1);
  for (uint32_t i = 0; i < 13; i++) CHECK_EQ(orc->bytes[i], i);
  actors_free(ent);
  actors_free(elf);
  actors_free(orc);
  CHECK(tp_pool_verify(&actors_pool, NULL));
}

void suite_union(void)
{
  RUN(a_slot_of_a_union_fits_the_largest_type);
  RUN(a_slot_of_a_union_is_aligned_for_the_strictest_type);
  RUN(a_large_object_tramples_no_neighbour);
}
