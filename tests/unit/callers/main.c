// SPDX-License-Identifier: MIT
// Unprivileged code masks nothing, and nothing masks an NMI or a HardFault: at
// full a pool with a lock refuses them, and says who it was.
#include "core/tp_calls.h"
#include "tp_by_hand.h"
#include "tp_pools.h"
#include "tp_test.h"
#include "who.h"

static void *given;
static masking_handle_t handle;
static thief_handle_t stolen;

static void alloc(void)
{
  given = masking_alloc();
}

static void free_it(void)
{
  masking_free(given);
}

static void free_by_handle(void)
{
  (void)masking_free_handle(handle);
}

// By BASEPRI, where there is one.
static struct tp_pool partial;

static void alloc_partial(void)
{
  given = tp_pool_alloc_for(&partial, NULL, NULL);
}

#if TP_PORT_HAS_EXCLUSIVE

TP_POOL_DEFINE(claimed, 16, 2, 4, .policy = &tp_drop, .refuses = 1);
void *claimed_alloc(void);
void claimed_free(void *freed);
TEST_OWN_EXCLUSIVE(claimed, void);

static void alloc_claimed(void)
{
  given = claimed_alloc();
}

static void free_claimed(void)
{
  claimed_free(given);
}

#endif

static void lend(void)
{
  lent_lend(given, TP_DMA_TX);
}

static void take(void)
{
  lent_take(given);
}

static void pin(void)
{
  thief_pin(given);
}

static void unpin(void)
{
  thief_unpin(given);
}

static void pin_by_handle(void)
{
  (void)thief_pin_handle(stolen);
}

static void alloc_single(void)
{
  given = single_alloc();
}

static void free_single(void)
{
  single_free(given);
}

static void (*attempt)(void);
static uint32_t refused;  // What the record of CONTEXT found; 0: it was none.

// In the context that calls: nobody jumps from one to another.
static void attempt_it(void)
{
  refused = 0;
  if (setjmp(tp_test_resume) == 0) {
    tp_test_expect_fault();
    attempt();
  } else if (tp_fault_record.kind == TP_FAULT_CONTEXT) {
    refused = tp_fault_record.found;
  }
}

static uint32_t refused_as(enum who who, void (*call)(void))
{
  attempt = call;
  call_as(who, attempt_it);
  return refused;
}

static uint32_t expected(enum who who)
{
  return AUDITED ? who : 0;
}

static void check_alloc(enum who who)
{
  tp_fault_record.caller = NULL;
  CHECK_EQ(refused_as(who, alloc), expected(who));
  if (AUDITED) {
    CHECK(tp_fault_record.pool == &masking_pool);
    CHECK(tp_fault_record.caller != NULL);
    CHECK_EQ(tp_pool_live(&masking_pool), 0);
    return;
  }
  CHECK(given != NULL);
  CHECK_EQ(refused_as(who, free_it), 0);
}

static void at_full_an_alloc_of_unprivileged_code_is_a_fault(void)
{
  check_alloc(UNPRIVILEGED);
}

static void at_full_an_alloc_in_an_nmi_is_a_fault(void)
{
  check_alloc(NMI);
}

static void at_full_an_alloc_in_a_hard_fault_is_a_fault(void)
{
  check_alloc(HARD_FAULT);
}

static void at_full_so_is_a_free_by_pointer_and_by_handle(void)
{
  for (enum who who = UNPRIVILEGED; who <= HARD_FAULT; who++) {
    given = masking_alloc_handle(&handle);
    if (AUDITED) {
      CHECK_EQ(refused_as(who, free_it), who);
      CHECK_EQ(refused_as(who, free_by_handle), who);
      CHECK(masking_get(handle) == given);
    } else {
      CHECK_EQ(refused_as(who, free_by_handle), 0);
      CHECK(masking_get(handle) == NULL);
    }
    if (AUDITED) masking_free(given);
  }
}

static void at_full_whatever_the_lock_but_none_it_is(void)
{
  partial = masking_pool;
  partial.lock = 0x40;
  CHECK_EQ(refused_as(NMI, alloc_partial), expected(NMI));
  if (!AUDITED) masking_free(given);
#if TP_PORT_HAS_EXCLUSIVE
  CHECK_EQ(refused_as(NMI, alloc_claimed), expected(NMI));
  if (AUDITED) given = claimed_alloc();
  CHECK_EQ(refused_as(NMI, free_claimed), expected(NMI));
#endif
}

static void at_full_what_is_pinned_or_lent_there_is_a_fault(void)
{
  given = thief_alloc_handle(&stolen);
  CHECK_EQ(refused_as(NMI, pin_by_handle), expected(NMI));
  if (!AUDITED) thief_unpin(given);
  CHECK_EQ(refused_as(UNPRIVILEGED, pin), expected(UNPRIVILEGED));
  if (AUDITED) thief_pin(given);
  CHECK_EQ(refused_as(HARD_FAULT, unpin), expected(HARD_FAULT));
  thief_free(given);
  if (TP_CHECKS == TP_CHECKS_OFF) return;
  given = lent_alloc();
  CHECK_EQ(refused_as(NMI, lend), expected(NMI));
  if (AUDITED) lent_lend(given, TP_DMA_TX);
  CHECK_EQ(refused_as(NMI, take), expected(NMI));
  if (AUDITED) lent_take(given);
  lent_free(given);
}

static void a_pool_without_a_lock_serves_whichever_context_has_it(void)
{
  for (enum who who = UNPRIVILEGED; who <= HARD_FAULT; who++) {
    CHECK_EQ(refused_as(who, alloc_single), 0);
    CHECK(given != NULL);
    CHECK_EQ(refused_as(who, free_single), 0);
    CHECK_EQ(tp_pool_live(&single_pool), 0);
  }
}

int main(void)
{
  RUN(at_full_an_alloc_of_unprivileged_code_is_a_fault);
  RUN(at_full_an_alloc_in_an_nmi_is_a_fault);
  RUN(at_full_an_alloc_in_a_hard_fault_is_a_fault);
  RUN(at_full_so_is_a_free_by_pointer_and_by_handle);
  RUN(at_full_whatever_the_lock_but_none_it_is);
  RUN(at_full_what_is_pinned_or_lent_there_is_a_fault);
  RUN(a_pool_without_a_lock_serves_whichever_context_has_it);
  return tp_test_end();
}
