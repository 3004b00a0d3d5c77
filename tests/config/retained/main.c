// SPDX-License-Identifier: MIT
// A firmware that resets itself three times, and says what it finds each time.
#include "semihost.h"
#include "tp_pools.h"

// Also what a reset leaves alone: zero when the emulator is started.
__attribute__((section(".noinit"))) static struct {
  uint32_t boots;
  notes_handle_t kept, freed;
} memory;

static void say(int claim, const char *sentence)
{
  semihost_print(claim ? "ok " : "FAIL ");
  semihost_print(sentence);
  semihost_print("\n");
}

static uint32_t live(const struct tp_pool *pool)
{
  struct tp_stats stats;
  tp_pool_stats(pool, &stats);
  return stats.live;
}

__attribute__((noreturn)) static void reset_the_system(void)
{
  *(volatile uint32_t *)0xe000ed0c = 0x05fa0004;  // AIRCR: SYSRESETREQ
  for (;;) __asm__ volatile("dsb");
}

static void write_notes(void)
{
  uint32_t *note = notes_alloc_handle(&memory.kept);
  note[0] = 0x600dcafe;
  notes_alloc();
  notes_alloc_handle(&memory.freed);
  notes_free_handle(memory.freed);
  plain_alloc();
}

static void find_them_again(void)
{
  say(notes_validate(), "after a reset the pool is valid");
  const uint32_t *note = notes_get(memory.kept);
  say(live(&notes_pool) == 2, "its objects live");
  say(note && note[0] == 0x600dcafe, "a handle resolves to what was written");
  say(!notes_get(memory.freed), "a stale handle is still stale");
  say(live(&plain_pool) == 0, "a pool outside of the bank is empty");
  notes_free_handle(memory.kept);
  say(tp_pool_verify(&notes_pool, NULL), "the pool works on");
}

static void find_nothing(const char *sentence)
{
  say(!notes_validate() && live(&notes_pool) == 0, sentence);
  write_notes();
}

int main(void)
{
  switch (memory.boots++) {
    case 0:
      find_nothing("at first there is nothing valid");
      reset_the_system();
    case 1:
      find_them_again();
      notes_pool.tag[0] ^= 1;
      reset_the_system();
    case 2:
      find_nothing("a pool whose list was written over is cleared");
      *notes_noinit.seal ^= 0x100;
      reset_the_system();
    default:
      find_nothing("memory of another firmware is cleared");
      return 0;
  }
}
