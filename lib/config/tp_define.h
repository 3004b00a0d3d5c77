// SPDX-License-Identifier: MIT
// tp_define.h - defining by hand what pools.toml would have a row for, each in
// one C file:
//
//   TP_POOL_DEFINE(sparks, sizeof(struct spark), 64, 8, .policy = &tp_drop,
//                  .refuses = 1);
//
// makes sparks_pool, for a header to declare and the calls of tidepool.h to
// use. The arguments are the name, the bytes, how many, the alignment where it
// may be chosen, and then initialisers of the struct. What is full by then is a
// decision without a default: .policy, or .full.
//
// C only: it designates initialisers. A linker script that wants the memory in
// a place of its own finds it, by -fdata-sections, as .bss.NAME_storage.
#ifndef TP_DEFINE_H
#define TP_DEFINE_H

#include "core/tp_shape.h"
#include "tidepool.h"

// A pool that does not steal.
#define TP_POOL_DEFINE(name, bytes, count, align, ...) \
  TP_POOL_BY_HAND(name, bytes, count, align, TP_TAGS(count), count, __VA_ARGS__)

// The same with tags at every check level: for handles, for objects, and for
// pools that steal, whose .age, of [count] + 1 links, is defined before.
#define TP_POOL_DEFINE_TAGGED(name, bytes, count, align, ...) \
  TP_POOL_BY_HAND(name, bytes, count, align, count, 0, .tagged = 1, __VA_ARGS__)

// A stack, allocator/tp_stack.h, and one that fills from both ends,
// allocator/tp_dstack.h. The rest are initialisers of struct tp_region.
#define TP_STACK_DEFINE(name, bytes, ...)                     \
  TP_REGION_BY_HAND(name, bytes, (bytes) / 4);                \
  static struct tp_stack_state name##_state;                  \
  const struct tp_stack name##_stack = {                      \
      .state = &name##_state,                                 \
      .region = {TP_REGION_FIELDS(name, bytes), __VA_ARGS__}, \
  }

#define TP_DSTACK_DEFINE(name, bytes, ...)                    \
  TP_REGION_BY_HAND(name, bytes, (bytes) / 4);                \
  static struct tp_dstack_state name##_state;                 \
  const struct tp_dstack name##_dstack = {                    \
      .state = &name##_state,                                 \
      .region = {TP_REGION_FIELDS(name, bytes), __VA_ARGS__}, \
  }

// A frame allocator, allocator/tp_frame.h, of [count] buffers of [bytes].
#define TP_FRAME_DEFINE(name, bytes, count, ...)                  \
  _Static_assert((count) >= 1 && (count) <= TP_FRAME_BUFFERS_MAX, \
                 #name ": a frame has 1 to 255 buffers");         \
  TP_REGION_BY_HAND(name, bytes, (size_t)(bytes) / 4 * (count));  \
  static struct tp_frame_state name##_state;                      \
  static struct tp_bump name##_bump[count];                       \
  const struct tp_frame name##_frame = {                          \
      .state = &name##_state,                                     \
      .bump = name##_bump,                                        \
      .buffers = (count),                                         \
      .region = {TP_REGION_FIELDS(name, bytes), __VA_ARGS__},     \
  }

// A nest, allocator/tp_nest.h, without rows.
#define TP_NEST_DEFINE(name_, bytes_, ...)                                     \
  TP_REGION_BY_HAND(name_, bytes_, (bytes_) / 4);                              \
  static struct tp_dstack_state name_##_dstack_state;                          \
  static struct tp_nest_state name_##_nest_state;                              \
  const struct tp_nest name_##_nest = {                                        \
      .name = #name_,                                                          \
      .state = &name_##_nest_state,                                            \
      .bytes = (bytes_),                                                       \
      .kind = TP_NEST_DSTACK,                                                  \
      .as.dstack = {.state = &name_##_dstack_state,                            \
                    .region = {TP_REGION_FIELDS(name_, bytes_), __VA_ARGS__}}, \
  }

// A class of blocks, allocator/tp_blocks.h, which is a pool; a row of the table
// of classes; and the blocks, whose rest are those rows, their sizes ascending.
// [bigger]: 1 if a full class hands the request to the next.
//
//   TP_BLOCK_CLASS(small, 16, 64, .policy = &tp_drop, .refuses = 1);
//   TP_BLOCK_CLASS(large, 64, 8, .policy = &tp_drop, .refuses = 1);
//   TP_BLOCKS_DEFINE(scripts, 0, TP_BLOCK_ROW(small), TP_BLOCK_ROW(large));
#define TP_BLOCK_CLASS(name, bytes, count, ...)                          \
  _Static_assert((bytes) >= 8 && (bytes) % TP_BLOCK_ALIGN == 0,          \
                 #name ": sizes of classes are multiples of 8");         \
  static uint16_t name##_asked[TP_TAGS(count) + 1];                      \
  static struct tp_blocks_waste name##_waste;                            \
  TP_POOL_BY_HAND(name, bytes, count, TP_BLOCK_ALIGN, TP_TAGS(count), 0, \
                  __VA_ARGS__)

#define TP_BLOCK_ROW(name) {&name##_pool, name##_asked, &name##_waste}

#define TP_BLOCKS_DEFINE(name_, bigger_, ...)                            \
  static const struct tp_blocks_class name_##_classes[] = {__VA_ARGS__}; \
  static struct tp_blocks_waste name_##_waste;                           \
  const struct tp_blocks name_##_blocks = {                              \
      .classes = name_##_classes,                                        \
      .waste = &name_##_waste,                                           \
      .name = #name_,                                                    \
      .bigger = (bigger_),                                               \
      .count = sizeof name_##_classes / sizeof(struct tp_blocks_class),  \
  }

// A relocating pool, allocator/tp_reloc.h, of at most [count] blocks in
// [bytes], headers included. .moves and .move_bytes bound what a step moves.
#define TP_RELOC_DEFINE(name_, bytes, count, ...)                              \
  _Static_assert((bytes) % TP_RELOC_UNIT == 0 && (bytes) >= 16 &&              \
                     (bytes) / TP_RELOC_UNIT <= TP_RELOC_UNITS_MAX,            \
                 #name_ ": 16 to 524272 bytes, a multiple of 8");              \
  _Static_assert((count) >= 1 && (count) <= TP_CAPACITY_MAX,                   \
                 #name_ ": 1 to 32767 handles");                               \
  static struct tp_reloc_entry name_##_entry[(count) + 1];                     \
  static struct tp_reloc_state name_##_state;                                  \
  _Alignas(TP_RELOC_UNIT) static tp_word_t                                     \
      name_##_arena[((bytes) + TP_RELOC_UNIT) / 4];                            \
  const struct tp_reloc name_##_reloc = {.arena = name_##_arena,               \
                                         .entry = name_##_entry,               \
                                         .state = &name_##_state,              \
                                         .name = #name_,                       \
                                         .link_check = TP_ALIKE,               \
                                         .units = (bytes) / TP_RELOC_UNIT,     \
                                         .handles = (count),                   \
                                         .handle_bits = TP_HANDLE_BITS(count), \
                                         __VA_ARGS__}

// A dense pool, allocator/tp_dense.h. Its handles are told from another's by
// the line that it stands in: two of as many objects that stand in the same
// line of two files may take each other's.
#define TP_DENSE_DEFINE(name_, bytes, count, align, ...)                      \
  enum { name_##_stride = ((bytes) + (align) - 1) / (align) * (align) };      \
  _Static_assert((count) >= 1 && (count) <= TP_CAPACITY_MAX,                  \
                 #name_ ": a dense pool has 1 to 32767 objects");             \
  _Static_assert((bytes) >= 1, #name_ ": objects have a size");               \
  _Static_assert((align) >= 4 && (align) <= 64 && !((align) & ((align) - 1)), \
                 #name_ ": alignments are powers of two, 4 to 64");           \
  _Static_assert(name_##_stride <= UINT16_MAX,                                \
                 #name_ ": objects are < 64 KiB");                            \
  static uint32_t name_##_place[(count) + 1];                                 \
  static tp_slot_t name_##_entry[count];                                      \
  static struct tp_dense_state name_##_state;                                 \
  _Alignas(align) static tp_word_t                                            \
      name_##_storage[(count) * (size_t)name_##_stride / 4];                  \
  const struct tp_dense name_##_dense = {                                     \
      .place = name_##_place,                                                 \
      .entry = name_##_entry,                                                 \
      .state = &name_##_state,                                                \
      .storage = name_##_storage,                                             \
      .name = #name_,                                                         \
      .link_check = TP_ALIKE,                                                 \
      .salt = __LINE__ * 0x9e3779b1u << TP_HANDLE_BITS(count),                \
      .stride = name_##_stride,                                               \
      .size = (bytes),                                                        \
      .capacity = (count),                                                    \
      .bits = TP_HANDLE_BITS(count),                                          \
      __VA_ARGS__}

#endif
