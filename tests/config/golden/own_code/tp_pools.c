// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#include "tp_pools.h"
#include "core/tp_shape.h"
#include "core/tp_core.h"
#include "policy/tp_steal.h"

enum {
  particles_stride = TP_STRIDE(24, 8),
  particles_shift = TP_SHIFT(particles_stride),
  particles_odd = particles_stride >> particles_shift,
};
static uint32_t particles_tag[TP_TAGS(256) + 1];
static struct tp_pool_state particles_state;
_Alignas(8)
static tp_word_t particles_storage[(TP_RED_ZONE(8) + 256 * particles_stride) / 4];
const struct tp_pool particles_pool = {
  .tag = particles_tag,
  .state = &particles_state,
  .storage = particles_storage + TP_RED_ZONE(8) / 4,
  .capacity = 256,
  .policy = &tp_drop,
  .name = "particles",
  .size = 24,
  .stride = particles_stride,
  .shift = particles_shift,
  .inverse = TP_INVERSE(particles_odd),
  .zone = TP_RED_ZONE(8),
  .handle_bits = 9,
  .lock = TP_LOCK_PRIMASK,
  .refuses = 1,
};
TP_NOINLINE struct particle *particles_alloc(void)
{
  return (struct particle *)tp_core_alloc(&particles_pool, particles_pool.lock, tp_pool_extend, NULL, NULL);
}
TP_NOINLINE void particles_free(struct particle *object)
{
  tp_core_free(&particles_pool, particles_pool.lock, object, NULL);
}

static void evict_of_sounds(void *victim)
{
  voice_stopped((struct voice *)victim);
}
enum {
  sounds_stride = TP_STRIDE(8, 8),
  sounds_shift = TP_SHIFT(sounds_stride),
  sounds_odd = sounds_stride >> sounds_shift,
};
static uint32_t sounds_tag[TP_TAGS(16) + 1];
static struct tp_pool_state sounds_state;
static struct tp_age_link sounds_age[16 + 1];
_Alignas(8)
static tp_word_t sounds_storage[(TP_RED_ZONE(8) + 16 * sounds_stride) / 4];
const struct tp_pool sounds_pool = {
  .tag = sounds_tag,
  .state = &sounds_state,
  .storage = sounds_storage + TP_RED_ZONE(8) / 4,
  .capacity = 16,
  .policy = &tp_steal_oldest,
  .name = "sounds",
  .size = 8,
  .stride = sounds_stride,
  .shift = sounds_shift,
  .inverse = TP_INVERSE(sounds_odd),
  .zone = TP_RED_ZONE(8),
  .handle_bits = 5,
  .lock = TP_LOCK_PRIMASK,
  .age = sounds_age,
  .evict = evict_of_sounds,
};
TP_NOINLINE static void *sounds_extend(const struct tp_pool *pool,
    uint32_t *tag, tp_site_t site)
{
  (void)pool;
  return tp_core_extend(&sounds_pool, sounds_pool.lock, tp_steal_core,
                        tag, site);
}
TP_NOINLINE struct voice *sounds_alloc(void)
{
  return (struct voice *)tp_core_alloc(&sounds_pool, sounds_pool.lock, sounds_extend, NULL, NULL);
}
TP_NOINLINE void sounds_free(struct voice *object)
{
  tp_core_free(&sounds_pool, sounds_pool.lock, object, NULL);
}

enum {
  bytes_stride = TP_STRIDE(16, 8),
  bytes_shift = TP_SHIFT(bytes_stride),
  bytes_odd = bytes_stride >> bytes_shift,
};
static uint32_t bytes_tag[TP_TAGS(3) + 1];
static struct tp_pool_state bytes_state;
_Alignas(8)
static tp_word_t bytes_storage[(TP_RED_ZONE(8) + 3 * bytes_stride) / 4];
const struct tp_pool bytes_pool = {
  .tag = bytes_tag,
  .state = &bytes_state,
  .storage = bytes_storage + TP_RED_ZONE(8) / 4,
  .capacity = 3,
  .policy = &tp_assert,
  .name = "bytes",
  .size = 16,
  .stride = bytes_stride,
  .shift = bytes_shift,
  .inverse = TP_INVERSE(bytes_odd),
  .zone = TP_RED_ZONE(8),
  .handle_bits = 2,
  .lock = TP_LOCK_PRIMASK,
};
TP_NOINLINE void *bytes_alloc(void)
{
  return tp_core_alloc(&bytes_pool, bytes_pool.lock, tp_pool_extend, NULL, NULL);
}
TP_NOINLINE void bytes_free(void *object)
{
  tp_core_free(&bytes_pool, bytes_pool.lock, object, NULL);
}

const struct tp_pool *const tp_pool_table[TP_POOL_N] = {
  &particles_pool,
  &sounds_pool,
  &bytes_pool,
};
