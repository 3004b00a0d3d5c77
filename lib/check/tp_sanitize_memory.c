// SPDX-License-Identifier: MIT
// The calls of a C library that read or write as many bytes as they are told,
// each looked at as a whole before it does. The linker puts these in their
// place (lib/config/sanitize_link.flags); Clang calls three of them by another
// name. They copy on their own: what they stand for is not always linked.
#include "check/tp_check.h"
#include "check/tp_shadow.h"

#if TIDEPOOL_SANITIZE

#define READS(memory, bytes) \
  tp_shadow_look(memory, bytes, false, __builtin_return_address(0))
#define WRITES(memory, bytes) \
  tp_shadow_look(memory, bytes, true, __builtin_return_address(0))

typedef unsigned char __attribute__((may_alias)) byte_t;

TP_INLINE bool words_fit(const void *to, const void *from, size_t bytes)
{
  return (((uintptr_t)to | (uintptr_t)from | bytes) & 3) == 0;
}

// In the order of addresses. Loops that no compiler takes for calls.
static void *copy_up(void *to, const void *from, size_t bytes)
{
  size_t done = 0;
  while (words_fit(to, from, 0) && bytes - done >= 4) {
    tp_word_t word = *(const tp_word_t *)((const byte_t *)from + done);
    TP_KEEP(word);
    *(tp_word_t *)((byte_t *)to + done) = word;
    done += 4;
  }
  for (; done < bytes; done++) {
    uint32_t byte = ((const byte_t *)from)[done];
    TP_KEEP(byte);
    ((byte_t *)to)[done] = (byte_t)byte;
  }
  return to;
}

static void *copy_down(void *to, const void *from, size_t bytes)
{
  while (bytes-- > 0) {
    uint32_t byte = ((const byte_t *)from)[bytes];
    TP_KEEP(byte);
    ((byte_t *)to)[bytes] = (byte_t)byte;
  }
  return to;
}

static void *fill(void *to, int value, size_t bytes)
{
  for (size_t i = 0; i < bytes; i++) {
    TP_KEEP(i);
    ((byte_t *)to)[i] = (byte_t)value;
  }
  return to;
}

// Bytes of [text] up to its end, that one included, at most [most].
static size_t length_of(const char *text, size_t most)
{
  size_t bytes = 0;
  while (bytes < most) {
    uint32_t byte = ((const byte_t *)text)[bytes++];
    TP_KEEP(byte);
    if (byte == 0) break;
  }
  return bytes;
}

// Bytes of two texts up to the first that differs, or to their end; that one
// included, at most [most].
static size_t length_compared(const char *a, const char *b, size_t most)
{
  const byte_t *left = (const byte_t *)a, *right = (const byte_t *)b;
  size_t bytes = 0;
  while (bytes < most) {
    uint32_t byte = left[bytes];
    if (byte != right[bytes++] || byte == 0) break;
  }
  return bytes;
}

// What they differ by in the first byte in which they do.
static int compare(const void *a, const void *b, size_t bytes)
{
  const byte_t *left = (const byte_t *)a, *right = (const byte_t *)b;
  for (size_t i = 0; i < bytes; i++) {
    if (left[i] != right[i]) return left[i] - right[i];
  }
  return 0;
}

void *__wrap_memcpy(void *to, const void *from, size_t bytes)
{
  READS(from, bytes);
  WRITES(to, bytes);
  return copy_up(to, from, bytes);
}

void *__wrap_memmove(void *to, const void *from, size_t bytes)
{
  READS(from, bytes);
  WRITES(to, bytes);
  bool up = (uintptr_t)to - (uintptr_t)from >= bytes;
  return up ? copy_up(to, from, bytes) : copy_down(to, from, bytes);
}

void *__wrap_memset(void *to, int value, size_t bytes)
{
  WRITES(to, bytes);
  return fill(to, value, bytes);
}

void *__asan_memcpy(void *to, const void *from, size_t bytes)
    __attribute__((alias("__wrap_memcpy")));
void *__asan_memmove(void *to, const void *from, size_t bytes)
    __attribute__((alias("__wrap_memmove")));
void *__asan_memset(void *to, int value, size_t bytes)
    __attribute__((alias("__wrap_memset")));

int __wrap_memcmp(const void *a, const void *b, size_t bytes)
{
  READS(a, bytes);
  READS(b, bytes);
  return compare(a, b, bytes);
}

size_t __wrap_strlen(const char *text)
{
  size_t bytes = length_of(text, SIZE_MAX);
  READS(text, bytes);
  return bytes - 1;
}

char *__wrap_strcpy(char *to, const char *from)
{
  size_t bytes = length_of(from, SIZE_MAX);
  READS(from, bytes);
  WRITES(to, bytes);
  return (char *)copy_up(to, from, bytes);
}

char *__wrap_strncpy(char *to, const char *from, size_t bytes)
{
  size_t some = length_of(from, bytes);
  READS(from, some);
  WRITES(to, bytes);
  fill(to + some, 0, bytes - some);
  return (char *)copy_up(to, from, some);
}

int __wrap_strncmp(const char *a, const char *b, size_t bytes)
{
  size_t common = length_compared(a, b, bytes);
  READS(a, common);
  READS(b, common);
  return compare(a, b, common);
}

int __wrap_strcmp(const char *a, const char *b)
{
  return __wrap_strncmp(a, b, SIZE_MAX);
}

#endif
