// SPDX-License-Identifier: MIT
// watch_props.c - scenes: whoever is left goes, and no handle outlives one.
#include "ledger.h"
#include "tp_soak.h"
#include "watch.h"

static crowd_handle_t newest_crowd;
static credits_handle_t newest_credits;
static uint32_t revenants;  // Handles of a scene before that still led on.

void watch_prop_asked(enum tp_pool_id id, const struct prop *prop)
{
  struct ledger *ledger = ledger_now(id);
  ledger->refused += !prop;
  ledger->allocs += prop != 0;
  if (!prop) return;
  if (id == TP_ID_CROWD) newest_crowd = crowd_handle(prop);
  if (id == TP_ID_CREDITS) newest_credits = credits_handle(prop);
}

void watch_prop_freed(enum tp_pool_id id)
{
  ledger_now(id)->frees++;
}

static void leave(enum tp_pool_id id)
{
  struct ledger ledger = ledger_of(id);
  ledger_now(id)->frees += ledger_live(&ledger);
}

void watch_scene(uint32_t scene)
{
  static const char *const names[TP_SCENE_N] = {
      [TP_SCENE_BATTLE] = "battle", [TP_SCENE_TITLE] = "title"};
  leave(TP_ID_CROWD);
  leave(TP_ID_CREDITS);
  revenants += crowd_get(newest_crowd) || credits_get(newest_credits);
  tp_soak_scene(names[scene]);
}

const char *watch_props_audit(void)
{
  return revenants ? "scenery: a handle survived its scene" : 0;
}
