// SPDX-License-Identifier: MIT
// Churn of rows that code of their own alone may change.
#include "board.h"
#include "tp_pools.h"
#include "tp_soak.h"

enum { HELD = 8 };

static struct tp_soak soak = TP_SOAK;
static uint32_t chance;

void tp_soak_put(uint8_t byte)
{
  board_put(byte);
}

void tp_fault(const struct tp_fault_record *record)
{
  tp_soak_fault(record);
}

// By turns takes what is not there and gives back what is.
#define CHURN(name)                                                \
  static void churn_##name(void)                                   \
  {                                                                \
    static void *held[HELD];                                       \
    void **one = &held[tp_soak_chance(&chance) >> 8 & (HELD - 1)]; \
    if (*one) {                                                    \
      name##_free(*one);                                           \
      *one = NULL;                                                 \
    } else {                                                       \
      *one = name##_alloc();                                       \
    }                                                              \
  }

CHURN(apart)
CHURN(safe)
CHURN(both)
CHURN(deep)

// A new one a frame, for which the oldest makes room.
static void age(void)
{
  static aged_handle_t newest;
  (void)aged_alloc_handle(&newest);
}

int main(void)
{
  tp_soak_begin(&soak);
  chance = (uint32_t)soak.seed * 2654435761u | 1;
  for (uint32_t frame = 0; frame < soak.frames; frame++) {
    churn_apart();
    churn_safe();
    churn_both();
    churn_deep();
    age();
    soak.hash = soak.hash * 31 + chance;
    tp_soak_frame(&soak);
  }
  tp_soak_end(&soak);
}
