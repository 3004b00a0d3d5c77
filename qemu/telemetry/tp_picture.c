// SPDX-License-Identifier: MIT
#include "tp_picture.h"

#include "tp_record.h"

enum { PICTURE = 16, HEAD_BYTES = 8 };

static struct {
  const uint8_t *bytes;
  uint32_t width, height;
} shown;

void tp_soak_picture(uint32_t width, uint32_t height, const uint8_t *bytes)
{
  shown.bytes = bytes;
  shown.width = width;
  shown.height = height;
}

void tp_picture_send(void)
{
  uint32_t size = shown.width * shown.height;
  if (!size) return;
  tp_record_begin(PICTURE, HEAD_BYTES + size);
  tp_record_put32(tp_clock_now);
  tp_record_put16(shown.width);
  tp_record_put16(shown.height);
  for (uint32_t i = 0; i < size; i++) tp_record_put8(shown.bytes[i]);
  tp_record_end();
}
