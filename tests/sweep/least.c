// SPDX-License-Identifier: MIT
// least.c - stealing the least noticed. All are noticed alike here, so that it
// must choose the oldest, as the model expects; that it finds the lowest score
// the unit tests show.
#include "policy/tp_steal_least.h"
#include "config/tp_define.h"
#include "subject.h"
#include "tp_declare.h"

TP_POOL_DECLARE(least, struct item);
TP_POOL_DECLARE_HANDLES(least, struct item, 32);

static uint32_t alike(const void *object)
{
  (void)object;
  return 7;
}

static const struct tp_steal_least anybody = {
    .policy = {.overflow = tp_least_overflow},
    .score = alike,
};

static struct tp_age_link least_age[4 + 1];
static uint32_t least_born[4 + 1];  // Timed, for who asks how old they are.
TP_POOL_DEFINE_TAGGED(least, sizeof(struct item), 4, 4,
                      .policy = &anybody.policy, .age = least_age,
                      .born = least_born);
KEYED(least, tp_handle);

void suite_least(void)
{
  sweep_with_handles(&least);
}
