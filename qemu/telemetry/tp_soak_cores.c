// SPDX-License-Identifier: MIT
// tp_soak_cores.c - a soak of two cores. What it keeps account of has a lock of
// its own, as a free tells of itself while it has that of the pools. The other
// core waits while all allocators are looked at; and one of the two alone tells
// the host of a fault.
#include "core/tp_cores.h"
#include "tp_port.h"
#include "tp_soak.h"

#if TP_CORES_PORTED

#if !TP_PORT_HAS_EXCLUSIVE || !TP_CORES_NUMBERED
#error "a soak of two cores wants LDREX, and a port that tells which core runs"
#endif

#define BARRIER() __asm volatile("dmb" : : : "memory")

static uint32_t taken;  // Not 0: by a core.
static uint32_t home;   // The core that says tp_soak_frame().
// By home: how often it asked the other to wait, and let it go. By the other:
// for which of those it waits, and that there is one.
static volatile uint32_t asked, released, answered;
static volatile bool joined;
// A record is begun and not ended; the core that tells of a fault, + 1.
static volatile uint32_t writes, tells;

static void let_the_other_go_on(void)
{
  __asm volatile("yield" : : : "memory");  // The emulator takes turns.
}

static bool take(void)
{
  if (tp_port_load_exclusive(&taken) != 0) return false;
  if (!tp_port_store_exclusive(&taken, 1)) return false;
  BARRIER();
  return true;
}

uint32_t tp_soak_lock(void)
{
  for (;;) {
    uint32_t key = tp_port_lock();
    if (take()) return key;
    tp_port_unlock(key);
    let_the_other_go_on();
  }
}

void tp_soak_unlock(uint32_t key)
{
  BARRIER();
  *(volatile uint32_t *)&taken = 0;
  tp_port_unlock(key);
}

bool tp_soak_is_home(void)
{
  return TP_CORES_PORT_NUMBER() == home;
}

bool tp_soak_is_ours(const struct tp_pool *pool)
{
  const struct tp_pool_state *state = pool->state;
  if (TP_CHECKS < TP_CHECKS_FAST || pool->lock == TP_LOCK_CORES) return true;
  if (state->fresh == 0 && state->reached == 0) return false;
  return state->scrubbed / TP_CORE_BIT == home % 2u;
}

void tp_soak_cores_begin(void)
{
  home = TP_CORES_PORT_NUMBER();
}

// Who joins later sees that it is asked.
void tp_soak_cores_stop(void)
{
  asked++;
  BARRIER();
  while (joined && answered != asked) let_the_other_go_on();
  BARRIER();
}

void tp_soak_cores_go(void)
{
  BARRIER();
  released = asked;
}

void tp_soak_pause(void)
{
  tp_soak_guard_join();
  joined = true;
  BARRIER();
  if (asked == released) return;
  answered = asked;
  while (released != answered) let_the_other_go_on();
  BARRIER();
}

// While the other core tells of a fault nothing more is said.
void tp_soak_cores_write(bool begins)
{
  writes = begins;
  BARRIER();
  if (!begins || tells == 0 || tells == TP_CORES_PORT_NUMBER() + 1) return;
  writes = false;
  for (;;) let_the_other_go_on();
}

void tp_soak_cores_fault(void)
{
  uint32_t key = tp_soak_lock(), mine = TP_CORES_PORT_NUMBER() + 1;
  if (tells == 0) tells = mine;
  tp_soak_unlock(key);
  while (tells != mine || writes) let_the_other_go_on();
}

#else

uint32_t tp_soak_lock(void)
{
  return tp_port_lock();
}

void tp_soak_unlock(uint32_t key)
{
  tp_port_unlock(key);
}

bool tp_soak_is_home(void)
{
  return true;
}

bool tp_soak_is_ours(const struct tp_pool *pool)
{
  (void)pool;
  return true;
}

void tp_soak_cores_begin(void)
{
}

void tp_soak_cores_stop(void)
{
}

void tp_soak_cores_go(void)
{
}

void tp_soak_cores_write(bool begins)
{
  (void)begins;
}

void tp_soak_cores_fault(void)
{
}

#endif
