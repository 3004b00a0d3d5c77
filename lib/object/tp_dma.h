// SPDX-License-Identifier: MIT
// tp_dma.h - whose an object is now, the CPU's or a device's: of rows that say
// dma = true.
//
//   frames_lend(frame, TP_DMA_RX);  // The device may write to it from here on.
//   ethernet_receive(frame);
//   ...                             // Its interrupt says that it is done:
//   frames_take(frame);             // what it wrote may be read from here on.
//
// A device reads and writes memory, the CPU its data cache, whole lines at a
// time. So no slot of such a row shares a line with anything else; to lend
// writes what the cache has of it back to memory, so that no line of it can
// come later, over what the device wrote; to take drops what the cache has,
// which it may have fetched while the device was writing.
//
// What the bytes are. When lend has returned, memory holds what this core, and
// who handed it the object by a lock or a barrier, wrote before. When take has
// returned, this core reads what the device wrote before it said that it was
// done. While it is lent the CPU does not touch it; to read what a device only
// reads is right. An object that is not lent is the CPU's alone, and so is a
// free slot: what memory holds of it then is nothing to rely on, and what a
// free or an alloc wrote there, the link or poison, is cleaned with the rest
// when the next object is lent. Nobody holds a device back that still writes to
// what was freed: so nothing that is lent is freed.
//
// How lines are cleaned and dropped says tp_dma_port.h, of a folder of
// port/cache that is on the include path of the library and of tp_pools.c.
//
// The calls of tp_pools.h look whether an object is lent: NAME_free(),
// NAME_free_handle(), NAME_destroy(), NAME_update(), NAME_clear(),
// NAME_reset(), NAME_unpin(), scenes_force(). Where an object ends by deinit,
// they look before and after it. tp_pool_free() and tp_pool_reset() themselves
// do not: then NAME_take() finds it gone. A row that steals has its objects
// pinned before they are lent, so none is stolen.
//
// It takes 2 bytes a slot, from fast up: the generation that was lent and what
// for. At off nobody looks; the cache is looked after all the same.
#ifndef TP_DMA_H
#define TP_DMA_H

#include "tidepool.h"

// Without a port nothing is lent, and tp_dma.c is empty.
#if __has_include("tp_dma_port.h")
#include "tp_dma_port.h"
#define TP_DMA_PORTED 1
#else
#define TP_DMA_PORTED    0
#define TP_DMA_PORT_LINE 1
#endif

#ifdef __cplusplus
extern "C" {
#endif

// What a device does.
enum tp_dma_direction {
  TP_DMA_TX = 1,  // It reads: TP_LENT_TO_READ.
  TP_DMA_RX = 2,  // It writes.
  TP_DMA_BOTH = 3,
};

// A pool whose objects are lent. Lives in flash.
struct tp_dma {
  const struct tp_pool *pool;
  uint16_t *lent;  // By slot, from slot 1: TP_LENT_AS() of it when it was lent.
};

// From now on [object] is a device's: what it reads is in memory, and nothing
// of the cache comes over what it writes.
//
// Faults   LENT: it is lent already. PIN: the pool steals, and it is not
//          pinned. FOREIGN, INTERIOR, DOUBLE_FREE: it is no live object of
//          the pool (fast). CONTEXT (full).
// Time     O(lines of the slot), and one locked window of O(1).
// Context  Any the pool's lock allows.
void tp_dma_lend(const struct tp_dma *dma, void *object,
                 enum tp_dma_direction direction);

// The device is done: [object] is the CPU's again, and reads as what it wrote.
//
// Faults   LENT: it is not lent. FOREIGN, INTERIOR, DOUBLE_FREE: it is no live
//          object of the pool (fast). CONTEXT (full).
// Time     O(lines of the slot), from fast up unless it was lent by TP_DMA_TX,
//          and one locked window of O(1).
// Context  Any the pool's lock allows: the interrupt of the device, too.
void tp_dma_take(const struct tp_dma *dma, void *object);

// [object] is about to be given back, or to be unpinned.
//
// Returns  [object].
// Faults   LENT: it is lent (fast).
// Time     O(1), nothing locked.
// Context  Any.
void *tp_dma_give(const struct tp_dma *dma, void *object);

// The same of what [handle] refers to; nothing if that is stale.
tp_handle_t tp_dma_give_handle(const struct tp_dma *dma, tp_handle_t handle);
tp_handle64_t tp_dma_give_handle64(const struct tp_dma *dma,
                                   tp_handle64_t handle);

// tp_pool_reset() of a pool no object of which is lent.
//
// Faults   LENT: one is (fast): nothing was taken back. Those of
//          tp_pool_reset().
// Time, Context  those of tp_pool_reset().
void tp_dma_reset(const struct tp_dma *dma);

#ifdef __cplusplus
}
#endif

#endif
