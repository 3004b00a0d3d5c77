// SPDX-License-Identifier: MIT
// main.c - writes past the last object of a bank, where a fence stands, and
// ends with 0 if the MPU refused it.
#include "tp_mpu.h"
#include "tp_pools.h"

void leave(int code);
void crash(void);

TP_MPU_FENCE(fence, psram);

static const struct tp_mpu_row rows[] = {
    {"a fence", fence, fence + TP_MPU_FENCE_BYTES, TP_MPU_NONE}};

TP_MPU_HANDLER(mem_manage, crash)
TP_MPU_HANDLER(hard_fault, crash)

void tp_fault(const struct tp_fault_record *record)
{
  leave(record->kind == TP_FAULT_GUARD ? 0 : 4);
}

int main(void)
{
  if (tp_mpu_guard(rows, 1) != TP_MPU_ON) return 1;
  volatile uint8_t *byte = (volatile uint8_t *)voices_alloc();
  for (uint8_t *end = fence + TP_MPU_FENCE_BYTES; byte != end;) *byte++ = 0;
  return 2;
}
