// SPDX-License-Identifier: MIT
// tp_soak_guard.c - while a soak runs, a store to address 0 or to the code is a
// fault of the processor: by the MPU, if the core has one that nobody uses. On
// the host AddressSanitizer hears of memory that nobody was given yet.
#include "allocator/tp_dense.h"
#include "allocator/tp_dstack.h"
#include "allocator/tp_frame.h"
#include "allocator/tp_stack.h"
#include "check/tp_check.h"
#include "core/tp_registry.h"
#include "tp_soak.h"

enum { GUARD = 20, GUARD_BYTES = 8, NULL_BYTES = 4096, PAGE = 1024 };

static void tell(uintptr_t begin, uintptr_t end, const char *why_not)
{
  tp_record_begin(GUARD, GUARD_BYTES + tp_record_length(why_not));
  tp_record_put32((uint32_t)begin);
  tp_record_put32((uint32_t)end);
  tp_record_put_text(why_not);
  tp_record_end();
}

#ifdef __arm__

struct mpu {
  volatile uint32_t type, control, number, base, limit;
};

static struct mpu *mpu(void)
{
  return (struct mpu *)0xe000ed90u;
}

// Where the code ends, by whatever name the linker script has.
extern uint8_t text_end[] __attribute__((weak));
extern uint8_t etext_2[] __asm("__etext") __attribute__((weak));
extern uint8_t etext_1[] __asm("_etext") __attribute__((weak));
extern uint8_t etext[] __attribute__((weak));

static uintptr_t code_end(void)
{
  const uint8_t *const ends[] = {text_end, etext_2, etext_1, etext};
  uint32_t i = 0;
  while (i < 3 && !ends[i]) i++;
  return ((uintptr_t)ends[i] + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
}

static void set(uint32_t number, uint32_t base, uint32_t limit)
{
  mpu()->number = number;
  mpu()->base = base;
  mpu()->limit = limit;
}

#if defined(__ARM_ARCH_8M_MAIN__) || defined(__ARM_ARCH_8M_BASE__) || \
    defined(__ARM_ARCH_8_1M_MAIN__)

enum { REGIONS = 4, ANYBODY_WRITES = 1 << 1, NOBODY_WRITES = 3 << 1 };

// Up to [end], from [begin]; they must not overlap.
static void allow(uint32_t number, uintptr_t begin, uintptr_t end,
                  uint32_t access)
{
  if (begin >= end) return;
  set(number, (uint32_t)begin | access, ((uint32_t)(end - 1) & ~31u) | 1);
}

static void protect(uintptr_t begin, uintptr_t end)
{
  *(volatile uint32_t *)0xe000edc0u = 0x44;  // Ordinary memory.
  uintptr_t low = begin < NULL_BYTES ? begin : NULL_BYTES;
  allow(0, 0, low, NOBODY_WRITES);
  allow(1, low, begin, ANYBODY_WRITES);
  allow(2, begin, end, NOBODY_WRITES);
  allow(3, end, UINT32_MAX, ANYBODY_WRITES);
}

#else

enum {
  REGIONS = 3,
  ANYBODY_WRITES = 3 << 24,
  NOBODY_WRITES = 6 << 24,
  ORDINARY = 1 << 17
};

// The least power of two, at a multiple of itself, that holds [bytes] from
// [begin] on. The region of the highest number decides.
static void allow(uint32_t number, uintptr_t begin, uintptr_t bytes,
                  uint32_t access)
{
  uintptr_t last = begin + bytes - 1;
  uint32_t less = 9;  // The power, but for one.
  while (less < 31 && (begin ^ last) >> less >> 1 != 0) less++;
  set(number, (uint32_t)(begin >> less >> 1 << less << 1),
      access | ORDINARY | less << 1 | 1);
}

static void protect(uintptr_t begin, uintptr_t end)
{
  allow(0, 0, UINT32_MAX, ANYBODY_WRITES);
  allow(1, 0, NULL_BYTES, NOBODY_WRITES);
  allow(2, begin, end - begin, NOBODY_WRITES);
}

#endif

// What is kept on the core that said tp_soak_begin(); 0: nothing.
static uintptr_t kept_from, kept_to;

static bool has_regions(void)
{
  return (mpu()->type >> 8 & 255) >= REGIONS;
}

static bool is_used(void)
{
  return mpu()->control & 1;
}

static void keep(uintptr_t begin, uintptr_t end)
{
  protect(begin, end);
  mpu()->control = 5;  // On, and as ever where no region is.
  __asm volatile("dsb\n isb" ::: "memory");
}

void tp_soak_guard_begin(const struct tp_registry *registry)
{
  (void)registry;
  uintptr_t begin = *(volatile uint32_t *)0xe000ed08u, end = code_end();
  if (!has_regions()) {
    tell(0, 0, "the core has no MPU");
  } else if (is_used()) {
    tell(0, 0, "the firmware uses the MPU itself");
  } else if (end <= begin || begin >= 0x20000000u) {
    tell(0, 0,
         "where the code ends is not known; a linker script names that as "
         "text_end, etext, _etext or __etext");
  } else {
    keep(begin, end);
    kept_from = begin;
    kept_to = end;
    tell(begin, end, "");
  }
}

// Each core has an MPU of its own, and starts with it off.
void tp_soak_guard_join(void)
{
  if (kept_to != 0 && has_regions() && !is_used()) keep(kept_from, kept_to);
}

#else

static void forbid_bytes(const struct tp_region *region, uint32_t buffers)
{
  TP_PORT_POISON(region->storage, region->bytes * buffers);
}

// Pools do so themselves, of slots that were never issued. What scenes cut lies
// elsewhere in the next. Below poison no alloc would take it back.
static void forbid(const struct tp_entry *entry)
{
  struct tp_stats stats;
  tp_entry_stats(entry, &stats);
  if (TP_CHECKS < TP_CHECKS_POISON || entry->seal || stats.peak > 0) return;
  if (entry->kind == &tp_stack_kind || entry->kind == &tp_dstack_kind) {
    forbid_bytes(entry->allocator, 1);
  } else if (entry->kind == &tp_frame_kind) {
    const struct tp_frame *frame = entry->allocator;
    forbid_bytes(&frame->region, frame->buffers);
  } else if (entry->kind == &tp_dense_kind) {
    const struct tp_dense *dense = entry->allocator;
    TP_PORT_POISON(dense->storage, (uint32_t)dense->capacity * dense->stride);
  }
}

void tp_soak_guard_begin(const struct tp_registry *registry)
{
  for (uint32_t i = 0; i < registry->count; i++) forbid(registry->entries[i]);
  tell(0, 0, "the host has no flash");
}

void tp_soak_guard_join(void)
{
}

#endif
