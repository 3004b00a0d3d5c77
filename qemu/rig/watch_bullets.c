// SPDX-License-Identifier: MIT
// watch_bullets.c - bullets: one at a time is followed by its handle, wherever
// it moves, from the frame it was fired in until it is removed.
#include "watch.h"

static uint32_t fired, removed, refused;
static uint32_t astray;  // Frames in which the handle led to another, or none.
static bullets_handle_t followed;
static uint32_t ends;  // The frame in which it is spent; 0: not yet known.

static bool follows(void)
{
  return !bullets_same(followed, BULLETS_NO_HANDLE);
}

void watch_bullet_asked(bool issued, bullets_handle_t handle)
{
  fired += issued;
  refused += !issued;
  if (!issued || follows()) return;
  followed = handle;
  ends = 0;
}

void watch_bullet_removed(bullets_handle_t handle)
{
  removed++;
  astray += bullets_get(handle) != 0;
  if (bullets_same(handle, followed)) followed = BULLETS_NO_HANDLE;
}

void watch_bullets_frame(void)
{
  if (!follows()) return;
  const struct bullet *bullet = bullets_get(followed);
  uint32_t end = bullet ? tp_clock_now + bullet->frames_left : 0;
  if (!ends) ends = end;
  astray += !bullet || end != ends;
}

static uint32_t on_purpose(void)
{
  return tp_soak_refused(tp_registry_find(&tp_registry, bullets_dense.name));
}

const char *watch_bullets_audit(void)
{
  struct tp_stats stats;
  tp_dense_stats(&bullets_dense, &stats);
  if (astray) return "bullets: a handle led astray";
  if (stats.live != fired - removed) return "bullets: live counts differ";
  if (stats.frees != removed) return "bullets: removals differ";
  if (stats.refused + on_purpose() != refused)
    return "bullets: refusals differ";
  return tp_dense_verify(&bullets_dense) ? 0 : "bullets: the tables are broken";
}
