// SPDX-License-Identifier: MIT
// Somebody's own firmware with a journal in RAM that outlives resets. Whether
// it asks first if what stands there can be relied on, the scenario says.
#include "board.h"
#include "tp_pools.h"
#include "tp_soak.h"

static struct tp_soak soak = TP_SOAK;

void tp_soak_put(uint8_t byte)
{
  board_put(byte);
}

void tp_fault(const struct tp_fault_record *record)
{
  tp_soak_fault(record);
}

void board_handler(void)
{
}

int main(void)
{
  tp_soak_begin(&soak);
  if (tp_soak_setting("validates", 1)) journal_validate();
  for (uint32_t i = 0; i < soak.frames; i++) {
    void *event = journal_alloc();
    if (event) journal_free(event);
    tp_soak_frame(&soak);
  }
  tp_soak_end(&soak);
}
