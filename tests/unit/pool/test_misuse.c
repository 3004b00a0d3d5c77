// SPDX-License-Identifier: MIT
// Each case breaks one sentence of a contract and must meet its fault, with
// pool, slot, address and offset right. At off nothing is promised.
#include "unit.h"

#include "check/tp_check.h"

static struct crate *one_of_three;

static void start(void)
{
  tp_test_forget(&crates_pool);
  crates_alloc();
  one_of_three = crates_alloc();
  crates_alloc();
}

static struct crate *shifted(void *object, intptr_t bytes)
{
  return (struct crate *)((uintptr_t)object + (uintptr_t)bytes);
}

static void freeing_the_last_freed_object_again_faults(void)
{
  start();
  crates_free(one_of_three);

  CHECK_FAULTS(TP_FAULT_DOUBLE_FREE, crates_free(one_of_three));

  CHECK(tp_fault_record.pool == &crates_pool);
  CHECK(tp_fault_record.address == one_of_three);
  CHECK_EQ(tp_fault_record.slot, 2);
  CHECK_EQ(tp_fault_record.offset, 0);
  CHECK(tp_pool_verify(&crates_pool, NULL));
}

static void freeing_an_earlier_freed_object_again_faults(void)
{
  start();
  struct crate *later = crates_alloc();
  crates_free(one_of_three);
  crates_free(later);

  CHECK_FAULTS(TP_FAULT_DOUBLE_FREE, crates_free(one_of_three));

  CHECK_EQ(tp_fault_record.slot, 2);
}

static void freeing_a_slot_that_was_never_issued_faults(void)
{
  start();

  CHECK_FAULTS(TP_FAULT_DOUBLE_FREE,
               crates_free(shifted(one_of_three, 3 * crates_pool.stride)));

  CHECK_EQ(tp_fault_record.slot, 5);
}

static void freeing_a_foreign_pointer_faults(void)
{
  struct crate on_stack;
  start();

  CHECK_FAULTS(TP_FAULT_FOREIGN, crates_free(&on_stack));

  CHECK(tp_fault_record.address == &on_stack);
  CHECK_EQ(tp_fault_record.slot, 0);
}

static void freeing_an_object_of_another_pool_faults(void)
{
  start();
  tp_test_forget(&heap_pool);

  CHECK_FAULTS(TP_FAULT_FOREIGN, crates_free(heap_alloc()));
}

static void freeing_constant_data_faults(void)
{
  static const struct crate fixed = {{1, 2, 3}};
  start();

  CHECK_FAULTS(TP_FAULT_FOREIGN, crates_free(shifted((void *)&fixed, 0)));
}

static void null_is_a_foreign_pointer_like_any_other(void)
{
  start();

  CHECK_FAULTS(TP_FAULT_FOREIGN, crates_free(NULL));
}

static void freeing_one_past_the_end_faults(void)
{
  start();

  CHECK_FAULTS(TP_FAULT_FOREIGN,
               crates_free(shifted(one_of_three, 4 * crates_pool.stride)));
}

static void freeing_one_before_the_start_faults(void)
{
  start();

  CHECK_FAULTS(TP_FAULT_FOREIGN,
               crates_free(shifted(one_of_three, -2 * crates_pool.stride)));
}

static void freeing_into_the_middle_of_an_object_faults(void)
{
  start();

  CHECK_FAULTS(TP_FAULT_INTERIOR, crates_free(shifted(one_of_three, 8)));

  CHECK_EQ(tp_fault_record.slot, 2);
  CHECK_EQ(tp_fault_record.offset, 8);
}

static void freeing_an_unaligned_pointer_faults(void)
{
  start();

  CHECK_FAULTS(TP_FAULT_INTERIOR, crates_free(shifted(one_of_three, 1)));

  CHECK_EQ(tp_fault_record.offset, 1);
}

// Frees [object] and says what came of it.
static uint32_t answer_to(struct crate *object)
{
  if (setjmp(tp_test_resume)) return tp_fault_record.kind;
  tp_test_expect_fault();
  crates_free(object);
  return TP_FAULT_NONE;
}

static void of_all_classes_of_pointers_only_a_live_slot_is_accepted(void)
{
  static const struct crate in_flash = {{1, 2, 3}};
  struct crate on_stack;
  start();
  tp_test_forget(&heap_pool);
  struct crate *freed = crates_alloc();
  crates_free(freed);
  const struct {
    struct crate *object;
    uint32_t answer;
  } classes[] = {
      {&on_stack, TP_FAULT_FOREIGN},
      {(struct crate *)(uintptr_t)&in_flash, TP_FAULT_FOREIGN},
      {heap_alloc(), TP_FAULT_FOREIGN},
      {shifted(one_of_three, 4), TP_FAULT_INTERIOR},
      {shifted(one_of_three, 4 * crates_pool.stride), TP_FAULT_FOREIGN},
      {NULL, TP_FAULT_FOREIGN},
      {freed, TP_FAULT_DOUBLE_FREE},
      {one_of_three, TP_FAULT_NONE},
  };

  for (uint32_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
    CHECK_EQ(answer_to(classes[i].object), classes[i].answer);
  }

  CHECK(tp_pool_verify(&crates_pool, NULL));
}

// As often as a frame loop that gives back whatever is not live would.
static void a_slot_that_is_not_live_is_never_put_on_the_list_again(void)
{
  start();
  crates_free(one_of_three);
  for (uint32_t frame = 0; frame < 10; frame++) {
    CHECK_EQ(answer_to(one_of_three), TP_FAULT_DOUBLE_FREE);
    CHECK(tp_pool_verify(&crates_pool, NULL));
  }

  CHECK(crates_alloc() == one_of_three);
  CHECK(crates_alloc() != one_of_three);
}

static void a_pool_compiled_for_itself_faults_alike(void)
{
  tp_test_forget(&quick_pool);
  struct crate *crate = quick_alloc();
  CHECK_FAULTS(TP_FAULT_INTERIOR, quick_free(shifted(crate, 4)));
  quick_free(crate);
  CHECK_FAULTS(TP_FAULT_DOUBLE_FREE, quick_free(crate));
  CHECK_FAULTS(TP_FAULT_FOREIGN, quick_free(NULL));
}

// Overwrites the link of a dead slot with [link]: the next request faults.
static void a_link_is(uint32_t link)
{
  start();
  crates_free(one_of_three);
  one_of_three->word[0] = link;

  CHECK_FAULTS(TP_FAULT_LINK, crates_alloc());

  CHECK(tp_fault_record.pool == &crates_pool);
  CHECK_EQ(tp_fault_record.slot, 2);
  CHECK_EQ(tp_fault_record.found, link);
}

static void an_overwritten_link_faults_before_it_is_followed(void)
{
  a_link_is(0xffffffffu);
  a_link_is(0);
  a_link_is(1);
  a_link_is(0x20000010u);
  a_link_is(0x30006u);
  a_link_is(0x50000u);
}

static void a_link_that_leads_to_a_live_slot_faults(void)
{
  start();
  crates_free(one_of_three);
  one_of_three->word[0] += 3;  // In range, and the live count agrees.

  if (!AUDITED) CHECK(crates_alloc() == one_of_three);
  CHECK_FAULTS(TP_FAULT_TAG, crates_alloc());

  CHECK_EQ(tp_fault_record.slot, 3);
}

static void a_fault_names_the_call_that_made_it(void)
{
  start();
  crates_free(one_of_three);
  CHECK_FAULTS(TP_FAULT_DOUBLE_FREE, crates_free(one_of_three));

  uintptr_t caller = (uintptr_t)tp_fault_record.caller;
  uintptr_t here = (uintptr_t)null_is_a_foreign_pointer_like_any_other;
  CHECK(caller - here + 0x8000 < 0x10000);
}

static void a_fault_carries_the_frame_it_happened_in(void)
{
  start();
  tp_clock_now = 1234;

  CHECK_FAULTS(TP_FAULT_FOREIGN, crates_free(NULL));

  CHECK_EQ(tp_fault_record.frame, 1234);
  CHECK_EQ(tp_fault_record.magic, TP_FAULT_MAGIC);
}

// Of a pool as large as any: only its numbers are looked at.
static void any_slot_is_known_by_an_address_within(void)
{
  struct tp_pool vast = crates_pool;
  vast.capacity = TP_CAPACITY_MAX;
  for (uint32_t slot = 1; slot <= TP_CAPACITY_MAX; slot += slot / 2 + 1) {
    uintptr_t at = (uintptr_t)vast.storage + (slot - 1) * vast.stride + 4;
    const void *inside = (const void *)at;
    CHECK_FAULTS(TP_FAULT_INTERIOR,
                 tp_raise_free(&vast, inside, tp_site(NULL)));
    CHECK(tp_fault_record.address == inside);
    CHECK_EQ(tp_fault_record.slot, slot);
    CHECK_EQ(tp_fault_record.offset, 4);
  }
}

static void every_kind_of_fault_has_a_name(void)
{
  for (uint32_t kind = 0; kind < TP_FAULT_KINDS; kind++) {
    CHECK(tp_fault_name(kind) != NULL);
    CHECK(tp_fault_name(kind)[0] != 0);
  }
  CHECK(tp_fault_name(1000) != NULL);
}

static bool is_unknown(uint32_t kind)
{
  const char *name = tp_fault_name(kind);
  const char *word = "unknown";
  while (*word && *name == *word) name++, word++;
  return *word == *name;
}

static void a_fault_s_name_is_unknown_iff_there_is_no_such_kind(void)
{
  CHECK(is_unknown(TP_FAULT_KINDS));
  CHECK(is_unknown(UINT32_MAX));
  for (uint32_t kind = 1; kind < TP_FAULT_KINDS; kind++) {
    bool gone = kind == 9;  // Its number is not given again.
    bool of_sanitizer = (kind >= TP_FAULT_DEAD && kind <= TP_FAULT_UNLOCKED) ||
                        kind == TP_FAULT_UNWRITTEN || kind == TP_FAULT_DEVICE;
    CHECK_EQ(is_unknown(kind), gone || (of_sanitizer && !TIDEPOOL_SANITIZE));
  }
}

static void an_overwritten_link_faults_for_whoever_wants_a_handle_too(void)
{
  tp_handle_t handle;
  tp_test_forget(&ticks_pool);
  struct note *note = tp_pool_alloc(&ticks_pool);
  tp_pool_free(&ticks_pool, note);
  note->pitch = 0;
  CHECK_FAULTS(TP_FAULT_LINK, tp_handle_alloc(&ticks_pool, &handle));
}

// Requests until one is refused, or faults, and counts how often each slot was
// given.
static void empty_the_list(uint32_t given[])
{
  struct crate *first = (struct crate *)crates_pool.storage, *crate;
  for (uint32_t i = 0; i < CRATES_COUNT; i++) given[i] = 0;
  if (setjmp(tp_test_resume) != 0) return;
  for (uint32_t i = 0; i <= CRATES_COUNT; i++) {
    tp_test_expect_fault();
    if ((crate = crates_alloc()) == NULL) return;
    uintptr_t offset = (uintptr_t)crate - (uintptr_t)first;
    CHECK(offset % crates_pool.stride == 0);
    CHECK(offset / crates_pool.stride < CRATES_COUNT);
    given[offset / crates_pool.stride]++;
  }
}

// Of two live and three dead, of which [dead] is written over with [word].
static void write_over(uint32_t dead, uint32_t word)
{
  struct crate *crate[CRATES_COUNT];
  uint32_t given[CRATES_COUNT];
  tp_test_forget(&crates_pool);
  for (uint32_t i = 0; i < CRATES_COUNT; i++) crate[i] = crates_alloc();
  for (uint32_t i = 0; i < 3; i++) crates_free(crate[i]);
  crate[dead]->word[0] = word;
  empty_the_list(given);
  for (uint32_t i = 0; i < CRATES_COUNT; i++) CHECK(given[i] <= (i < 3));
}

// As by unprivileged code that may write to the slots, not to the tags.
static void whatever_dead_slots_hold_none_is_issued_twice(void)
{
  tp_test_seed(16);
  for (uint32_t dead = 0; dead < 3; dead++) {
    for (uint32_t live = 0; live <= CRATES_COUNT; live++) {
      for (uint32_t slot = 0; slot <= CRATES_COUNT + 1; slot++) {
        write_over(dead, live << 16 | slot);
      }
    }
    for (uint32_t i = 0; i < 100; i++) write_over(dead, tp_test_random());
  }
  tp_test_forget(&crates_pool);
}

static void off_takes_back_whatever_it_is_given(void)
{
  static struct crate own = {{7, 7, 7}};
  tp_test_forget(&crates_pool);
  struct crate *crate = tp_pool_alloc(&crates_pool);
  tp_pool_free(&crates_pool, crate);
  tp_pool_free(&crates_pool, crate);
  tp_pool_free(&crates_pool, &own);
  CHECK_EQ(own.word[1], 7);
  tp_test_forget(&crates_pool);
}

void suite_misuse(void)
{
  RUN(any_slot_is_known_by_an_address_within);
  RUN(every_kind_of_fault_has_a_name);
  RUN(a_fault_s_name_is_unknown_iff_there_is_no_such_kind);
  if (TP_CHECKS < TP_CHECKS_FAST) RUN(off_takes_back_whatever_it_is_given);
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  RUN(freeing_the_last_freed_object_again_faults);
  RUN(freeing_an_earlier_freed_object_again_faults);
  RUN(freeing_a_slot_that_was_never_issued_faults);
  RUN(freeing_a_foreign_pointer_faults);
  RUN(freeing_an_object_of_another_pool_faults);
  RUN(freeing_constant_data_faults);
  RUN(null_is_a_foreign_pointer_like_any_other);
  RUN(freeing_one_past_the_end_faults);
  RUN(freeing_one_before_the_start_faults);
  RUN(freeing_into_the_middle_of_an_object_faults);
  RUN(freeing_an_unaligned_pointer_faults);
  RUN(of_all_classes_of_pointers_only_a_live_slot_is_accepted);
  RUN(a_slot_that_is_not_live_is_never_put_on_the_list_again);
  RUN(a_pool_compiled_for_itself_faults_alike);
  RUN(an_overwritten_link_faults_before_it_is_followed);
  RUN(an_overwritten_link_faults_for_whoever_wants_a_handle_too);
  RUN(a_link_that_leads_to_a_live_slot_faults);
  if (!AUDITED) RUN(whatever_dead_slots_hold_none_is_issued_twice);
  RUN(a_fault_names_the_call_that_made_it);
  RUN(a_fault_carries_the_frame_it_happened_in);
}
