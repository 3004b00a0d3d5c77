// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#include "tp_pools.h"
#include "core/tp_shape.h"

// Only tp_pools.ld defines it. A link without that ends with this sentence.
extern const char tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld[];

enum {
  sparks_stride = TP_STRIDE(24, 8),
  sparks_shift = TP_SHIFT(sparks_stride),
  sparks_odd = sparks_stride >> sparks_shift,
};
static uint32_t sparks_tag[TP_TAGS(10) + 1];
static struct tp_pool_state sparks_state;
_Alignas(8)
static tp_word_t sparks_storage[(TP_RED_ZONE(8) + 10 * sparks_stride) / 4];
const struct tp_pool sparks_pool = {
  .tag = sparks_tag,
  .state = &sparks_state,
  .storage = sparks_storage + TP_RED_ZONE(8) / 4,
  .capacity = 10,
  .policy = &tp_drop,
  .name = "sparks",
  .size = 24,
  .stride = sparks_stride,
  .shift = sparks_shift,
  .inverse = TP_INVERSE(sparks_odd),
  .zone = TP_RED_ZONE(8),
  .handle_bits = 4,
  .lock = TP_LOCK_PRIMASK,
  .refuses = 1,
};

static void on_move_of_bullets(void *to, const void *from, tp_handle_t handle)
{
  bullet_moved((struct particle *)to, (const struct particle *)from, handle);
}
static uint32_t bullets_place[128 + 1];
static tp_slot_t bullets_entry[128];
static struct tp_dense_state bullets_state;
_Alignas(8) __attribute__((section(".bss.tp_arena.ram.bullets")))
static tp_word_t bullets_storage[128 * 24 / 4];
const struct tp_dense bullets_dense = {
  .place = bullets_place,
  .entry = bullets_entry,
  .state = &bullets_state,
  .storage = bullets_storage,
  .on_move = on_move_of_bullets,
  .name = "bullets",
  .salt = 0x08a7ae00u,
  .stride = 24,
  .size = 24,
  .capacity = 128,
  .bits = 8,
  .full = 0,
  .link_check = tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld,
};

static void on_move_of_shells(void *to, const void *from, tp_handle_t handle)
{
  bullet_moved((struct particle *)to, (const struct particle *)from, handle);
}
static uint32_t shells_place[16 + 1];
static tp_slot_t shells_entry[16];
static struct tp_dense_state shells_state;
_Alignas(4)
static tp_word_t shells_storage[16 * 20 / 4];
const struct tp_dense shells_dense = {
  .place = shells_place,
  .entry = shells_entry,
  .state = &shells_state,
  .storage = shells_storage,
  .on_move = on_move_of_shells,
  .name = "shells",
  .salt = 0xa8042be0u,
  .stride = 20,
  .size = 20,
  .capacity = 16,
  .bits = 5,
  .full = 1,
};

static uint32_t marks_place[9 + 1];
static tp_slot_t marks_entry[9];
static struct tp_dense_state marks_state;
_Alignas(8)
static tp_word_t marks_storage[9 * 8 / 4];
const struct tp_dense marks_dense = {
  .place = marks_place,
  .entry = marks_entry,
  .state = &marks_state,
  .storage = marks_storage,
  .name = "marks",
  .salt = 0x3779b100u,
  .stride = 8,
  .size = 8,
  .capacity = 9,
  .bits = 4,
  .full = 0,
};

const struct tp_pool *const tp_pool_table[TP_POOL_N] = {
  &sparks_pool,
};
