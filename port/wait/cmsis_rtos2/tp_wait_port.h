// SPDX-License-Identifier: MIT
// tp_wait_port.h - waiting by any RTOS with the CMSIS-RTOS2 interface. Ticks
// are the kernel's. The most urgent thread is served first. It takes one flag
// of each thread that waits.
#ifndef TP_WAIT_PORT_H
#define TP_WAIT_PORT_H

#include <stdbool.h>
#include <stdint.h>

#include "cmsis_os2.h"
#include "tp_port.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifndef TP_WAIT_FLAG
#define TP_WAIT_FLAG (1u << 30)
#endif

struct tp_wait_sleeper {
  osThreadId_t thread;
};

static inline bool tp_wait_port_can_sleep(void)
{
  return TP_PORT_CONTEXT() == 0 && !tp_port_masked();
}

static inline uint32_t tp_wait_port_urgency(void)
{
  return (uint32_t)osThreadGetPriority(osThreadGetId());
}

static inline void tp_wait_port_prepare(struct tp_wait_sleeper *sleeper)
{
  sleeper->thread = osThreadGetId();
}

static inline void tp_wait_port_end(struct tp_wait_sleeper *sleeper)
{
  (void)sleeper;
}

static inline void tp_wait_port_wake(struct tp_wait_sleeper *sleeper)
{
  (void)osThreadFlagsSet(sleeper->thread, TP_WAIT_FLAG);
}

// What it returns has other flags of the thread, too; an error has bit 31. Of a
// thread that was suspended and resumed RTX ends any wait, so that one without
// end is another then.
static inline bool tp_wait_port_sleep(struct tp_wait_sleeper *sleeper,
                                      uint32_t ticks)
{
  (void)sleeper;
  uint32_t most = ticks == UINT32_MAX ? osWaitForever : ticks;
  bool woken;
  do {
    uint32_t flags = osThreadFlagsWait(TP_WAIT_FLAG, osFlagsWaitAny, most);
    woken = !(flags & 1u << 31) && (flags & TP_WAIT_FLAG);
  } while (!woken && ticks == UINT32_MAX);
  return woken;
}

#ifdef __cplusplus
}
#endif

#endif
