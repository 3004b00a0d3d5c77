// SPDX-License-Identifier: MIT
// What both kinds of MPU have in common: the registers, and what becomes of an
// access that is refused.
#include "tp_mpu.h"

#include "check/tp_hooks.h"
#include "core/tp_registry.h"
#include "tidepool.h"
#include "tp_mpu_arch.h"
#include "tp_mpu_region.h"
#include "tp_mpu_sample.h"
#include "tp_port.h"

#define REGISTER(address) (*(volatile uint32_t *)(address))
#define VTOR              REGISTER(0xe000ed08)
#define SHCSR             REGISTER(0xe000ed24)
#define CFSR              REGISTER(0xe000ed28)
#define HFSR              REGISTER(0xe000ed2c)
#define MMFAR             REGISTER(0xe000ed34)
#define MPU_TYPE          REGISTER(0xe000ed90)
#define MPU_CTRL          REGISTER(0xe000ed94)
#define MPU_RNR           REGISTER(0xe000ed98)
#define MPU_RBAR          REGISTER(0xe000ed9c)
#define MPU_REST          REGISTER(0xe000eda0)  // RASR, or of PMSAv8 RLAR.

#define MEM_MANAGE     (1u << 16)  // SHCSR: has a handler of its own.
#define CTRL_ENABLE    1u
#define CTRL_ELSEWHERE 4u  // Privileged code uses what no region covers.

#define MMFSR            0xffu
#define MMFSR_EXECUTE    1u
#define MMFSR_NO_FRAME   0x10u  // The frame of the exception was refused.
#define MMFSR_AT_ADDRESS 0x80u
#define MMFSR_SOMEWHERE  (MMFSR_EXECUTE | MMFSR_AT_ADDRESS)

#define ON_PSP 4u  // How an exception returns: its frame is on that stack.
enum { FRAME_LR = 5, FRAME_PC = 6 };

#define HFSR_FORCED (1u << 30)  // It was a MemManage that had to wait.

#define REGIONS_MOST 16u
#define NULL_BYTES   4096u

// A firmware without a table has none.
#pragma weak tp_registry

// What tp_mpu_guard() was given.
static const struct tp_mpu_row *guarded;
static uint32_t guarded_count;
static uint32_t free_begin, free_end;  // The regions that nobody has.

bool (*tp_mpu_goes_on)(uintptr_t address, struct tp_mpu_past *past);

static const struct tp_mpu_row null_row = {
    "NULL", (const void *)0, (const void *)NULL_BYTES, TP_MPU_NONE};

struct plan {
  const struct tp_mpu_row *rows;
  uint32_t count;
  uint32_t regions_there;
  uint32_t regions;
  struct tp_mpu_region region[REGIONS_MOST + 2];  // The last row may be two.
};

struct refusal {
  uint32_t why;
  uintptr_t address;  // 0: not known.
  const uint32_t *frame;
};

// The row that [address] lies in, a fence first; NULL iff there is none.
static const struct tp_mpu_row *row_at(const struct tp_mpu_row *rows,
                                       uint32_t count, uintptr_t address)
{
  const struct tp_mpu_row *found = NULL;
  for (const struct tp_mpu_row *row = rows; row < rows + count; row++) {
    bool inside = address - (uintptr_t)row->begin <
                  (uintptr_t)row->end - (uintptr_t)row->begin;
    if (inside && (!found || row->rights == TP_MPU_NONE)) found = row;
  }
  return found;
}

static enum tp_mpu_answer add(struct plan *plan, const struct tp_mpu_row *row)
{
  uint32_t made = tp_mpu_regions_of(row, plan->rows, plan->count,
                                    plan->region + plan->regions);
  plan->regions += made;
  if (made == 0 && row->rights != TP_MPU_DATA) return TP_MPU_EMPTY;
  return plan->regions <= plan->regions_there ? TP_MPU_ON : TP_MPU_FEW;
}

// In the order of the rights, since what is refused must win.
static enum tp_mpu_answer add_all(struct plan *plan)
{
  enum tp_mpu_answer answer = TP_MPU_ON;
  for (uint32_t rights = TP_MPU_DATA; rights <= TP_MPU_NONE; rights++) {
    for (uint32_t i = 0; i < plan->count && answer == TP_MPU_ON; i++) {
      if ((uint32_t)plan->rows[i].rights == rights) {
        answer = add(plan, &plan->rows[i]);
      }
    }
  }
  bool taken = row_at(plan->rows, plan->count, 0) || VTOR < NULL_BYTES;
  return answer == TP_MPU_ON && !taken ? add(plan, &null_row) : answer;
}

void tp_mpu_write(uint32_t number, const struct tp_mpu_region *region)
{
  MPU_RNR = number;
  MPU_REST = 0;  // From its new begin to its old end may lie anything.
  MPU_RBAR = region->base;
  MPU_REST = region->rest;
}

static void write_all(const struct plan *plan)
{
  static const struct tp_mpu_region none = {0};
  for (uint32_t i = 0; i < plan->regions_there; i++) {
    tp_mpu_write(i, i < plan->regions ? &plan->region[i] : &none);
  }
  free_begin = plan->regions;
  free_end = plan->regions_there;
}

static void turn_on(void)
{
  tp_mpu_prepare();
  SHCSR |= MEM_MANAGE;
  __asm volatile("dmb" : : : "memory");
  MPU_CTRL = CTRL_ELSEWHERE | CTRL_ENABLE;
  tp_mpu_settle();
}

enum tp_mpu_answer tp_mpu_guard(const struct tp_mpu_row *rows, uint32_t count)
{
  struct plan plan;  // Member by member: no compiler makes a call of it.
  plan.rows = rows;
  plan.count = count;
  plan.regions = 0;
  plan.regions_there = MPU_TYPE >> 8 & 0xff;
  if (plan.regions_there == 0) return TP_MPU_ABSENT;
  if (plan.regions_there > REGIONS_MOST) plan.regions_there = REGIONS_MOST;
  if (MPU_CTRL & CTRL_ENABLE) return TP_MPU_TAKEN;
  enum tp_mpu_answer answer = add_all(&plan);
  if (answer != TP_MPU_ON) return answer;
  guarded = rows;
  guarded_count = count;
  write_all(&plan);
  turn_on();
  return TP_MPU_ON;
}

// What samples need ----------------------------------------------------------

bool tp_mpu_is_on(void)
{
  return guarded;
}

bool tp_mpu_is_data(uintptr_t address, uint32_t bytes)
{
  const struct tp_mpu_row *row = row_at(guarded, guarded_count, address);
  return row && row->rights == TP_MPU_DATA &&
         bytes <= (uintptr_t)row->end - address;
}

// The last, which win over all others.
bool tp_mpu_take(uint32_t *number)
{
  if (free_begin == free_end) return false;
  *number = --free_end;
  return true;
}

// Faults ---------------------------------------------------------------------

// The pool whose slots [address] lies in or, if [behind], the nearest before
// it; NULL iff there is none.
static const struct tp_pool *pool_at(uintptr_t address, bool behind)
{
  const struct tp_pool *found = NULL;
  if (!&tp_registry) return NULL;
  for (uint32_t i = 0; i < tp_registry.count; i++) {
    const struct tp_entry *entry = tp_registry.entries[i];
    if (entry->kind != &tp_pool_kind) continue;
    const struct tp_pool *pool = (const struct tp_pool *)entry->allocator;
    if (pool->storage > (const tp_word_t *)address) continue;
    uintptr_t end =
        (uintptr_t)pool->storage + (uint32_t)pool->capacity * pool->stride;
    bool nearer = !found || found->storage < pool->storage;
    if (nearer && (behind || address < end)) found = pool;
  }
  return found;
}

// Writes to the record the slot of [pool] that [address] lies in, or is behind
// of. Counts, for no Cortex-M0+ divides.
static void tell_slot(volatile struct tp_fault_record *record,
                      const struct tp_pool *pool, uintptr_t address)
{
  uintptr_t begin = (uintptr_t)pool->storage;
  uint32_t slot = 1;
  while (slot < pool->capacity && address - begin >= pool->stride) {
    begin += pool->stride;
    slot++;
  }
  record->name = pool->name;
  record->pool = pool;
  record->slot = slot;
  record->address = (const void *)begin;
  record->offset = (uint32_t)(address - begin);
}

// Writes to the record where [address] is.
static void tell_place(volatile struct tp_fault_record *record,
                       uintptr_t address)
{
  const struct tp_mpu_row *row = row_at(guarded, guarded_count, address);
  if (!row && address < NULL_BYTES) row = &null_row;
  bool behind = row && row->rights == TP_MPU_NONE && row != &null_row;
  const struct tp_pool *pool = pool_at(address, behind);
  record->name = row ? row->name : NULL;
  record->pool = NULL;
  record->slot = 0;
  record->address = (const void *)address;
  record->offset = 0;
  if (pool) tell_slot(record, pool, address);
}

// Who did it, as a return address says it: behind where the instruction begins.
static const void *done_by(const struct refusal *refusal)
{
  if (refusal->why & MMFSR_NO_FRAME) return NULL;
  uint32_t behind = (refusal->frame[FRAME_PC] + 2) | 1;
  bool executes = refusal->why & MMFSR_EXECUTE;
  return (const void *)(executes ? refusal->frame[FRAME_LR] : behind);
}

static void tell(volatile struct tp_fault_record *record,
                 const struct refusal *refusal, const struct tp_mpu_past *past)
{
  bool executes = refusal->why & MMFSR_EXECUTE;
  record->magic = 0;
  record->kind = TP_FAULT_GUARD;
  tell_place(record, executes ? refusal->frame[FRAME_PC] : refusal->address);
  if (!(refusal->why & MMFSR_SOMEWHERE)) record->name = NULL;
  record->expected = (uint32_t)(uintptr_t)past->free;
  record->found = refusal->why;
  if (past->free) record->found = (uint32_t)(uintptr_t)past->alloc;
  record->caller = done_by(refusal);
  record->frame = tp_clock_now;
  record->magic = TP_FAULT_MAGIC;
}

// What the core says of it, which it then forgets.
static struct refusal refused(const uint32_t *frame)
{
  struct refusal refusal;
  refusal.why = CFSR & MMFSR;
  refusal.address = refusal.why & MMFSR_AT_ADDRESS ? MMFAR : 0;
  refusal.frame = frame;
  CFSR = refusal.why;
  HFSR = HFSR_FORCED;
  return refusal;
}

// May not be one that never returns: a debugger finds by its return address
// that an exception is under way.
void tp_mpu_raise(uint32_t how, const uint32_t *msp, const uint32_t *psp)
{
  struct tp_mpu_past past = {NULL, NULL};
  struct refusal refusal = refused(how & ON_PSP ? psp : msp);
  bool known = refusal.why & MMFSR_AT_ADDRESS;
  if (known && tp_mpu_goes_on && tp_mpu_goes_on(refusal.address, &past)) return;
  tell(&tp_fault_record, &refusal, &past);
  tp_hook_fault(&tp_fault_record);
  tp_fault(&tp_fault_record);
  tp_port_trap();
}
