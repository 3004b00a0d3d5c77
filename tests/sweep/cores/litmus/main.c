// SPDX-License-Identifier: MIT
// main.c - what an object's bytes are to another core after a free and an
// alloc, and to a device that it is lent to; and that each barrier is needed.
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include "record.h"
#include "tp_pools.h"

enum { WORDS = 4, VALUE = 7 };

static jmp_buf faulted;
static uint32_t *object, mailbox;
static jobs_handle_t handle;

void tp_fault(const struct tp_fault_record *record)
{
  (void)record;
  longjmp(faulted, 1);
}

static void share(const struct tp_pool *pool)
{
  memset(pool->tag, 0, 2 * sizeof pool->tag[0]);
  memset(pool->state, 0, sizeof *pool->state);
  memset(pool->storage, 0, pool->size);
  record_share((uint8_t *)pool->storage - pool->zone,
               (uint32_t)pool->stride + pool->zone);
  record_share(pool->tag, 2 * sizeof pool->tag[0]);
  record_share(pool->state, sizeof *pool->state);
}

// But for the first word, which is the link of a free slot.
static void write_it(void)
{
  for (uint32_t i = 1; i < WORDS; i++) record_store(&object[i], VALUE);
}

static bool holds(const uint32_t *words, uint32_t value)
{
  for (uint32_t i = 1; i < WORDS; i++) {
    if (words[i] != value) return false;
  }
  return true;
}

// Of who is issued it: as who had it left it, or poison from poison up.
static bool is_as_left(const uint32_t *words)
{
  return holds(words, TP_CHECKS >= TP_CHECKS_POISON ? TP_POISON_NEW : VALUE);
}

// Until the last window of free nobody else is issued the slot.
static bool receive_packet(bool last)
{
  if (setjmp(faulted)) return false;
  record_look();
  uint32_t *packet = packets_alloc();
  if (!record_looked_late()) return false;
  return packet ? is_as_left(packet) : !last;
}

static uint32_t free_a_packet(uint32_t *states)
{
  share(&packets_pool);
  object = packets_alloc();
  record_begin();
  write_it();
  packets_free(object);
  return record_judge(receive_packet, states);
}

// By handle: who has another one finds it gone.
static bool receive_job(bool last)
{
  jobs_handle_t own;
  if (setjmp(faulted)) return false;
  if (jobs_get(handle)) return false;
  record_look();
  uint32_t *job = jobs_alloc_handle(&own);
  if (!record_looked_late()) return false;
  if (!job) return !last;
  return is_as_left(job) && jobs_get(own) == job && !jobs_get(handle);
}

static uint32_t free_a_job(uint32_t *states)
{
  share(&jobs_pool);
  object = jobs_alloc_handle(&handle);
  record_begin();
  write_it();
  (void)jobs_free_handle(handle);
  return record_judge(receive_job, states);
}

// An object that lives is handed over by the application, by a store of its
// own, which is the last that says "yours".
static bool receive_mail(bool last)
{
  return !last || holds(object, VALUE);
}

static uint32_t hand_over(uint32_t *states)
{
  share(&packets_pool);
  record_begin();
  object = packets_alloc();
  write_it();
  if (record_releases) record_barrier();
  record_store(&mailbox, 1);
  record_yours();
  return record_judge(receive_mail, states);
}

// A device looks at memory when its register was written to.
static uint32_t lend(uint32_t *states)
{
  share(&frames_pool);
  memset(frames_dma.lent, 0, sizeof frames_dma.lent[0]);
  object = frames_alloc();
  record_begin();
  write_it();
  if (record_releases) frames_lend(object, TP_DMA_TX);
  record_store(&mailbox, 1);
  record_yours();
  return record_judge(receive_mail, states);
}

// It writes, and then says that it is done; who takes the object has a barrier
// behind that.
static uint32_t take(uint32_t *states)
{
  share(&frames_pool);
  memset(frames_dma.lent, 0, sizeof frames_dma.lent[0]);
  object = frames_alloc();
  frames_lend(object, TP_DMA_RX);
  uint32_t before = record_barriers;
  if (record_acquires) frames_take(object);
  record_acquires = record_barriers != before;
  record_begin();
  write_it();
  record_barrier();
  record_yours();
  return record_judge(receive_mail, states);
}

static const struct {
  const char *name;
  uint32_t (*run)(uint32_t *states);
} cases[] = {{"packet", free_a_packet},
             {"job", free_a_job},
             {"mail", hand_over},
             {"lent", lend},
             {"taken", take}};

// Each case with both barriers, without the one of who gives and without that
// of who takes: "case releases acquires wrong states".
int main(void)
{
  for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    for (uint32_t without = 0; without < 3; without++) {
      uint32_t states = 0;
      record_releases = without != 1;
      record_acquires = without != 2;
      uint32_t wrong = cases[i].run(&states);
      printf("%s %d %d %u %u\n", cases[i].name, without != 1, without != 2,
             wrong, states);
    }
  }
  return 0;
}
