// SPDX-License-Identifier: MIT
#include "check/tp_level.h"
#include "policies.h"
#include "tp_port.h"

enum { HOME = 3, EACH = 3, FIELDS = 3, ALL = HOME + FIELDS * EACH };

static const struct tp_chunk *const fields[FIELDS] = {
    &field_a_chunk, &field_b_chunk, &field_c_chunk};

static void start(void)
{
  forget_spill(&herd_pool);
  forget_spill(&flock_pool);
  for (uint32_t i = 0; i < FIELDS; i++) forget_chunk(fields[i]);
}

static void attach_all(void)
{
  start();
  tp_chunk_attach(&herd_pool, fields[1]);
  tp_chunk_attach(&herd_pool, fields[0]);
  tp_chunk_attach(&herd_pool, fields[2]);
}

// Takes all there is. Returns how many.
static uint32_t take_all(struct thing **things)
{
  uint32_t count = 0;
  while (count < ALL && (things[count] = herd_alloc())) count++;
  return count;
}

static void an_attached_chunk_serves_a_full_pool(void)
{
  struct thing *things[ALL];
  start();
  CHECK_EQ(take_all(things), HOME);

  tp_chunk_attach(&herd_pool, fields[0]);

  CHECK_EQ(fields[0]->state->attached, 1);
  CHECK_EQ(fields[0]->state->reopens, 0);
  for (uint32_t i = 0; i < EACH; i++) {
    CHECK(is_of(fields[0]->pool, herd_alloc()));
  }
  CHECK(herd_alloc() == NULL);
}

static void objects_in_chunks_come_home_by_the_same_call(void)
{
  struct thing *things[ALL];
  attach_all();
  for (uint32_t round = 0; round < 100; round++) {
    CHECK_EQ(take_all(things), ALL);
    uint32_t first = tp_test_random() % ALL;
    for (uint32_t i = 0; i < ALL; i++) herd_free(things[(first + 5 * i) % ALL]);
  }

  CHECK_EQ(herd_spill.state->live, 0);
  for (uint32_t i = 0; i < FIELDS; i++) {
    CHECK_EQ(fields[i]->state->live, 0);
    CHECK(tp_pool_verify(fields[i]->pool, NULL));
  }
}

static void attaching_a_chunk_twice_faults(void)
{
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  start();
  tp_chunk_attach(&herd_pool, fields[0]);

  CHECK_FAULTS(TP_FAULT_CHUNK, tp_chunk_attach(&herd_pool, fields[0]));
  CHECK_FAULTS(TP_FAULT_CHUNK, tp_chunk_attach(&flock_pool, fields[0]));

  CHECK(tp_fault_record.name == flock_pool.name);
  CHECK(tp_fault_record.address == fields[0]->pool->storage);
}

// Or who asks one after the other would come to it again, without end.
static void attaching_what_the_pool_spills_into_anyway_faults(void)
{
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  forget_spill(&boxes_pool);

  CHECK_FAULTS(TP_FAULT_CHUNK, tp_chunk_attach(&boxes_pool, &attic_chunk));

  CHECK(tp_fault_record.address == attic_pool.storage);
  CHECK(!attic_chunk.state->attached);
}

static void attaching_a_chunk_of_another_stride_faults(void)
{
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  start();

  CHECK_FAULTS(TP_FAULT_CHUNK, tp_chunk_attach(&herd_pool, &wide_chunk));

  CHECK_EQ(tp_fault_record.found, wide_chunk.pool->stride);
  CHECK_EQ(tp_fault_record.expected, herd_pool.stride);
}

static void detaching_an_unknown_chunk_faults(void)
{
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  start();
  CHECK_FAULTS(TP_FAULT_CHUNK, tp_chunk_detach(&herd_pool, fields[0]));
  CHECK(tp_fault_record.name == herd_pool.name);
  CHECK(tp_fault_record.address == fields[0]->pool->storage);
  CHECK_EQ(tp_fault_record.found, 0);
  CHECK_EQ(tp_fault_record.expected, 1);
  tp_chunk_attach(&herd_pool, fields[0]);

  CHECK_FAULTS(TP_FAULT_CHUNK, tp_chunk_detach(&flock_pool, fields[0]));
  CHECK_FAULTS(TP_FAULT_CHUNK, tp_chunk_detach(&herd_pool, fields[1]));

  CHECK(tp_chunk_detach(&herd_pool, fields[0]));
  CHECK_FAULTS(TP_FAULT_CHUNK, tp_chunk_detach(&herd_pool, fields[0]));
}

static void walk_by_alloc(struct thing *lent)
{
  (void)lent;
  herd_alloc();
}

static void walk_by_free(struct thing *lent)
{
  herd_free(lent);
}

static void walk_by_attach(struct thing *lent)
{
  (void)lent;
  tp_chunk_attach(&herd_pool, fields[2]);
}

static void walk_by_detach(struct thing *lent)
{
  (void)lent;
  tp_chunk_detach(&herd_pool, fields[0]);
}

static void walk_by_release(struct thing *lent)
{
  (void)lent;
  tp_spill_release(&herd_pool);
}

static void walk_by_reset(struct thing *lent)
{
  (void)lent;
  tp_spill_reset(&herd_pool);
}

// Two chunks are attached and full. Who looks for a place may stop at the
// first.
static const struct {
  void (*walk)(struct thing *lent);
  uint32_t links;
} walks[] = {{walk_by_alloc, 2},  {walk_by_free, 2},    {walk_by_attach, 1},
             {walk_by_detach, 1}, {walk_by_release, 2}, {walk_by_reset, 2}};

static void a_list_of_chunks_that_was_written_over_is_a_fault_at_each_walk(void)
{
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  for (uint32_t i = 0; i < sizeof walks / sizeof *walks; i++) {
    struct thing *things[ALL];
    start();
    tp_chunk_attach(&herd_pool, fields[1]);
    tp_chunk_attach(&herd_pool, fields[0]);
    struct thing *lent = things[take_all(things) - 1];
    struct tp_chunk_link *link = &herd_spill.state->attached;
    for (uint32_t j = 0; j < walks[i].links; j++) {
      struct tp_chunk_link whole = *link;
      link->chunk = &wide_chunk;
      CHECK_FAULTS(TP_FAULT_INVARIANT, walks[i].walk(lent));
      CHECK(tp_fault_record.name == herd_pool.name);
      CHECK(tp_fault_record.address == link);
      CHECK_EQ(tp_fault_record.found, (uintptr_t)&wide_chunk);
      CHECK_EQ(tp_fault_record.expected, (uintptr_t)whole.copy);
      *link = (struct tp_chunk_link){whole.chunk, &wide_chunk};
      CHECK_FAULTS(TP_FAULT_INVARIANT, walks[i].walk(lent));
      *link = whole;
      link = &link->chunk->state->next;
    }
  }
}

static void at_fault_is(const struct tp_chunk *chunk)
{
  CHECK(tp_fault_record.name == chunk->pool->name);
  CHECK(tp_fault_record.address == chunk->state);
  CHECK_EQ(tp_fault_record.found, chunk->state->phase);
  CHECK_EQ(tp_fault_record.expected, TP_CHUNK_OPEN);
}

// Returns the chunk that has one slot to lend.
static const struct tp_chunk *lend_all_but_one(struct thing **things)
{
  uint32_t last = 0;
  attach_all();
  take_all(things);
  while (!is_of(fields[last]->pool, things[ALL - 1])) last++;
  herd_free(things[ALL - 1]);
  return fields[last];
}

static void a_phase_with_one_flipped_bit_is_a_fault_at_each_call(void)
{
  static const uint8_t phases[] = {TP_CHUNK_OPEN, TP_CHUNK_BUSY,
                                   TP_CHUNK_RELEASED};
  struct thing *things[ALL];
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  for (uint32_t i = 0; i < 3 * 8; i++) {
    const struct tp_chunk *chunk = lend_all_but_one(things);
    chunk->state->phase = (uint8_t)(phases[i / 8] ^ 1u << i % 8);
    CHECK_FAULTS(TP_FAULT_INVARIANT, herd_alloc());
    at_fault_is(chunk);
    CHECK_FAULTS(TP_FAULT_INVARIANT, tp_chunk_release(chunk));
    CHECK_FAULTS(TP_FAULT_INVARIANT, tp_chunk_detach(&herd_pool, chunk));
    CHECK_FAULTS(TP_FAULT_INVARIANT, tp_spill_release(&herd_pool));
    CHECK_FAULTS(TP_FAULT_INVARIANT, tp_spill_reset(&herd_pool));
    at_fault_is(chunk);
  }
}

static void a_phase_with_a_flipped_bit_is_a_fault_where_the_chunk_is_attached(
    void)
{
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  start();
  fields[0]->state->phase = TP_CHUNK_OPEN ^ 4;
  CHECK_FAULTS(TP_FAULT_INVARIANT, tp_chunk_attach(&herd_pool, fields[0]));
  at_fault_is(fields[0]);
}

static void a_flipped_bit_of_how_many_are_lent_is_a_fault_at_the_next_call(void)
{
  for (uint32_t bit = 0; bit < 32; bit++) {
    struct thing *things[ALL];
    const struct tp_chunk *chunk = lend_all_but_one(things);
    struct tp_chunk_state *state = chunk->state;
    state->folded ^= (uint16_t)(1u << bit % 16);
    CHECK_FAULTS(TP_FAULT_INVARIANT, tp_chunk_release(chunk));
    state->folded ^= (uint16_t)(1u << bit % 16);
    state->live ^= 1u << bit;
    CHECK_FAULTS(TP_FAULT_INVARIANT, tp_chunk_release(chunk));
    at_fault_is(chunk);
    CHECK_FAULTS(TP_FAULT_INVARIANT, herd_free(things[ALL - 2]));
    state->live ^= 1u << bit;
    CHECK_FAULTS(TP_FAULT_INVARIANT, herd_alloc());
  }
}

static void a_chunk_that_issued_more_slots_than_it_has_is_not_opened_again(void)
{
  struct thing *things[ALL];
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  attach_all();
  CHECK_EQ(take_all(things), ALL);
  for (uint32_t i = 0; i < ALL; i++) herd_free(things[i]);
  CHECK(tp_chunk_release(fields[0]));
  fields[0]->pool->state->fresh = EACH + 1;

  CHECK_FAULTS(TP_FAULT_INVARIANT, take_all(things));

  CHECK(tp_fault_record.pool == fields[0]->pool);
  CHECK_EQ(tp_fault_record.found, EACH + 1);
}

// What is released is so only after its patience.
static void a_chunk_is_detached_at_once_however_patient_it_is(void)
{
  struct thing *things[ALL];
  struct tp_chunk patient = *fields[0];
  start();
  patient.patience = 60;
  tp_chunk_attach(&herd_pool, &patient);
  CHECK_EQ(take_all(things), HOME + EACH);
  for (uint32_t i = 0; i < HOME + EACH; i++) herd_free(things[i]);

  CHECK(!tp_chunk_release(&patient));
  CHECK(tp_chunk_detach(&herd_pool, &patient));

  CHECK_EQ(take_all(things), HOME);
}

static void detaching_is_refused_while_any_object_in_it_is_live(void)
{
  struct thing *things[ALL];
  start();
  tp_chunk_attach(&herd_pool, fields[0]);
  CHECK_EQ(take_all(things), HOME + EACH);
  for (uint32_t i = HOME; i < HOME + EACH; i++) {
    CHECK(!tp_chunk_detach(&herd_pool, fields[0]));
    herd_free(things[i]);
  }

  CHECK(tp_chunk_detach(&herd_pool, fields[0]));

  CHECK(herd_alloc() == NULL);
}

static void a_detached_region_holds_poison_and_may_be_anybody_s(void)
{
  const struct tp_pool *pool = fields[0]->pool;
  struct thing *things[ALL];
  attach_all();
  CHECK_EQ(take_all(things), ALL);
  for (uint32_t i = 0; i < ALL; i++) herd_free(things[i]);
  CHECK(tp_chunk_detach(&herd_pool, fields[0]));
  uint32_t *words = (uint32_t *)pool->storage - pool->zone / 4;
  uint32_t count = (pool->capacity * (uint32_t)pool->stride + pool->zone) / 4;
  for (uint32_t i = 0; i < count; i++) {
    if (TP_CHECKS >= TP_CHECKS_POISON) CHECK_EQ(words[i], TP_POISON);
    words[i] = i;
  }

  tp_chunk_attach(&flock_pool, fields[0]);

  for (uint32_t i = 0; i < 1 + EACH; i++) CHECK(flock_alloc() != NULL);
  CHECK(flock_alloc() == NULL);
  CHECK(tp_pool_verify(pool, NULL));
  CHECK_EQ(take_all(things), HOME + 2 * EACH);
}

// Is [thing] where the one [after] should follow? Within a chunk the next slot,
// between chunks a higher address.
static bool in_address_order(struct thing *const *things)
{
  for (uint32_t i = 1; i < ALL; i++) {
    uintptr_t step = (uintptr_t)things[i] - (uintptr_t)things[i - 1];
    if (i % EACH != 0 && step != herd_pool.stride) return false;
    if (i > HOME && things[i] <= things[i - 1]) return false;
  }
  return true;
}

// Leaves a random part of all slots live, and the lists in some disorder.
static void stir(struct thing **things)
{
  uint32_t count = take_all(things);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t k = i + tp_test_random() % (count - i);
    struct thing *thing = things[k];
    things[k] = things[i];
    if (tp_test_random() % 4) herd_free(thing);
  }
}

static void
after_a_reset_the_free_count_is_total_and_each_slot_comes_once_in_address_order(
    void)
{
  struct thing *things[ALL];
  attach_all();
  for (uint32_t round = 0; round < 200; round++) {
    stir(things);

    tp_spill_reset(&herd_pool);

    CHECK_EQ(herd_spill.state->live, 0);
    for (uint32_t i = 0; i < FIELDS; i++) {
      CHECK(tp_pool_verify(fields[i]->pool, NULL));
    }
    CHECK_EQ(take_all(things), ALL);
    CHECK(in_address_order(things));
    CHECK(herd_alloc() == NULL);
    tp_spill_reset(&herd_pool);
  }
}

static void after_a_reset_all_handles_are_stale(void)
{
  tp_handle_t handles[HOME];
  attach_all();
  for (uint32_t i = 0; i < HOME; i++) {
    CHECK(tp_handle_alloc(&herd_pool, &handles[i]) != NULL);
  }
  for (uint32_t i = 0; i < FIELDS * EACH; i++) herd_alloc();

  tp_spill_reset(&herd_pool);

  for (uint32_t round = 0; round < 100; round++) {
    for (uint32_t i = 0; i < HOME; i++) {
      CHECK(tp_handle_get(&herd_pool, handles[i]) == NULL);
      CHECK(!tp_handle_free(&herd_pool, handles[i]));
    }
    herd_alloc();
  }
}

static void freeing_after_a_reset_what_was_live_before_faults(void)
{
  struct thing *things[ALL];
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  attach_all();
  take_all(things);

  tp_spill_reset(&herd_pool);

  for (uint32_t i = 0; i < ALL; i++) {
    CHECK_FAULTS(TP_FAULT_DOUBLE_FREE, herd_free(things[i]));
  }
}

static void an_attached_chunk_can_be_given_back_and_is_taken_again(void)
{
  struct thing *things[ALL];
  attach_all();
  CHECK(tp_chunk_release(fields[0]));
  CHECK_EQ(take_all(things), ALL);
  for (uint32_t i = 0; i < ALL; i++) herd_free(things[i]);

  CHECK(tp_chunk_release(fields[0]));
  CHECK(tp_chunk_detach(&herd_pool, fields[0]));

  CHECK_EQ(take_all(things), ALL - EACH);
}

static void a_hundred_thousand_attachments_leave_no_drift(void)
{
  struct tp_stats stats;
  start();
  tp_chunk_attach(&herd_pool, fields[1]);
  for (uint32_t i = 0; i < HOME; i++) herd_alloc();
  for (uint32_t i = 0; i < 100000; i++) {
    tp_chunk_attach(&herd_pool, fields[i % 2 * 2]);
    herd_free(herd_alloc());
    CHECK(tp_chunk_detach(&herd_pool, fields[i % 2 * 2]));
  }

  CHECK_EQ(herd_spill.state->live, 0);
  CHECK_EQ(herd_spill.state->peak, 1);
  CHECK_EQ(herd_pool.state->spills, 100000);
  tp_pool_stats(&herd_pool, &stats);
  CHECK_EQ(stats.live, HOME);
}

static void a_reset_finds_a_write_behind_an_object_at_home_and_in_a_chunk(void)
{
  for (uint32_t i = 0; i < HOME + EACH; i += HOME) {
    struct thing *things[ALL];
    attach_all();
    take_all(things);
    ((char *)things[i])[sizeof(struct thing)] ^= 1;
    CHECK_FAULTS(TP_FAULT_RED_ZONE, tp_spill_reset(&herd_pool));
  }
}

static bool grants_nothing(const struct tp_chunk *chunk)
{
  (void)chunk;
  return false;
}

static void who_attaches_a_released_chunk_grants_its_memory(void)
{
  struct tp_chunk asked = *fields[1];
  struct thing *things[ALL];
  asked.reclaim = grants_nothing;
  start();
  CHECK(tp_chunk_release(&asked));
  asked.pool->storage[0] = 0;
  tp_chunk_attach(&herd_pool, &asked);
  CHECK_EQ(asked.state->reopens, 1);
  CHECK_EQ(take_all(things), HOME + EACH);
  for (uint32_t i = 0; i < HOME + EACH; i++) herd_free(things[i]);
  CHECK(tp_chunk_detach(&herd_pool, &asked));
}

static void a_reset_leaves_a_chunk_that_was_given_back_alone(void)
{
  struct thing *things[ALL];
  attach_all();
  CHECK(tp_chunk_release(fields[1]));
  CHECK_EQ(take_all(things), ALL);
  for (uint32_t i = 0; i < ALL; i++) herd_free(things[i]);
  CHECK(tp_chunk_release(fields[1]));
  uint32_t reopens = fields[1]->state->reopens;
  tp_spill_reset(&herd_pool);
  CHECK_EQ(fields[1]->state->phase, TP_CHUNK_RELEASED);
  CHECK_EQ(fields[1]->state->reopens, reopens);
  CHECK_EQ(herd_spill.state->live, 0);
  CHECK_EQ(take_all(things), ALL);
}

// [pool], which has [away] elsewhere, is reset; then they come home.
static bool come_home(const struct tp_pool *pool, void **away, uint32_t count)
{
  const struct tp_spill_state *state = tp_spill_of(pool)->state;
  tp_spill_reset(pool);
  bool counted = state->live == count;
  for (uint32_t i = 0; i < count; i++) tp_pool_free(pool, away[i]);
  return counted && state->live == 0;
}

static void a_reset_leaves_what_no_chunk_that_is_attached_lent(void)
{
  void *lent[ATTIC];
  start();
  forget_spill(&boxes_pool);
  for (uint32_t i = 0; i < BOXES; i++) tp_pool_alloc(&boxes_pool);
  for (uint32_t i = 0; i < ATTIC; i++) lent[i] = tp_pool_alloc(&boxes_pool);
  tp_chunk_attach(&boxes_pool, fields[0]);
  CHECK(is_of(fields[0]->pool, tp_pool_alloc(&boxes_pool)));
  CHECK(come_home(&boxes_pool, lent, ATTIC));
  CHECK_EQ(attic_chunk.state->live, 0);
  CHECK_EQ(fields[0]->state->live, 0);
}

static void attach_the_yard_to_the_lake(void)
{
  start();
  forget_spill(&yard_pool);
  forget_chunk(&yard_chunk);
  forget_spill(&lake_pool);
  tp_chunk_attach(&lake_pool, &yard_chunk);
}

static void a_count_of_what_was_passed_on_that_is_too_great_takes_none_off(void)
{
  attach_the_yard_to_the_lake();
  for (uint32_t i = 0; i < 5; i++) tp_pool_alloc(&lake_pool);
  uint32_t away = tp_spill_of(&lake_pool)->state->live;
  uint32_t lent = yard_chunk.state->live;
  tp_spill_of(&yard_pool)->state->live = UINT32_MAX;
  tp_spill_reset(&lake_pool);
  CHECK_EQ(lent, 1);
  CHECK_EQ(yard_chunk.state->live, lent);
  CHECK_EQ(tp_spill_of(&lake_pool)->state->live, away);
  forget_spill(&yard_pool);
}

static void a_reset_leaves_what_an_attached_chunk_passed_on(void)
{
  enum { SEA = 2, RUBBLE = 4 };
  void *lent[SEA + RUBBLE];
  attach_the_yard_to_the_lake();
  for (uint32_t i = 0; i < 2; i++) tp_pool_alloc(&lake_pool);
  for (uint32_t i = 0; i < SEA; i++) lent[i] = tp_pool_alloc(&lake_pool);
  CHECK(is_of(&yard_pool, tp_pool_alloc(&lake_pool)));
  for (uint32_t i = SEA; i < SEA + RUBBLE; i++) {
    lent[i] = tp_pool_alloc(&lake_pool);
    CHECK(is_of(&rubble_pool, lent[i]));
  }
  CHECK(come_home(&lake_pool, lent, SEA + RUBBLE));
  CHECK_EQ(yard_chunk.state->live, 0);
  CHECK_EQ(rubble_chunk.state->live, 0);
}

static bool takes_nothing(const struct tp_pool *pool, void *object,
                          tp_site_t site)
{
  (void)pool;
  (void)object;
  (void)site;
  return false;
}

// What that has elsewhere, if anything, no spill counts: nor does one here.
static void a_chunk_whose_policy_takes_back_in_its_own_way_is_released(void)
{
  struct tp_spill_state others = {.live = 3};
  const struct tp_spill own = {
      .policy = {.overflow = tp_drop.overflow, .take_back = takes_nothing},
      .state = &others};
  struct tp_pool pool = *fields[0]->pool;
  struct tp_chunk chunk = *fields[0];
  pool.policy = &own.policy;
  pool.takes_foreign = 1;
  chunk.pool = &pool;
  start();
  CHECK(tp_chunk_release(&chunk));
}

#if !defined __arm__ && !defined __riscv
static struct thing *late;

static void take_late(void)
{
  late = herd_alloc();
}

// At each edge of the call, until there is none: the pool at home is full.
static bool gets_nothing_in_what_is_detached(bool released)
{
  struct thing *things[ALL];
  uint32_t edge = 0;
  bool came = true, right = true;
  while (came) {
    start();
    tp_chunk_attach(&herd_pool, fields[0]);
    for (uint32_t i = 0; i < HOME; i++) things[i] = herd_alloc();
    if (released) right &= tp_chunk_release(fields[0]);
    late = NULL;
    tp_port_interrupt_after(++edge, take_late);
    bool detached = tp_chunk_detach(&herd_pool, fields[0]);
    came = tp_port_due == 0;
    tp_port_interrupt_after(0, NULL);
    right &= detached == (late == NULL);
    if (detached) right &= fields[0]->state->live == 0;
    for (uint32_t i = 0; right && i < HOME; i++) herd_free(things[i]);
  }
  return right && edge > 4;
}

// A chunk that nobody has to release again is open to whoever asks for it.
static void who_interrupts_the_release_of_what_is_released_is_lent_a_slot(void)
{
  struct thing *things[ALL];
  uint32_t edge = 0;
  for (bool came = true; came;) {
    start();
    tp_chunk_attach(&herd_pool, fields[0]);
    for (uint32_t i = 0; i < HOME; i++) things[i] = herd_alloc();
    CHECK(tp_chunk_release(fields[0]));
    late = NULL;
    tp_port_interrupt_after(++edge, take_late);
    CHECK(tp_chunk_release(fields[0]) || late != NULL);
    came = tp_port_due == 0;
    tp_port_interrupt_after(0, NULL);
    CHECK_EQ(late != NULL, came);
    CHECK_EQ(fields[0]->state->live, came);
    CHECK_EQ(fields[0]->state->phase, came ? TP_CHUNK_OPEN : TP_CHUNK_RELEASED);
    if (came) herd_free(late);
    for (uint32_t i = 0; i < HOME; i++) herd_free(things[i]);
  }
  CHECK(edge > 1);
}

static bool released_amid;

static void release_too(void)
{
  released_amid = tp_chunk_release(fields[0]);
}

static void who_interrupts_a_release_is_told_that_it_is_not_released_yet(void)
{
  uint32_t refused = 0;
  for (uint32_t edge = 1; edge < 8; edge++) {
    start();
    tp_chunk_attach(&herd_pool, fields[0]);
    released_amid = true;
    tp_port_interrupt_after(edge, release_too);
    CHECK(tp_chunk_release(fields[0]));
    tp_port_interrupt_after(0, NULL);
    CHECK_EQ(fields[0]->state->phase, TP_CHUNK_RELEASED);
    CHECK_EQ(fields[0]->state->releases, 1);
    refused += !released_amid;
  }
  CHECK(refused > 0);
}

static void who_interrupts_gets_nothing_in_a_chunk_that_is_detached(void)
{
  CHECK(gets_nothing_in_what_is_detached(false));
  CHECK(gets_nothing_in_what_is_detached(true));
}
#endif

void suite_chunks(void)
{
#if !defined __arm__ && !defined __riscv
  RUN(who_interrupts_the_release_of_what_is_released_is_lent_a_slot);
  RUN(who_interrupts_a_release_is_told_that_it_is_not_released_yet);
  RUN(who_interrupts_gets_nothing_in_a_chunk_that_is_detached);
#endif
  RUN(an_attached_chunk_serves_a_full_pool);
  RUN(objects_in_chunks_come_home_by_the_same_call);
  RUN(attaching_a_chunk_twice_faults);
  RUN(attaching_what_the_pool_spills_into_anyway_faults);
  RUN(attaching_a_chunk_of_another_stride_faults);
  RUN(detaching_an_unknown_chunk_faults);
  RUN(a_list_of_chunks_that_was_written_over_is_a_fault_at_each_walk);
  RUN(a_phase_with_one_flipped_bit_is_a_fault_at_each_call);
  RUN(a_phase_with_a_flipped_bit_is_a_fault_where_the_chunk_is_attached);
  if (TP_CHECKS >= TP_CHECKS_FULL && TP_AUDIT)
    RUN(a_flipped_bit_of_how_many_are_lent_is_a_fault_at_the_next_call);
  RUN(a_chunk_that_issued_more_slots_than_it_has_is_not_opened_again);
  RUN(detaching_is_refused_while_any_object_in_it_is_live);
  RUN(a_chunk_is_detached_at_once_however_patient_it_is);
  RUN(a_detached_region_holds_poison_and_may_be_anybody_s);
  RUN(after_a_reset_the_free_count_is_total_and_each_slot_comes_once_in_address_order);
  RUN(after_a_reset_all_handles_are_stale);
  RUN(a_chunk_whose_policy_takes_back_in_its_own_way_is_released);
  RUN(who_attaches_a_released_chunk_grants_its_memory);
  RUN(a_reset_leaves_a_chunk_that_was_given_back_alone);
  RUN(a_reset_leaves_what_no_chunk_that_is_attached_lent);
  RUN(a_reset_leaves_what_an_attached_chunk_passed_on);
  RUN(a_count_of_what_was_passed_on_that_is_too_great_takes_none_off);
  RUN(freeing_after_a_reset_what_was_live_before_faults);
  if (TP_CHECKS >= TP_CHECKS_FULL)
    RUN(a_reset_finds_a_write_behind_an_object_at_home_and_in_a_chunk);
  RUN(an_attached_chunk_can_be_given_back_and_is_taken_again);
  RUN(a_hundred_thousand_attachments_leave_no_drift);
}
