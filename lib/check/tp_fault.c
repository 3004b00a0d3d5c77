// SPDX-License-Identifier: MIT
#include "tidepool.h"

#include "tp_port.h"

__attribute__((section(".noinit.tp_fault"))) struct tp_fault_record
    tp_fault_record;
uint32_t tp_clock_now;

static const char *const names[TP_FAULT_KINDS] = {
    [TP_FAULT_NONE] = "none",
    [TP_FAULT_FOREIGN] = "foreign",
    [TP_FAULT_INTERIOR] = "interior",
    [TP_FAULT_DOUBLE_FREE] = "double-free",
    [TP_FAULT_LINK] = "link",
    [TP_FAULT_TAG] = "tag",
    [TP_FAULT_POISON] = "poison",
    [TP_FAULT_RED_ZONE] = "red-zone",
    [TP_FAULT_FULL] = "full",
    [TP_FAULT_INVARIANT] = "invariant",
    [TP_FAULT_HANDLE_POOL] = "handle-pool",
    [TP_FAULT_ORDER] = "order",
    [TP_FAULT_MARK] = "mark",
    [TP_FAULT_SIZE] = "size",
    [TP_FAULT_LARGE] = "large",
    [TP_FAULT_CHILD] = "child",
    [TP_FAULT_PIN] = "pin",
    [TP_FAULT_LOCK] = "lock",
    [TP_FAULT_SCENE] = "scene",
    [TP_FAULT_RETAIN] = "retain",
    [TP_FAULT_IN_USE] = "in-use",
    [TP_FAULT_CHUNK] = "chunk",
    [TP_FAULT_CLOSED] = "closed",
};

const char *tp_fault_name(uint32_t kind)
{
  return kind < TP_FAULT_KINDS && names[kind] ? names[kind] : "unknown";
}

__attribute__((weak)) void tp_fault(const struct tp_fault_record *record)
{
  (void)record;
  tp_port_trap();
}
