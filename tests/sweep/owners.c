// SPDX-License-Identifier: MIT
// owners.c - a pool whose slots are noted: whoever holds an object is in its
// note, wherever the thread is interrupted, between a call and its note too.
#include "core/tp_slot.h"
#include "model.h"
#include "object/tp_owner.h"
#include "subject.h"

// Of the subject.
static const struct tp_owned *owned(void)
{
  return subject->pool == &noted_pool ? &noted_owned : &marked_owned;
}

static void open_owned(void)
{
  for (uint32_t i = 0; i < subject->pool->capacity; i++) {
    owned()->owners[i] = (struct tp_owner){0};
  }
}

// Its note is of that generation, too.
static void wear_owned(void)
{
  owned()->owners[0].generation = (uint16_t)TP_GENERATION_MAX;
}

// What the handler takes it takes in its exception; all else the thread took.
static void close_owned(void)
{
  for (uint32_t holder = 0; holder < HOLDERS; holder++) {
    const struct holding *holding = &holdings[holder];
    if (!holding->live) continue;
    const struct tp_owner *owner = tp_owner_of(owned(), holding->item);
    if (!owner || !owner->asked) {
      complain("nobody knows who has an object");
    } else if ((owner->context != 0) != (holder >= GIVEN)) {
      complain("an object is noted as another's");
    }
  }
}

static uint64_t handle_of(const struct item *item)
{
  return noted_handle(item).bits;
}

static struct item *alloc_handle(uint64_t *handle)
{
  noted_handle_t own;
  struct item *item = noted_alloc_handle(&own);
  *handle = own.bits;
  return item;
}

static struct item *get(uint64_t handle)
{
  return noted_get((noted_handle_t){(tp_handle_t)handle});
}

static bool free_handle(uint64_t handle)
{
  return noted_free_handle((noted_handle_t){(tp_handle_t)handle});
}

static const struct subject noted = {
    .name = "noted",
    .pool = &noted_pool,
    .open = open_owned,
    .close = close_owned,
    .wear = wear_owned,
    .alloc = noted_alloc,
    .free = noted_free,
    .alloc_handle = alloc_handle,
    .handle = handle_of,
    .get = get,
    .free_handle = free_handle,
};

static const struct subject marked = {
    .name = "marked",
    .pool = &marked_pool,
    .open = open_owned,
    .close = close_owned,
    .wear = wear_owned,
    .alloc = marked_alloc,
    .free = marked_free,
};

void suite_owners(void)
{
  sweep_common(&marked);
  sweep_with_handles(&noted);
}
