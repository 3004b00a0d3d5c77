// SPDX-License-Identifier: MIT
// tidepool.hpp - what C++17 adds to the calls of tp_pools.h: owners that free,
// handles with an arrow, and std::pmr over blocks.
//
// Nothing here takes RAM, throws or needs a library to link with, but for the
// memory resource, which a firmware without <memory_resource> does not see.
// [Home] is what tp_pools.h declares for a row: NAME_pool, or NAME_objects
// where objects are destroyed or told of their end.
//
//   tidepool::owner<Spark, sparks_pool> spark(sparks_alloc());
//   tidepool::owner<app::Bullet, bullets_objects> bullet(bullets_create(3));
#ifndef TIDEPOOL_HPP
#define TIDEPOOL_HPP

#if !defined(__cplusplus) || __cplusplus < 201703L
#error "tidepool.hpp is C++17"
#endif

#pragma GCC diagnostic push  // Clang looks for casts of C in extern "C", too.
#pragma GCC diagnostic ignored "-Wold-style-cast"
#include "allocator/tp_blocks.h"
#include "object/tp_object.h"
#include "tidepool.h"
#pragma GCC diagnostic pop

#if defined(__has_include)
#if __has_include(<memory_resource>) && __STDC_HOSTED__
#include <memory_resource>
#include <new>
#define TP_HAS_MEMORY_RESOURCE 1
#endif
#endif

namespace tidepool {

// Where an object is constructed, without <new>, which not every compiler for
// firmware has.
struct place {
  void *at;
};

}  // namespace tidepool

inline void *operator new(size_t, tidepool::place place) noexcept
{
  return place.at;
}
inline void operator delete(void *, tidepool::place) noexcept
{
}

namespace tidepool {

// How objects of each kind of home are given back.
inline TP_CALL void free_at(const tp_pool &home, void *object)
{
  tp_pool_free(&home, object);
}
inline TP_CALL void free_at(const tp_objects &home, void *object)
{
  tp_object_free(&home, object);
}

// TP_NO_HANDLE, without the cast of C that compilers may be told to refuse.
constexpr tp_handle64_t no_life = 0;

// What the life in [slot] is known by, if [pool] steals and has tags.
inline TP_CALL tp_handle64_t life_of(const tp_pool &pool, const void *slot)
{
  bool may_end = pool.age != nullptr && pool.tag != nullptr;
  return may_end ? tp_handle64_of(&pool, slot) : no_life;
}

// An object of the [arguments] in [slot], which an alloc of [pool] returned:
// what NAME_create() does. The slot goes back if the constructor throws, unless
// it was stolen meanwhile: then it is another's.
//
// Returns  the object; nullptr iff [slot] is, or it was stolen meanwhile, as by what
//          its constructor created.
template <class T, class... Arguments>
inline TP_CALL T *construct(const tp_pool &pool, void *slot,
                            Arguments &&...arguments)
{
  struct guard {
    const tp_pool &pool;
    void *slot;
    tp_handle64_t life;
    ~guard()
    {
      if (!slot) return;
      if (life != no_life) {
        tp_handle64_free(&pool, life);
      } else {
        tp_pool_free(&pool, slot);
      }
    }
  } kept = {pool, slot, life_of(pool, slot)};
  if (!slot) return nullptr;
  T *object = ::new (place{slot}) T(static_cast<Arguments &&>(arguments)...);
  kept.slot = nullptr;
  bool stays = kept.life == no_life || tp_handle64_get(&pool, kept.life);
  return stays ? object : nullptr;
}

// Owns an object, or none: one pointer, that can be moved and not copied. The
// object goes back to [Home] when its owner ends. Not for pools that steal: a
// pointer does not notice; use a handle there. Nor for rows with link,
// low_water, wait or dma: it frees by tp_pool_free(), which knows nothing of
// them.
template <class T, const auto &Home>
class owner {
 public:
  owner() = default;
  explicit owner(T *object) : object_(object)
  {
  }
  owner(owner &&other) noexcept : object_(other.release())
  {
  }
  owner &operator=(owner &&other) noexcept
  {
    reset(other.release());
    return *this;
  }
  owner(const owner &) = delete;
  owner &operator=(const owner &) = delete;
  ~owner()
  {
    reset();
  }

  // Frees the object, if there is one, and owns [object] instead.
  //
  // Faults   those of NAME_free() or NAME_destroy().
  void reset(T *object = nullptr)
  {
    T *before = object_;
    const void *gone = before;
    object_ = object;
    if (gone && before != object) free_at(Home, const_cast<void *>(gone));
  }

  // Returns  the object, which is the caller's to free from now on; nullptr iff
  //          there is none.
  T *release()
  {
    T *object = object_;
    object_ = nullptr;
    return object;
  }

  T *get() const
  {
    return object_;
  }
  T *operator->() const
  {
    return object_;
  }
  T &operator*() const
  {
    return *object_;
  }
  explicit operator bool() const
  {
    return object_ != nullptr;
  }

 private:
  T *object_ = nullptr;
};

// A handle with an arrow: [Named] is the NAME_handle_t of a row, and as large.
//
//   tidepool::handle<sounds_handle_t> siren = sounds_handle(sound);
//   if (siren) siren->pitch++;
template <class Named>
class handle {
 public:
  handle() = default;
  handle(Named named) : named_(named)
  {
  }

  // Returns  the object, good as long as that of NAME_get(); nullptr iff it is
  //          gone.
  auto get() const
  {
    return tp_get(named_);
  }
  auto operator->() const
  {
    return get();
  }
  explicit operator bool() const
  {
    return get() != nullptr;
  }

  // For the calls of tp_pools.h.
  Named named() const
  {
    return named_;
  }

  friend bool operator==(handle a, handle b)
  {
    return a.named_.bits == b.named_.bits;
  }
  friend bool operator!=(handle a, handle b)
  {
    return !(a == b);
  }

 private:
  Named named_ = {};
};

#ifdef TP_HAS_MEMORY_RESOURCE

// The containers of std::pmr in the blocks of a row of [blocks].
class memory_resource : public std::pmr::memory_resource {
 public:
  explicit memory_resource(const tp_blocks &blocks) : blocks_(blocks)
  {
  }

 private:
  // Throws std::bad_alloc iff tp_blocks_alloc() refuses, or none fits; without
  // exceptions it traps. A class that is full hands on, or is a fault, as the
  // row says.
  void *do_allocate(size_t bytes, size_t align) override
  {
    void *block = nullptr;
    if (bytes <= largest() && align <= TP_BLOCK_ALIGN)
      block = tp_blocks_alloc(&blocks_, bytes ? bytes : 1);
    if (!block) refuse();
    return block;
  }

  size_t largest() const
  {
    return blocks_.classes[blocks_.count - 1].pool->size;
  }

  void do_deallocate(void *block, size_t, size_t) override
  {
    tp_blocks_free(&blocks_, block);
  }

  bool do_is_equal(
      const std::pmr::memory_resource &other) const noexcept override
  {
    return this == &other;
  }

  [[noreturn]] static void refuse()
  {
#ifdef __cpp_exceptions
    throw std::bad_alloc();
#else
    for (;;) __builtin_trap();
#endif
  }

  const tp_blocks &blocks_;
};

#endif

}  // namespace tidepool

#endif
