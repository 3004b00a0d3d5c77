// SPDX-License-Identifier: MIT
// What the soak reads of the core's registers and writes to them, in a file for
// each of qemu/telemetry that does.
#include "registers.h"

#include "tp_ask.h"
#include "tp_test.h"

const char *told;
uint32_t told_words[2];
static uint32_t told_count;
bool tp_ask_asking;
volatile bool tp_ask_in_handler;
bool skipped;

void tp_record_begin(uint32_t type, uint32_t length)
{
  (void)type, (void)length;
  told_count = 0;
}

void tp_record_put8(uint32_t value)
{
  (void)value;
}

void tp_record_put16(uint32_t value)
{
  (void)value;
}

void tp_record_put32(uint32_t value)
{
  if (told_count < 2) told_words[told_count++] = value;
}

void tp_record_put_text(const char *text)
{
  told = text;
}

void tp_record_end(void)
{
}

uint32_t tp_record_length(const char *text)
{
  (void)text;
  return 0;
}

uint32_t tp_soak_lock(void)
{
  return 0;
}

void tp_soak_unlock(uint32_t key)
{
  (void)key;
}

void tp_soak_spare(const char *name, const void *caller)
{
  (void)name, (void)caller;
}

uint32_t tp_ask_below(uint32_t bound)
{
  return bound / 2;
}

void tp_ask_skip(void)
{
  skipped = true;
}

int main(void)
{
  test_guard();
#if TEST_CORE
  test_callers();
  test_lock();
#endif
  return tp_test_end();
}
