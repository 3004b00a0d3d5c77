// SPDX-License-Identifier: MIT
#include "tp_picture.h"

#include "tp_record.h"

enum { PICTURE = 16, HEAD_BYTES = 9, USE_BYTES = 5, PAUSE = 120 };

static struct {
  const uint8_t *bytes;
  uint32_t width, height;
  uint32_t last;  // Frame of the last that was sent of itself,
  bool sent;      // if one was.
} picture;

void tp_soak_picture(uint32_t width, uint32_t height, const uint8_t *bytes)
{
  picture.bytes = bytes;
  picture.width = width;
  picture.height = height;
}

// The head of a record that [uses] uses follow, and then the pixels.
static void put_head(uint32_t uses)
{
  uint32_t size = picture.width * picture.height;
  tp_record_begin(PICTURE, HEAD_BYTES + uses * USE_BYTES + size);
  tp_record_put32(tp_clock_now);
  tp_record_put16(picture.width);
  tp_record_put16(picture.height);
  tp_record_put8(uses);
}

static void put_pixels(void)
{
  uint32_t size = picture.width * picture.height;
  for (uint32_t i = 0; i < size; i++) tp_record_put8(picture.bytes[i]);
  tp_record_end();
}

void tp_picture_send(void)
{
  if (!picture.bytes) return;
  put_head(0);
  put_pixels();
}

static uint32_t count_worse(const struct tp_registry *registry,
                            const uint32_t shown[])
{
  uint32_t count = 0;
  for (uint32_t i = 0; i < registry->count; i++) {
    count += tp_entry_live(registry->entries[i]) > shown[i];
  }
  return count;
}

void tp_picture_worst(const struct tp_registry *registry, uint32_t shown[])
{
  uint32_t pause = tp_clock_now - picture.last;
  if (!picture.bytes || (picture.sent && pause < PAUSE)) return;
  uint32_t count = count_worse(registry, shown);
  if (!count) return;
  picture.last = tp_clock_now;
  picture.sent = true;
  put_head(count);
  for (uint32_t i = 0; i < registry->count; i++) {
    uint32_t live = tp_entry_live(registry->entries[i]);
    if (live <= shown[i]) continue;
    shown[i] = live;
    tp_record_put8(i);
    tp_record_put32(live);
  }
  put_pixels();
}
