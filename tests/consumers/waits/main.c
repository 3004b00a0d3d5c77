// SPDX-License-Identifier: MIT
// Six threads want two packets. Each writes all of what it was given and looks
// whether it stayed so; some give up after a millisecond.
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#include "packet.h"
#include "tp_pools.h"

enum { THREADS = 6, ROUNDS = 5000 };

static uint32_t served[THREADS], in_vain[THREADS];

static void use(struct packet *packet, uint32_t owner)
{
  const uint32_t words = sizeof packet->words / sizeof packet->words[0];
  for (uint32_t i = 0; i < words; i++) packet->words[i] = owner;
  sched_yield();
  for (uint32_t i = 0; i < words; i++) {
    if (packet->words[i] == owner) continue;
    puts("a packet has two owners");
    exit(1);
  }
}

static void *run(void *number)
{
  uint32_t me = *(uint32_t *)number;
  for (uint32_t round = 0; round < ROUNDS; round++) {
    uint32_t ticks = (me + round) % 3 ? TP_WAIT_FOREVER : 1;
    struct packet *packet = packets_alloc_wait(ticks);
    if (!packet && ticks == TP_WAIT_FOREVER) {
      puts("a wait without end ended");
      exit(1);
    }
    served[me] += packet != NULL;
    in_vain[me] += packet == NULL;
    if (!packet) continue;
    use(packet, me);
    packets_free(packet);
  }
  return NULL;
}

static int judge(void)
{
  uint32_t all = 0, left = 0;
  struct tp_stats stats;
  tp_pool_stats(&packets_pool, &stats);
  for (uint32_t i = 0; i < THREADS; i++) {
    left += in_vain[i];
    all += served[i] + in_vain[i];
  }
  printf("%u of %u in vain, %u refused, %u live\n", left, all, stats.refused,
         stats.live);
  uint32_t refused = TP_CHECKS >= TP_CHECKS_FAST ? left : 0;
  return all != THREADS * ROUNDS || stats.refused != refused || stats.live ||
         tp_wait_is_awaited(&packets_wait) ||
         !tp_pool_verify(&packets_pool, NULL);
}

int main(void)
{
  pthread_t threads[THREADS];
  uint32_t numbers[THREADS];
  for (uint32_t i = 0; i < THREADS; i++) {
    numbers[i] = i;
    pthread_create(&threads[i], NULL, run, &numbers[i]);
  }
  for (uint32_t i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  return judge();
}
