// SPDX-License-Identifier: MIT
// What compares frames, while tp_clock_now comes by 0: on the host, with
// nothing behind it. Prints the frames, from the start, in which it happened.
#include <stdio.h>

#include "core/tp_totals.h"
#include "plant.h"
#include "tp_picture.h"
#include "tp_record.h"
#include "tp_soak.h"

#define START (0u - 600)

enum { FRAMES = 1200, PLANTED = 100 };

uint32_t tp_clock_now;
static uint32_t live;
static const struct tp_entry entry = {.name = "a"};
static const struct tp_entry *const entries[] = {&entry};
const struct tp_registry tp_registry = {.entries = entries, .count = 1};

uint32_t tp_soak_start(void)
{
  return START;
}

uint32_t tp_entry_live(const struct tp_entry *one)
{
  (void)one;
  return live;
}

static void tell(const char *what)
{
  printf("%s %u\n", what, (unsigned)(tp_clock_now - START));
}

void tp_record_begin(uint32_t type, uint32_t length)
{
  (void)type, (void)length;
  tell("picture");
}

void tp_record_planted(uint32_t frame, uint32_t index, uint32_t slot,
                       const char *name)
{
  (void)frame, (void)index, (void)slot;
  tell(name);
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
  (void)value;
}

void tp_record_end(void)
{
}

const char *tp_soak_argument(const char *key)
{
  return key[5] ? NULL : "frame-drift";
}

uint64_t tp_soak_number(const char *key, uint64_t otherwise)
{
  (void)key, (void)otherwise;
  return PLANTED;
}

bool tp_soak_is_word(const char *text, const char *word)
{
  return text[0] == word[0] && text[1] == word[1] && text[2] == word[2];
}

uint32_t tp_registry_find(const struct tp_registry *registry, const char *name)
{
  (void)registry, (void)name;
  return 0;
}

// More is held in every frame of the first 300 and of those from 700 on.
int main(void)
{
  static const uint8_t pixel;
  uint32_t shown[1] = {0}, struck = 0;
  tp_clock_now = START;
  tp_soak_picture(1, 1, &pixel);
  plant_start();
  for (uint32_t frame = 0; frame < FRAMES; frame++, tp_clock_now++) {
    if (frame < 300 || frame >= 700) live++;
    tp_picture_worst(&tp_registry, shown);
    struck += plant_wanted_strikes(NULL, NULL);
  }
  printf("struck %u\n", (unsigned)struck);
}
