// SPDX-License-Identifier: MIT
#include "debris.h"

#include "counts.h"
#include "random.h"
#include "scenario.h"
#include "site.h"
#include "tp_pools.h"

static struct random chance;
static struct ledger ledgers[2];  // At home, away.
static struct piece *pieces[COUNT_debris + COUNT_rubble];
static uint32_t count;

void debris_start(uint64_t seed)
{
  chance = random_stream(seed, 11);
}

static uint32_t is_away(const struct piece *piece)
{
  uintptr_t offset = (uintptr_t)piece - (uintptr_t)rubble_pool.storage;
  return offset < (uintptr_t)COUNT_rubble * rubble_pool.stride;
}

// A request that finds no room was refused by both.
static void count_answer(const struct piece *piece)
{
  uint32_t away = piece ? is_away(piece) : 0;
  ledgers[0].spills += away;
  ledgers[away].allocs += piece != 0;
  ledgers[0].drops += piece == 0;
  ledgers[1].drops += piece == 0;
}

static struct piece *new_piece(void)
{
  bool open = site_begin(SITE_PIECE);
  struct piece *piece = open ? debris_alloc() : 0;
  site_end(SITE_PIECE);
  if (open) count_answer(piece);
  return piece;
}

void debris_scatter(int32_t x, int32_t y, uint32_t wanted)
{
  for (uint32_t i = 0; i < wanted; i++) {
    struct piece *piece = new_piece();
    if (!piece) continue;
    uint32_t dice = random_next(&chance);
    *piece = (struct piece){
        .x = x,
        .y = y,
        .dx = (int16_t)((dice & 255) - 128),
        .frames_left = (uint16_t)random_between(
            &chance, scenario.spark_frames_low, scenario.spark_frames_high)};
    pieces[count++] = piece;
  }
}

static void vanish(uint32_t index)
{
  ledgers[is_away(pieces[index])].frees++;
  debris_free(pieces[index]);
  pieces[index] = pieces[--count];
}

// From the last to the first: who takes the place of a lost one has moved.
void debris_update(struct hash *hash)
{
  uint32_t sum = 0;
  for (uint32_t i = count; i-- > 0;) {
    struct piece *piece = pieces[i];
    int32_t x = piece->x + piece->dx;
    piece->x = x;
    sum = sum * 31 + (uint32_t)(x ^ piece->y);
    if (--piece->frames_left == 0) vanish(i);
  }
  hash_add(hash, sum);
  (void)tp_chunk_give_back(&rubble_chunk);
}

struct ledger debris_ledger(void)
{
  return ledgers[0];
}

struct ledger rubble_ledger(void)
{
  return ledgers[1];
}

static uint32_t held(uint32_t away)
{
  uint32_t total = 0;
  for (uint32_t i = 0; i < count; i++) total += is_away(pieces[i]) == away;
  return total;
}

uint32_t debris_held(void)
{
  return held(0);
}

uint32_t rubble_held(void)
{
  return held(1);
}
