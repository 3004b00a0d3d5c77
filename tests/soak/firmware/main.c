// SPDX-License-Identifier: MIT
// Somebody's own firmware: clients who order and are served, in a house that
// uses allocators of every kind. With MISTAKE it serves one of them twice.
#include "board.h"
#include "tp_pools.h"
#include "tp_soak.h"

enum { ORDERS = 20, SCENE_FRAMES = 240, COST_STEP = 8 };

static struct tp_soak soak = TP_SOAK;
static struct tp_soak_site till = {.name = "till"};
static void *orders[ORDERS];
static uint32_t state, turned_away, smear;

void tp_soak_put(uint8_t byte)
{
  board_put(byte);
}

void tp_fault(const struct tp_fault_record *record)
{
  tp_soak_fault(record);
}

static void *refuse(const struct tp_pool *pool, uint32_t *tag, tp_site_t site)
{
  (void)pool, (void)tag, (void)site;
  turned_away++;
  return NULL;
}

const struct tp_policy turn_away = {.overflow = refuse};

static uint32_t chance(void)
{
  return state = state * 1664525u + 1013904223u;
}

static void serve(uint32_t number)
{
  if (!orders[number]) return;
  orders_free(orders[number]);
  if (soak.frame != MISTAKE) orders[number] = 0;
}

static void take_orders(void)
{
  uint32_t number = (chance() >> 16) % ORDERS;
  if (!orders[number]) orders[number] = orders_alloc();
  void *client = clients_alloc();
  clients_free(client);
  uint32_t served = soak.frame == MISTAKE ? number : (chance() >> 16) % ORDERS;
  serve(served);
  if (soak.frame == MISTAKE) serve(served);
  soak.hash = soak.hash * 31 + number;
}

// From frame [rush] on, for a while, all of them are taken.
static void take_all(uint32_t rush)
{
  static void *taken[ORDERS];
  for (uint32_t i = 0; rush && i < ORDERS; i++) {
    if (soak.frame == rush) taken[i] = orders_alloc();
    if (soak.frame == rush + 100 && taken[i]) orders_free(taken[i]);
  }
}

// In waves: for some frames guests come, then they go.
static void seat_guests(void)
{
  static void *seats[12], *guests[4];
  uint32_t i = soak.frame % 24;
  if (i < 12) seats[i] = tables_alloc();
  if (i >= 12 && seats[i - 12]) tables_free(seats[i - 12]);
  tp_chunk_release(&garden_chunk);
  if (i < 4) guests[i] = guests_alloc();
  bool all = guests[0] && guests[1] && guests[2] && guests[3];
  if (i == 5 && all) tp_soak_expect("a full house is full", !guests_alloc());
  if (i >= 20 && guests[i - 20]) guests_free(guests[i - 20]);
}

static void play_tunes(void)
{
  static tunes_handle_t tune;
  void *playing = tunes_alloc_handle(&tune);
  if (!playing) return;  // Refused on purpose.
  tp_soak_expect("a tune that begins plays", tunes_get(tune) == playing);
}

static void change_scene(void)
{
  static void *waiters[2], *cooks[2];
  uint32_t scene = soak.frame / SCENE_FRAMES % TP_SCENE_N;
  if (soak.frame % SCENE_FRAMES == 0) {
    bool entered = scenes_switch(scene, NULL) == 0;
    tp_soak_expect("nobody is left when a scene ends", entered);
    tp_soak_scene(scene == TP_SCENE_NOON ? "noon" : "evening");
  }
  for (uint32_t i = 0; i < 2; i++) {
    waiters[i] = waiters_alloc();
    cooks[i] = cooks_alloc();
  }
  for (uint32_t i = 0; i < 2; i++) {
    if (waiters[i]) waiters_free(waiters[i]);
    if (cooks[i]) cooks_free(cooks[i]);
  }
}

static void write_bills(void)
{
  struct tp_mark mark = recipe_mark();
  recipe_alloc(40, 8);
  recipe_release(mark);
  struct tp_mark high = ledger_mark(TP_HIGH);
  ledger_alloc(TP_HIGH, 24, 8);
  ledger_release(TP_HIGH, high);
  bill_alloc(1 + (chance() >> 26), 4);
  bill_end();
  struct tp_soak_site *before = tp_soak_enter(&till);
  void *note = notes_alloc(1 + (chance() >> 28));
  tp_soak_leave(before);
  if (note) notes_free(note);
}

static void wash_up(void)
{
  static struct tp_nest corner;
  plates_handle_t plate;
  menus_handle_t menu = menus_alloc(8 + (chance() >> 26));
  uint32_t *washed = plates_alloc(&plate);
  if (washed) plates_free(plate);
  if (washed && soak.frame == smear) *washed = 1;  // It is nobody's now.
  menus_step();
  menus_free(menu);
  bool open = tp_nest_open_stack(&corner, &house_nest, TP_LOW, "corner", 64,
                                 TP_FULL_DROP);
  if (open) tp_nest_close(&corner);
}

static void play_a_frame(void)
{
  take_orders();
  seat_guests();
  play_tunes();
  change_scene();
  write_bills();
  wash_up();
  tp_soak_figure("turned away", "guests", turned_away, false);
  tp_soak_cost("take an order", COST_STEP, 10 + (chance() >> 28));
}

int main(void)
{
  soak.sites = &till;
  soak.site_count = 1;
  tp_soak_begin(&soak);
  uint32_t mood = tp_soak_setting("mood", 0), rush = tp_soak_setting("rush", 0);
  smear = tp_soak_setting("smear", UINT32_MAX);
  tp_soak_expect("the mood is bearable", mood < 100);
  state = (uint32_t)soak.seed + mood;
  for (uint32_t i = 0; i < soak.frames; i++) {
    take_all(rush);
    play_a_frame();
    tp_soak_frame(&soak);
  }
  tp_soak_end(&soak);
}
