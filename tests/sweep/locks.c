// SPDX-License-Identifier: MIT
// locks.c - the locks that only some cores have. No row of pools.toml, which
// is for all boards: these pools are defined by hand.
#include "core/tp_magazine.h"
#include "tp_by_hand.h"
#include "subject.h"
#include "tp_test.h"
#include "tp_declare.h"

#if TP_PORT_HAS_EXCLUSIVE

TP_POOL_DECLARE_OWN(exclusive, struct item);
TP_POOL_DEFINE(exclusive, sizeof(struct item), 4, 4, .policy = &tp_drop,
               .refuses = 1);
TEST_OWN_EXCLUSIVE(exclusive, struct item);
PLAIN(exclusive);

static void sweep_exclusive(void)
{
  sweep_common(&exclusive);
}

#else

static void sweep_exclusive(void)
{
}

#endif

#if TP_PORT_HAS_BASEPRI

TP_POOL_DECLARE_OWN(below, struct item);
TP_POOL_DECLARE_HANDLES(below, struct item, 32);
static struct tp_age_link below_age[4 + 1];
TP_POOL_DEFINE_TAGGED(below, sizeof(struct item), 4, 4,
                      .policy = &tp_steal_oldest, .lock = 0x40,
                      .age = below_age);
TEST_OWN_STEALING(below, struct item);
KEYED(below, tp_handle);

static void set_basepri(uint32_t value)
{
  __asm volatile("msr basepri, %0" : : "r"(value) : "memory");
}

static uint32_t get_basepri(void)
{
  uint32_t value;
  __asm volatile("mrs %0, basepri" : "=r"(value));
  return value;
}

static void use_below(void)
{
  for (uint32_t i = 0; i < 5; i++) below_alloc();
  below_free_handle(below_handle(below_alloc()));
}

static void a_caller_that_masked_more_keeps_its_basepri(void)
{
  tp_test_forget(&below_pool);
  set_basepri(0x20);
  use_below();
  uint32_t after = get_basepri();
  set_basepri(0);
  CHECK_EQ(after, 0x20);
}

static void a_caller_that_masked_less_keeps_its_basepri(void)
{
  tp_test_forget(&below_pool);
  set_basepri(0xc0);
  use_below();
  uint32_t after = get_basepri();
  set_basepri(0);
  CHECK_EQ(after, 0xc0);
}

static void sweep_below(void)
{
  sweep_with_handles(&below);
  if (sweep_traces) return;
  RUN(a_caller_that_masked_more_keeps_its_basepri);
  RUN(a_caller_that_masked_less_keeps_its_basepri);
}

#else

static void sweep_below(void)
{
}

#endif

#if TP_CORES_NUMBERED

TP_POOL_BY_HAND(kept, sizeof(struct item), 4, 4, TP_TAGS(4) + 2, 0,
                .policy = &tp_drop, .refuses = 1, .lock = TP_LOCK_CORES,
                .magazine = 1);

static struct item *kept_alloc(void)
{
  return tp_magazine_alloc(&kept_pool);
}

static void kept_free(struct item *item)
{
  tp_magazine_free(&kept_pool, item);
}

static PLAIN(kept);

static void sweep_magazine(void)
{
  sweep_common(&kept);
  sweep_another_free(&kept);  // It does not fit into the magazine.
}

#else

static void sweep_magazine(void)
{
}

#endif

void suite_locks(void)
{
  sweep_magazine();
  sweep_exclusive();
  sweep_below();
}
