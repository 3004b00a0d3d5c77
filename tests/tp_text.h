// SPDX-License-Identifier: MIT
// tp_text.h - keeps what is printed a character at a time, for a test to look
// whether it says what it should. For one file of a test.
#ifndef TP_TEXT_H
#define TP_TEXT_H

#include <stdbool.h>
#include <stdint.h>

static char text[4096];
static uint32_t length;

static void put(char character)
{
  if (length < sizeof text - 1) text[length++] = character;
  text[length] = 0;
}

static bool is_said(const char *words)
{
  for (uint32_t at = 0; at < length; at++) {
    uint32_t same = 0;
    while (words[same] && text[at + same] == words[same]) same++;
    if (!words[same]) return true;
  }
  return false;
}

#endif
