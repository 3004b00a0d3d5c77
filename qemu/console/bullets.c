// SPDX-License-Identifier: MIT
#include "bullets.h"

#include "counts.h"
#include "draw.h"
#include "enemies.h"
#include "random.h"
#include "scenario.h"
#include "site.h"
#include "tp_pools.h"
#include "allocator/tp_dense.h"

// An enemy's last bullet, while it flies.
struct shot {
  tp_handle_t handle;
  uint32_t serial;
};

static struct random chance;
static struct shot shots[COUNT_enemies];
static uint32_t fired, spent, refused;
static uint32_t astray;  // Handles that led to another's bullet, or to none.

void bullets_start(uint64_t seed)
{
  chance = random_stream(seed, 7);
}

static void fire(void)
{
  uint32_t owner = random_below(&chance, COUNT_enemies);
  uint32_t dice = random_next(&chance);
  tp_handle_t handle = TP_NO_HANDLE;
  bool open = site_begin(SITE_BULLET);
  struct bullet *bullet = open ? bullets_alloc(&handle) : 0;
  site_end(SITE_BULLET);
  if (!bullet) {
    refused += open;
    return;
  }
  *bullet = (struct bullet){
      .x = (int32_t)(dice & 0x1ffff),
      .dx = (int16_t)((dice >> 17 & 1023) - 512),
      .dy = 256,
      .frames_left = (uint16_t)random_between(&chance, 10, 90),
      .owner = (uint16_t)owner,
      .serial = ++fired,
  };
  shots[owner] = (struct shot){handle, fired};
}

static void spend(tp_handle_t handle, const struct bullet *bullet)
{
  struct shot *shot = &shots[bullet->owner];
  if (shot->serial == bullet->serial) *shot = (struct shot){0, 0};
  spent++;
  site_begin(SITE_BULLET_REMOVE);
  bullets_free(handle);
  site_end(SITE_BULLET_REMOVE);
}

// From the last to the first: who takes the place of a spent one has flown.
static void fly(struct hash *hash)
{
  uint32_t sum = 0;
  for (uint32_t i = bullets_count(); i-- > 0;) {
    struct bullet *bullet = bullets_at(i);
    bullet->x += bullet->dx;
    bullet->y += bullet->dy;
    sum = sum * 31 + (uint32_t)(bullet->x ^ bullet->y);
    if (bullet->frames_left % 8 == 0) draw(bullet->x, bullet->y, 1);
    if (--bullet->frames_left == 0) spend(bullets_handle(i), bullet);
  }
  hash_add(hash, sum);
}

// One enemy a frame looks after its bullet.
static void look_after(uint32_t owner)
{
  const struct shot *shot = &shots[owner];
  if (shot->handle == TP_NO_HANDLE) return;
  const struct bullet *bullet = bullets_get(shot->handle);
  astray += !bullet || bullet->serial != shot->serial;
}

void bullets_update(struct hash *hash)
{
  uint32_t most = enemies_held() * scenario_load() / 8;
  uint32_t count = random_below(&chance, most + 1);
  for (uint32_t i = 0; i < count; i++) fire();
  fly(hash);
  look_after(random_below(&chance, COUNT_enemies));
}

const char *bullets_audit(void)
{
  struct tp_stats stats;
  tp_dense_stats(&bullets_dense, &stats);
  if (astray) return "bullets: a handle led astray";
  if (stats.live != fired - spent) return "bullets: live counts differ";
  if (stats.frees != spent) return "bullets: removals differ";
  if (stats.refused != refused) return "bullets: refusals differ";
  return tp_dense_verify(&bullets_dense) ? 0 : "bullets: the tables are broken";
}
