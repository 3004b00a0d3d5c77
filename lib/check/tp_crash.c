// SPDX-License-Identifier: MIT
#include "check/tp_crash.h"

#include "check/tp_events.h"
#include "tp_port.h"

#define TP_NOINIT __attribute__((section(".noinit.tp_crash")))
struct tp_crash tp_crash TP_NOINIT;

// A port that cannot tell has nothing of it.
#ifndef TP_PORT_HAS_REGISTERS
#define TP_PORT_HAS_REGISTERS 0
#endif

static uint32_t checksum(const struct tp_crash *crash)
{
  const uint8_t *byte = (const uint8_t *)(&crash->checksum + 1);
  const uint8_t *end = (const uint8_t *)crash + sizeof *crash;
  uint32_t crc = UINT32_MAX;
  for (; byte != end; byte++) {
    crc ^= *byte;
    for (uint32_t bit = 0; bit < 8; bit++) {
      crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
  }
  return ~crc;
}

// AddressSanitizer does not watch what it reads of others' frames.
#define TP_UNWATCHED __attribute__((no_sanitize("address")))

// Word by word: no compiler makes a call of it.
static TP_UNWATCHED void copy(volatile tp_word_t *to, const tp_word_t *from,
                              uint32_t words)
{
  for (uint32_t i = 0; i < words; i++) to[i] = from ? from[i] : 0;
}

static void save_stack(const uint32_t *bottom, const void *end)
{
  uintptr_t bytes = (uintptr_t)end - (uintptr_t)bottom;
  uint32_t words = TP_CRASH_WORDS;
  if ((uintptr_t)end < (uintptr_t)bottom) bytes = 0;
  if (bytes / 4 < words) words = (uint32_t)(bytes / 4);
  copy(tp_crash.stack, bottom, words);
  tp_crash.bottom = bottom;
  tp_crash.words = words;
}

// Returns where the stack ends, as the registers say if they are known.
#if TP_PORT_HAS_REGISTERS
TP_INLINE const uint32_t *save_registers(void)
{
  tp_port_registers(tp_crash.registers);
  return (const uint32_t *)(uintptr_t)tp_crash.registers[13];
}
#else
TP_INLINE const uint32_t *save_registers(void)
{
  return (const uint32_t *)__builtin_frame_address(0);
}
#endif

static void seal(void)
{
  tp_crash.checksum = checksum(&tp_crash);
  TP_BARRIER();
}

// Last: where a descriptor was written over, a name may lie nowhere. All of it
// is read before any of it is written, so that what was sealed stays good.
static void save_name(const volatile char *name)
{
  uint32_t length = 0;
  while (name && length + 1 < TP_CRASH_NAME && name[length]) length++;
  for (uint32_t i = 0; i < length; i++) tp_crash.name[i] = name[i];
  seal();
}

// Not inlined, nor is what saves the registers a call: a debugger begins here.
TP_NOINLINE void tp_crash_save(const struct tp_fault_record *record,
                               const void *stack_end)
{
  copy((tp_word_t *)&tp_crash, NULL, sizeof tp_crash / 4);
  const uint32_t *bottom = save_registers();
  copy((tp_word_t *)&tp_crash.record, (const tp_word_t *)record,
       sizeof *record / 4);
  save_stack(bottom, stack_end);
  tp_crash.version = TP_CRASH_VERSION;
  tp_crash.bytes = sizeof tp_crash;
  tp_crash.magic = TP_CRASH_MAGIC;
  seal();
  save_name(record->name);
}

void tp_crash_note(const void *memory, uint32_t words)
{
  if (words > TP_CRASH_KEPT) words = TP_CRASH_KEPT;
  copy(tp_crash.kept, (const tp_word_t *)memory, words);
  tp_crash.kept_at = (const uint32_t *)memory;
  tp_crash.kept_words = words;
  seal();
}

const struct tp_crash *tp_crash_validate(void)
{
  const struct tp_crash *crash = &tp_crash;
  if (crash->magic != TP_CRASH_MAGIC) return NULL;
  if (crash->version != TP_CRASH_VERSION) return NULL;
  if (crash->bytes != sizeof *crash) return NULL;
  return crash->checksum == checksum(crash) ? crash : NULL;
}

void tp_crash_forget(void)
{
  tp_crash.magic = 0;
}

static void put_text(const char *text, void (*put)(char character))
{
  while (*text) put(*text++);
}

static void put_word(uint32_t word, void (*put)(char character))
{
  for (uint32_t shift = 32; shift > 0;) {
    shift -= 4;
    put("0123456789abcdef"[word >> shift & 15]);
  }
}

// [count] words as they stood at [address], four in a line.
static void put_words(uintptr_t address, const tp_word_t *words, uint32_t count,
                      void (*put)(char character))
{
  for (uint32_t i = 0; i < count; i++) {
    if (i % 4 == 0) put_word((uint32_t)address + i * 4, put);
    put_text(i % 4 == 0 ? ": " : " ", put);
    put_word(words[i], put);
    if (i % 4 == 3 || i + 1 == count) put_text("\r\n", put);
  }
}

// A name is two characters wide: r0, sp.
static void put_registers(const uint32_t *registers,
                          void (*put)(char character))
{
  static const char names[TP_CRASH_REGISTERS][5] = {
      "r0", "r1",  "r2",  "r3",  "r4", "r5", "r6", "r7",  "r8",
      "r9", "r10", "r11", "r12", "sp", "lr", "pc", "xpsr"};
  for (uint32_t i = 0; i < TP_CRASH_REGISTERS; i++) {
    put_text(names[i], put);
    put_text(" = ", put);
    put_word(registers[i], put);
    put_text(i % 4 == 3 || i + 1 == TP_CRASH_REGISTERS ? "\r\n" : "  ", put);
  }
}

#if TIDEPOOL_EVENTS
static void put_events(void (*put)(char character))
{
  put_words((uintptr_t)&tp_events, (const tp_word_t *)&tp_events,
            sizeof tp_events / 4, put);
}
#else
#define put_events(put) ((void)0)
#endif

void tp_crash_print(const struct tp_crash *crash, void (*put)(char character))
{
  const struct tp_fault_record *record = &crash->record;
  put_text("fault ", put);
  put_text(tp_fault_name(record->kind), put);
  put_text(" of ", put);
  put_text(crash->name[0] ? crash->name : "none", put);
  put_text(", tidepool.py core reads what follows\r\n", put);
  if (TP_PORT_HAS_REGISTERS) put_registers(crash->registers, put);
  put_words((uintptr_t)&tp_fault_record, (const tp_word_t *)record,
            sizeof *record / 4, put);
  put_words((uintptr_t)crash->kept_at, crash->kept, crash->kept_words, put);
  put_words((uintptr_t)crash->bottom, crash->stack, crash->words, put);
  put_events(put);
}
